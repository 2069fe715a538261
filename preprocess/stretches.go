package preprocess

import (
	"slices"
	"sort"

	"bcstage/internal/parallel"
)

// wideStretch is the number of vertices of a level from which on threads share it.
const wideStretch = 2 * parallel.Interval

// stretch is some core vertices, from lo to hi-1. A wide one is a level of the breadth-first forest; others are parts of
// levels, in order.
type stretch struct {
	lo, hi int
	wide   bool
}

// stretches cuts the core into stretches. Children stand behind their parents, and those of one vertex together.
func (c *core) stretches(threads int) (all []stretch) {
	n := len(c.vertex)
	if threads == 1 || n < wideStretch {
		return []stretch{{0, n, false}}
	}
	add := func(lo, hi int) {
		wide, last := hi-lo >= wideStretch, len(all)-1
		if !wide && last >= 0 && !all[last].wide {
			all[last].hi = hi
		} else {
			all = append(all, stretch{lo, hi, wide})
		}
	}
	for i := range c.roots {
		root, end := c.component(i)
		for lo, hi := int(root), int(root)+1; lo < hi; {
			add(lo, hi)
			// The next level are the vertices whose parents are before hi. It is about as large as this one.
			least, step := hi, hi-lo
			for least+step < int(end) && int(c.parent[least+step]) < hi {
				least, step = least+step, 2*step
			}
			most := min(least+step, int(end))
			lo, hi = hi, least+sort.Search(most-least, func(i int) bool { return int(c.parent[least+i]) >= hi })
		}
	}
	return all
}

// down calls f for parts of all vertices, parents before children. Parts of a level may be visited at once.
func down(all []stretch, threads int, f func(lo, hi int)) {
	for _, s := range all {
		s.visit(threads, f)
	}
}

// up calls f for parts of all vertices, children before parents. f goes through a part from its end.
func up(all []stretch, threads int, f func(lo, hi int)) {
	for _, s := range slices.Backward(all) {
		s.visit(threads, f)
	}
}

func (s stretch) visit(threads int, f func(lo, hi int)) {
	if !s.wide {
		f(s.lo, s.hi)
		return
	}
	parallel.SpreadWhole(threads, s.hi-s.lo, parallel.Interval, func(lo, hi int) { f(s.lo+lo, s.lo+hi) })
}
