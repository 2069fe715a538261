package pipeline

import (
	"context"
	"sync/atomic"

	"bcstage/internal/bound"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/draws"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// pairSums converts pairs of a block to the scores of its vertices.
type pairSums struct {
	*draws.Paired
	ledger.Locals
	each  float64  // ordered pairs that count one in a score
	twins []uint32 // by place of the counts: how many vertices or edges share its T
}

func newPairSums(d *draws.Paired, l ledger.Locals, each float64, threads int) pairSums {
	s := pairSums{Paired: d, Locals: l, each: each, twins: make([]uint32, d.Counted())}
	parallel.SpreadWhole(threads, len(l.Local), parallel.Interval, func(lo, hi int) {
		for _, v := range l.Local[lo:hi] {
			atomic.AddUint32(&s.twins[v], 1)
		}
	})
	return s
}

func (s *pairSums) limits() bound.Options {
	return bound.Options{Vertices: s.Paired.Counted(), Range: 1, Longest: float64(s.Longest)}
}

func (s *pairSums) pairs() float64                     { return s.From * s.To / s.each }
func (s *pairSums) all() float64                       { return s.All }
func (s *pairSums) scores() (vertices, edges []uint32) { return s.Locals.Vertices, s.Locals.Edges }

func (s *pairSums) beyond(t []float64, threads int) []float64 {
	values := make([]float64, len(s.Local))
	parallel.SpreadWhole(threads, len(values), parallel.Interval, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := s.Local[i]
			values[i] = s.Unseen[i]/s.each + t[v]*(s.pairs()/float64(s.twins[v]))
		}
	})
	return values
}

// pairStages draws pairs of vertices: some first, then always a share of those so far, or the
// number expected to reach the goal. Stages of a checkpoint are repeated as they were.
type pairStages struct {
	pairSums
	c       *computation
	sampler *pairs.Sampler
	number  int // of the next stage
	drawn   int
}

// A stage draws at least so many pairs, and at least one for so many vertices: the draws then take no less time than the bounds
// of all vertices after it. On an R-MAT graph of 20 million, 26 stages of a quarter each from 1000 on, for 460 000
// pairs, took three times as long as the draws.
const (
	fewestPairs     = 1000
	verticesOfAPair = 512
)

// newPairStages takes the sampler of a trial, whose memory is there already; nil: there was none.
func newPairStages(c *computation, tried *pairs.Sampler) *pairStages {
	d := c.plan.Paired
	if tried == nil {
		tried = pairs.New(&c.plan.Blocks[d.Block], c.opts.Threads)
	}
	return &pairStages{pairSums: newPairSums(d, c.ledger.Locals(), ofScore(c.plan.Question), c.opts.Threads), c: c, sampler: tried}
}

func (s *pairStages) about(e *Estimate) { e.Originals = int(s.From) }

func (s *pairStages) next(eps float64) (draws, searches int) {
	if known := s.c.ledger.Pairs(s.number); known > 0 {
		return int(known), int(known)
	}
	draws = nextPairs(s.Counted(), s.drawn, eps, s.c.opts.Question.Sample)
	return draws, draws
}

// nextPairs is the number of pairs to draw of so many vertices, after drawn pairs have reached eps: a quarter more, or
// half as many where eps is the goal. Intervals shrink at least with the square root of the draws, so a hundredth more
// than that is expected to be enough, and the last stage ends there, however long stages are. The number may depend on
// all earlier draws; a bound holds after every stage (see package bound).
func nextPairs(vertices, drawn int, eps float64, goal question.Sample) int {
	least := max(fewestPairs, vertices/verticesOfAPair)
	draws := max(least, drawn/4)
	if goal.Eps > 0 {
		enough := (1.01*(eps/goal.Eps)*(eps/goal.Eps) - 1) * float64(drawn)
		draws = int(min(float64(max(least, drawn/2)), max(enough, float64(drawn)/32, float64(least))))
	}
	if drawn < goal.Samples {
		draws = min(draws, goal.Samples-drawn)
	}
	return draws
}

func (s *pairStages) search(ctx context.Context, draws int) (bound.Stage, error) {
	if err := s.draw(ctx, draws); err != nil {
		return bound.Stage{}, err
	}
	stage := s.c.ledger.PairStage(s.number-1, s.c.opts.Threads)
	if s.c.opts.Save == nil {
		s.sampler.Reuse(s.c.ledger.DropPairs(s.number - 1))
	}
	return stage, nil
}

// draw draws the run's share of the next stage, of so many pairs, in pieces, between which a
// checkpoint may come. A piece has as many pairs as the block has vertices, whose counts are then
// added up: that takes little of the time.
func (s *pairStages) draw(ctx context.Context, draws int) error {
	const least = 1 << 13
	books, number := s.c.ledger, s.number
	if books.Pairs(number) == 0 {
		books.BeginPairs(int64(draws))
	}
	piece := int64(max(s.Counted(), least))
	for _, span := range books.PairsTodo(number, s.c.opts.Shard) {
		for first := span.First; first < span.End; first += piece {
			end := min(first+piece, span.End)
			counts, err := s.sampler.Draw(ctx, pairs.Draws{
				Seed: s.c.opts.Question.Sample.Seed, Stage: uint64(number), First: first, Count: end - first, Threads: s.c.opts.Threads,
			})
			if err != nil {
				return err
			}
			books.EnterPairs(number, ledger.Span{First: first, End: end}, counts)
		}
	}
	s.number++
	s.drawn += draws
	return nil
}

// part is that of parted.
func (s *pairStages) part(ctx context.Context, samples int) error {
	for s.drawn < samples {
		draws, _ := s.next(1)
		if err := s.draw(ctx, draws); err != nil {
			return err
		}
	}
	return nil
}
