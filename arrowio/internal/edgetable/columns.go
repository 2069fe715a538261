package edgetable

import (
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// columnPairs lists the default names of the columns with an edge's ends. Case does not
// matter: Gephi writes "Source,Target".
var columnPairs = [...][2]string{
	{"src", "dst"},
	{"source", "target"},
	{"source", "destination"},
	{"from", "to"},
	{"u", "v"},
	{"id_1", "id_2"},
	{"node_1", "node_2"},
	{":START_ID", ":END_ID"},
	{"_graphArSrcIndex", "_graphArDstIndex"},
}

// ChooseColumns returns the positions of the two id columns among names.
//
// Errors: ErrInput if a name is missing or occurs twice, or if not exactly one default
// pair is present. A column "weight" is an error too unless options allow it: scores of
// a weighted graph would be wrong without a word.
func (o *Options) ChooseColumns(names []string) (src, dst int, err error) {
	if o.Src == "" {
		src, dst, err = defaultColumns(names)
	} else if src, err = OneColumn(names, o.Src); err == nil {
		dst, err = OneColumn(names, o.Dst)
	}
	if err != nil {
		return 0, 0, err
	}
	if !o.Heedless() {
		for i, name := range names {
			if isWeightName(name) && i != src && i != dst {
				return 0, 0, Weighted(name, "column %q is a weight", name)
			}
		}
	}
	return src, dst, nil
}

func defaultColumns(names []string) (src, dst int, err error) {
	var present []string
	for _, pair := range columnPairs {
		s, errS := oneColumn(names, pair[0], strings.EqualFold)
		d, errD := oneColumn(names, pair[1], strings.EqualFold)
		if errS == nil && errD == nil {
			src, dst = s, d
			present = append(present, pair[0]+","+pair[1])
		}
	}
	switch len(present) {
	case 1:
		return src, dst, nil
	case 0:
		return 0, 0, faults.Advise(faults.Rejected("no source and destination among columns %s", faults.Names(names)), "%s", naming(names))
	default:
		return 0, 0, faults.Advise(faults.Rejected("columns could be %s", strings.Join(present, " or ")), "choose with Options.Src and Options.Dst")
	}
}

// OneColumn is the position of the only column with a name.
func OneColumn(names []string, name string) (int, error) {
	return oneColumn(names, name, func(a, b string) bool { return a == b })
}

// oneColumn is the position of the only column that matches name.
func oneColumn(names []string, name string, equal func(a, b string) bool) (int, error) {
	found := -1
	for i, candidate := range names {
		if !equal(candidate, name) {
			continue
		}
		if found >= 0 {
			return 0, faults.Rejected("column %q occurs more than once among columns %s", name, faults.Names(names))
		}
		found = i
	}
	if found < 0 {
		return 0, faults.Rejected("no column %q among columns %s", name, faults.Names(names))
	}
	return found, nil
}

// HasUsualPair says whether names include a usual pair of id columns.
func HasUsualPair(names []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	}
	return slices.ContainsFunc(columnPairs[:], func(pair [2]string) bool { return has(pair[0]) && has(pair[1]) })
}
