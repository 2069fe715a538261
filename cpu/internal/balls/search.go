package balls

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Run computes a batch of a block.
type Run func(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error)

// Search is the state of one goroutine's batches.
type Search struct {
	part Run // computes the one batch of a part

	parts preprocess.Parts

	// Numbers of the last batch, by vertex of its block, and by edge. They are 0 outside at and flowsAt.
	block                         *preprocess.Block
	at, flowsAt                   []uint32
	scores, drawn, squares, flows []float64
	arrives                       []float64
	found                         []engine.Found
}

// New makes a Search that searches parts by another engine.
func New(part Run) *Search { return &Search{part: part} }

// Run computes a batch. The errors are the context's and the engine's.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.clear(b)
	part, at, err := s.parts.Cut(ctx, b, batch)
	if err != nil {
		return engine.Result{}, err
	}
	s.at = append(s.at, at...)
	result, err := s.part(ctx, part, engine.Batch{Count: batch.Count})
	if err != nil {
		s.at = s.at[:0]
		return engine.Result{}, err
	}
	s.deliver(part, &result)
	result.Batch = batch
	return result, nil
}

// clear clears the numbers of the last batch.
func (s *Search) clear(b *preprocess.Block) {
	reach := b.Kind().Reach()
	if s.block == b {
		for _, v := range s.at {
			if reach {
				s.found[v] = engine.Found{}
				continue
			}
			if s.scores[v] = 0; b.Hung != nil {
				s.arrives[v] = 0
			}
			if b.HasDraws() {
				s.drawn[v], s.squares[v] = 0, 0
			}
		}
		for _, e := range s.flowsAt {
			s.flows[e] = 0
		}
		s.at, s.flowsAt = s.at[:0], s.flowsAt[:0]
		return
	}
	n := b.Vertices()
	s.block, s.at, s.flowsAt = b, s.at[:0], s.flowsAt[:0]
	if reach {
		s.found = pages.Cleared(s.found, n)
		return
	}
	s.scores, s.arrives = pages.Cleared(s.scores, n), pages.Cleared(s.arrives, len(b.Hung))
	if b.HasDraws() {
		s.drawn, s.squares = pages.Cleared(s.drawn, n), pages.Cleared(s.squares, n)
	}
	if b.HasFlows() {
		s.flows = pages.Cleared(s.flows, b.Flows.Count())
	}
}

// deliver copies the numbers of a part to their places in the block.
func (s *Search) deliver(part *preprocess.Block, result *engine.Result) {
	result.At = s.at
	if result.Found != nil {
		for i, v := range s.at {
			s.found[v] = result.Found[i]
		}
		result.Found = s.found
		return
	}
	result.Scores = spread(s.scores, result.Scores, s.at)
	if part.Hung != nil {
		result.Arrives = spread(s.arrives, result.Arrives, s.at)
	}
	if part.HasDraws() {
		result.Drawn, result.Squares = spread(s.drawn, result.Drawn, s.at), spread(s.squares, result.Squares, s.at)
	}
	if part.HasFlows() {
		for _, x := range result.Flows {
			if !(x >= 0) {
				result.FlowGot = math.NaN() // see engine.Result.FlowsAt
			}
		}
		s.flowsAt = append(s.flowsAt, part.Flows.Edges...)
		result.Flows, result.FlowsAt = spread(s.flows, result.Flows, s.flowsAt), s.flowsAt
	}
}

// spread copies the values of a part to their places.
func spread(to, values []float64, at []uint32) []float64 {
	for i, v := range at {
		to[v] = values[i]
	}
	return to
}
