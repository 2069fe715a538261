package csr

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/parallel"
)

// Upward has the larger neighbours of every vertex of an undirected graph without lengths: each edge once.
func (g *Graph) Upward() *Graph {
	up := &Graph{Offsets: make([]int64, g.Vertices()+1), Targets: make([]uint32, 0, g.Edges())}
	for v := range g.Vertices() {
		row := g.Neighbours(uint32(v))
		first, _ := slices.BinarySearch(row, uint32(v))
		up.Targets = append(up.Targets, row[first:]...)
		up.Offsets[v+1] = int64(len(up.Targets))
	}
	return up
}

// BothWays returns the graph that Upward was made of. The error is the context's, or says why g is not a result of
// Upward.
func (g *Graph) BothWays(ctx context.Context) (*Graph, error) {
	n := g.Vertices()
	both := &Graph{Offsets: make([]int64, n+1), Targets: make([]uint32, 2*len(g.Targets))}
	if len(g.Offsets) == 0 || g.Offsets[0] != 0 || g.Offsets[n] != int64(len(g.Targets)) {
		return nil, fmt.Errorf("edges: %d of %d vertices", len(g.Targets), n)
	}
	for v := range n {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.Offsets[v+1] < g.Offsets[v] || g.Offsets[v+1] > int64(len(g.Targets)) {
			return nil, fmt.Errorf("vertex %d: its edges end at %d, begin at %d", v, g.Offsets[v+1], g.Offsets[v])
		}
		last := uint32(v)
		for _, w := range g.Neighbours(uint32(v)) {
			if w <= last || int(w) >= n {
				return nil, fmt.Errorf("vertex %d: neighbour %d after %d, of %d vertices", v, w, last, n)
			}
			last = w
			both.Offsets[w+1]++
		}
		both.Offsets[v+1] += g.Offsets[v+1] - g.Offsets[v]
	}
	for v := range n {
		both.Offsets[v+1] += both.Offsets[v]
	}
	next := slices.Clone(both.Offsets[:n])
	for v := range n { // ascending, so that a row has its smaller neighbours first, in order
		row := g.Neighbours(uint32(v))
		copy(both.Targets[next[v]:], row)
		for _, w := range row {
			both.Targets[next[w]] = uint32(v)
			next[w]++
		}
	}
	return both, nil
}
