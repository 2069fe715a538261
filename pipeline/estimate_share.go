package pipeline

import (
	"context"

	"bcstage/preprocess/question"
)

// The pairs that eps is a share of: the ordered pairs of vertices that paths could join, in the
// graph whose scores are estimated. All n(n-1), or those from a source to another target; half of
// them where a score counts two pairs as one. With masses, all products that some path routes.

// orderedPairs counts the pairs of the graph that contains a block; 0: all of a single graph's.
func (h *chooser) orderedPairs(ctx context.Context, p *namedPlan, block int) (float64, error) {
	q := h.opts.Question
	if q.HasMasses() {
		return p.Routed.Float(), nil
	}
	if len(p.By) == 0 && q.Sources == (question.Set{}) && q.Targets == (question.Set{}) {
		return 0, nil
	}
	sources, targets, err := h.plan.in.ends(ctx, &p.names)
	if err != nil {
		return 0, err
	}
	const source, target = 1, 2
	ends := make([]uint8, p.Vertices)
	mark := func(list []uint32, as uint8) {
		for _, v := range list {
			ends[v] |= as
		}
		for v := range ends {
			if list == nil {
				ends[v] |= as
			}
		}
	}
	mark(sources, source)
	mark(targets, target)
	var from, to, both float64
	here := func(uint32) bool { return true }
	if len(p.By) > 0 {
		vertices, _ := p.Blocks[block].Members(1)
		graph := p.Graph[vertices[0]]
		here = func(v uint32) bool { return p.Graph[v] == graph }
	}
	for v, as := range ends {
		if !here(uint32(v)) {
			continue
		}
		if as&source != 0 {
			from++
		}
		if as&target != 0 {
			to++
		}
		if as == source|target {
			both++
		}
	}
	return from*to - both, nil
}

// shareOf converts a difference of scores to a share of all pairs: all ordered ones, or n(n-1) if
// all is 0; half of them where a score counts two as one.
func shareOf(difference, all float64, q question.Question, vertices int) float64 {
	if n := float64(vertices); all == 0 {
		all = n * (n - 1)
	}
	return difference / max(all/ofScore(q), 1)
}

// ofScore is the number of ordered pairs that a score counts as one.
func ofScore(q question.Question) float64 {
	if q.Ordered() {
		return 1
	}
	return 2
}
