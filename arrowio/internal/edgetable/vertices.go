package edgetable

import (
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// vertexNames are the usual names of the id column of a vertex table. Case does not matter:
// Gephi writes "Id".
var vertexNames = [...]string{"vertex", "id", ":ID"}

// graphArVertex is GraphAr's column of vertex numbers, which its edges use: a column "id"
// beside it is a property.
const graphArVertex = "_graphArVertexIndex"

// VertexColumn finds the id column of a vertex table: the only column, or the only one with a
// usual name. In a list of ids it is the first, unless Src names one.
func (o *Options) VertexColumn(names []string) (int, error) {
	if o.List && o.Src != "" {
		return OneColumn(names, o.Src)
	}
	if len(names) == 1 || o.List && len(names) > 0 {
		return 0, nil
	}
	if i, err := OneColumn(names, graphArVertex); err == nil {
		return i, nil
	}
	found := -1
	for i, name := range names {
		if !IsVertexName(name) {
			continue
		}
		if found >= 0 {
			return 0, faults.Rejected("more than one id column among columns %s", faults.Names(names))
		}
		found = i
	}
	if found < 0 {
		return 0, faults.Rejected("no id column among columns %s; a vertex table has one column, or one of the names %s", faults.Names(names), faults.Names(vertexNames[:]))
	}
	return found, nil
}

func IsVertexName(name string) bool {
	return name == graphArVertex || slices.ContainsFunc(vertexNames[:], func(usual string) bool { return strings.EqualFold(usual, name) })
}
