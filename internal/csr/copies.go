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

// Repeat returns the graph with times[e] copies of each arc e, one behind the other. It is no simple graph: rows ascend,
// and hold a neighbour several times. In stays as it is.
func (g *Graph) Repeat(ctx context.Context, times []uint32) (Graph, error) {
	total := 0
	for _, count := range times {
		total += int(count)
	}
	out := Graph{Offsets: make([]int64, 1, len(g.Offsets)), Targets: make([]uint32, 0, total), In: g.In}
	if g.HasLengths() {
		out.Lengths = make([]int64, 0, total)
	}
	for v := range parallel.Until(ctx, g.Vertices()) {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			for range times[e] {
				out.Targets = append(out.Targets, g.Targets[e])
				if g.HasLengths() {
					out.Lengths = append(out.Lengths, g.Lengths[e])
				}
			}
		}
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
	}
	return out, ctx.Err()
}

// Turned returns the graph with every arc the other way round and the vertices in
// another order. It leaves out vertices that are not in order. Their numbers are not below its length. Arcs are dealt
// out to their ends, so that every row ascends.
func (g *Graph) Turned(ctx context.Context, order, number []uint32) (Graph, error) {
	n := uint32(len(order))
	places := make([]int64, n+2) // by number, behind the place before: where its row begins, and then ends
	for _, v := range parallel.Over(ctx, order) {
		for _, u := range g.Neighbours(v) {
			if to := number[u]; to < n {
				places[to+2]++
			}
		}
	}
	for v := range n {
		places[v+2] += places[v+1]
	}
	t := Graph{Offsets: places[:n+1], Targets: make([]uint32, places[n+1])}
	if g.HasLengths() {
		t.Lengths = make([]int64, len(t.Targets))
	}
	for i, v := range parallel.Over(ctx, order) {
		first := g.Offsets[v]
		for e, u := range g.Neighbours(v) {
			to := number[u]
			if to >= n {
				continue
			}
			at := places[to+1]
			places[to+1] = at + 1
			t.Targets[at] = uint32(i)
			if t.Lengths != nil {
				t.Lengths[at] = g.Lengths[first+int64(e)]
			}
		}
	}
	return t, ctx.Err()
}

// Compact removes repeats from rows that ascend, in the same memory. The graph has neither lengths nor In.
func (g *Graph) Compact() {
	kept, first := int64(0), int64(0)
	for v := range g.Vertices() {
		row := g.Targets[first:g.Offsets[v+1]]
		first = g.Offsets[v+1]
		kept += int64(copy(g.Targets[kept:], slices.Compact(row)))
		g.Offsets[v+1] = kept
	}
	g.Targets = g.Targets[:kept]
}
