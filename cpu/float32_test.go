package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Scores of float32 are good to 1e-5, and the self-check confirms it. The graphs have
// hubs, whose thousands of neighbours hold equal numbers, thousands of
// levels, or path counts of all sizes. Sequential sums round equal numbers
// all the same way: with three hubs the error is 1.3e-4 of the sum.
func TestFloat32IsGoodTo1e5(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, c := range []struct {
		name  string
		edges []testgraphs.Edge
	}{
		{"three hubs", testgraphs.Hubs(3, 20_000)},
		{"seven hubs", testgraphs.Hubs(7, 4_000)},
		{"hubs with leaves", withLeaves(r, testgraphs.Hubs(2, 9_000), 9_000)},
		{"almost a star", testgraphs.Join(testgraphs.Star(0, 20_000), testgraphs.Random(r, 20_000, 20_000, 10_000))},
		{"cycle with chords", testgraphs.Band(20_001, 2, 3)},
		{"cycle with far chords", testgraphs.Join(testgraphs.Ring(0, 20_000), testgraphs.Random(r, 20_000, 50, 3_000))},
		{"cycle with leaves", withLeaves(r, testgraphs.Band(10_000, 2, 3), 10_000)},
		{"grid", testgraphs.Grid(40, 60)},
		{"random, sparse", testgraphs.Random(r, 3_000, 3_000, 4_000)},
		{"random, dense", testgraphs.Random(r, 1_000, 1_000, 100_000)},
		{"bipartite", testgraphs.Bipartite(5, 10_000)},
	} {
		plan := testblocks.Reduced(t, c.edges, preprocess.Options{Off: []string{"chains", "twins"}})
		batches := sample(plan, 4)
		want := results(t, plan, Options{}, batches)
		worst, check := 0.0, 0.0
		for i, got := range results(t, plan, Options{Precision: engine.Float32}, batches) {
			for v, x := range want[i].Scores {
				worst = max(worst, math.Abs(got.Scores[v]-x)/max(1, x))
			}
			for s, x := range got.Want {
				check = max(check, math.Abs(got.Got[s]-x)/max(1, x))
			}
		}
		t.Logf("%-22s %7d vertices, %d of %4d batches: scores differ by %.1e, sums by %.1e", c.name, plan.Vertices, len(batches), len(plan.Batches), worst, check)
		if !(worst <= 1e-5) {
			t.Errorf("%s: scores differ by %.1e of float64's, want 1e-5 at most", c.name, worst)
		}
		if !(check <= 1e-6) {
			t.Errorf("%s: sums of the self-check differ by %.1e, want 1e-6 at most", c.name, check)
		}
	}
}

// withLeaves hangs up to four leaves on each of the vertices 0..n-1.
func withLeaves(r *rand.Rand, edges []testgraphs.Edge, n uint32) []testgraphs.Edge {
	leaf := uint32(0)
	for _, e := range edges {
		leaf = max(leaf, e[0]+1, e[1]+1)
	}
	for v := range n {
		for range r.IntN(5) {
			edges = append(edges, testgraphs.Edge{v, leaf})
			leaf++
		}
	}
	return edges
}

// sample returns up to count batches, spread over a plan.
func sample(plan *preprocess.Plan, count int) (some []engine.Batch) {
	step := max(1, len(plan.Batches)/count)
	for i := step / 2; i < len(plan.Batches); i += step {
		some = append(some, plan.Batches[i])
	}
	return some
}
