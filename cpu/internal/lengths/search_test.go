package lengths_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// drawLengths returns a function that draws lengths: few different ones, with many
// ties; many; or from 1 to 2^40 in one graph.
func drawLengths(r *rand.Rand) func() int64 {
	switch most := []int64{1, 2, 5, 100, 1 << 20, 1 << 28, 0}[r.IntN(7)]; most {
	case 0:
		return func() int64 { return 1 << r.IntN(41) }
	default:
		return func() int64 { return 1 + r.Int64N(most) }
	}
}

// randomBlock draws a connected block. Some masses are 0.
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
	if r.IntN(3) == 0 { // few targets
		for v := range n {
			if r.IntN(10) > 0 {
				b.To[v] = 0
			}
		}
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

func checkBlock(t *testing.T, name string, s *lengths.Search, b *preprocess.Block) {
	t.Helper()
	for _, batch := range testblocks.Plan(b).Batches {
		result, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		sources := b.Sources[batch.First:][:batch.Count]
		scores, got, want := byDefinition(b, sources)
		name := fmt.Sprintf("%s, batch %+v", name, batch)
		wantClose(t, name+": scores", result.Scores, scores, 1e-12)
		wantClose(t, name+": got", result.Got, got, 1e-12)
		wantClose(t, name+": want", result.Want, want, 0)
		clear(scores)
		if err := textbook.Scores(t.Context(), b, sources, scores, got, want); err != nil {
			t.Fatal(err)
		}
		wantClose(t, name+": the reference's scores", result.Scores, scores, 1e-12)
		wantClose(t, name+": its got", result.Got, got, 1e-12)
		wantClose(t, name+": its want", result.Want, want, 0)
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
	s := lengths.New(false)
	for round := range 3000 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("round %d", round), s, randomBlock(r, 40))
	}
	for round := range 100 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("large round %d", round), s, randomBlock(r, 400))
	}
}

// Paths longer than the cutoff do not count. Some cutoffs are lengths of
// paths, and some paths beyond the cutoff exceed 32 bits.
func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	for round := range 1000 / testgraphs.OneIn {
		b := randomBlock(r, 40)
		limit := int64(r.IntN(1 << r.IntN(30)))
		if e := r.IntN(len(b.Lengths) + 1); e < len(b.Lengths) {
			limit = b.Lengths[e] * int64(1+r.IntN(4))
		}
		b.Cutoff = int(max(limit, 2))
		checkBlock(t, fmt.Sprintf("round %d, cutoff %d", round, b.Cutoff), lengths.New(false), b)
	}
}

// Vertices beyond the cutoff are unreached, also at the distance that marks unreached vertices in 32 bits.
func TestLimitBeforeFar(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 6))
	const far = 1 << 30
	for round := range 500 / testgraphs.OneIn {
		n := 3 + r.IntN(20)
		edges := testgraphs.Random(r, n, 1+r.IntN(3), r.IntN(n))
		parts := []int64{far / 2, far / 4, far - far/4, far / 8, far - 1, 1}
		length := func() int64 { return parts[r.IntN(len(parts))] }
		b := blockOf(n, edges, 1+r.IntN(20), length)
		if r.IntN(2) == 0 {
			b = directedOf(r, n, edges, 1+r.IntN(20), length)
		}
		b.Cutoff = far - 1 - r.IntN(3)*r.IntN(far/2)
		checkBlock(t, fmt.Sprintf("round %d, cutoff %d", round, b.Cutoff), lengths.New(round%2 == 0), b)
	}
}

// Distances are right just below the 32-bit limit, just above it, and far beyond.
func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	s := lengths.New(false)
	for round := range 1000 / testgraphs.OneIn {
		n := 3 + r.IntN(30)
		edges := testgraphs.Random(r, n, 1+r.IntN(3), r.IntN(n))
		most := []int64{1 << 29, 1 << 30, 1 << 31, 1 << 32}[r.IntN(4)] / []int64{1, int64(n) / 2, int64(n), 2 * int64(n)}[r.IntN(4)]
		length := func() int64 { return most - int64(r.IntN(3)) }
		b := blockOf(n, edges, 1+r.IntN(20), length)
		if r.IntN(2) == 0 {
			b = directedOf(r, n, edges, 1+r.IntN(20), length)
		}
		checkBlock(t, fmt.Sprintf("round %d of %d, lengths up to %d", round, n, most), s, b)
	}
}

// run computes all batches of a block and copies the results.
func run(t *testing.T, s *lengths.Search, b *preprocess.Block) (all []engine.Result) {
	t.Helper()
	for _, batch := range testblocks.Plan(b).Batches {
		r, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		r.Scores, r.Got, r.Want = slices.Clone(r.Scores), slices.Clone(r.Got), slices.Clone(r.Want)
		r.Work = engine.Work{} // 64-bit numbers hold more intermediate distances, so visits differ
		all = append(all, r)
	}
	return all
}

