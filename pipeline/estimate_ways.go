package pipeline

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/bound"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/draws"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// sampling is a decision to estimate the scores of one block's vertices.
type sampling struct {
	way     string // "sources", "sources-raw" or "pairs"
	block   int
	changes *changedPairs  // of which the change of all scores is estimated; nil: scores of the block's vertices are
	tried   *pairs.Sampler // of the block, by the trial; nil: there was none
}

// byPairs, as opposed to sources.
func (s *sampling) byPairs() bool { return s != nil && s.way == "pairs" }

// draw decides whether and how scores are estimated, and divides the plan into stages if sources
// are drawn. It keeps a checkpoint's way and stages; if exact scores are asked for, a run continues
// with the checkpoint's sources until all are done. nil: every batch that is left is computed.
func (h *chooser) draw(ctx context.Context, p *namedPlan, resumed *ledger.Partial) (*sampling, error) {
	sample := &h.opts.Question.Sample
	if h.plan.update != nil && sample.Way != "" {
		return h.drawChange(ctx, p)
	}
	var before question.Sample // of the checkpoint
	var cuts []int
	if resumed != nil {
		before = resumed.Sample()
		if d, _ := resumed.Drawn(); d != nil {
			cuts = d.Cuts
		}
	}
	exact := sample.Way == "" || sample.Way == "exact"
	switch {
	case exact && before.Way == "":
		return nil, nil
	case exact && before.Way == "pairs":
		h.stats.Notes = append(h.stats.Notes, "pairs do not help exact scores: the checkpoint's pairs are dropped, the rest is kept")
		resumed.Now(question.Sample{})
		return nil, nil
	case exact:
		block, ok := p.Drawable(false)
		if !ok { // nothing was sampled, or the checkpoint is of another graph, as the comparison will say
			resumed.Now(question.Sample{})
			return nil, nil
		}
		return nil, h.drawFrom(ctx, p, block, before, cuts)
	}
	asked := p.Question
	asked.Sample = *sample
	if err := asked.Answerable(); err != nil { // sets of vertices have become known
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if sample.Way == "auto" && before.Way != "" && before.Seed == sample.Seed {
		sample.Way = before.Way
	}
	var tried *pairs.Sampler
	if sample.Way == "auto" {
		way, plan, sampler, err := h.choose(ctx, p, 0)
		if err != nil {
			return nil, err
		}
		sample.Way, tried = way, sampler
		h.planned.Store(plan)
		if sample.Way == "exact" {
			return nil, nil
		}
	}
	s := &sampling{way: sample.Way, tried: tried}
	var ok bool
	if s.block, ok = p.Drawable(s.byPairs()); !ok {
		h.stats.Notes = append(h.stats.Notes, "nothing is worth sampling: the scores are exact")
		p.Question.Sample = question.Sample{Way: sample.Way, Seed: sample.Seed} // a part records the question as asked
		if resumed != nil {
			resumed.Now(*sample)
		}
		return nil, nil
	}
	if !s.byPairs() && sample.Samples > 0 && !slices.Contains(cuts, sample.Samples) {
		cuts = append(slices.Clone(cuts), sample.Samples)
		slices.Sort(cuts)
	}
	return s, h.drawFrom(ctx, p, s.block, *sample, cuts)
}

// drawFrom changes the plan to one that draws from a block: pairs, or sources in stages.
func (h *chooser) drawFrom(ctx context.Context, p *namedPlan, block int, sample question.Sample, cuts []int) error {
	all, err := h.orderedPairs(ctx, p, block)
	if err != nil {
		return err
	}
	if sample.Way == "pairs" {
		if p.Plan, err = p.Plan.Pair(ctx, block, h.opts.Threads); err == nil {
			p.Paired.All = all
		}
	} else {
		drawing := draws.Drawing{Seed: sample.Seed, Linear: sample.Way == "sources", Cuts: cuts}
		if p.Plan, err = p.Plan.Draw(ctx, block, drawing, h.opts.Threads); err == nil {
			p.Drawn.All = all
			if p.Drawn.Edges && h.opts.Engine == EngineGPU {
				h.stats.Notes = append(h.stats.Notes, "estimates of edges were left to the cores")
			}
		}
	}
	if err == nil {
		p.Question.Sample = question.Sample{Way: sample.Way, Seed: sample.Seed}
	}
	return err
}

// exactBatches separates the batches to compute exactly from those of the sampled block.
func (s *sampling) exactBatches(plan *preprocess.Plan, todo []int) (exact, drawn []int) {
	if s == nil {
		return todo, nil
	}
	for _, index := range todo {
		if plan.Batches[index].Block == s.block {
			drawn = append(drawn, index)
		} else {
			exact = append(exact, index)
		}
	}
	return exact, drawn
}

// population is the set that the sampling draws from: the batches todo, or pairs.
func (s *sampling) population(c *computation, todo []int, devices *deviceStart) population {
	switch {
	case s.changes != nil:
		return &changeStages{changedPairs: s.changes, opts: c.opts}
	case s.byPairs():
		return newPairStages(c, s.tried)
	}
	return &sourceStages{sourceSums: newSourceSums(c.plan.Drawn, c.ledger, ofScore(c.plan.Question)), c: c, devices: devices, todo: todo}
}

// stageSums are the known sums of stages: a ledger, or a partial.
type stageSums interface {
	Sampled() (vertices, edges []uint32)
	Stage(number int) bound.Stage
	Ahead(number int) []float64
}

// sourceSums adds stages of sources, one after the other.
type sourceSums struct {
	*draws.Drawn
	sums    stageSums
	each    float64   // ordered pairs that count one in a score
	number  int       // of the next stage
	settled []float64 // by vertex, then by edge: the certain part, in units of package bound
	lengths float64   // the same of the lengths
	left    float64   // source mass of the unfinished sources
}

func newSourceSums(d *draws.Drawn, sums stageSums, each float64) sourceSums {
	vertices, edges := sums.Sampled()
	return sourceSums{Drawn: d, sums: sums, each: each, left: d.From, settled: make([]float64, len(vertices)+len(edges))}
}

// take returns the next stage, in the form of package bound.
func (s *sourceSums) take() bound.Stage {
	stage := s.sums.Stage(s.number)
	for v, x := range stage.Settled {
		s.settled[v] += x
	}
	s.lengths += stage.Length.Settled
	s.left -= s.Stages[s.number].From
	s.number++
	stage.Settled, stage.Length.Settled, stage.Left = s.settled, s.lengths, s.left/s.From
	return stage
}

func (s *sourceSums) limits() bound.Options {
	o := bound.Options{Vertices: len(s.settled), Range: 1, Longest: s.Longest()}
	if s.Linear {
		o.Range = 2 - 2/float64(s.Depth)
	}
	return o
}

func (s *sourceSums) pairs() float64                     { return s.From * s.To / s.each }
func (s *sourceSums) all() float64                       { return s.All }
func (s *sourceSums) scores() (vertices, edges []uint32) { return s.sums.Sampled() }

// beyond subtracts the part that the sums already contain, of later stages too as far as they are
// finished.
func (s *sourceSums) beyond(t []float64, threads int) []float64 {
	values, ahead := make([]float64, len(t)), s.sums.Ahead(s.number)
	parallel.SpreadWhole(threads, len(t), parallel.Interval, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			known := s.settled[i]
			if ahead != nil {
				known += ahead[i]
			}
			values[i] = max(t[i]-known, 0) * s.pairs()
		}
	})
	return values
}

