package preprocess

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// cutoffOf returns the largest length of a path that counts, in edges or in the unit of g.Lengths. It returns noCutoff
// where the question has none or no shortest path is longer. In an undirected component no shortest path has more than
// twice as many edges as the path with most edges, of those with fewest, from any one of its vertices. Reductions are then
// exact, as without a cutoff.
func cutoffOf(ctx context.Context, g *csr.Graph, q question.Question, divisor int64) (int64, error) {
	if q.Cutoff == "" {
		return noCutoff, nil
	}
	most, fits := building.Scale{Unit: q.Lengths.Unit, Divisor: divisor}.Whole(q.Cutoff)
	if !fits {
		return noCutoff, nil
	}
	return atMost(ctx, g, most)
}

// atMost returns the cutoff for paths of at most most units.
func atMost(ctx context.Context, g *csr.Graph, most int64) (int64, error) {
	edges := most // no path of so many edges is longer
	if len(g.Lengths) > 0 {
		edges /= slices.Max(g.Lengths)
	}
	switch {
	case edges >= int64(g.Vertices())-1:
		return noCutoff, nil
	case g.Directed():
		return most, nil
	}
	depth, err := depthOf(ctx, g, edges/2)
	if err != nil || depth > edges/2 {
		return most, err
	}
	return noCutoff, nil
}

// depthOf returns the largest distance, over all components, from the first vertex of each. It stops once the result
// exceeds enough.
func depthOf(ctx context.Context, g *csr.Graph, enough int64) (deepest int64, err error) {
	seen := make([]bool, g.Vertices())
	var here, next []uint32
	met := 0
	for root := range seen {
		if seen[root] {
			continue
		}
		seen[root] = true
		here = append(here[:0], uint32(root))
		for depth := int64(0); len(here) > 0; depth++ {
			if deepest = max(deepest, depth); deepest > enough {
				return deepest, nil
			}
			next = next[:0]
			for _, u := range here {
				if met++; met%parallel.Interval == 0 && ctx.Err() != nil {
					return 0, ctx.Err()
				}
				for _, v := range g.Neighbours(u) {
					if !seen[v] {
						seen[v] = true
						next = append(next, v)
					}
				}
			}
			here, next = next, here
		}
	}
	return deepest, nil
}

// boundPaths sets the Cutoff of the blocks, and their Decay. It drops the blocks if the cutoff is so short that no path
// has a vertex inside. Paths end where shares of pairs end.
func (r *reducer) boundPaths(ctx context.Context, _ wholes.Forms) error {
	cutoff := r.cutoff
	decay, err := r.shares(ctx)
	if err != nil {
		return err
	}
	if decay != nil {
		last, err := atMost(ctx, r.graph, r.limit)
		if err != nil {
			return err
		}
		if cutoff == noCutoff || last != noCutoff && last < cutoff {
			cutoff = last
		}
		for i := range r.plan.Blocks {
			if b := &r.plan.Blocks[i]; !b.Distances {
				b.Decay = decay
			}
		}
	}
	r.plan.cutBlocks(cutoff)
	return nil
}

// shares returns the Decay of blocks, nil if all pairs count alike.
func (r *reducer) shares(ctx context.Context) (*decay, error) {
	if r.decay == nil && r.opts.Question.Shares() {
		farthest, err := r.farthest(ctx)
		if err != nil {
			return nil, err
		}
		r.decay, r.limit = newDecay(r.opts.Question, r.opts.Divisor, farthest)
	}
	return r.decay, nil
}

// farthest returns a length that no path that counts exceeds. Between two vertices that reach each other without
// directions, a path leads over the first of their component.
func (r *reducer) farthest(ctx context.Context) (int64, error) {
	most := int64(r.graph.Vertices())
	if !r.graph.Directed() {
		depth, err := depthOf(ctx, r.graph, most)
		if err != nil {
			return 0, err
		}
		most = min(most, 2*depth)
	}
	if len(r.graph.Lengths) > 0 {
		longest := slices.Max(r.graph.Lengths)
		if high, low := bits.Mul64(uint64(most), uint64(longest)); high > 0 || low > math.MaxInt64/2 {
			most = math.MaxInt64 / 2
		} else {
			most = int64(low)
		}
	}
	if r.cutoff != noCutoff {
		most = min(most, r.cutoff)
	}
	return most, nil
}

// cutBlocks sets the Cutoff of all blocks. Lengths are 1 at least, so a path with a vertex inside has length 2.
func (p *Plan) cutBlocks(cutoff int64) {
	if cutoff == noCutoff {
		return
	}
	if cutoff < 1 || cutoff < 2 && !p.Question.Edges && !p.Question.Searches(measures.Reached) { // an edge has its own path
		p.keepBlocks(func(_ int, b *Block) bool { return b.Distances })
	}
	for i := range p.Blocks {
		p.Blocks[i].Cutoff = int(cutoff)
	}
}
