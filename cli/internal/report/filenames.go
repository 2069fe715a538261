package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how many bytes a file name made of data may have, without its number and
// ending: file systems take 255.
const longestName = 100

// fileName makes a name of any text: of letters, digits, - and _. Whatever else the text
// has is _, so the name has no folder, no device and no option in it.
func fileName(text string) string {
	name := strings.Map(func(r rune) rune {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-') {
			return r
		}
		return '_'
	}, text)
	end := 0
	for at, r := range name {
		if end = at + utf8.RuneLen(r); end > longestName {
			end = at
			break
		}
	}
	if name = name[:end]; strings.HasPrefix(name, "-") {
		name = "_" + name[1:]
	}
	return cmp.Or(name, "_")
}

// fileNames gives each plot a name that a file can have and that no other plot has, nor
// one that differs in case alone. The second of a name is NAME-2.
func fileNames(plots []Plot) {
	taken := map[string]bool{}
	for i := range plots {
		base := fileName(plots[i].Name)
		name := base
		for count := 2; taken[strings.ToLower(name)]; count++ {
			name = fmt.Sprintf("%s-%d", base, count)
		}
		taken[strings.ToLower(name)] = true
		plots[i].Name = name
	}
}
