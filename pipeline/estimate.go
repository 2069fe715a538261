package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/bound"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
)

// estimator is the state of an estimate between two stages.
type estimator struct {
	*chooser
	c          *computation
	population population
	bound      *bound.Bound
	result     Estimate
	spent      time.Duration // searching
}

// population is the set that is sampled: see package bound.
type population interface {
	drawnSet
	// about sets the population's fields of an estimate.
	about(*Estimate)
	// next returns the draws and searches of the next stage, after eps has been reached; 0: there
	// is none.
	next(eps float64) (draws, searches int)
	// search draws the next stage, of so many draws.
	search(ctx context.Context, draws int) (bound.Stage, error)
}

// drawnSet is what bounds need of a population, or of the sums of its shards.
type drawnSet interface {
	// limits returns the options of a bound that the population decides.
	limits() bound.Options
	// beyond converts T to the part of scores beyond the sums of finished searches, by
	// estimates.vertices, then by its edges, in units of scores.
	beyond(t []float64, threads int) []float64
	// pairs is the largest factor between T and a score.
	pairs() float64
	// all is the number of ordered pairs that eps is a share of; 0: all of the graph's.
	all() float64
	// scores returns the vertices and the edges whose scores are estimated, ascending.
	scores() (vertices, edges []uint32)
}

// parted is a population of which shards draw.
type parted interface {
	// part searches a shard's share of the stages until so many samples are drawn.
	part(ctx context.Context, samples int) error
}

// estimate searches stage after stage, until the question's goal is reached or everything is exact.
func (h *chooser) estimate(ctx context.Context, c *computation, from population) (*estimates, error) {
	sample := h.opts.Question.Sample
	if h.opts.partial() {
		return nil, from.(parted).part(ctx, sample.Samples)
	}
	e := &estimator{chooser: h, c: c, population: from}
	vertices, edges := from.scores()
	e.result = Estimate{Way: sample.Way, Plan: h.planned.Load().(string), Seed: sample.Seed, Confidence: sample.Confidence, Eps: 1, Vertices: len(vertices), Edges: len(edges)}
	from.about(&e.result)
	limits := from.limits()
	limits.Risk, limits.Threads = 1-sample.Confidence, c.opts.Threads
	var err error
	if e.bound, err = bound.New(limits); err != nil {
		return nil, err
	}
	for {
		draws, searches := from.next(e.result.Eps)
		if draws == 0 || e.reached(searches) {
			break
		}
		began := time.Now()
		stage, err := from.search(ctx, draws)
		if err != nil {
			return nil, err
		}
		e.spent += time.Since(began)
		e.result.Searches += searches
		if err := e.add(ctx, stage); err != nil {
			return nil, err
		}
	}
	return e.estimate(ctx)
}

// add adds a finished stage.
func (e *estimator) add(ctx context.Context, s bound.Stage) error {
	if err := e.bound.Add(ctx, s); err != nil {
		return err
	}
	e.result.Draws += int(s.Draws)
	e.result.Stages++
	e.result.Settled = 1 - s.Left
	eps, err := e.bound.Eps(ctx)
	if err != nil {
		return err
	}
	e.result.Eps = shareOf(eps*e.population.pairs(), e.population.all(), e.c.plan.Question, e.c.plan.Vertices)
	if err := e.certain(ctx); err != nil {
		return err
	}
	e.report()
	return nil
}

// report sends how far it is to the goal. Intervals shrink at least with the square root of the
// draws.
func (e *estimator) report() {
	left := float64(max(e.result.Sources-e.result.Searches, 0))
	p := EstimateProgress{Estimate: e.result, Goal: e.opts.Question.Sample.Eps, ToExact: lasting(e.spent, left/float64(e.result.Searches))}
	if p.Goal > 0 {
		p.ToGoal = lasting(e.spent, max((p.Eps/p.Goal)*(p.Eps/p.Goal)-1, 0))
		if e.result.Sources > 0 {
			p.ToGoal = min(p.ToGoal, p.ToExact)
		}
	}
	e.estimating.Store(&p)
}

// lasting multiplies a duration, up to the longest there is.
func lasting(one time.Duration, times float64) time.Duration {
	if product := float64(one) * times; product < math.MaxInt64 {
		return time.Duration(product)
	}
	return math.MaxInt64
}

// reached reports whether to stop before the next stage, of so many searches.
func (e *estimator) reached(searches int) bool {
	goal := e.opts.Question.Sample
	if goal.Samples > 0 && e.result.Draws >= goal.Samples {
		return true
	}
	if e.result.Stages == 0 {
		return false
	}
	if goal.Within > 0 {
		if lasting(e.spent, float64(searches)/float64(e.result.Searches)) > goal.Within-time.Since(e.began) {
			return true
		}
	}
	if e.result.Certain != nil {
		return e.result.Certain.Places == e.result.Certain.Of || goal.Eps > 0 && e.result.Eps <= goal.Eps
	}
	return goal.Eps > 0 && e.result.Eps <= goal.Eps
}

