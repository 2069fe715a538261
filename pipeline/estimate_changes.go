package pipeline

import (
	"context"
	"time"

	"bcstage/internal/bound"
	"bcstage/internal/budget"
	"bcstage/internal/cpu/levels"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess"
)

// changeStages draws pairs of vertices, each in both graphs, and estimates the change of the scores: see
// pairs.NewDifferences. Of P ordered pairs, P * T(v) is the change, half of it where edges are undirected, T being the mean
// over pairs.
type changeStages struct {
	*changedPairs
	opts   Options
	number int // of the next stage
	drawn  int
}

// changedPairs are the pairs of the vertices of two graphs.
type changedPairs struct {
	sampler *pairs.Sampler
	count   float64 // P, or half of it: a score counts two pairs as one
	members int     // vertices that are drawn, or what they send
	shareOf float64 // pairs that eps is a share of; 0: all
	one     unit    // of scores
	today   int     // vertices
	longest int     // inner vertices of a shortest path in each graph, both together, at most
	bytes   int64   // held while pairs are drawn
}

// newChangedPairs prepares to draw from both graphs.
func newChangedPairs(ctx context.Context, d *change.Difference, union *csr.Graph, vertices, threads int) (*changedPairs, error) {
	deepest := max(vertices, union.Vertices()-vertices) - 1 // of any path, if arcs have directions
	if !union.Directed() {
		var err error
		if deepest, err = levels.Diameter(ctx, union, threads); err != nil {
			return nil, err
		}
	}
	n := int64(vertices)
	p := &changedPairs{today: vertices, longest: 2 * max(deepest-1, 0)}
	var block *preprocess.Block
	block, p.sampler, p.count, p.members = d.Pairs(union)
	const share, sums, bounds = 8 + 4, 2 * 2 * 8, 2 * 4 * 8 // of each thread; of a stage; of package bound
	p.bytes = pairs.SharedBytes(block) + budget.Held(block.From) + budget.Held(block.To) + graphBytes(union) + (sums+bounds)*n + int64(threads)*(pairs.Bytes(block)+share*n)
	return p, nil
}

func (s *changedPairs) pairs() float64 { return s.count }
func (s *changedPairs) all() float64   { return s.shareOf }

func (s *changedPairs) limits() bound.Options {
	return bound.Options{Vertices: s.today, Range: 1, Longest: float64(s.longest), Signed: true}
}

// draw returns a stage of draws, for package bound.
func (s *changedPairs) draw(ctx context.Context, d pairs.Draws) (bound.Stage, error) {
	counts, err := s.sampler.Draw(ctx, d)
	if err != nil {
		return bound.Stage{}, err
	}
	in := func(sums []int64) []float64 {
		list := make([]float64, len(sums))
		for i, sum := range sums {
			list[i] = float64(sum) / pairs.DifferenceOne
		}
		return list
	}
	return bound.Stage{
		Draws: d.Count, Left: 1, Sum: in(counts.Inner), Squares: in(counts.Shares),
		Length: bound.Length{Sum: float64(counts.Length), Squares: float64(counts.Squares)},
	}, nil
}

func (s *changeStages) about(e *Estimate) { e.Originals = s.members }

func (s *changeStages) scores() (vertices, _ []uint32) {
	return csr.Ascending(s.today), nil
}

func (s *changeStages) beyond(t []float64, _ int) []float64 {
	values := make([]float64, len(t))
	for i, x := range t {
		values[i] = s.one.of(x * s.pairs())
	}
	return values
}

func (s *changeStages) next(eps float64) (draws, searches int) {
	draws = nextPairs(2*s.today, s.drawn, eps, s.opts.Question.Sample)
	return draws, draws
}

func (s *changeStages) search(ctx context.Context, draws int) (bound.Stage, error) {
	d := pairs.Draws{Seed: s.opts.Question.Sample.Seed, Stage: uint64(s.number), Count: int64(draws), Threads: s.opts.Threads}
	s.number++
	s.drawn += draws
	return s.draw(ctx, d)
}

// changeTrial is the number of pairs of which a trial finds out the cost and the variance.
const changeTrial = 4 * trialPairs

// tryChange tries pairs of both graphs, beside the exact way of the plan. exact is its seconds; 0: tried as well. nil:
// the run updates no scores.
func (h *chooser) tryChange(ctx context.Context, p *preprocess.Plan, exact float64) (*trial, error) {
	if h.plan.update == nil {
		return nil, nil
	}
	thought := 0.0
	for _, batch := range p.Batches {
		thought += untried(p, batch) / float64(h.opts.Threads)
	}
	t := &trial{exact: exact}
	if exact == 0 {
		if t.exact = thought; thought >= tiny {
			t.exact = seconds(ctx, p, *h.opts, thought, exactTrial)
		}
	}
	of := h.plan.update.pairs
	if t.exact < tiny || h.opts.Engine == EngineGPU || of == nil {
		return t, nil
	}
	began := time.Now()
	stage, err := of.draw(ctx, pairs.Draws{Seed: ^h.opts.Question.Sample.Seed, Count: changeTrial, Threads: h.opts.Threads})
	if err != nil {
		return nil, err
	}
	s := spread{way: "pairs", reach: 1, share: shareOf(of.pairs(), of.all(), h.plan.update.today.Question, of.today), seconds: time.Since(began).Seconds() / changeTrial}
	for v := range of.today {
		s.variance = max(s.variance, (stage.Squares[v]+stage.Squares[of.today+v])/changeTrial)
	}
	t.ways = []spread{s}
	return t, nil
}

// drawChange decides whether the change of the scores is estimated. p.Plan is the cheapest exact way; it becomes a plan
// without searches where pairs are drawn. nil: the change is exact.
func (h *chooser) drawChange(ctx context.Context, p *namedPlan) (*sampling, error) {
	sample, u := &h.opts.Question.Sample, h.plan.update
	if len(p.Batches) == 0 {
		sample.Way = "exact" // nothing is left to search
	}
	if sample.Way == "auto" {
		way, plan, _, err := h.choose(ctx, p, 0)
		if err != nil {
			return nil, err
		}
		sample.Way = way
		h.planned.Store(plan)
	}
	if sample.Way == "exact" {
		u.pairs = nil
		return nil, nil
	}
	u.stats.Way, u.stats.Nights = wayPairs, u.before.nights+1
	p.Plan = unsearched(u.today.Plan)
	h.stats.Batches = 0
	return &sampling{way: "pairs", block: -1, changes: u.pairs}, nil
}
