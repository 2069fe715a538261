package csr

import (
	"context"

	"bcstage/internal/parallel"
)

// Length of the arc from u to v, which must be there.
func (g *Graph) Length(u, v uint32) int64 {
	if !g.HasLengths() {
		return 1
	}
	return g.Lengths[g.ArcTo(u, v)]
}

// Inherit takes the lengths over that arcs have in another graph, where the
// vertices are called otherwise.
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

// LongestWalk is at least the length of the longest shortest path, which enters a vertex
// once at most; or 2^62, where that has more bits.
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

// LengthBytes is what the lengths of m edges take, where edges have some.
func (g *Graph) LengthBytes(m int64) int64 {
	if !g.HasLengths() {
		return 0
	}
	return 2 * 8 * m
}
