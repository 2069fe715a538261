package preprocess

import (
	"context"
	"strconv"

	"bcstage/preprocess/question"
)

// noCutoff says that paths of any length count.
const noCutoff = -1

// cutoff is how many edges a path may have to count, or noCutoff where the
// question does not say, or no shortest path has more: those of an undirected
// component have twice as many as the longest from any one of its vertices, at
// most. Reductions are exact for such a question as they are without a cutoff.
func (g *Graph) cutoff(ctx context.Context, q question.Question) (int64, error) {
	if q.Cutoff == "" {
		return noCutoff, nil
	}
	most, err := strconv.ParseInt(q.Cutoff, 10, 64)
	if err != nil || most >= int64(g.Vertices())-1 { // out of range is larger still: a whole number, by Question.Check
		return noCutoff, nil
	}
	if g.In != nil || g.Lengths != nil {
		return most, nil
	}
	depth, err := g.depth(ctx, most/2)
	if err != nil || depth > most/2 {
		return most, err
	}
	return noCutoff, nil
}

// depth is the largest distance, over all components, from a vertex of each: the
// first. It gives up where the result is beyond enough.
func (g *Graph) depth(ctx context.Context, enough int64) (deepest int64, err error) {
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
				if met++; met%interval == 0 && ctx.Err() != nil {
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
// where it must be so short that it has nothing inside.
func (r *reducer) boundPaths(context.Context, []int64) error {
	r.plan.cutBlocks(r.cutoff)
	return nil
}

func (p *Plan) cutBlocks(cutoff int64) {
	switch {
	case cutoff == noCutoff:
	case cutoff < 2:
		p.Blocks = nil
	default:
		for i := range p.Blocks {
			p.Blocks[i].Cutoff = int(cutoff)
		}
	}
}
