package cli

import (
	"io"
	"slices"
	"testing"
)

// Flags that name files belong to groups that say whether those are read or written: the
// comparison of all files goes by that.
func TestGroupsOfFlagsThatNameFiles(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	seen := map[string]int{}
	for _, c := range p.app().Commands {
		for _, f := range rowsOf(c) {
			if !f.namesFile() && !f.namesFolder() {
				continue
			}
			if !slices.Contains([]string{groupInput, groupOutput, groupParts}, f.group) {
				t.Errorf("%s --%s: a file of group %q is neither input nor output", c.Name, f.name, f.group)
			}
			seen[f.group]++
		}
	}
	if seen[groupInput] < 10 || seen[groupOutput] < 10 || seen[groupParts] < 1 {
		t.Error("few flags name files:", seen)
	}
}
