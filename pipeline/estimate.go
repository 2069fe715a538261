package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"bcstage/pipeline/bound"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Estimate says how far scores that are estimated may be trusted, and how they
// were made.
type Estimate struct {
	Way        string  `json:"way"` // sources, sources-raw or exact
	Seed       uint64  `json:"seed"`
	Confidence float64 `json:"confidence"` // probability that every interval of this and all earlier stages holds its score
	// Eps is the largest of upper - score and score - lower, over n(n-1)/2.
	Eps float64 `json:"eps"`

	Vertices  int     `json:"vertices"`  // whose scores are not exact by the reductions and the small blocks
	Originals int     `json:"originals"` // that can be drawn
	Draws     int     `json:"draws"`     // of those
	Sources   int     `json:"sources"`   // that can be searched: originals hang on them
	Searches  int     `json:"searches"`  // of those
	Settled   float64 `json:"settled"`   // share of the originals whose sources have been searched
	Stages    int     `json:"stages"`

	// Of Certain.Of highest scores so many are certain to be among them.
	Certain *Certain `json:"certain,omitempty"`
}

// EstimateProgress is an estimate under way.
type EstimateProgress struct {
	Estimate
	Goal    float64       // Eps that is asked for; 0: none
	ToGoal  time.Duration // how long that may take yet; as long as ToExact, if not less
	ToExact time.Duration // how long it would take to search all sources
}

// Certain is what Question.Sample.Certain asks for.
type Certain struct {
	Places int `json:"places"`
	Of     int `json:"of"`
}

// estimates are what the scores of some vertices are beyond the sums so far, in
// unordered pairs.
type estimates struct {
	Estimate
	vertices           []uint32 // ascending
	rest, below, above []float64
}

// How far an estimate goes, and how sure it is, if nobody says.
const (
	defaultEps        = 1e-3
	defaultConfidence = 0.95
)

// completeSample fills in the defaults of the question's sample, and refuses what
// cannot be estimated yet.
func (o *Options) completeSample() error {
	s := &o.Question.Sample
	if s.Way == "" {
		return nil
	}
	fail := func(what string) error {
		return fmt.Errorf("%w: %w: estimates %s", ErrOptions, question.ErrUnanswered, what)
	}
	switch {
	case s.Way == "auto" || s.Way == "pairs":
		return fail("by way " + s.Way)
	case o.partial():
		return fail("in shards")
	case o.Resume != nil || o.Save != nil:
		return fail("that are saved or gone on with")
	case len(o.Files.By) > 0:
		return fail("of several graphs")
	case s.Way != "exact" && o.Engine == EngineGPU:
		return fail("by engine gpu")
	}
	if s.Confidence == 0 {
		s.Confidence = defaultConfidence
	}
	if s.Eps == 0 && s.Within == 0 && s.Samples == 0 && s.Certain == 0 {
		s.Eps = defaultEps
	}
	return nil
}

