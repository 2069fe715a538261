package arrowio

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

// leaves notes the columns of an edge table but for those at the positions that are read.
// isNumber tells whether a column holds numbers.
func (f *funnel) leaves(names []string, read []int, isNumber func(i int) bool) {
	for i, name := range names {
		if slices.Contains(read, i) {
			continue
		}
		if f.unused.names.add(name) {
			f.summary.Unused = append(f.summary.Unused, name)
		}
		if !f.opts.heedless() && isLengthName(name) && !f.unused.warned[name] && isNumber(i) {
			f.unused.warned.add(name)
			f.warn("column %q is not used: Options.Weight %q measures paths by it", name, name)
		}
	}
}

// leavesNumbers is leaves for a format with numbers beside its edges, which have no names.
func (f *funnel) leavesNumbers(are bool) {
	if are && f.unused.names.add(nameless) {
		f.summary.Unused = append(f.summary.Unused, nameless)
	}
}

// directionColumn is the place of Gephi's column of directions among those that are not
// read; -1: there is none.
func directionColumn(names []string, read []int) int {
	i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "type") })
	if slices.Contains(read, i) {
		return -1
	}
	return i
}

// contradicts tells whether a value of that column is another direction than is asked for.
func (o *readOptions) contradicts(value []byte) bool {
	if o.Directed {
		return bytes.EqualFold(value, []byte("undirected"))
	}
	return bytes.EqualFold(value, []byte("directed"))
}

// contradicted warns of such a value, once.
func (f *funnel) contradicted(name string) {
	switch {
	case !f.unused.warned.add(name):
	case f.opts.Directed:
		f.warn("column %q is not used, and calls edges undirected: Options.Directed reads those one way, too", name)
	default:
		f.warn("column %q is not used, and calls edges directed: Options.Directed reads them one way", name)
	}
}
