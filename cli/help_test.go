package cli

import (
	"io"
	"strings"
	"testing"
)

// Every flag is in the help of its command, whatever group it is in.
func TestHelpHasEveryFlag(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	for _, c := range p.app().Commands {
		help := helpOf(c)
		for _, f := range c.Flags {
			if name := "--" + f.Name; !strings.Contains(help, name) {
				t.Errorf("%s: %s is not in its help", c.Name, name)
			}
		}
	}
}
