package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// shells are the shells with completion.
func shells() map[string]func(io.Writer, []*urfave.Command) {
	return map[string]func(io.Writer, []*urfave.Command){"bash": bash, "fish": fish, "powershell": powershell, "zsh": zsh}
}

func shellNames() []string { return slices.Sorted(maps.Keys(shells())) }

func (p *process) completionCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "completion",
		Usage:       "make a shell's completion script",
		ArgsUsage:   strings.Join(shellNames(), "|"),
		Description: "Writes a script with which a shell completes commands, flags and values.",
		UsageText: `source <(bcstage completion bash)                     # now, or in ~/.bashrc
bcstage completion zsh > "${fpath[1]}/_bcstage"       # then start a new shell
bcstage completion fish > ~/.config/fish/completions/bcstage.fish
bcstage completion powershell | Out-String | Invoke-Expression  # or $PROFILE`,
		Action: func(c *urfave.Context) error {
			script, ok := shells()[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return usagef(c.Command, "want one of %s", strings.Join(shellNames(), ", "))
			}
			var text strings.Builder
			script(&text, p.app().Commands)
			_, err := io.WriteString(p.stdout, text.String())
			return err
		},
	}
}

// words returns the values of a command's argument; nil for files.
func words(c *urfave.Command, commands []*urfave.Command) []string {
	switch c.Name {
	case "help":
		return commandNames(commands)
	case "generate", "bench":
		return graphKinds()
	case "completion":
		return shellNames()
	}
	return nil
}

func commandNames(commands []*urfave.Command) (names []string) {
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}

// takesFiles reports whether the arguments are files.
func takesFiles(c *urfave.Command) bool {
	return strings.Contains(c.ArgsUsage, "FILE") || strings.Contains(c.ArgsUsage, "GRAPH")
}

// several reports whether a flag's value is a list of known words.
func (f *flag) several() bool { return f.is == listValue && len(f.of) > 0 }

// bash completes by the command, the previous word, and the current word. A list is completed after
// its last comma, which does not end a word for the shell.
func bash(w io.Writer, commands []*urfave.Command) {
	names := strings.Join(commandNames(commands), "|")
	fmt.Fprintf(w, `# bash completion of bcstage
_bcstage_list() {
	local last=${word##*,}
	local begin=${word%%"$last"}
	COMPREPLY=($(compgen -P "$begin" -W "$1" -- "$last"))
	compopt -o nospace
}
_bcstage() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=%s
	local first=${COMP_WORDS[1]} flags= words= files=
	case $first in %s) [ "$COMP_CWORD" -gt 1 ] && command=$first ;; esac
	case $command in
`, defaultCommand, names)
	for _, c := range commands {
		fmt.Fprintf(w, "\t%s)\n\t\tcase $before in\n", c.Name)
		var flags []string
		for _, f := range rowsOf(c) {
			flags = append(flags, f.dashed()...)
			spelt, values := strings.Join(f.dashed(), "|"), strings.Join(f.of, " ")
			switch {
			case f.several():
				fmt.Fprintf(w, "\t\t\t%s) _bcstage_list %q; return ;;\n", spelt, values)
			case len(f.of) > 0:
				fmt.Fprintf(w, "\t\t\t%s) COMPREPLY=($(compgen -W %q -- \"$word\")); return ;;\n", spelt, values)
			case f.namesFile():
				fmt.Fprintf(w, "\t\t\t%s) compopt -o default; COMPREPLY=(); return ;;\n", spelt)
			case f.namesFolder():
				fmt.Fprintf(w, "\t\t\t%s) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", spelt)
			case f.takesValue():
				fmt.Fprintf(w, "\t\t\t%s) COMPREPLY=(); return ;;\n", spelt)
			}
		}
		fmt.Fprintf(w, "\t\tesac\n\t\tflags=%q words=%q", strings.Join(flags, " "), strings.Join(words(c, commands), " "))
		if takesFiles(c) {
			fmt.Fprint(w, " files=yes")
		}
		fmt.Fprint(w, " ;;\n")
	}
	fmt.Fprintf(w, `	esac
	[ "$COMP_CWORD" -eq 1 ] && words=%q
	case $word in -*) words=$flags files= ;; esac
	COMPREPLY=($(compgen -W "$words" -- "$word"))
	[ -n "$files" ] && compopt -o default
}
complete -F _bcstage bcstage
`, strings.ReplaceAll(names, "|", " "))
}

