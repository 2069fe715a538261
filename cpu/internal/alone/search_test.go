package alone

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/preprocess"
)

// Inverses of up to 255 paths are kept. Between layers of 20 vertices, there are 20, 400 or more. Blocks have vertices of odd
// degrees, and batches leave nothing to the next ones.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	random := testblocks.Random(r, 60, 90, 8)
	testblocks.TwoMasses(r, random)
	testblocks.Multiply(r, random)
	for name, b := range map[string]*preprocess.Block{"layers": testblocks.Layered(20, 4, 8), "random": random} {
		n := b.Vertices()
		for b.Cutoff = 0; b.Cutoff < 7; b.Cutoff++ {
			var s Search
			scores, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
			for first := 0; first < n; first += b.Lanes {
				result, err := s.Run(t.Context(), b, engine.Batch{First: first, Count: min(b.Lanes, n-first)})
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range result.At {
					scores[v] += result.Scores[v]
				}
				testblocks.WantClose(t, name+": self-check", result.Got, result.Want, 1e-12)
			}
			if err := textbook.Scores(t.Context(), b, b.Sources, want, got, make([]float64, n)); err != nil {
				t.Fatal(err)
			}
			testblocks.WantClose(t, name, scores, want, 1e-12)
		}
	}
}

// A search without a cutoff looks at its context while it runs, and the next batch is right whichever look ends it.
func TestSearchEnds(t *testing.T) {
	b := testblocks.Grid(300, 300, 4)
	batch := engine.Batch{Count: 2}
	want, err := new(Search).Run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	scores := slices.Clone(want.Scores)
	ctx := testending.After(t.Context(), 1<<30)
	var s Search
	if _, err := s.Run(ctx, b, batch); err != nil || ctx.Looks() < 2+2*2 {
		t.Fatalf("%d looks: %v", ctx.Looks(), err)
	}
	for looks := range ctx.Looks() {
		if _, err := s.Run(testending.After(t.Context(), looks), b, batch); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
		if got, err := s.Run(t.Context(), b, batch); err != nil || !slices.Equal(got.Scores, scores) {
			t.Fatalf("after an end at look %d: other scores, %v", looks, err)
		}
	}
}