// Equal batches give equal bits: with all kernels, after any other batches, and if all
// lengths are multiplied by a number, also beyond 32 bits.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	used := lengths.New(false)
	for round := range 300 / testgraphs.OneIn {
		b := randomBlock(r, 200)
		want := run(t, used, b)
		if got := run(t, lengths.New(true), b); !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d: portable kernels give other bits", round)
		}
		for _, times := range []int64{2, 3, 1 << 12} {
			scaled := *b
			scaled.Graph = multiplied(b.Graph, times)
			if b.In != nil {
				in := multiplied(*b.In, times)
				scaled.In = &in
			}
			if got := run(t, used, &scaled); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: lengths times %d give other bits", round, times)
			}
		}
	}
}

func multiplied(g csr.Graph, times int64) csr.Graph {
	g.Lengths = slices.Clone(g.Lengths)
	for i := range g.Lengths {
		g.Lengths[i] *= times
	}
	return g
}

// Equal lengths give the scores of hops.
func TestHops(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	for range 300 / testgraphs.OneIn {
		b := randomBlock(r, 200)
		b.In = nil
		hops := *b
		hops.Graph.Offsets, hops.Targets = testgraphs.Rows(b.Vertices(), edgesOf(b))
		hops.Lengths = nil
		b.Graph = hops.Graph
		b.Lengths = slices.Repeat([]int64{7}, len(b.Targets))
		for i, got := range run(t, lengths.New(false), b) {
			batch := testblocks.Plan(b).Batches[i]
			sources := b.Sources[batch.First:][:batch.Count]
			scores, sums, distances := make([]float64, b.Vertices()), make([]float64, len(sources)), make([]float64, len(sources))
			if err := textbook.Scores(t.Context(), &hops, sources, scores, sums, distances); err != nil {
				t.Fatal(err)
			}
			wantClose(t, "scores", got.Scores, scores, 1e-12)
		}
	}
}

func edgesOf(b *preprocess.Block) (edges []testgraphs.Edge) {
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			edges = append(edges, testgraphs.Edge{v, u})
		}
	}
	return edges
}

// Path counts beyond the range show in the self-check.
func TestOverflow(t *testing.T) {
	b := blockOf(3*1100+1, testgraphs.Diamonds(1100), 16, func() int64 { return 5 })
	for i, r := range run(t, lengths.New(false), b)[:2] {
		if !math.IsNaN(r.Got[0]) {
			t.Fatalf("batch %d: got %v, want NaN: 2^1100 paths", i, r.Got[0])
		}
	}
	b = blockOf(3*900+1, testgraphs.Diamonds(900), 16, func() int64 { return 5 })
	for i, r := range run(t, lengths.New(false), b) {
		wantClose(t, fmt.Sprintf("batch %d", i), r.Got, r.Want, 1e-12)
	}
}

func TestCancelled(t *testing.T) {
	b := blockOf(400, testgraphs.Grid(20, 20), 64, func() int64 { return 3 })
	s := lengths.New(false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Run(ctx, b, testblocks.Plan(b).Batches[0]); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
	checkBlock(t, "after a cancelled batch", s, b)
}

// A search that is cancelled while it makes room for another block is right for both blocks afterwards.
func TestCancelledBeforeIt(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 7))
	b := randomBlock(r, 40)
	other := blockOf(200, testgraphs.Grid(10, 20), 16, func() int64 { return 1 << 28 })
	for left := range 3 {
		s := lengths.New(false)
		want := run(t, s, b)
		if _, err := s.Run(testending.After(t.Context(), left), other, testblocks.Plan(other).Batches[0]); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := run(t, s, b); !reflect.DeepEqual(got, want) {
			t.Errorf("ended at look %d: %+v, want %+v", left, got, want)
		}
		checkBlock(t, "the other", s, other)
	}
}

// A search is right after another that was cancelled at any point.
func TestCancelledAnywhere(t *testing.T) {
	b := blockOf(150*150, testgraphs.Grid(150, 150), 64, func() int64 { return 1 })
	batch := testblocks.Plan(b).Batches[100]
	want := slices.Clone(run1(t, lengths.New(false), b, batch).Scores)
	s := lengths.New(false)
	for left, ended := 0, true; ended; left += 1 + left/8 {
		_, err := s.Run(testending.After(t.Context(), left), b, batch)
		if ended = err != nil; ended && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !ended && left < 20 {
			t.Fatalf("the context was looked at %d times", left)
		}
	}
	if got := run1(t, s, b, batch).Scores; !slices.Equal(got, want) {
		t.Fatal("a search after cancelled ones gives other bits")
	}
}

func run1(t *testing.T, s *lengths.Search, b *preprocess.Block, batch engine.Batch) engine.Result {
	t.Helper()
	r, err := s.Run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
