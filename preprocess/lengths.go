package preprocess

import "context"

// Lengths are looked up where they are wanted instead of being carried through every
// form of the graph between: by the ends of the arc, in the graph that was given.

// length of the arc from u to v, which must be there.
func (g *Graph) length(u, v uint32) int64 {
	if !g.HasLengths() {
		return 1
	}
	return g.Lengths[g.arcTo(u, v)]
}

// copyLengths gives the arcs of all blocks the lengths that they have in the graph.
func (r *reducer) copyLengths(ctx context.Context) error {
	if !r.graph.HasLengths() {
		return nil
	}
	blocks := r.plan.Blocks
	const large = 1 << 16 // arcs of a block that has all threads
	for i := range blocks {
		if b := &blocks[i]; len(b.Targets) >= large {
			if err := b.takeLengths(ctx, r.graph, r.opts.Threads); err != nil {
				return err
			}
		}
	}
	return spread(ctx, r.opts.Threads, len(blocks), 1<<8, func(lo, hi int) {
		for i := range blocks[lo:hi] {
			if b := &blocks[lo+i]; len(b.Targets) < large {
				_ = b.takeLengths(ctx, r.graph, 1) // a context that ended ends spread
			}
		}
	})
}

// takeLengths looks up the lengths of the arcs there and, if they are others, back.
func (b *Block) takeLengths(ctx context.Context, from *Graph, threads int) error {
	err := b.Graph.inherit(ctx, from, b.vertices, threads)
	if b.Directed() && err == nil {
		err = b.In.inherit(ctx, from.Reverse(), b.vertices, threads)
	}
	return err
}

// inherit takes the lengths over that arcs have in another graph, where the
// vertices are called otherwise.
func (g *Graph) inherit(ctx context.Context, from *Graph, vertices []uint32, threads int) error {
	g.Lengths = make([]int64, len(g.Targets))
	return spread(ctx, threads, g.Vertices(), 1<<12, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				g.Lengths[e] = from.length(vertices[v], vertices[g.Targets[e]])
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