func zsh(w io.Writer, commands []*urfave.Command) {
	// In a specification colons and brackets have a meaning; in single quotes only the quote has.
	escape := strings.NewReplacer("'", `'\''`, ":", `\:`, "[", `\[`, "]", `\]`).Replace
	fmt.Fprint(w, "#compdef bcstage\n\n_bcstage() {\n\tlocal command=run\n\tlocal -a commands=(\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t\t'%s:%s'\n", c.Name, escape(c.Usage))
	}
	fmt.Fprint(w, "\t)\n\tif (( CURRENT > 2 )) && (( ${commands[(I)${words[2]}:*]} )); then\n\t\tcommand=${words[2]}\n\t\tshift words\n\t\t(( CURRENT-- ))\n\telif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\tfi\n\tcase $command in\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t%s)\n\t\t_arguments", c.Name)
		for _, f := range rowsOf(c) {
			for _, name := range f.dashed() {
				action, values := "", strings.Join(f.of, " ")
				switch {
				case f.several():
					action = fmt.Sprintf(":%s:_sequence compadd - %s", f.value, values)
				case len(f.of) > 0:
					action = fmt.Sprintf(":%s:(%s)", f.value, values)
				case f.namesFile():
					action = ":FILE:_files"
				case f.namesFolder():
					action = ":FOLDER:_files -/"
				case f.takesValue():
					action = fmt.Sprintf(":%s: ", f.value)
				}
				fmt.Fprintf(w, " \\\n\t\t\t'%s[%s]%s'", name, escape(f.usage), action)
			}
		}
		if names := words(c, commands); names != nil {
			fmt.Fprintf(w, " \\\n\t\t\t'1:%s:(%s)'", c.Name, strings.Join(names, " "))
		}
		if takesFiles(c) {
			fmt.Fprint(w, " \\\n\t\t\t'*:FILE:_files'")
		}
		fmt.Fprint(w, "\n\t\t;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\n\nif [ \"$funcstack[1]\" = _bcstage ]; then _bcstage; else compdef _bcstage bcstage; fi\n")
}

func fish(w io.Writer, commands []*urfave.Command) {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'" }
	fmt.Fprintf(w, `# fish completion of bcstage
function __bcstage_command
	set -l words (commandline -opc)
	if set -q words[2]; and contains -- $words[2] %s
		echo $words[2]
	else
		echo %s
	end
end

# __bcstage_list WORDS...: those that may follow the last comma of the word under way
function __bcstage_list
	set -l begin (string match -r '.*,' -- (string replace -r '^--?[^=]*=' '' -- (commandline -ct)))
	for word in $argv
		echo $begin$word
	end
end
`, strings.Join(commandNames(commands), " "), defaultCommand)
	for _, c := range commands {
		fmt.Fprintf(w, "complete -c bcstage -n __fish_is_first_token -a %s -d %s\n", c.Name, quote(c.Usage))
	}
	for _, c := range commands {
		condition := quote("test (__bcstage_command) = " + c.Name)
		if !takesFiles(c) {
			fmt.Fprintf(w, "complete -c bcstage -n %s -f\n", condition)
		}
		if names := words(c, commands); names != nil {
			fmt.Fprintf(w, "complete -c bcstage -n %s -a %s\n", condition, quote(strings.Join(names, " ")))
		}
		for _, f := range rowsOf(c) {
			line := fmt.Sprintf("complete -c bcstage -n %s -d %s -l %s", condition, quote(f.usage), f.name)
			if f.short != "" {
				line += " -s " + f.short
			}
			values := strings.Join(f.of, " ")
			switch {
			case f.several():
				line += " -x -a " + quote("(__bcstage_list "+values+")")
			case len(f.of) > 0:
				line += " -x -a " + quote(values)
			case f.namesFile(), f.namesFolder():
				line += " -r -F"
			case f.takesValue():
				line += " -x"
			}
			fmt.Fprintln(w, line)
		}
	}
}
