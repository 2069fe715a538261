package ledger

import (
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// fact is a property of the vertices that follows from the graph alone. Columns are made from facts
// when all sums are added. Every part of a run has all facts.
type fact struct {
	measure string
	values  tables.Ints // by vertex
}

// Facts without a measure: 1 where paths begin, or end, if they do so at some vertices only.
const (
	IsSource = "is_source"
	IsTarget = "is_target"
)

// TargetMass is another fact: the mass of the vertex as a target, in the question's units.
const TargetMass = "target_mass"

// factNames returns the facts that the question's columns need, in the order of partials.
func factNames(q question.Question) (names []string) {
	for _, name := range []string{measures.Degree, measures.Degree + measures.In, measures.Degree + measures.Out} {
		if q.Asks(name) {
			names = append(names, name)
		}
	}
	if q.Asks(measures.Component) {
		names = append(names, measures.Component)
	}
	if q.Asks(measures.IndependentSet) {
		names = append(names, measures.IndependentSet)
	}
	if q.Asks(measures.ComponentSize) || !q.Reaches() && q.Asks(measures.Reach, measures.Closeness, measures.ClosenessClassic) {
		names = append(names, measures.ComponentSize)
	}
	if q.Asks(measures.Closeness, measures.Closeness+measures.In, measures.Closeness+measures.Out) {
		if q.Sources != (question.Set{}) {
			names = append(names, IsSource)
		}
		if q.Targets != (question.Set{}) {
			names = append(names, IsTarget)
		}
	}
	if q.Asks(measures.WeightedCloseness) {
		names = append(names, TargetMass)
	}
	return names
}

// factsOf returns the facts of a plan.
func factsOf(plan *preprocess.Plan) (facts []fact) {
	of := map[string][]uint32{
		measures.Degree:                plan.Degrees,
		measures.Degree + measures.Out: plan.Degrees,
		measures.Degree + measures.In:  plan.InDegrees,
		measures.Component:             plan.ComponentOf,
		measures.ComponentSize:         plan.ComponentSizes,
		measures.IndependentSet:        plan.IndependentSet,
		IsSource:                       plan.IsSource,
		IsTarget:                       plan.IsTarget,
	}
	for _, name := range factNames(plan.Question) {
		if name == TargetMass {
			facts = append(facts, fact{name, plan.TargetMass})
			continue
		}
		values := make(tables.Ints, len(of[name]))
		for v, x := range of[name] {
			values[v] = int64(x)
		}
		facts = append(facts, fact{name, values})
	}
	return facts
}

// fillFacts reads the facts that a table must have.
func fillFacts(q question.Question, table *tables.Table) (facts []fact, err error) {
	for _, name := range factNames(q) {
		values := table.Ints(name)
		if len(values) != table.IDs.Len() {
			return nil, fmt.Errorf("no column %q of %d rows", name, table.IDs.Len())
		}
		facts = append(facts, fact{name, values})
	}
	return facts, nil
}

func sameFacts(a, b []fact) bool {
	return slices.EqualFunc(a, b, func(x, y fact) bool { return x.measure == y.measure && slices.Equal(x.values, y.values) })
}

// Fact returns a fact of each vertex: degrees, components or their sizes, if the question's columns
// need it; otherwise nil.
func (p *Partial) Fact(measure string) []int64 {
	for _, f := range p.facts {
		if f.measure == measure {
			return f.values
		}
	}
	return nil
}

// Whole returns the sums of a measure, by key, that are whole numbers, by vertex of the input.
func (p *Partial) Whole(measure string) []int64 {
	c := p.column(measure)
	values := make([]int64, len(c.sums.words))
	for v := range values {
		values[v] = c.sums.integer(v)
	}
	return values
}

// Sums returns the final values of a summed measure, by key: by vertex of the input, or by edge.
// For betweenness these are the scores.
func (p *Partial) Sums(measure string) []float64 {
	c := p.column(measure)
	values := make([]float64, len(c.sums.words))
	asked := p.Identity.asked()
	parallel.SpreadWhole(p.threads, len(values), parallel.Interval, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			values[v] = c.sums.value(v)
		}
		if c.Search == measures.Paths {
			c.base.From(lo).Restore(asked.Ordered(), values[lo:hi])
		}
	})
	return values
}

// column returns the column of a summed measure.
func (p *Partial) column(measure string) *column {
	return &p.columns[slices.IndexFunc(p.columns, func(c column) bool { return c.Key() == measure })]
}

// Question returns the question that the columns answer.
func (p *Partial) Question() question.Question {
	q := p.Identity.asked()
	q.Measures = p.Asked
	return q
}
