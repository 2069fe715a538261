package pipeline

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// table returns the table of scores, from the sums of the plan that since made. found has the intervals, if an estimate
// was asked for: of changes, where they were estimated.
func (u *update) table(p *ledger.Partial, found *estimates, order Order) tables.Table {
	alone := ledger.New(u.today.Plan, u.today.Names, p.Identity.Precision, ledger.Shard{}, nil, nil, 1).Close() // facts of the graph
	if alone.Engines = p.Engines; u.stats.Way == wayPairs {
		alone.Engines = []string{"cpu"}
	}
	table := scoreTable(alone, nil, FirstSeen)
	scores := &table.Columns[table.Column(scoreColumn(u.today.Question))].Values
	if found == nil {
		*scores = tables.Floats(u.difference.Scores(u.before.scores, u.parts(p)))
	} else {
		of := u.changed(p, found)
		*scores = tables.Floats(of.scores)
		columns := [][]float64{of.lower, of.upper, of.change, of.changeLower, of.changeUpper}
		for i, name := range EstimateColumns(true) {
			table.Columns = append(table.Columns, tables.Column{Name: name, Values: tables.Floats(columns[i])})
		}
		table.Metadata = append(table.Metadata, found.metadata()...)
		table.Metadata = append(table.Metadata,
			tables.KeyValue{Key: changeConfidenceKey, Value: strconv.FormatFloat(u.confidence, 'g', -1, 64)},
			tables.KeyValue{Key: sinceEstimatesKey, Value: strconv.Itoa(u.estimates())})
	}
	table.Metadata = append(table.Metadata,
		tables.KeyValue{Key: sinceWayKey, Value: u.stats.Way},
		tables.KeyValue{Key: sinceNightsKey, Value: strconv.Itoa(u.stats.Nights)},
		tables.KeyValue{Key: sinceKey, Value: u.stats.Previous})
	Arrange(&table, order)
	return table
}

// scoreColumn is the column of betweenness.
func scoreColumn(q question.Question) string {
	if q.HasMasses() {
		return measures.FlowColumn
	}
	return tables.ScoreColumn
}

// parts are what the sums of the plan add to scores, by vertex of the union; nil: nothing was searched.
func (u *update) parts(p *ledger.Partial) []float64 {
	if u.stats.Way == wayMasses || u.stats.Way == waySides {
		return flowOne(u.today.Question).list(u.difference.Parts(p.Sums(measures.Betweenness)))
	}
	return nil
}

// changed are the columns of an estimate, by vertex of today.
type changed struct{ scores, lower, upper, change, changeLower, changeUpper []float64 }

// sizes are the changes without their signs, and the ends of their intervals.
func (c *changed) sizes() (sizes, lower, upper []float64) {
	sizes, lower, upper = make([]float64, len(c.change)), make([]float64, len(c.change)), make([]float64, len(c.change))
	for v, x := range c.change {
		sizes[v] = math.Abs(x)
		lower[v] = max(c.changeLower[v], -c.changeUpper[v], 0)
		upper[v] = max(c.changeUpper[v], -c.changeLower[v])
	}
	return sizes, lower, upper
}

// changed returns the columns of an estimate; p has the sums of exact changes. A change D is known to be in an interval, and is a point where it is
// exact. Yesterday's score B is in one, too, which is a point where it is exact. So today's is between the sums of lower
// and of upper ends. A run of its own knows today's score, and D is between the differences of opposite ends.
func (u *update) changed(p *ledger.Partial, found *estimates) (c *changed) {
	c = &changed{}
	before := u.difference.Before(u.before.scores)
	low, high := before, before
	exactly := u.before.lower == nil
	if !exactly {
		low, high = u.difference.Before(u.before.lower), u.difference.Before(u.before.upper)
	}
	switch u.stats.Way {
	case wayWhole:
		c.scores = flowOne(u.today.Question).list(p.Sums(measures.Betweenness))
		c.lower, c.upper = slices.Clone(c.scores), slices.Clone(c.scores)
		c.change, c.changeLower, c.changeUpper = less(c.scores, before), less(c.scores, high), less(c.scores, low)
		return c
	case wayPairs:
		c.change, c.changeLower, c.changeUpper = found.rest, found.below, found.above
	case wayUnchanged:
		c.change = make([]float64, len(before))
	default:
		c.change = u.difference.Changes(u.parts(p))
	}
	if c.changeLower == nil {
		c.changeLower, c.changeUpper = slices.Clone(c.change), slices.Clone(c.change)
		if exactly {
			c.scores = u.difference.Scores(u.before.scores, u.parts(p))
			c.lower, c.upper = slices.Clone(c.scores), slices.Clone(c.scores)
			return c
		}
	}
	c.scores, c.lower, c.upper = make([]float64, len(before)), make([]float64, len(before)), make([]float64, len(before))
	for v := range before { // no score is below 0
		if exactly {
			c.changeLower[v] = max(c.changeLower[v], -before[v])
			c.change[v] = max(c.change[v], -before[v])
			c.changeUpper[v] = max(c.changeUpper[v], -before[v])
		}
		c.scores[v] = max(before[v]+c.change[v], 0)
		c.lower[v] = max(low[v]+c.changeLower[v], 0)
		c.upper[v] = max(high[v]+c.changeUpper[v], 0)
	}
	return c
}

// less returns a less b.
func less(a, b []float64) []float64 {
	list := make([]float64, len(a))
	for i := range list {
		list[i] = a[i] - b[i]
	}
	return list
}

// estimates is how many runs' half-widths the intervals of scores contain.
func (u *update) estimates() int {
	switch u.stats.Way {
	case wayWhole:
		return 0
	case wayPairs:
		return u.before.estimates + 1
	}
	return u.before.estimates
}

// all is the number of ordered pairs of which eps is a share: those of the largest of several graphs; 0: of the only one. With
// masses it is the sum of all products that a path routes, or if there is none, of all.
func (u *update) all() (most float64) {
	switch {
	case u.today.Question.HasMasses():
		return cmp.Or(u.today.Routed.Float(), u.today.NoPath.Float()+u.today.Self.Float())
	case len(u.today.By) == 0:
		return 0
	}
	sizes := make([]float64, u.today.By[0].Keys.Len())
	for _, graph := range u.today.Graph {
		sizes[graph]++
		most = max(most, sizes[graph]*(sizes[graph]-1))
	}
	return most
}

// widen adds yesterday's half-widths to an estimate of the change.
func (u *update) widen(e *Estimate) {
	if u == nil {
		return
	}
	switch u.confidence = e.Confidence; {
	case u.before.lower == nil:
		return
	case u.stats.Way == wayWhole: // only yesterday's score is not exact
		u.confidence = u.before.confidence
		return
	case e.Way == "exact":
		e.Way = "earlier"
	}
	half := 0.0
	for v, score := range u.before.scores {
		half = max(half, u.before.upper[v]-score, score-u.before.lower[v])
	}
	e.Confidence = math.Round(1e12*(e.Confidence+u.before.confidence-1)) / 1e12 // either interval may miss
	e.Eps += shareOf(half/flowOne(u.today.Question).of(1), u.all(), u.today.Question, u.today.Vertices)
}
