package csr

import (
	"context"
	"slices"

	"bcstage/internal/parallel"
)

// Without copies the graph without the arcs that are gone. Of a directed graph it copies one way, without In.
func (g *Graph) Without(ctx context.Context, gone []bool, threads int) (*Graph, error) {
	n := g.Vertices()
	out := &Graph{Offsets: make([]int64, n+1)}
	err := parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for _, gone := range gone[g.Offsets[u]:g.Offsets[u+1]] {
				if !gone {
					out.Offsets[u+1]++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for u := range n {
		out.Offsets[u+1] += out.Offsets[u]
	}
	out.Targets = make([]uint32, out.Offsets[n])
	if g.HasLengths() {
		out.Lengths = make([]int64, out.Offsets[n])
	}
	return out, parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			at := out.Offsets[u]
			for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
				if gone[e] {
					continue
				}
				if out.Targets[at] = g.Targets[e]; g.HasLengths() {
					out.Lengths[at] = g.Lengths[e]
				}
				at++
			}
		}
	})
}

// Turned returns the graph with every arc the other way round and the vertices in
// another order. Arcs are dealt out to their ends, so that every row ascends.
func (g *Graph) Turned(ctx context.Context, order, number []uint32) (Graph, error) {
	n := g.Vertices()
	t := Graph{Offsets: make([]int64, n+1), Targets: make([]uint32, len(g.Targets))}
	if g.HasLengths() {
		t.Lengths = make([]int64, len(g.Lengths))
	}
	for _, v := range g.Targets {
		t.Offsets[number[v]+1]++
	}
	for v := range n {
		t.Offsets[v+1] += t.Offsets[v]
	}
	next := slices.Clone(t.Offsets)
	for i, v := range order {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return Graph{}, ctx.Err()
		}
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			at := &next[number[g.Targets[e]]]
			t.Targets[*at] = uint32(i)
			if g.HasLengths() {
				t.Lengths[*at] = g.Lengths[e]
			}
			*at++
		}
	}
	return t, nil
}
