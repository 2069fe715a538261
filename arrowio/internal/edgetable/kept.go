package edgetable

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// KeptField is a column to keep among those of a vertex table.
func KeptField(name string, names []string, taken []int) (int, error) {
	at, err := OneColumn(names, name)
	if err == nil && slices.Contains(taken, at) {
		err = faults.Usage("column %q names the vertices; the output has it anyway", name)
	}
	return at, err
}

// Keeps notes the types of the columns to keep in an input: those of all vertex
// tables are the same.
func (f *Funnel) Keeps(names []string, types []arrow.DataType) error {
	for i, name := range names {
		if len(f.Summary.Kept) < len(names) {
			f.Summary.Kept = append(f.Summary.Kept, tables.GroupColumn{Name: name, Type: idtypes.Of(types[i])})
		} else if before := idtypes.Arrow(f.Summary.Kept[i].Type); !arrow.TypeEqual(before, types[i]) {
			return faults.Rejected("column %q: of type %s, but %s in the vertex table before", name, types[i], before)
		}
	}
	return nil
}
