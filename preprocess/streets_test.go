package preprocess_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Within a cutoff, every vertex of streets is a source once, without farness.
func TestStreetsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	edges := testgraphs.CutGrid(r, 12000, 2)
	next := uint32(0)
	for _, e := range edges {
		next = max(next, e[0]+1, e[1]+1)
	}
	for v := uint32(0); v < 4000; v += 50 { // vertices with one neighbour
		edges = append(edges, testgraphs.Edge{v, next})
		next++
	}
	input := testblocks.Of(int(next), edges, 64)
	testblocks.Lengths(r, input, 9)
	plan, err := preprocess.Reduce(t.Context(), &input.Graph, preprocess.Options{Threads: 2, Question: question.Question{Cutoff: "40", Lengths: question.Lengths{Column: "length"}}})
	if err != nil {
		t.Fatal(err)
	}
	b := &plan.Blocks[0]
	if !b.Ball.Streets || !b.Local() || b.Farness != nil {
		t.Fatalf("streets %t, ball %+v", b.Ball.Streets, b.Ball)
	}
	sorted := slices.Clone(b.Sources)
	slices.Sort(sorted)
	if !slices.Equal(sorted, csr.Ascending(b.Vertices())) {
		t.Errorf("%d sources of %d vertices", len(sorted), b.Vertices())
	}
}
