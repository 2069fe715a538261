package cli

import (
	"io"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"
)

// Every flag is in the help of its command, whatever group it is in.
func TestHelpHasEveryFlag(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	for _, c := range p.app().Commands {
		help := helpOf(c)
		for _, f := range c.Flags {
			if visible, ok := f.(urfave.VisibleFlag); ok && !visible.IsVisible() {
				continue
			}
			if name := "--" + nameOf(f); !strings.Contains(help, name) {
				t.Errorf("%s: %s is not in its help", c.Name, name)
			}
		}
	}
}
