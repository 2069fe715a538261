package cli

import (
	"slices"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

// scale is a convention for the scores. They are sums over unordered pairs, or of a directed graph
// over ordered ones; every other convention takes one division.
type scale string

const (
	scaleRaw       scale = "raw"
	scaleOrdered   scale = "ordered"
	scalePairs     scale = "pairs"
	scaleMax       scale = "max"
	scaleComponent scale = "component"
)

// apply divides the scores, each graph by itself, and describes the scale in the metadata. n counts
// all vertices of the graph, as NetworkX does, including removed ones. The metadata contain the
// divisor if there is one graph.
func (s scale) apply(t *tables.Table) error {
	scores := t.Floats(tables.ScoreColumn)
	if scores == nil && s != scaleRaw {
		return &usageError{"--scale " + string(s) + ": there is no betweenness among the columns", "other measures have no scale"}
	}
	asked := questionOf(t)
	pairs, kind := pairsIn(asked)
	count := pairsOf(asked)
	divisors := slices.Repeat([]float64{1}, t.Graphs())
	meaning := ""
	switch s {
	case scaleOrdered:
		meaning = "sum over ordered pairs"
		for g := range divisors {
			divisors[g] = pairs
		}
	case scalePairs:
		meaning = "share of the " + count.text("n") + kind + " pairs of " + count.of
		sizes := make([]int, len(divisors))
		for v := range scores {
			sizes[t.GraphOf(v)]++
		}
		for g, size := range sizes {
			if ordered := count.ordered(size); ordered > 0 {
				divisors[g] = ordered * pairs
			}
		}
	case scaleMax:
		meaning = "relative to the highest score"
		highest := make([]float64, len(divisors))
		for v, score := range scores {
			g := t.GraphOf(v)
			highest[g] = max(highest[g], score)
		}
		for g, score := range highest {
			if score > 0 {
				divisors[g] = score
			}
		}
	case scaleComponent:
		s.applyByComponent(t)
		return nil
	default:
		return nil
	}
	divide(t, func(v int) float64 { return divisors[t.GraphOf(v)] })
	if len(t.By) > 0 {
		s.describe(t, meaning+", by graph")
		return nil
	}
	s.describe(t, meaning)
	t.Metadata = append(t.Metadata, tables.KeyValue{Key: "divisor", Value: strconv.FormatFloat(divisors[0], 'g', -1, 64)})
	return nil
}

// questionOf is the question that a table's scores answer.
func questionOf(t *tables.Table) question.Question {
	for _, entry := range t.Metadata {
		if entry.Key == "question" {
			asked, _ := question.Parse(entry.Value) // that package wrote it, so it parses
			return asked
		}
	}
	return question.Question{}
}

// pairsIn returns what an ordered pair counts in a score, and the text for such pairs.
func pairsIn(q question.Question) (each float64, kind string) {
	if q.Directed {
		return 1, " ordered"
	}
	return 0.5, "/2 unordered"
}

// applyByComponent divides every score by the pairs of its own component.
func (s scale) applyByComponent(t *tables.Table) {
	sizes, count := t.Ints(measures.ComponentSize), pairsOf(questionOf(t))
	divide(t, func(v int) float64 {
		if ordered := count.ordered(int(sizes[v])); ordered > 0 {
			return ordered / 2
		}
		return 1
	})
	s.describe(t, "share of the "+count.text("N")+"/2 unordered pairs of "+count.of+" of the component of N")
}

// count is the number of ordered pairs of n vertices that a path through one may join: (n-1)(n-2),
// or n(n-1) if it may be an end, too.
type count struct {
	endpoints bool
	of        string
}

func pairsOf(q question.Question) count {
	if q.Endpoints {
		return count{true, "vertices"}
	}
	return count{false, "other vertices"}
}

func (c count) ordered(vertices int) float64 {
	n := float64(vertices)
	if c.endpoints {
		return n * (n - 1)
	}
	return max((n-1)*(n-2), 0)
}

func (c count) text(n string) string {
	if c.endpoints {
		return n + "(" + n + "-1)"
	}
	return "(" + n + "-1)(" + n + "-2)"
}

// need adds to a question the measure that the scale divides by, and reports whether it was
// missing.
func (s scale) need(q *question.Question) bool {
	if s != scaleComponent || q.Asks(measures.ComponentSize) {
		return false
	}
	names := []string{}
	for _, m := range q.Asked() {
		names = append(names, m.Name)
	}
	q.Measures = append(names, measures.ComponentSize)
	return true
}

// withoutSizes returns the columns of a table without the one that need added.
func withoutSizes(columns []tables.Column) []tables.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c tables.Column) bool { return c.Name == measures.ComponentSize })
}

// describe writes the meaning of scores into the metadata.
func (s scale) describe(t *tables.Table, meaning string) {
	t.Metadata = slices.DeleteFunc(slices.Clone(t.Metadata), func(kv tables.KeyValue) bool { return kv.Key == "normalisation" })
	t.Metadata = append(t.Metadata, tables.KeyValue{Key: "normalisation", Value: string(s) + ": " + meaning})
}

// divide divides the scores and, if there are any, the ends of their intervals and their changes.
func divide(t *tables.Table, by func(v int) float64) {
	for _, name := range append(intervalColumns(t), tables.ScoreColumn) {
		for v, values := 0, t.Floats(name); v < len(values); v++ {
			values[v] /= by(v)
		}
	}
}

// intervalColumns returns the names of the columns of intervals and changes of scores, if they are estimates.
func intervalColumns(t *tables.Table) (names []string) {
	for _, name := range pipeline.EstimateColumns(true) {
		if t.Floats(name) != nil {
			names = append(names, name)
		}
	}
	return names
}
