// Package independent finds maximal independent sets of graphs on cores, and checks sets from devices.
package independent

import (
	"context"
	"fmt"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/splitmix"
)

// Set returns a maximal set of vertices of which no two are neighbours: by
// vertex, 1 for its members, else 0. An arc makes neighbours in either direction.
//
// Every vertex has a priority, a hash of its number. In each round, vertices that come
// before all undecided neighbours join the set, and the neighbours of members leave (M.
// Luby, "A simple parallel algorithm for the maximal independent set problem", SIAM J.
// Comput. 15, 1986). As priorities are fixed, the set is that of a sequential pass over
// the vertices by priority, for any number of threads. There are O(log^2 n) rounds with
// high probability (G. Blelloch, J. Fineman, J. Shun, "Greedy sequential maximal
// independent set and matching are parallel on average", SPAA 2012). Each reads the rows
// of the undecided vertices.
func Set(ctx context.Context, g *csr.Graph, threads int) ([]uint32, error) {
	const (
		undecided = iota
		out
		in
	)
	n := g.Vertices()
	state, fresh := make([]uint8, n), make([]uint8, n) // of the last round; of this one, by place in left
	left := csr.Ascending(n)
	for len(left) > 0 {
		err := parallel.Spread(ctx, threads, len(left), 1<<10, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				v := left[i]
				fresh[i] = in
				for _, u := range g.Neighbours(v) {
					if state[u] == in {
						fresh[i] = out
						break
					}
					if state[u] == undecided && earlier(u, v) {
						fresh[i] = undecided
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
		kept := 0
		for i, v := range left {
			if state[v] = fresh[i]; state[v] == undecided {
				left[kept] = v
				kept++
			}
		}
		left = left[:kept]
	}
	set := make([]uint32, n)
	for v, s := range state {
		if s == in {
			set[v] = 1
		}
	}
	return set, Check(ctx, g, set, threads)
}

// earlier orders vertices by priority: a hash with a fixed seed, so that equal graphs
// have equal sets.
func earlier(u, v uint32) bool {
	if a, b := splitmix.Nth(uint64(u)), splitmix.Nth(uint64(v)); a != b {
		return a < b
	}
	return u < v
}

// Check checks that no two members, whose entries are 1, are neighbours, and
// that every other vertex is the neighbour of one. An arc of g makes its ends neighbours
// if it is there both ways.
func Check(ctx context.Context, g *csr.Graph, set []uint32, threads int) error {
	if len(set) != g.Vertices() {
		return fmt.Errorf("preprocess: independent set: %d entries for %d vertices", len(set), g.Vertices())
	}
	const grain = 1 << 12
	wrong := make([]error, (len(set)+grain-1)/grain)
	err := parallel.Spread(ctx, threads, len(set), grain, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			member := uint32(0) // 1 if a neighbour is a member
			for _, u := range g.Neighbours(uint32(v)) {
				member |= set[u]
			}
			if member == set[v] {
				wrong[lo/grain] = fmt.Errorf("preprocess: independent set: vertex %d is wrong: it and a neighbour are members, or none is", v)
				return
			}
		}
	})
	for _, w := range wrong {
		if err == nil {
			err = w
		}
	}
	return err
}
