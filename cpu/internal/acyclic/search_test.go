package acyclic_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/testleaks"
	"bcstage/preprocess"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

// drawLengths returns a function that draws lengths. They make many ties, or longest paths
// of 16, 32 or 64 bits, or paths about as long as the distances that mark unreached vertices.
func drawLengths(r *rand.Rand, n int) func() int64 {
	switch r.IntN(4) {
	case 0:
		return func() int64 { return 1 << r.IntN(41) }
	case 1:
		most := []int64{1 << 14, 1 << 30, 1 << 31}[r.IntN(3)] / []int64{1, int64(n), 2, int64(n)/2 + 1}[r.IntN(4)]
		return func() int64 { return max(most-int64(r.IntN(3)), 1) }
	}
	most := []int64{1, 2, 5, 100, 1 << 10, 1 << 20, 1 << 28}[r.IntN(7)]
	return func() int64 { return 1 + r.Int64N(most) }
}

// randomBlock draws a block with random features of questions.
func randomBlock(r *rand.Rand, most int) *preprocess.Block {
	for {
		if b := tryBlock(r, most); acyclic.Suits(b) {
			return b
		}
	}
}

func tryBlock(r *rand.Rand, most int) *preprocess.Block {
	n := 2 + r.IntN(most)
	b := withCycles(r, testblocks.Acyclic(r, n, r.IntN(5*n), 1+r.IntN(64)))
	testblocks.TwoMasses(r, b)
	if r.IntN(2) == 0 {
		b.From = slices.Clone(b.From)
		for v := range n {
			b.From[v] = float64(r.IntN(5) * r.IntN(5))
		}
	}
	if r.IntN(2) == 0 {
		testblocks.ArcLengths(b, drawLengths(r, n))
	} else if r.IntN(3) == 0 {
		for range n {
			b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(4)))
		}
	}
	if r.IntN(3) == 0 {
		b.Cutoff = 1 + r.IntN(8)
		if b.Lengths != nil && len(b.Lengths) > 0 {
			b.Cutoff = int(b.Lengths[r.IntN(len(b.Lengths))] * int64(1+r.IntN(4)))
		}
	}
	return b
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

// checkBlock compares all batches with the reference.
func checkBlock(t *testing.T, name string, s *acyclic.Search, b *preprocess.Block) {
	t.Helper()
	if !acyclic.Suits(b) {
		t.Fatalf("%s: the block does not suit", name)
	}
	for _, batch := range testblocks.Plan(b).Batches {
		got, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Result{Scores: make([]float64, b.Vertices()), Got: make([]float64, batch.Count), Want: make([]float64, batch.Count)}
		if b.Flows != nil {
			want.Flows = make([]float64, b.Flows.Count())
		}
		if err := textbook.Result(t.Context(), b, b.Sources[batch.First:][:batch.Count], &want); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s, batch %+v", name, batch)
		listed := make([]float64, b.Vertices())
		for _, v := range got.At {
			listed[v] += got.Scores[v]
		}
		if got.At != nil && !slices.Equal(listed, got.Scores) {
			t.Fatalf("%s: scores are not those of the listed vertices, once each", name)
		}
		wantClose(t, name+": scores", got.Scores, want.Scores, 1e-12)
		wantClose(t, name+": got", got.Got, want.Got, 1e-12)
		wantClose(t, name+": want", got.Want, want.Want, 0)
		wantClose(t, name+": flows", got.Flows, want.Flows, 1e-12)
		wantClose(t, name+": check of flows", []float64{got.FlowGot, got.FlowWant}, []float64{want.FlowWant, want.FlowWant}, 1e-12)
	}
}

func TestMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 1))
	s := acyclic.New("avx512")
	for round := range 3000 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("round %d", round), s, randomBlock(r, 60))
	}
	for round := range 60 / testgraphs.OneIn {
		checkBlock(t, fmt.Sprintf("large round %d", round), s, randomBlock(r, 1500))
	}
}

func TestFlowsMatchReference(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 2))
	s := acyclic.New("avx512")
	for round := range 1500 / testgraphs.OneIn {
		b := randomBlock(r, 60)
		if b.Lengths != nil {
			b.Multiplicity = nil
		}
		checkBlock(t, fmt.Sprintf("round %d", round), s, testblocks.Flows(b))
	}
}

