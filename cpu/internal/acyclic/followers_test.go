package acyclic_test

import (
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Sources of a block whose vertices follow others have the sums of the reference's distances, although vertices stand
// for those behind them.
func TestFollowers(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 8))
	s := acyclic.New("avx512")
	way, sources := []string{measures.In, measures.Out}, 0
	for round := range 300 {
		n := uint32(2 + r.IntN(80))
		var arcs []testgraphs.Edge
		for v := uint32(1); v < n; v++ {
			arcs = append(arcs, testgraphs.Edge{v, v - 1 - r.Uint32N(min(v, 3))})
			if r.IntN(9) == 0 {
				arcs = append(arcs, testgraphs.Edge{v, r.Uint32N(v)})
			}
		}
		for i, e := range arcs {
			if round%4 < 2 {
				arcs[i] = testgraphs.Edge{e[1], e[0]}
			}
		}
		plan := testblocks.Reduced(t, arcs, preprocess.Options{Threads: 1, Question: question.Question{Directed: true, Measures: []string{measures.Farness + way[round%2]}}})
		if round%3 == 0 && len(plan.Blocks) > 0 {
			testblocks.ArcLengths(&plan.Blocks[0], drawLengths(r, int(n)))
		}
		for _, batch := range plan.Batches {
			b := &plan.Blocks[batch.Block]
			if !b.Follow() {
				continue
			}
			got, err := s.RunDistances(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			reached := uint64(0)
			for _, source := range b.Sources[batch.First:][:batch.Count] {
				distances, err := textbook.Distances(t.Context(), b, source)
				if err != nil {
					t.Fatal(err)
				}
				var want engine.Found
				for _, d := range distances {
					if d > 0 {
						want.Reach, want.Farness, want.Eccentricity = want.Reach+1, want.Farness+uint64(d), max(want.Eccentricity, uint64(d))
					}
				}
				if got.Found[source] != want {
					t.Fatalf("round %d: source %d: found %+v, want %+v", round, source, got.Found[source], want)
				}
				reached += want.Reach
				sources++
			}
			if got.Got[0] != float64(reached) {
				t.Fatalf("round %d: reached %g, want %d", round, got.Got[0], reached)
			}
		}
	}
	if sources < 300 {
		t.Errorf("%d sources", sources)
	}
}