// draw puts the plan into stages if scores are to be estimated from sources.
func (r *run) draw(ctx context.Context, p *namedPlan) error {
	sample := r.opts.Question.Sample
	if sample.Way != "sources" && sample.Way != "sources-raw" {
		return nil
	}
	asked := p.Question
	asked.Sample = sample
	if err := asked.Answerable(); err != nil { // sets of vertices have become known
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	block, ok := p.Drawable()
	if !ok {
		r.stats.Notes = append(r.stats.Notes, "nothing is left that is worth sampling: the scores are exact")
		return nil
	}
	drawing := preprocess.Drawing{Seed: sample.Seed, Linear: sample.Way == "sources"}
	if sample.Samples > 0 {
		drawing.Cuts = []int{sample.Samples}
	}
	var err error
	if p.Plan, err = p.Plan.Draw(ctx, block, drawing, r.opts.Threads); err != nil {
		return err
	}
	p.Question.Sample = question.Sample{Way: sample.Way, Seed: sample.Seed}
	return nil
}

// beforeStages parts the batches to do into those that are exact and those that
// were drawn.
func beforeStages(plan *preprocess.Plan, todo []int) (exact, drawn []int) {
	first, _ := slices.BinarySearch(todo, plan.Drawn.Stages[0].First)
	return todo[:first], todo[first:]
}

// estimator is the state of an estimate between two stages.
type estimator struct {
	r      *run
	c      *computation
	bound  *bound.Bound
	result Estimate

	settled []float64     // by sampled vertex: the certain part, in units of package bound
	lengths float64       // and of the lengths
	left    float64       // source mass that is not settled
	spent   time.Duration // searching
}

// newEstimator is for a plan with stages.
func newEstimator(r *run, c *computation) (*estimator, error) {
	d, sample := c.plan.Drawn, r.opts.Question.Sample
	e := &estimator{r: r, c: c, left: d.From, settled: make([]float64, len(c.ledger.Sampled()))}
	e.result = Estimate{
		Way: sample.Way, Seed: sample.Seed, Confidence: sample.Confidence, Eps: 1,
		Vertices: len(e.settled), Originals: int(d.From), Sources: len(c.plan.Blocks[d.Block].Sources),
	}
	reach := 1.0
	if d.Linear {
		reach = 2 - 2/float64(d.Depth)
	}
	var err error
	e.bound, err = bound.New(bound.Options{
		Vertices: len(e.settled),
		Risk:     1 - sample.Confidence,
		Range:    reach,
		Longest:  float64(max(d.Depth-1, 1)),
		Threads:  c.opts.Threads,
	})
	return e, err
}

// pairs is what T of package bound is multiplied by to be unordered pairs.
func (e *estimator) pairs() float64 { return e.c.plan.Drawn.From * e.c.plan.Drawn.To / 2 }

// estimate searches stage after stage, until the question's goal is reached or
// everything is exact.
func (r *run) estimate(ctx context.Context, c *computation, todo []int) (*estimates, error) {
	e, err := newEstimator(r, c)
	if err != nil {
		return nil, err
	}
	for number, stage := range c.plan.Drawn.Stages {
		if e.reached(stage) {
			break
		}
		end, _ := slices.BinarySearch(todo, stage.End)
		began := time.Now()
		c.sharing.Extend(todo[:end])
		todo = todo[end:]
		if err := c.run(ctx, nil); err != nil {
			return nil, err
		}
		e.spent += time.Since(began)
		if err := e.add(ctx, number, stage); err != nil {
			return nil, err
		}
	}
	r.share = c.sharing.Part()
	return e.estimate(ctx)
}

// add takes a finished stage in.
func (e *estimator) add(ctx context.Context, number int, stage preprocess.Stage) error {
	s := e.c.ledger.Stage(number)
	for v, x := range s.Settled {
		e.settled[v] += x
	}
	e.lengths += s.Length.Settled
	e.left -= stage.From
	s.Settled, s.Length.Settled, s.Left = e.settled, e.lengths, e.left/e.c.plan.Drawn.From
	if err := e.bound.Add(ctx, s); err != nil {
		return err
	}
	batches := e.c.plan.Batches[stage.First:stage.End]
	for _, batch := range batches {
		e.result.Searches += batch.Count
	}
	e.result.Draws += stage.Draws
	e.result.Stages++
	e.result.Settled = 1 - s.Left
	n := float64(e.c.plan.Vertices)
	eps, err := e.bound.Eps(ctx)
	if err != nil {
		return err
	}
	e.result.Eps = eps * e.pairs() / max(n*(n-1)/2, 1)
	if err := e.certain(ctx); err != nil {
		return err
	}
	e.report()
	return nil
}

// report tells how far it is to the goal. Ends of intervals come nearer with the
// square root of the draws, or faster.
func (e *estimator) report() {
	each := e.spent / time.Duration(e.result.Searches)
	p := EstimateProgress{Estimate: e.result, Goal: e.r.opts.Question.Sample.Eps, ToExact: each * time.Duration(e.result.Sources-e.result.Searches)}
	p.ToGoal = p.ToExact
	if p.Goal > 0 {
		times := (p.Eps / p.Goal) * (p.Eps / p.Goal)
		p.ToGoal = min(p.ToExact, time.Duration(float64(e.spent)*max(times-1, 0)))
	}
	e.r.estimating.Store(&p)
}

// reached tells whether to stop before the next stage.
func (e *estimator) reached(next preprocess.Stage) bool {
	goal := e.r.opts.Question.Sample
	if goal.Samples > 0 && e.result.Draws >= goal.Samples {
		return true
	}
	if e.result.Stages == 0 {
		return false
	}
	if goal.Within > 0 {
		sources := 0
		for _, batch := range e.c.plan.Batches[next.First:next.End] {
			sources += batch.Count
		}
		lasts := time.Duration(float64(e.spent) * float64(sources) / float64(e.result.Searches))
		if time.Since(e.r.began)+lasts > goal.Within {
			return true
		}
	}
	if goal.Certain > 0 {
		return e.result.Certain.Places == e.result.Certain.Of || goal.Eps > 0 && e.result.Eps <= goal.Eps
	}
	return goal.Eps > 0 && e.result.Eps <= goal.Eps
}

// certain counts those of the highest scores that are above all others for sure.
func (e *estimator) certain(ctx context.Context) error {
	places := min(e.r.opts.Question.Sample.Certain, e.c.plan.Vertices)
	if places == 0 {
		return nil
	}
	found, err := e.estimate(ctx)
	if err != nil {
		return err
	}
	scores, lower, upper := found.apply(e.c.ledger.Values())
	order := make([]uint32, len(scores))
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareScores(scores, a, b) })
	highest := math.Inf(-1) // of the rest
	for _, v := range order[places:] {
		highest = max(highest, upper[v])
	}
	e.result.Certain = &Certain{Of: places}
	for _, v := range order[:places] {
		if lower[v] >= highest {
			e.result.Certain.Places++
		}
	}
	return nil
}