// Path counts that do not fit 16 bits are float64. Counts that exceed float64 show in the
// self-check.
func TestManyPaths(t *testing.T) {
	for diamonds := range uint32(40) {
		b := testblocks.Directed(int(3*diamonds+1), testgraphs.Diamonds(diamonds), 64)
		checkBlock(t, fmt.Sprint(diamonds, " diamonds"), acyclic.New([]string{"go", "avx2", "avx512"}[diamonds%3]), b)
	}
	for _, lengths := range []bool{false, true} {
		b := testblocks.Directed(3*1100+1, testgraphs.Diamonds(1100), 64)
		if lengths {
			testblocks.ArcLengths(b, func() int64 { return 3 })
		}
		all := run(t, acyclic.New("avx512"), b)
		if first := all[0].Got[0]; first != -1 {
			t.Errorf("lengths %t: got %v, want NaN: 2^1100 paths", lengths, first)
		}
		last := all[len(all)/2]
		wantClose(t, "fewer diamonds", last.Got, last.Want, 1e-12)
	}
}

// Sums over drawn sources equal the reference's, also if paths count linearly.
func TestDrawnMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 3))
	s := acyclic.New("avx512")
	for round := range 600 / testgraphs.OneIn {
		b := randomBlock(r, 60)
		n := b.Vertices()
		b.Draws, b.Linear = make([]float64, n), b.Lengths == nil && r.IntN(2) == 0
		for v := range b.Draws {
			b.Draws[v], b.From[v] = float64(r.IntN(4)), max(b.From[v], 1)
		}
		checkBlock(t, fmt.Sprint("round ", round), s, b)
		for _, batch := range testblocks.Plan(b).Batches {
			got, err := s.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			drawn, squares := make([]float64, n), make([]float64, n)
			for _, source := range b.Sources[batch.First:][:batch.Count] {
				one := make([]float64, n)
				if err := textbook.Scores(t.Context(), b, []uint32{source}, one, make([]float64, 1), make([]float64, 1)); err != nil {
					t.Fatal(err)
				}
				for v, x := range one {
					x /= b.From[source]
					drawn[v] += b.Draws[source] * x
					squares[v] += b.Draws[source] * x * x
				}
			}
			wantClose(t, fmt.Sprint("round ", round, " drawn"), got.Drawn, drawn, 1e-12)
			wantClose(t, fmt.Sprint("round ", round, " squares"), got.Squares, squares, 1e-12)
		}
	}
}

// run computes all batches of a block and copies the results.
func run(t *testing.T, s *acyclic.Search, b *preprocess.Block) (all []engine.Result) {
	t.Helper()
	for _, batch := range testblocks.Plan(b).Batches {
		r, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		r.Scores, r.Got, r.Want, r.Flows = slices.Clone(r.Scores), slices.Clone(r.Got), slices.Clone(r.Want), slices.Clone(r.Flows)
		if len(r.Flows) == 0 {
			r.Flows = nil // of a block without arcs: nil, or memory of another block
		}
		for i, x := range r.Got {
			if math.IsNaN(x) {
				r.Got[i] = -1 // NaN does not equal itself
			}
		}
		all = append(all, r)
	}
	return all
}

// Equal batches give equal bits: with all kernels, after any other batches, and with distances of any
// size.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 4))
	used := acyclic.New("avx512")
	for round := range 600 / testgraphs.OneIn {
		b := randomBlock(r, 200)
		if r.IntN(2) == 0 {
			testblocks.Flows(b)
		}
		want := run(t, used, b)
		for _, set := range []string{"go", "avx2"} {
			if got := run(t, acyclic.New(set), b); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: kernels %s give other bits", round, set)
			}
		}
		if b.Lengths == nil || b.Flows != nil {
			continue
		}
		for _, times := range []int64{2, 1 << 10, 1 << 20} {
			scaled := *b
			scaled.Cutoff *= int(times)
			in := *b.In
			scaled.In = &in
			for _, g := range []*csr.Graph{&scaled.Graph, &in} {
				g.Lengths = slices.Clone(g.Lengths)
				for i := range g.Lengths {
					g.Lengths[i] *= times
				}
			}
			if !acyclic.Suits(&scaled) {
				continue // more than 32 bits, and cycles
			}
			if got := run(t, used, &scaled); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: lengths times %d give other bits", round, times)
			}
		}
	}
}

