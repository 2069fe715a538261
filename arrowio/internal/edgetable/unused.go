package edgetable

import (
	"bytes"
	"slices"
	"strings"
)

// Columns of edges that are not read stand in Summary.Unused. Read warns of those that
// probably change the answer:
//
//   - a column of numbers that is named as lengths are, unless Options.Weight or
//     Options.IgnoreWeight is set
//   - Gephi's column "Type", if it contradicts Options.Directed

// lengthNames are names of columns that hold lengths, in any case of letters.
var lengthNames = []string{
	"length", "cost", "distance", "dist", "metres", "meters", "km", "miles", "w", "amount",
	"time", "duration", "travel_time", "minutes", "seconds",
}

func isLengthName(name string) bool { return slices.Contains(lengthNames, untyped(name)) }

// untyped is a name in small letters, without the type that Neo4j puts behind it:
// "weight:double".
func untyped(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	return name
}

// unused are the columns that were not read so far, and those that were warned of.
type unused struct{ names, warned nameSet }

type nameSet map[string]bool

// add tells whether the name is new.
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

// Leaves notes the columns of an edge table but for those at the positions that are read.
// isNumber tells whether a column holds numbers.
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

// LeavesNumbers is leaves for a format with numbers beside its edges, which have no names.
func (f *Funnel) LeavesNumbers(are bool) {
	if are && f.unused.names.add(Nameless) {
		f.Summary.Unused = append(f.Summary.Unused, Nameless)
	}
}

// DirectionColumn is the place of Gephi's column of directions among those that are not
// read; -1: there is none.
func DirectionColumn(names []string, read []int) int {
	i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "type") })
	if slices.Contains(read, i) {
		return -1
	}
	return i
}

// Contradicts tells whether a value of that column is another direction than is asked for.
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
		f.Warn("column %q is not used, and calls edges undirected: Options.Directed reads those one way, too", name)
	default:
		f.Warn("column %q is not used, and calls edges directed: Options.Directed reads them one way", name)
	}
}
