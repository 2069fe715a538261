package csr

import (
	"context"

	"bcstage/internal/parallel"
)

// Peeling is the order in which vertices of an undirected graph went, each of degree 0 or 1 by then.
type Peeling struct {
	Order, Into []uint32 // who went, and the neighbour that each had left; itself: none
	Degree      []uint32 // by vertex: neighbours that are left; 0 of who went
}

// Peel takes vertices away that go at a degree, 0 or 1, until there is none, in linear time and without recursion. The
// error is the context's.
func Peel(ctx context.Context, g *Graph, goes func(v, degree uint32) bool) (*Peeling, error) {
	degree := make([]uint32, g.Vertices())
	var order, into []uint32
	for v := range degree {
		degree[v] = uint32(g.Offsets[v+1] - g.Offsets[v])
		if degree[v] < 2 && goes(uint32(v), degree[v]) {
			order = append(order, uint32(v))
		}
	}
	// order is the queue as well: a vertex enters it once, when its degree
	// falls as low, and has left by the time the scan has passed it.
	for i := 0; i < len(order); i++ {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u := order[i]
		v := u
		if degree[u] > 0 {
			// The others have left, and their degree with them.
			for _, v = range g.Neighbours(u) {
				if degree[v] > 0 {
					break
				}
			}
			degree[u] = 0
			degree[v]--
			if degree[v] == 1 && goes(v, 1) || degree[v] == 0 && !goes(v, 1) {
				order = append(order, v)
			}
		}
		into = append(into, v)
	}
	return &Peeling{order, into, degree}, nil
}
