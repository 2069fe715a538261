package preprocess

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess/question"
)

// cutoff is how long a path may be to count, in edges or in what g.Lengths are
// multiples of; or noCutoff where the question does not say, or no shortest path is
// longer: those of an undirected component have twice as many edges as the longest
// from any one of its vertices, at most. Reductions are exact for such a question as
// they are without a cutoff.
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

// atMost is the cutoff of paths of at most so many units.
func atMost(ctx context.Context, g *csr.Graph, most int64) (int64, error) {
	switch {
	case len(g.Lengths) > 0 && most/slices.Max(g.Lengths) >= int64(g.Vertices()):
		return noCutoff, nil
	case g.HasLengths():
		return most, nil
	case most >= int64(g.Vertices())-1:
		return noCutoff, nil
	case g.Directed():
		return most, nil
	}
	depth, err := depthOf(ctx, g, most/2)
	if err != nil || depth > most/2 {
		return most, err
	}
	return noCutoff, nil
}

// depth is the largest distance, over all components, from a vertex of each: the
// first. It gives up where the result is beyond enough.
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

// boundPaths tells the blocks how long a path may be to count, and drops them all
// where it must be so short that it has nothing inside; and how much pairs count by their distance. Where shares of pairs
// end, paths do.
func (r *reducer) boundPaths(ctx context.Context, _ Forms) error {
	cutoff := r.cutoff
	if decay, limit := newDecay(r.opts.Question, r.opts.Divisor, r.farthest()); decay != nil {
		last, err := atMost(ctx, r.graph, limit)
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

// farthest is a length that no path that counts passes.
func (r *reducer) farthest() int64 {
	most := int64(r.graph.Vertices())
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
	return most
}

// cutBlocks does so. Lengths are 1 at least, so that a path with something inside is 2.
func (p *Plan) cutBlocks(cutoff int64) {
	if cutoff == noCutoff {
		return
	}
	if cutoff < 1 || cutoff < 2 && !p.Question.Edges && !p.Question.Searches(question.Reached) { // an edge has its own path
		p.Blocks = slices.DeleteFunc(p.Blocks, func(b Block) bool { return !b.Distances })
	}
	for i := range p.Blocks {
		p.Blocks[i].Cutoff = int(cutoff)
	}
}