// Distances along the arcs, and against them, equal the reference's.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 5))
	s := acyclic.New("avx512")
	for round := range 600 / testgraphs.OneIn {
		b := randomBlock(r, 80)
		if b.Lengths == nil {
			testblocks.ArcLengths(b, drawLengths(r, b.Vertices()))
		}
		if b.Distances, b.Multiplicity = true, nil; !acyclic.Suits(b) {
			continue
		}
		if r.IntN(2) == 0 {
			there := b.Graph
			b.Graph = *b.In
			there.In = nil
			b.In = &there
		}
		b.Own = r.IntN(2) == 0
		for _, batch := range testblocks.Plan(b).Batches {
			got, err := s.RunDistances(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]engine.Found, b.Vertices())
			for _, source := range b.Sources[batch.First:][:batch.Count] {
				distances, err := textbook.Distances(t.Context(), b, source)
				if err != nil {
					t.Fatal(err)
				}
				for v, d := range distances {
					if d <= 0 {
						continue
					}
					f := &want[v]
					if b.Own {
						f = &want[source]
					}
					f.Reach++
					f.Farness += uint64(d)
					f.Eccentricity = max(f.Eccentricity, uint64(d))
					f.Inverse += 1 / float64(d)
				}
			}
			if at := slices.Sorted(slices.Values(got.At)); len(slices.Compact(at)) < len(got.At) {
				t.Fatalf("round %d: a vertex is twice in At: %d", round, got.At)
			}
			for v, w := range want {
				g := got.Found[v]
				if listed := slices.Contains(got.At, uint32(v)); !listed && w.Reach > 0 || listed && w.Reach == 0 && !b.Own {
					t.Fatalf("round %d: vertex %d, with %d distances, is in At: %v", round, v, w.Reach, listed)
				}
				if math.Abs(g.Inverse-w.Inverse) > 1e-12*w.Inverse {
					t.Fatalf("round %d: vertex %d: inverse distances %v, want %v", round, v, g.Inverse, w.Inverse)
				}
				if g.Inverse = w.Inverse; g != w {
					t.Fatalf("round %d: vertex %d: found %+v, want %+v", round, v, g, w)
				}
			}
		}
	}
}

// Sources that reach few vertices, far apart in a large block, have the reference's scores. Levels are not in topological
// order there: some shortest paths have more arcs than others that are longer.
func TestFewVerticesFarApart(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 7))
	var arcs []testgraphs.Edge
	for v := uint32(0); v < 100; v++ {
		arcs = append(arcs, testgraphs.Edge{v, v + 10_000}, testgraphs.Edge{v, v + 30_000}, testgraphs.Edge{v + 10_000, v + 20_000}, testgraphs.Edge{v + 20_000, v + 30_000}, testgraphs.Edge{v + 30_000, v + 39_000})
	}
	b := testblocks.Directed(40_000, arcs, 1)
	testblocks.ArcLengths(b, func() int64 { return 1 + r.Int64N(100) })
	b.Sources = b.Sources[:100]
	checkBlock(t, "few vertices", acyclic.New("avx512"), b)
}

// A search is right after another that was cancelled at any point.
func TestCancelledAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 6))
	b := testblocks.Acyclic(r, 40_000, 200_000, 64)
	for b.Ascends() {
		b = withCycles(r, b)
	}
	batch := engine.Batch{Count: 64}
	first, err := acyclic.New("avx512").Run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(first.Scores)
	s := acyclic.New("avx512")
	for left, ended := 0, true; ended; left++ {
		_, err := s.Run(testending.After(t.Context(), left), b, batch)
		if ended = err != nil; ended && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if !ended && left < 10 {
			t.Fatalf("the context was looked at %d times", left)
		}
	}
	if got, err := s.Run(t.Context(), b, batch); err != nil || !slices.Equal(got.Scores, want) {
		t.Fatalf("a search after cancelled ones gives other bits (error %v)", err)
	}
}

// Suits rejects blocks that have cycles or waivers.
func TestSuits(t *testing.T) {
	for name, c := range map[string]struct {
		arcs []testgraphs.Edge
		want bool
	}{"ascending": {[]testgraphs.Edge{{0, 2}, {1, 2}}, true}, "cycle": {[]testgraphs.Edge{{0, 1}, {1, 2}, {2, 0}}, false}, "descending": {[]testgraphs.Edge{{2, 1}}, false}} {
		b := testblocks.Directed(3, c.arcs, 64)
		if got := acyclic.Suits(b); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if b.Distances = true; acyclic.Suits(b) != (c.want || name == "descending") {
			t.Errorf("%s, for distances: %t", name, !c.want)
		}
		b.Waive(0, 1, 1)
		if acyclic.Suits(b) {
			t.Errorf("%s with waivers suits", name)
		}
	}
	if acyclic.Suits(testblocks.Of(1, nil, 1)) {
		t.Error("an undirected block suits")
	}
}
