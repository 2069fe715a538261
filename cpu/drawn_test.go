package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
)

// In blocks with drawn sources all sums equal those of one reference search per
// source. All sources together give the same sums whether or not paths count linearly.
func TestDrawnSources(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	for round := range 40 {
		for _, lanes := range []int{1, 7, 16, 32, 64} {
			n := 1 + r.IntN(90)
			plain := testblocks.Random(r, n, r.IntN(3*n), lanes)
			plain.To = plain.From
			b := *plain
			b.Linear = round%3 > 0
			b.Draws = make([]float64, n)
			for v := range b.Draws {
				b.Draws[v] = float64(r.IntN(4))
			}
			if round%4 == 1 {
				b.Multiplicity = make([]float64, n)
				for v := range b.Multiplicity {
					b.Multiplicity[v] = float64(1 + r.IntN(3))
				}
			}
			if round%2 == 1 {
				b.Farness = make([]uint16, n)
				for v := range b.Farness {
					b.Farness[v] = uint16(r.IntN(9))
				}
			}
			plan := testblocks.Plan(&b)
			for _, precision := range engine.Precisions() {
				total := make([]float64, n)
				for _, got := range results(t, plan, Options{Precision: precision}, plan.Batches) {
					scores, drawn, squares := make([]float64, n), make([]float64, n), make([]float64, n)
					for i, s := range b.Sources[got.Batch.First:][:got.Batch.Count] {
						one, check, want := make([]float64, n), make([]float64, 1), make([]float64, 1)
						if err := textbook.Scores(t.Context(), &b, []uint32{s}, one, check, want); err != nil {
							t.Fatal(err)
						}
						testblocks.WantClose(t, "self-check of the reference", check, want, 1e-12)
						testblocks.WantClose(t, "got", got.Got[i:i+1], check, tolerance[precision])
						for v, x := range one {
							scores[v] += x
							drawn[v] += b.Draws[s] * x / b.From[s]
							squares[v] += b.Draws[s] * (x / b.From[s]) * (x / b.From[s])
						}
					}
					name := fmt.Sprintf("round %d lanes %d precision %s batch %+v", round, lanes, precision, got.Batch)
					testblocks.WantClose(t, name+" scores", got.Scores, scores, tolerance[precision])
					testblocks.WantClose(t, name+" drawn", got.Drawn, drawn, tolerance[precision])
					testblocks.WantClose(t, name+" squares", got.Squares, squares, tolerance[precision])
					for v, x := range got.Scores {
						total[v] += x
					}
				}
				plain.Multiplicity = b.Multiplicity
				exact := make([]float64, n)
				if err := textbook.Scores(t.Context(), plain, plain.Sources, exact, make([]float64, n), make([]float64, n)); err != nil {
					t.Fatal(err)
				}
				testblocks.WantClose(t, "all sources", total, exact, 2*tolerance[precision])
			}
		}
	}
}

// If all draws are 1 and paths do not count linearly, the scores equal those of the block
// without draws, to the last bit.
func TestDrawnKeepsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 3))
	for range 20 {
		n := 2 + r.IntN(200)
		b := testblocks.Random(r, n, r.IntN(3*n), 1+r.IntN(64))
		drawn := *b
		drawn.Draws = make([]float64, n)
		plain, sampled := testblocks.Plan(b), testblocks.Plan(&drawn)
		want := results(t, plain, Options{}, plain.Batches)
		for i, got := range results(t, sampled, Options{}, sampled.Batches) {
			testblocks.WantClose(t, "scores", got.Scores, want[i].Scores, 0)
			testblocks.WantClose(t, "got", got.Got, want[i].Got, 0)
		}
	}
}
