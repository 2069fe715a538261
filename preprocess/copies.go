package preprocess

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Where repeated edges are kept, each is a path of its own: with m(u,v) edges of the least length from u to v,
//
//	S(v) = sum over predecessors u of m(u,v) S(u)        D(u) = S(u) * sum over successors v of m(u,v) c(v)
//
// So a block has each arc m times, and engines, which add up over arcs, need no formula of their own. Folding, components,
// blocks and cliques do not look at path counts and are those of the simple graph. Twins have equal copies, too. Cycles are searched.

// repeatArcs gives the arcs of all blocks as many copies as there were edges.
func (r *reducer) repeatArcs(ctx context.Context) error {
	if r.opts.Copies == nil {
		return nil
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		out, err := r.repeatRows(ctx, b, b.Graph, false)
		if err != nil {
			return err
		}
		if b.Directed() {
			in, err := r.repeatRows(ctx, b, *b.In, true)
			if err != nil {
				return err
			}
			out.In = &in
		}
		b.Graph = out
	}
	return nil
}

// repeatRows gives the rows of a block, or those the other way round, with all copies.
func (r *reducer) repeatRows(ctx context.Context, b *Block, g csr.Graph, back bool) (csr.Graph, error) {
	times, total := make([]uint32, len(g.Targets)), int64(0)
	err := parallel.Spread(ctx, r.opts.Threads, g.Vertices(), parallel.Interval, func(lo, hi int) {
		sum := 0
		for v := lo; v < hi; v++ {
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				from, to := b.vertices[v], b.vertices[g.Targets[e]]
				if back {
					from, to = to, from
				}
				count := r.opts.Copies.Count(from, to)
				times[e] = uint32(count)
				sum += count
			}
		}
		atomic.AddInt64(&total, int64(sum))
	})
	if err != nil || total == int64(len(times)) {
		return g, err
	}
	if r.edges != nil && total >= math.MaxUint32 {
		return g, fmt.Errorf("%w, or more than 4294967294 edges that are to have scores", csr.ErrTooLarge)
	}
	const arc, length = 4, 8
	if err := r.fits(r.held() + (2*arc+length)*total); err != nil {
		return g, err
	}
	g, err = g.Repeat(ctx, times)
	b.repeated = max(b.repeated, int(g.LargestDegree())+1)
	return g, err
}
