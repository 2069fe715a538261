package lengths_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// drawLengths is a way to draw lengths: few different ones, so that there are many
// ties; many; or from 1 to 2^40 in one graph.
func drawLengths(r *rand.Rand) func() int64 {
	switch most := []int64{1, 2, 5, 100, 1 << 20, 1 << 28, 0}[r.IntN(7)]; most {
	case 0:
		return func() int64 { return 1 << r.IntN(41) }
	default:
		return func() int64 { return 1 + r.Int64N(most) }
	}
}

// randomBlock is connected, with masses of which some are 0.
func randomBlock(r *rand.Rand, most int) *preprocess.Block {
	n := 2 + r.IntN(most)
	edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
	sources, length := 1+r.IntN(64), drawLengths(r)
	b := blockOf(n, edges, sources, length)
	if r.IntN(2) == 0 {
		b = directedOf(r, n, edges, sources, length)
	}
	testblocks.TwoMasses(r, b)
	for v := range n {
		b.From[v] = float64(r.IntN(5) * r.IntN(5))
	}
	if r.IntN(3) == 0 {
		for range n {
			b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(4)))
		}
	}
	if r.IntN(2) == 0 { // any sources may share a batch
		r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	}
	return b
}

func checkBlock(t *testing.T, name string, s *lengths.Search, b *preprocess.Block, limit int64) {
	t.Helper()
	for _, batch := range testblocks.Plan(b).Batches {
		result, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		scores, got, want := textbook(b, b.Sources[batch.First:][:batch.Count], limit)
		name := fmt.Sprintf("%s, batch %+v", name, batch)
		wantClose(t, name+": scores", result.Scores, scores, 1e-12)
		wantClose(t, name+": got", result.Got, got, 1e-12)
		wantClose(t, name+": want", result.Want, want, 0)
	}
}

func wantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestTextbook(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	s := lengths.New(lengths.NoLimit, false)
	for round := range 3000 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("round %d", round), s, randomBlock(r, 40), lengths.NoLimit)
	}
	for round := range 100 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("large round %d", round), s, randomBlock(r, 400), lengths.NoLimit)
	}
}
