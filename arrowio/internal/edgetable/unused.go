package edgetable

import (
	"bytes"
	"slices"
	"strings"
)

// Summary.Unused lists the columns of edges that are not read. Read warns of columns that
// probably change the answer:
//
//  - a column of numbers with a usual name of lengths, unless Options.Weight or
//    Options.IgnoreWeight is set
//  - Gephi's column "Type", if it contradicts Options.Directed

// lengthNames are usual names of columns of lengths, in lower case.
var lengthNames = []string{
	"length", "cost", "distance", "dist", "metres", "meters", "km", "miles", "w", "amount",
	"time", "duration", "travel_time", "minutes", "seconds",
}

func isLengthName(name string) bool { return slices.Contains(lengthNames, untyped(name)) }

// untyped is a name in lower case, without the type that Neo4j appends: "weight:double".
func untyped(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	return name
}

// unused has the columns that were not read so far, and the warned ones.
type unused struct{ names, warned nameSet }

type nameSet map[string]bool

// add says whether the name is new.
func (s *nameSet) add(name string) bool {
	if (*s)[name] {
		return false
	}
	if *s == nil {
		*s = nameSet{}
	}
	(*s)[name] = true
	return true
}

// Leaves notes the columns of an edge table except those at positions `read`. isNumber says
// whether a column holds numbers.
func (f *Funnel) Leaves(names []string, read []int, isNumber func(i int) bool) {
	for i, name := range names {
		if slices.Contains(read, i) {
			continue
		}
		if f.unused.names.add(name) {
			f.Summary.Unused = append(f.Summary.Unused, name)
		}
		if !f.Opts.Heedless() && isLengthName(name) && !f.unused.warned[name] && isNumber(i) {
			f.unused.warned.add(name)
			f.Warn("column %q is not used: Options.Weight %q measures paths by it", name, name)
		}
	}
}

// LeavesNumbers is Leaves for a format with nameless numbers beside its edges.
func (f *Funnel) LeavesNumbers(are bool) {
	if are && f.unused.names.add(Nameless) {
		f.Summary.Unused = append(f.Summary.Unused, Nameless)
	}
}

// DirectionColumn is the position of Gephi's column of directions, if it is not read; -1:
// none.
func DirectionColumn(names []string, read []int) int {
	i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "type") })
	if slices.Contains(read, i) {
		return -1
	}
	return i
}

// Contradicts says whether a value of that column differs from the direction asked for.
func (o *Options) Contradicts(value []byte) bool {
	if o.Directed {
		return bytes.EqualFold(value, []byte("undirected"))
	}
	return bytes.EqualFold(value, []byte("directed"))
}

// Contradicted warns of such a value, once.
func (f *Funnel) Contradicted(name string) {
	switch {
	case !f.unused.warned.add(name):
	case f.Opts.Directed:
		f.Warn("column %q is not used, and says that edges are undirected: Options.Directed reads these one way too", name)
	default:
		f.Warn("column %q is not used, and says that edges are directed: Options.Directed reads them one way", name)
	}
}