// certain counts the highest scores, or the largest changes, that certainly exceed all others.
func (e *estimator) certain(ctx context.Context) error {
	goal := e.opts.Question.Sample
	places := min(max(goal.Certain, goal.CertainChange), e.c.plan.Vertices)
	if places == 0 {
		return nil
	}
	found, err := e.estimate(ctx)
	if err != nil {
		return err
	}
	var scores, lower, upper []float64
	switch of := e.plan.update; {
	case of == nil:
		scores, lower, upper = found.apply(0, e.c.ledger.Values(), newUnit(big.NewRat(1, 1)))
	case goal.CertainChange > 0:
		scores, lower, upper = of.changed(nil, found).sizes()
	default:
		now := of.changed(nil, found)
		scores, lower, upper = now.scores, now.lower, now.upper
	}
	order := byValue(nil, tables.Floats(scores))
	highest := math.Inf(-1) // of the other vertices
	for _, v := range order[places:] {
		highest = max(highest, upper[v])
	}
	e.result.Certain = &Certain{Of: places, Changes: goal.CertainChange > 0}
	for _, v := range order[:places] {
		if lower[v] >= highest {
			e.result.Certain.Places++
		}
	}
	return nil
}

// estimate returns the present estimates.
func (e *estimator) estimate(ctx context.Context) (*estimates, error) {
	ends, err := e.bound.Intervals(ctx)
	if err != nil {
		return nil, err
	}
	return newEstimates(e.result, e.population, ends, e.c.opts.Threads), nil
}

// newEstimates converts the intervals of T to those of scores.
func newEstimates(e Estimate, of drawnSet, ends bound.Columns, threads int) *estimates {
	columns := [][]float64{ends.Estimate, ends.Lower, ends.Upper}
	parallel.EachWhole(threads, len(columns), func(_, i int) { columns[i] = of.beyond(columns[i], threads) })
	vertices, edges := of.scores()
	return &estimates{e, vertices, edges, columns[0], columns[1], columns[2], threads}
}

// apply turns the sums of finished searches, of which one is that of scores, into estimates, and
// returns the ends of their intervals. Scores are of edges if from is their first place, else of vertices.
func (e *estimates) apply(from int, scores []float64, one unit) (_, lower, upper []float64) {
	list := e.vertices
	if from > 0 {
		list = e.edges
	}
	ends := parallel.Lists[float64](e.threads, 2, len(scores))
	lower, upper = ends[0], ends[1]
	parallel.SpreadWhole(e.threads, len(scores), parallel.Interval, func(lo, hi int) {
		copy(lower[lo:hi], scores[lo:hi])
		copy(upper[lo:hi], scores[lo:hi])
	})
	parallel.SpreadWhole(e.threads, len(list), parallel.Interval, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v, i := list[i], from+i
			scores[v] += one.of(e.rest[i])
			lower[v] += one.of(e.below[i])
			upper[v] += one.of(e.above[i])
		}
	})
	return scores, lower, upper
}

// describe adds the metadata to a table of sums, and replaces its column by those of estimates, from the given place on; nil:
// the sums are exact.
func (e *estimates) describe(table *tables.Table, p *ledger.Partial, betweenness bool, from int) {
	table.Metadata = append(provenance(p, betweenness, e == nil || e.Way == "exact"), p.Names.Metadata()...)
	if e == nil {
		return
	}
	scores, lower, upper := e.apply(from, table.Columns[0].Values.(tables.Floats), flowOne(p.Question()))
	table.Columns = []tables.Column{
		{Name: table.Columns[0].Name, Values: tables.Floats(scores)},
		{Name: LowerColumn, Values: tables.Floats(lower)}, {Name: UpperColumn, Values: tables.Floats(upper)},
	}
	table.Metadata = append(table.Metadata, e.metadata()...)
}

// intervals returns the intervals of a run that asked for them; exact scores have no width. A part
// has no scores.
func (h *chooser) intervals(found *estimates) *estimates {
	sample := h.opts.Question.Sample
	if sample.Way == "" || h.opts.partial() {
		return nil
	}
	if found == nil {
		found = withoutWidth(sample.Seed)
		found.Plan = h.planned.Load().(string)
	}
	h.plan.update.widen(&found.Estimate)
	h.stats.Estimate = &found.Estimate
	return found
}

// withoutWidth returns the intervals of exact scores where estimates were asked for: their table
// has the same columns.
func withoutWidth(seed uint64) *estimates {
	return &estimates{Estimate: Estimate{Way: "exact", Seed: seed, Confidence: 1}}
}

// metadata describes an estimate.
func (e *Estimate) metadata() (list []tables.KeyValue) {
	add := func(key string, value any) { list = append(list, tables.KeyValue{Key: key, Value: fmt.Sprint(value)}) }
	add("estimate", e.Way)
	add("confidence", e.Confidence)
	add("eps", e.Eps)
	if e.Way != "exact" {
		searches := fmt.Sprint(e.Searches)
		if e.Sources > 0 {
			searches += fmt.Sprintf(" of %d", e.Sources)
		}
		add("seed", e.Seed)
		add("draws", e.Draws)
		add("searches", searches)
		add("settled", e.Settled)
		add("stages", e.Stages)
	}
	if c := e.Certain; c != nil {
		key := "certain"
		if c.Changes {
			key = "certain_changes"
		}
		add(key, fmt.Sprintf("%d of %d", c.Places, c.Of))
	}
	return list
}
