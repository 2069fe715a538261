package building

import (
	"cmp"
	"sort"
)

// Trip is the number of trips from one vertex to another.
type Trip struct {
	Source, Target uint32 // vertices of the graph
	Count          int64  // in the unit of the question's Trips
}

// Compare orders trips by source, then by target.
func (x Trip) Compare(y Trip) int {
	return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target))
}

// SumTrips sorts rows in place, adds up equal pairs, and drops rows of 0.
func SumTrips(rows []Trip) []Trip {
	sort.Slice(rows, func(i, j int) bool { return rows[i].Compare(rows[j]) < 0 })
	sums := rows[:0]
	for _, x := range rows {
		if last := len(sums) - 1; last >= 0 && sums[last].Compare(x) == 0 {
			sums[last].Count += x.Count
		} else if x.Count > 0 {
			sums = append(sums, x)
		}
	}
	return sums
}
