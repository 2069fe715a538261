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

// apply divides the scores of vertices, each graph by itself, and describes the scale in the metadata. n counts
// all vertices of the graph, as NetworkX does, including removed ones.
func (s scale) apply(t *tables.Table) error {
	if t.Floats(tables.ScoreColumn) == nil && s != scaleRaw {
		return &usageError{"--scale " + string(s) + ": there is no betweenness among the columns", "other measures have no scale"}
	}
	sizes := func() []int64 { return t.Ints(measures.ComponentSize) }
	s.divide(t, append(intervalColumns(t), tables.ScoreColumn), pairsOf(questionOf(t)), func(row int) int { return row }, sizes)
	return nil
}

// applyToEdges is apply for a table of edges. A path over an edge may join any two vertices: n(n-1) ordered pairs.
func (s scale) applyToEdges(t *tables.Table) {
	ends := t.Pairs.Ends
	sizes := func() []int64 { return componentSizes(t.IDs.Len(), ends) }
	s.divide(t, append(intervalColumns(t), measures.OfEdges().Column), count{endpoints: true, of: "vertices"}, func(row int) int { return int(ends[0][row]) }, sizes)
}

// divide divides some columns, of which the last has the scores. vertex returns a vertex of a row, and sizes the number
// of vertices in each vertex's component. The metadata contain the divisor if there is one graph.
func (s scale) divide(t *tables.Table, columns []string, count count, vertex func(row int) int, sizes func() []int64) {
	each, kind := pairsIn(questionOf(t))
	pairs := func(vertices int) float64 {
		if ordered := count.ordered(vertices); ordered > 0 {
			return ordered * each
		}
		return 1
	}
	divisors := slices.Repeat([]float64{1}, t.Graphs())
	by := func(row int) float64 { return divisors[t.GraphOf(vertex(row))] }
	meaning := ""
	switch s {
	case scaleOrdered:
		meaning = "sum over ordered pairs"
		for g := range divisors {
			divisors[g] = each
		}
	case scalePairs:
		meaning = "share of the " + count.text("n") + kind + " pairs of " + count.of
		vertices := make([]int, len(divisors))
		for v := range t.IDs.Len() {
			vertices[t.GraphOf(v)]++
		}
		for g := range divisors {
			divisors[g] = pairs(vertices[g])
		}
	case scaleMax:
		meaning = "relative to the highest score"
		highest := make([]float64, len(divisors))
		for row, score := range t.Floats(columns[len(columns)-1]) {
			g := t.GraphOf(vertex(row))
			highest[g] = max(highest[g], score)
		}
		for g, score := range highest {
			if score > 0 {
				divisors[g] = score
			}
		}
	case scaleComponent:
		meaning = "share of the " + count.text("N") + kind + " pairs of " + count.of + " of the component of N"
		component := sizes()
		by = func(row int) float64 { return pairs(int(component[vertex(row)])) }
	default:
		return
	}
	for _, name := range columns {
		values := t.Floats(name)
		for row := range values {
			values[row] /= by(row)
		}
	}
	one := s != scaleComponent && len(t.By) == 0
	if s != scaleComponent && !one {
		meaning += ", by graph"
	}
	t.Metadata = slices.DeleteFunc(slices.Clone(t.Metadata), func(kv tables.KeyValue) bool { return kv.Key == "normalisation" })
	t.Metadata = append(t.Metadata, tables.KeyValue{Key: "normalisation", Value: string(s) + ": " + meaning})
	if one {
		t.Metadata = append(t.Metadata, tables.KeyValue{Key: "divisor", Value: strconv.FormatFloat(divisors[0], 'g', -1, 64)})
	}
}

// questionOf is the question that a table's scores answer.
func questionOf(t *tables.Table) question.Question {
	asked, _ := question.Parse(t.Metadata.Value("question")) // that package wrote it, so it parses
	return asked
}

// pairsIn returns what an ordered pair counts in a score, and the text for such pairs.
func pairsIn(q question.Question) (each float64, kind string) {
	if q.Directed {
		return 1, " ordered"
	}
	return 0.5, "/2 unordered"
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

// intervalColumns returns the names of the columns of intervals and changes of scores, if they are estimates.
func intervalColumns(t *tables.Table) (names []string) {
	for _, name := range pipeline.EstimateColumns(true) {
		if t.Floats(name) != nil {
			names = append(names, name)
		}
	}
	return names
}
