package csr

import (
	"context"

	"bcstage/internal/parallel"
)

// Peeling is the order in which vertices of an undirected graph were removed, each at degree 0 or 1.
type Peeling struct {
	Order, Into []uint32 // removed vertices, and the last neighbour of each; itself: none
	Degree      []uint32 // by vertex: remaining neighbours; 0 for removed vertices
	First       int      // how many had degree 0 or 1 in the graph; they come first
}

// Peel removes vertices for which goes is true at their degree, 0 or 1, until there are none. It takes linear time,
// without recursion. The error is the context's.
//
// The vertices to begin with, often nearly all, are found and removed by threads, from each of which goes is called.
func Peel(ctx context.Context, g *Graph, threads int, goes func(v, degree uint32) bool) (*Peeling, error) {
	n := g.Vertices()
	type leaves struct{ order, into []uint32 }
	degree, found := make([]uint32, n), make([]leaves, (n+parallel.Interval-1)/parallel.Interval)
	parallel.SpreadWhole(threads, n, parallel.Interval, func(lo, hi int) {
		var some leaves
		for v := lo; v < hi; v++ {
			degree[v] = uint32(g.Offsets[v+1] - g.Offsets[v])
			if degree[v] >= 2 || !goes(uint32(v), degree[v]) {
				continue
			}
			into := uint32(v)
			if degree[v] == 1 {
				u := g.Neighbours(into)[0]
				if u > into || len(g.Neighbours(u)) != 1 || !goes(u, 1) { // else u has been removed into v
					into = u
				}
			}
			degree[v] = 0
			some.order, some.into = append(some.order, uint32(v)), append(some.into, into)
		}
		found[lo/parallel.Interval] = some
	})
	starts := make([]int, len(found)+1)
	for i, some := range found {
		starts[i+1] = starts[i] + len(some.order)
	}
	first := starts[len(found)]
	order, into := make([]uint32, first, first+first/8), make([]uint32, first, first+first/8) // few are removed later
	parallel.EachWhole(threads, len(found), func(_, i int) {
		copy(order[starts[i]:], found[i].order)
		copy(into[starts[i]:], found[i].into)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// falls reports whether v enters the queue now that it has lost a neighbour.
	falls := func(v uint32) bool {
		degree[v]--
		return degree[v] == 1 && goes(v, 1) || degree[v] == 0 && !goes(v, 1)
	}
	// Every thread counts down the degrees of vertices of its own.
	fallen := make([]uint32, first) // by leaf: the vertex that then enters the queue, plus 1
	parallel.EachWhole(threads, threads, func(_, share int) {
		for i, v := range into {
			if v/shareVertices%uint32(threads) == uint32(share) && degree[v] > 0 && falls(v) {
				fallen[i] = v + 1
			}
		}
	})
	order = append(order, parallel.Listed(threads, first, parallel.Interval, func(list []uint32, lo, hi int) []uint32 {
		for _, v := range fallen[lo:hi] {
			if v > 0 {
				list = append(list, v-1)
			}
		}
		return list
	})...)
	// order is the queue, too: a vertex enters it once, when its degree falls that low, and is removed when the scan
	// has passed it.
	for i := first; i < len(order); i++ {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u := order[i]
		v := u
		if degree[u] > 0 {
			for _, v = range g.Neighbours(u) { // the others have been removed, and their degrees are 0
				if degree[v] > 0 {
					break
				}
			}
			if degree[u] = 0; falls(v) {
				order = append(order, v)
			}
		}
		into = append(into, v)
	}
	return &Peeling{order, into, degree, first}, nil
}

// shareVertices is a number of vertices whose degrees fill cache lines, so that threads write to lines of their own.
const shareVertices = 64
