package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is the largest number of bytes of a file name made of data, without its number and
// ending: file systems take 255.
const longestName = 100

// fileName makes a name of any text: of letters, digits, - and _. All other characters become _, so
// the name cannot be a folder, a device or an option.
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

// fileNames gives each plot a valid file name that is unique even without regard to case. The
// second plot of a name is NAME-2.
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
