package streets

import (
	"context"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's batches.
type Search struct {
	block *preprocess.Block
	*arms
	cutoff uint32
	cutting
	part *lengths.Search

	scores  []float64 // by vertex; 0 outside reached
	listed  []bool    // by vertex: whether reached has it
	reached []uint32
}

// New makes a Search. With portableOnly it uses only kernels in Go; the results are the same.
func New(portableOnly bool) *Search { return &Search{part: lengths.New(portableOnly)} }

// Fits says whether a block's distances fit.
func Fits(b *preprocess.Block) bool { return b.Cutoff > 0 && b.Cutoff <= mostCutoff }

// Bytes returns the memory that a Search needs for a block, beside the memory of package lengths and of the parts.
func Bytes(b *preprocess.Block) int64 {
	const (
		vertex = 12 + 4 + 4 + 16 + 4 + 8 + 1 + 4 // place, number, junction, node, own, score, listed, reached
		arc    = 16 + 8 + 8 + 1                  // arm, its slots, and whether it is cut
	)
	return int64(b.Vertices())*vertex + int64(len(b.Targets))*arc
}

// Run computes a batch. The only errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if err := s.prepare(ctx, b); err != nil {
		return engine.Result{}, err
	}
	part := s.cut(b, b.Sources[batch.First:batch.First+batch.Count])
	result, err := s.part.RunInside(ctx, part, engine.Batch{Count: batch.Count}, &s.inside)
	if err != nil {
		return engine.Result{}, err
	}
	for i, v := range s.names {
		s.add(v, result.Scores[i])
	}
	for i, v := range s.at {
		if v != none {
			s.add(v, s.inside.Scores[i])
		}
	}
	result.Batch, result.Scores, result.At = batch, s.scores, s.reached
	return result, nil
}

// add adds to the score of a vertex.
func (s *Search) add(v uint32, score float64) {
	s.scores[v] += score
	if !s.listed[v] {
		s.listed[v] = true
		s.reached = append(s.reached, v)
	}
}

// prepare makes room for a batch, and clears the scores of the last one.
func (s *Search) prepare(ctx context.Context, b *preprocess.Block) (err error) {
	for _, v := range s.reached {
		s.scores[v], s.listed[v] = 0, false
	}
	s.reached = s.reached[:0]
	if s.block == b {
		return nil
	}
	s.block = nil
	if s.arms, err = newArms(ctx, b); err != nil {
		return err
	}
	s.block, s.cutoff = b, uint32(b.Cutoff)
	s.scores, s.listed = pages.Cleared(s.scores, b.Vertices()), pages.Cleared(s.listed, b.Vertices())
	s.own = pages.Resize(s.own, b.Vertices())
	s.isCut = pages.Cleared(s.isCut, len(s.arms.arms))
	return nil
}
