package cli

import (
	"strconv"
	"strings"

	"bcstage/internal/expression"
	"bcstage/pipeline"
)

// optionName matches an option as the libraries name it in errors and notes: Options.IgnoreWeight,
// or with a value Options.Nulls "drop". In a path, as in Options.Input.Files.Keep, the last name is
// the flag's.
var optionName = expression.Lazy(`\bOptions\.(?:[A-Z][A-Za-z]*\.)*([A-Z][A-Za-z]*)( "(?:[^"\\]|\\.)*")?`)

// unlikeFlags are the options whose flags have other names.
var unlikeFlags = map[string]string{"Format": "input-format", "IDs": "ids", "Column": "weight", "Measures": "columns", "OneWay": "oneway"}

var wordStart = expression.Lazy(`[a-z][A-Z]`)

// flagsFor replaces the options in a text by their flags: --nulls drop.
func flagsFor(text string) string {
	return optionName().ReplaceAllStringFunc(text, func(option string) string {
		parts := optionName().FindStringSubmatch(option)
		flag, known := unlikeFlags[parts[1]]
		if !known {
			flag = strings.ToLower(wordStart().ReplaceAllStringFunc(parts[1], func(s string) string { return s[:1] + "-" + s[1:] }))
		}
		if parts[2] == "" {
			return "--" + flag
		}
		value, err := strconv.Unquote(parts[2][1:])
		if err != nil {
			return "--" + flag + parts[2]
		}
		return "--" + flag + " " + shellWord(value)
	})
}

var plainWord = expression.Lazy(`^[\w@%+=:,./-]+$`)

// shellWord quotes a value for a shell's command line.
func shellWord(value string) string {
	if plainWord().MatchString(value) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// tell writes the notes and warnings of a run, with flags in place of options; nil: none.
func (p *process) tell(stats *pipeline.Stats) {
	if stats != nil {
		nameFlags(stats)
		p.console.tell(stats.Notes, stats.Warnings)
	}
}

// nameFlags replaces options by flags in the notes and warnings of a run.
func nameFlags(stats *pipeline.Stats) {
	for _, texts := range [][]string{stats.Notes, stats.Warnings} {
		for i, text := range texts {
			texts[i] = flagsFor(text)
		}
	}
}