// estimate is what is known now.
func (e *estimator) estimate(ctx context.Context) (*estimates, error) {
	ends, err := e.bound.Intervals(ctx)
	if err != nil {
		return nil, err
	}
	pairs := e.pairs()
	over := func(ends []float64) []float64 {
		values := make([]float64, len(ends))
		for i, end := range ends {
			values[i] = max(end-e.settled[i], 0) * pairs
		}
		return values
	}
	return &estimates{e.result, e.c.ledger.Sampled(), over(ends.Estimate), over(ends.Lower), over(ends.Upper)}, nil
}

// apply turns scores that stand for what is finished into estimates, and gives
// the ends of their intervals.
func (e *estimates) apply(scores []float64) (_, lower, upper []float64) {
	lower, upper = slices.Clone(scores), slices.Clone(scores)
	for i, v := range e.vertices {
		scores[v] += e.rest[i]
		lower[v] += e.below[i]
		upper[v] += e.above[i]
	}
	return scores, lower, upper
}

// intervals are those of a run that was asked for some: of none or exact scores
// they have no width.
func (r *run) intervals(found *estimates) *estimates {
	sample := r.opts.Question.Sample
	if sample.Way == "" {
		return nil
	}
	if found == nil {
		found = &estimates{Estimate: Estimate{Way: "exact", Seed: sample.Seed, Confidence: 1}}
	}
	r.stats.Estimate = &found.Estimate
	return found
}

// describe is the metadata beside scores.
func (e *Estimate) describe() []string {
	list := []string{
		"estimate", e.Way,
		"confidence", fmt.Sprint(e.Confidence),
		"eps", fmt.Sprint(e.Eps),
	}
	if e.Way != "exact" {
		list = append(list,
			"seed", fmt.Sprint(e.Seed),
			"draws", fmt.Sprint(e.Draws),
			"searches", fmt.Sprintf("%d of %d", e.Searches, e.Sources),
			"settled", fmt.Sprint(e.Settled),
			"stages", fmt.Sprint(e.Stages))
	}
	if c := e.Certain; c != nil {
		list = append(list, "certain", fmt.Sprintf("%d of %d", c.Places, c.Of))
	}
	return list
}
