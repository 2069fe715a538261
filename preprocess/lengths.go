package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Lengths are looked up where they are needed, by the ends of the arc in the given
// graph. The intermediate forms of the graph do not carry them.

// withUnits returns the graph with a length of 1 for every arc if it has no lengths: flows of edges between pairs that
// count by distance are computed by lengths alone.
func withUnits(g *csr.Graph) *csr.Graph {
	if g == nil || g.HasLengths() {
		return g
	}
	with := *g
	with.Lengths = slices.Repeat([]int64{1}, len(g.Targets))
	with.In = withUnits(g.In)
	return &with
}

// copyLengths gives the arcs of all blocks the lengths that they have in the graph.
func (r *reducer) copyLengths(ctx context.Context) error {
	if !r.graph.HasLengths() {
		return nil
	}
	blocks := r.plan.Blocks
	const large = 1 << 16 // arcs of a block that all threads share
	for i := range blocks {
		if b := &blocks[i]; len(b.Targets) >= large {
			if err := b.takeLengths(ctx, r.graph, r.opts.Threads); err != nil {
				return err
			}
		}
	}
	return parallel.Spread(ctx, r.opts.Threads, len(blocks), 1<<8, func(lo, hi int) {
		for i := range blocks[lo:hi] {
			if b := &blocks[lo+i]; len(b.Targets) < large {
				_ = b.takeLengths(ctx, r.graph, 1) // a context that ended ends spread
			}
		}
	})
}

// takeLengths looks up the lengths of the arcs, and of the arcs back if they differ.
func (b *Block) takeLengths(ctx context.Context, from *csr.Graph, threads int) error {
	err := b.Graph.Inherit(ctx, from, b.vertices, threads)
	if b.Directed() && err == nil {
		err = b.In.Inherit(ctx, from.Reverse(), b.vertices, threads)
	}
	return err
}
