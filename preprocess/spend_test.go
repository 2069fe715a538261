package preprocess

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// The plan that takes the memory of the graph's rows is the plan that does not. Questions that read the graph later
// leave it as it is.
func TestSpend(t *testing.T) {
	graphs := shapesOfGraphs()
	graphs["kron"], graphs["fans"] = kron(13, 8), fans(500)
	for name, g := range graphs {
		for threads := 1; threads <= 3; threads += 2 {
			want, err := Reduce(t.Context(), g, Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			spent := csr.Graph{Offsets: g.Offsets, Targets: slices.Clone(g.Targets)}
			got, err := Reduce(t.Context(), &spent, Options{Threads: threads, Spend: true})
			if err != nil || spent.Targets != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d threads: another plan, %d targets left, error %v", name, threads, len(spent.Targets), err)
			}
		}
	}
	grid := graphOf(30, testgraphs.Grid(5, 6))
	for _, c := range []struct {
		graph *csr.Graph
		q     question.Question
	}{
		{grid, question.Question{Edges: true}},
		{grid, question.Question{Cutoff: "2,3"}},
		{grid, question.Question{Decay: question.Decay{Share: "exp:1"}}},
		{grid, question.Question{Measures: []string{measures.Betweenness, measures.Farness}}},
		{digraphOf(30, testgraphs.Grid(5, 6)), question.Question{Directed: true}},
		{withLengths(rand.New(rand.NewPCG(1, 1)), graphOf(30, testgraphs.Grid(5, 6)), 9), byWeight()},
	} {
		kept := *c.graph
		if _, err := Reduce(t.Context(), &kept, Options{Question: c.q, Spend: true}); err != nil {
			t.Errorf("%s: %v", c.q, err)
		} else if !reflect.DeepEqual(&kept, c.graph) {
			t.Errorf("%s: the graph has changed", c.q)
		}
	}
}
