package cli

import (
	"io"
	"slices"
	"testing"
)

// Groups of flags that name files say whether the files are read or written: the comparison of all
// files relies on it.
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
