package csr

import (
	"context"

	"bcstage/internal/parallel"
)

// Length returns that of the arc from u to v, which must exist.
func (g *Graph) Length(u, v uint32) int64 {
	if !g.HasLengths() {
		return 1
	}
	return g.Lengths[g.ArcTo(u, v)]
}

// ArcLength returns the length of an arc by its place.
func (g *Graph) ArcLength(arc int64) int64 {
	if !g.HasLengths() {
		return 1
	}
	return g.Lengths[arc]
}

// Inherit copies the lengths that arcs have in another graph, where the vertices have
// the given numbers.
func (g *Graph) Inherit(ctx context.Context, from *Graph, vertices []uint32, threads int) error {
	g.Lengths = make([]int64, len(g.Targets))
	return parallel.Spread(ctx, threads, g.Vertices(), 1<<12, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				g.Lengths[e] = from.Length(vertices[v], vertices[g.Targets[e]])
			}
		}
	})
}

// LongestWalk is an upper bound of the longest shortest path, which enters a vertex at
// most once; or 2^62, if the bound has more bits.
func (g *Graph) LongestWalk() int64 {
	const most = 1 << 62
	in, total := g.Reverse(), int64(0)
	for v := range g.Vertices() {
		longest := int64(0)
		for _, l := range in.Lengths[in.Offsets[v]:in.Offsets[v+1]] {
			longest = max(longest, l)
		}
		if total += longest; total >= most || longest >= most {
			return most
		}
	}
	return total
}

// LengthBytes returns the memory of the lengths of m edges, if edges have lengths.
func (g *Graph) LengthBytes(m int64) int64 {
	if !g.HasLengths() {
		return 0
	}
	return 2 * 8 * m
}
