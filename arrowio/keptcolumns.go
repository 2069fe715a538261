package arrowio

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
)

// keptField is a column to keep among those of a vertex table.
func keptField(name string, names []string, taken []int) (int, error) {
	at, err := oneColumn(names, name, func(a, b string) bool { return a == b })
	if err == nil && slices.Contains(taken, at) {
		err = faults.Usage("column %q names the vertices; the output has it anyway", name)
	}
	return at, err
}

// keeps notes the types of the columns to keep in an input: those of all vertex
// tables are the same.
func (f *funnel) keeps(names []string, types []arrow.DataType) error {
	for i, name := range names {
		if len(f.summary.Kept) < len(names) {
			f.summary.Kept = append(f.summary.Kept, GroupColumn{name, idTypeOf(types[i])})
		} else if before := arrowOf(f.summary.Kept[i].Type); !arrow.TypeEqual(before, types[i]) {
			return faults.Rejected("column %q: of type %s, but %s in the vertex table before", name, types[i], before)
		}
	}
	return nil
}
