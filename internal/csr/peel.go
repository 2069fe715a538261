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
// The vertices to begin with, often nearly all, are found by threads, from each of which goes is called. Their only
// neighbours are read there, too: one after the other would wait for memory.
func Peel(ctx context.Context, g *Graph, threads int, goes func(v, degree uint32) bool) (*Peeling, error) {
	n := g.Vertices()
	type leaves struct{ order, into []uint32 }
	degree, found := make([]uint32, n), make([]leaves, (n+parallel.Interval-1)/parallel.Interval)
	parallel.SpreadWhole(threads, n, parallel.Interval, func(lo, hi int) {
		var some leaves
		for v := lo; v < hi; v++ {
			degree[v] = uint32(g.Offsets[v+1] - g.Offsets[v])
			if degree[v] < 2 && goes(uint32(v), degree[v]) {
				some.order, some.into = append(some.order, uint32(v)), append(some.into, uint32(v))
				if degree[v] == 1 {
					some.into[len(some.into)-1] = g.Neighbours(uint32(v))[0]
				}
			}
		}
		found[lo/parallel.Interval] = some
	})
	count := 0
	for _, some := range found {
		count += len(some.order)
	}
	order, into := make([]uint32, 0, count+count/8), make([]uint32, 0, count+count/8) // few are removed later
	for _, some := range found {
		order, into = append(order, some.order...), append(into, some.into...)
	}
	first := len(order)
	// order is the queue, too: a vertex enters it once, when its degree falls that low, and is removed when the scan
	// has passed it.
	for i := 0; i < len(order); i++ {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u := order[i]
		v := u
		if degree[u] > 0 {
			if i < first {
				v = into[i]
			} else { // the others have been removed, and their degrees are 0
				for _, v = range g.Neighbours(u) {
					if degree[v] > 0 {
						break
					}
				}
			}
			degree[u] = 0
			degree[v]--
			if degree[v] == 1 && goes(v, 1) || degree[v] == 0 && !goes(v, 1) {
				order = append(order, v)
			}
		}
		if i < first {
			into[i] = v
		} else {
			into = append(into, v)
		}
	}
	return &Peeling{order, into, degree, first}, nil
}
