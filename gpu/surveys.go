package gpu

import (
	"context"
	"slices"

	"bcstage/gpu/internal/survey"
	"bcstage/internal/measures"
	"bcstage/preprocess"
)

// Surveys has the findings about the blocks of a plan, by number of the block.
// Engines use them to choose how to search each: see engine.Device.
type Surveys map[int]survey.Findings

// Survey searches every block that is large enough for a device from a few
// sources. That needs no device, so it can run while devices start. The error is
// ErrOptions or the context's.
func Survey(ctx context.Context, plan *preprocess.Plan, options Options) (Surveys, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	surveys := make(Surveys)
	for i := range plan.Blocks {
		if block := &plan.Blocks[i]; options.worth(block) {
			if surveys[i], err = survey.Look(ctx, block, options.Threads); err != nil {
				return nil, err
			}
		}
	}
	return surveys, nil
}

// apart splits the surveys into blocks where paths are counted and blocks searched
// for distances alone.
func (s Surveys) apart() (paths, distances Surveys) {
	paths, distances = make(Surveys), make(Surveys)
	for number, found := range s {
		if found.Distances {
			distances[number] = found
		} else {
			paths[number] = found
		}
	}
	return paths, distances
}

// sees reports whether a search has to find what sources see.
func sees(b *preprocess.Block) bool { return b.Sees || b.Access || b.Spreads() }

// asked sets the findings that depend on options and question.
func (o Options) asked(s survey.Findings, b *preprocess.Block) survey.Findings {
	s.Drawn = b.HasDraws() || b.Linear
	s.Simple = !b.Directed() && b.Cutoff == 0 && !sees(b) && !(b.HasFlows() && (s.Drawn || !s.Whole))
	s.Beside = slices.Contains(o.Searches, measures.Distances)
	s.Plain = s.Simple && !s.Drawn && b.Decay == nil
	s.FewEdges = s.FewEdges && o.Mdeg == 0 // Mdeg is about sharing vertices
	return s
}
