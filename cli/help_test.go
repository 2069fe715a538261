package cli

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every flag is in the help of its command, whatever its group.
func TestHelpHasEveryFlag(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	for _, c := range p.app().Commands {
		help := helpOf(c)
		for _, f := range rowsOf(c) {
			if name := "--" + f.name; !strings.Contains(help, name) {
				t.Errorf("%s: %s is not in its help", c.Name, name)
			}
		}
	}
}

// Help fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	var first strings.Builder
	p := &process{stdout: &first, console: newConsole(io.Discard)}
	app := p.app()
	if err := p.overview(app); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"bcstage --help": first.String()}
	for _, c := range app.Commands {
		texts[c.Name] = helpOf(c)
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}
