package cli

import (
	"slices"
	"strconv"

	"bcstage/arrowio"
	"bcstage/pipeline"
)

// scale is a convention for the scores. They are sums over unordered pairs;
// every other convention is one division away.
type scale string

const (
	scaleRaw       scale = "raw"
	scaleOrdered   scale = "ordered"
	scalePairs     scale = "pairs"
	scaleMax       scale = "max"
	scaleComponent scale = "component"
)

// apply divides the scores and says so in the metadata. n counts all vertices
// of the input, as NetworkX does, not those that reductions left.
func (s scale) apply(t *arrowio.Table) {
	divisor, meaning := 1.0, ""
	scores := t.Floats(arrowio.ScoreColumn)
	n := float64(len(scores))
	switch s {
	case scaleOrdered:
		divisor, meaning = 0.5, "sum over ordered pairs"
	case scalePairs:
		meaning = "share of the (n-1)(n-2)/2 unordered pairs of other vertices"
		if n > 2 {
			divisor = (n - 1) * (n - 2) / 2
		}
	case scaleMax:
		meaning = "relative to the highest score"
		if n > 0 && slices.Max(scores) > 0 {
			divisor = slices.Max(scores)
		}
	case scaleComponent:
		s.applyByComponent(t)
		return
	default:
		return
	}
	for v := range scores {
		scores[v] /= divisor
	}
	s.describe(t, meaning)
	t.Metadata = append(t.Metadata, arrowio.KeyValue{Key: "divisor", Value: strconv.FormatFloat(divisor, 'g', -1, 64)})
}

// applyByComponent divides every score by the pairs of its own component, and
// takes the column of the components' sizes away.
func (s scale) applyByComponent(t *arrowio.Table) {
	scores := t.Floats(arrowio.ScoreColumn)
	for v, size := range t.Ints(pipeline.ComponentSize) {
		if n := float64(size); n > 2 {
			scores[v] /= (n - 1) * (n - 2) / 2
		}
	}
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c arrowio.Column) bool { return c.Name == pipeline.ComponentSize })
	s.describe(t, "share of the (N-1)(N-2)/2 unordered pairs of other vertices of the component of N")
}

// describe says in the metadata what scores mean.
func (s scale) describe(t *arrowio.Table, meaning string) {
	t.Metadata = slices.DeleteFunc(slices.Clone(t.Metadata), func(kv arrowio.KeyValue) bool { return kv.Key == "normalisation" })
	t.Metadata = append(t.Metadata, arrowio.KeyValue{Key: "normalisation", Value: string(s) + ": " + meaning})
}