// sourceStages draws sources: the stages of a plan.
type sourceStages struct {
	sourceSums
	c       *computation
	devices *deviceStart
	todo    []int // batches of the stages to come
}

func (s *sourceStages) about(e *Estimate) {
	e.Originals, e.Sources = int(s.From), len(s.c.plan.Blocks[s.Block].Sources)
}

func (s *sourceStages) next(float64) (draws, searches int) {
	if s.number == len(s.Stages) {
		return 0, 0
	}
	return s.Stages[s.number].Draws, s.Stages[s.number].Sources
}

func (s *sourceStages) search(ctx context.Context, _ int) (bound.Stage, error) {
	if err := s.compute(ctx); err != nil {
		return bound.Stage{}, err
	}
	number := s.number
	stage := s.take()
	if s.c.opts.Save == nil {
		s.c.ledger.DropStage(number)
	}
	return stage, nil
}

// compute computes the batches of the next stage.
func (s *sourceStages) compute(ctx context.Context) error {
	end, _ := slices.BinarySearch(s.todo, s.Stages[s.number].End)
	s.c.sharing.Extend(s.todo[:end])
	s.todo = s.todo[end:]
	return s.c.run(ctx, s.devices)
}

// part is that of parted.
func (s *sourceStages) part(ctx context.Context, samples int) error {
	for drawn := 0; s.number < len(s.Stages) && drawn < samples; s.number++ {
		drawn += s.Stages[s.number].Draws
		if err := s.compute(ctx); err != nil {
			return err
		}
	}
	return nil
}
