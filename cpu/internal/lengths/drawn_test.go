package lengths_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/testblocks"
)

// A block has the same scores with drawn sources and without, to the last bit.
// The two additional sums equal those of one reference search per source.
func TestDrawnSources(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 3))
	s := lengths.New(false)
	for round := range 60 {
		b := randomBlock(r, 60)
		for v := range b.From {
			b.From[v]++
		}
		n := b.Vertices()
		for _, batch := range testblocks.Plan(b).Batches {
			plain, err := s.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			if plain.Drawn != nil || plain.Squares != nil {
				t.Fatal("sums of draws, and nothing is drawn")
			}
			scores := slices.Clone(plain.Scores)
			with := *b
			with.Draws = make([]float64, n)
			for v := range with.Draws {
				with.Draws[v] = float64(r.IntN(4))
			}
			got, err := s.Run(t.Context(), &with, batch)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Scores, scores) {
				t.Errorf("round %d: other scores", round)
			}
			drawn, squares := make([]float64, n), make([]float64, n)
			for _, source := range b.Sources[batch.First:][:batch.Count] {
				one := make([]float64, n)
				if err := textbook.Scores(t.Context(), b, []uint32{source}, one, make([]float64, 1), make([]float64, 1)); err != nil {
					t.Fatal(err)
				}
				for v, x := range one {
					x /= b.From[source]
					drawn[v] += with.Draws[source] * x
					squares[v] += with.Draws[source] * x * x
				}
			}
			wantClose(t, fmt.Sprint("round ", round, " drawn"), got.Drawn, drawn, 1e-12)
			wantClose(t, fmt.Sprint("round ", round, " squares"), got.Squares, squares, 1e-12)
		}
	}
}
