package chains_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/chains"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// withChains makes a block from the edges, with chains and the given
// number of sources per batch. The graph must be biconnected. Each length is drawn; nil: edges have no lengths.
func withChains(t testing.TB, edges []testgraphs.Edge, lanes int, length func() int64) *preprocess.Block {
	t.Helper()
	n := uint32(0)
	for _, e := range edges {
		n = max(n, e[0]+1, e[1]+1)
	}
	b := testblocks.Of(int(n), edges, lanes)
	if length != nil {
		lengths := make(map[testgraphs.Edge]int64)
		for v := range n {
			for _, u := range b.Neighbours(v) {
				if u < v {
					lengths[testgraphs.Edge{u, v}] = length()
				}
			}
		}
		testblocks.SetLengths(b, lengths)
	}
	var err error
	if b.Chains, err = csr.FindChains(t.Context(), &b.Graph); err != nil {
		t.Fatal(err)
	}
	if b.Chains == nil {
		t.Fatal("no chains")
	}
	b.Sources = b.Chains.Sources()
	return b
}

// weigh draws masses, most of them small and some large.
func weigh(r *rand.Rand, b *preprocess.Block, most int) {
	testblocks.TwoMasses(r, b)
	for v := range b.From {
		b.From[v] = float64(r.IntN(5) * r.IntN(5))
		if r.IntN(8) == 0 {
			b.From[v] = float64(1 + r.IntN(most))
		}
	}
}

// checkChains computes all batches and compares them with the reference.
func checkChains(t *testing.T, name string, b *preprocess.Block) {
	t.Helper()
	for _, got := range results(t, testblocks.Plan(b)) {
		sources := b.Sources[got.Batch.First:][:got.Batch.Count]
		scores, check, by := make([]float64, b.Vertices()), make([]float64, len(sources)), make([]float64, len(sources))
		if err := textbook.Scores(t.Context(), b, sources, scores, check, by); err != nil {
			t.Fatal(err)
		}
		total, want := 0.0, 0.0
		for _, mass := range b.To {
			total += mass
		}
		for _, s := range sources {
			want += b.From[s] * (total - b.To[s])
		}
		name := fmt.Sprintf("%s, batch %+v", name, got.Batch)
		for v, score := range scores {
			wantClose(t, fmt.Sprint(name, ": score of ", v), got.Scores[v], score, 1e-12)
		}
		wantClose(t, name+": got", got.Got[0], want, 1e-12)
		wantClose(t, name+": want", got.Want[0], want, 1e-15)
	}
}

func wantClose(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// results computes the given batches in order, or all of the plan if none are given, and
// copies the results.
func results(t *testing.T, p *preprocess.Plan, batches ...engine.Batch) (all []engine.Result) {
	t.Helper()
	if len(batches) == 0 {
		batches = p.Batches
	}
	var s chains.Search
	for _, batch := range batches {
		r, err := s.Run(t.Context(), &p.Blocks[batch.Block], batch)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Together || len(r.Got) != 1 || len(r.Want) != 1 {
			t.Fatalf("batch %d: sums %v and %v, together %t; want one of each, together", batch.Index, r.Got, r.Want, r.Together)
		}
		r.Scores, r.Got, r.Want = slices.Clone(r.Scores), slices.Clone(r.Got), slices.Clone(r.Want)
		all = append(all, r)
	}
	return all
}

// The worked example of the package comment, also with batches of other
// sources: the 3 vertices inside the chain from a to b, and all vertices.
func TestThreeJunctions(t *testing.T) {
	const a, b, c, x, y = 0, 1, 2, 3, 6 // x, x+1, x+2 are on the chain from a to b
	graph := &testgraphs.Streets{N: 3}
	graph.Chain(a, b, 4)
	graph.Chain(b, c, 2)
	graph.Edges = append(graph.Edges, testgraphs.Ring(a, 3)...)
	block := withChains(t, graph.Edges, 7, nil)
	block.Sources = []uint32{x, x + 1, x + 2, a, b, c, y}
	batch := engine.Batch{Count: 3}
	for _, want := range []struct {
		scores []float64
		sum    float64
	}{
		{[]float64{3.5, 5, 0.5, 1.5, 2, 2.5, 0}, 18},
		{[]float64{7, 11, 2, 3, 2, 5, 0}, 42},
	} {
		got := results(t, testblocks.Plan(block), batch)[0]
		if !slices.Equal(got.Scores, want.scores) || got.Got[0] != want.sum || got.Want[0] != want.sum {
			t.Errorf("%d sources: scores %v, sums %v and %v; want %v and twice %v", batch.Count, got.Scores, got.Got, got.Want, want.scores, want.sum)
		}
		batch.Count = 7
	}
}

func TestMatchReference(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for round := range 1500 {
		b := withChains(t, testgraphs.Ears(r, r.IntN(14), 1+r.IntN(10)), 1, nil)
		b.Lanes = 1 + r.IntN(b.Vertices())
		weigh(r, b, []int{10, 1000, 1 << 24}[round%3])
		if round%2 == 0 { // any sources may share a batch
			r.Shuffle(len(b.Sources), func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
		}
		checkChains(t, fmt.Sprintf("round %d", round), b)
	}
}

// tied makes graphs whose chains have two lengths.
func tied(length, other int) map[string]*testgraphs.Streets {
	theta := &testgraphs.Streets{N: 2}
	for i := range 5 {
		theta.Chain(0, 1, []int{length, other}[i%2]+1)
	}
	theta.Chain(0, 1, 1)

	const side = 4
	mesh := &testgraphs.Streets{N: side * side}
	for i := range uint32(side * side) {
		if i%side != side-1 {
			mesh.Chain(i, i+1, length)
		}
		if i < side*(side-1) {
			mesh.Chain(i, i+side, other)
		}
	}

	clique := &testgraphs.Streets{N: 5}
	for i := range uint32(5) {
		for j := range i {
			clique.Chain(i, j, []int{length, other}[(i+j)%2])
		}
	}
	return map[string]*testgraphs.Streets{"theta": theta, "mesh": mesh, "clique": clique}
}

// Chains of equal lengths: every kind of tie.
func TestTies(t *testing.T) {
	for length := 1; length <= 6; length++ {
		for other := 1; other <= 6; other++ {
			for name, d := range tied(length, other) {
				checkChains(t, fmt.Sprintf("%s of %d and %d", name, length, other), withChains(t, d.Edges, 7, nil))
			}
		}
	}
}

func TestManyPaths(t *testing.T) {
	checkChains(t, "2^450 paths", withChains(t, testgraphs.Necklace(900, 2), 64, nil))
}

func TestOverflow(t *testing.T) { checkOverflow(t, nil) }

// checkOverflow checks that the self-check shows path counts beyond the range.
func checkOverflow(t *testing.T, length func() int64) {
	t.Helper()
	b := withChains(t, testgraphs.Necklace(2100, 2), 8, length)
	plan := testblocks.Plan(b)
	for _, r := range results(t, plan, plan.Batches[:2]...) {
		if !math.IsNaN(r.Got[0]) {
			t.Fatalf("got %v, want NaN: 2^1050 paths", r.Got[0])
		}
	}
}

func TestBits(t *testing.T) { checkBits(t, rand.New(rand.NewPCG(12, 2)), nil) }

// checkBits checks that equal batches give equal bits, in any order, with a Search that computed
// blocks of other sizes before.
func checkBits(t *testing.T, r *rand.Rand, length func() int64) {
	t.Helper()
	var blocks []*preprocess.Block
	for range 4 {
		b := withChains(t, testgraphs.Ears(r, 20, 12), 17, length)
		weigh(r, b, 1000)
		blocks = append(blocks, b)
	}
	plan := testblocks.Plan(blocks...)
	want := results(t, plan)
	for range 5 {
		order := slices.Clone(plan.Batches)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, got := range results(t, plan, order...) {
			w := want[got.Batch.Index]
			if !slices.Equal(got.Scores, w.Scores) || !slices.Equal(got.Got, w.Got) || !slices.Equal(got.Want, w.Want) || got.Work != w.Work {
				t.Fatalf("batch %d differs when computed in another order", got.Batch.Index)
			}
		}
	}
}

func TestCancelled(t *testing.T) { checkCancelled(t, nil) }

// checkCancelled checks that a batch ends with its context, and that the next one is right.
func checkCancelled(t *testing.T, length func() int64) {
	t.Helper()
	b := withChains(t, testgraphs.Necklace(300, 3), 64, length)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s chains.Search
	if _, err := s.Run(ctx, b, testblocks.Plan(b).Batches[0]); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
	if _, err := s.Run(t.Context(), b, testblocks.Plan(b).Batches[1]); err != nil {
		t.Fatal(err)
	}
	checkChains(t, "after a cancelled batch", b)
}

// Some sources of a real road network, in which the plan must find chains.
func TestLuxembourg(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large graph; not with -short")
	}
	plan := testblocks.Published(t, "luxembourg.osm.graph.gz", preprocess.Options{})
	b := plan.Blocks[0]
	if b.Chains == nil || b.Vertices() != 87828 {
		t.Fatalf("largest block: %d vertices, chains %t; want 87828, with chains", b.Vertices(), b.Chains != nil)
	}
	sources := b.Sources
	b.Sources, b.Lanes = nil, 12
	for _, part := range []float64{0, 0.3, 0.95} {
		first := int(part * float64(len(sources)))
		b.Sources = append(b.Sources, sources[first:first+b.Lanes]...)
	}
	checkChains(t, "luxembourg", &b)
}

// ears makes a graph from bytes: the lengths and ends of ears.
func ears(data []byte) *testgraphs.Streets {
	d := &testgraphs.Streets{N: 1}
	d.Chain(0, 0, 3+int(data[0]%20))
	have := map[testgraphs.Edge]bool{}
	for _, e := range d.Edges {
		have[testgraphs.Edge{min(e[0], e[1]), max(e[0], e[1])}] = true
	}
	for i := 1; i+2 < len(data); i += 3 {
		a, b, length := uint32(data[i])%d.N, uint32(data[i+1])%d.N, 1+int(data[i+2]%24)
		key := testgraphs.Edge{min(a, b), max(a, b)}
		if a == b || length == 1 && have[key] {
			continue
		}
		have[key] = have[key] || length == 1
		d.Chain(a, b, length)
	}
	return d
}

// FuzzChains draws a graph from bytes: the lengths and ends of ears, masses, and
// the size of batches.
func FuzzChains(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 5, 1, 3, 4, 4, 0, 2, 2})
	f.Add([]byte{9, 0, 9, 9, 9, 9, 9, 0, 9, 9, 0, 9, 200, 100, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || len(data) > 60 {
			return
		}
		d := ears(data)
		b := testblocks.Of(int(d.N), d.Edges, 1+int(data[1]))
		var err error
		if b.Chains, err = csr.FindChains(t.Context(), &b.Graph); err != nil {
			t.Fatal(err)
		}
		if b.Chains == nil {
			return
		}
		if data[0]%2 == 0 {
			b.To = make([]float64, b.Vertices())
		}
		for v := range b.From {
			b.To[v] = float64(int(data[(v+1)%len(data)]) % 5)
			b.From[v] = float64(1 + int(data[v%len(data)])*v%7)
		}
		checkChains(t, "fuzzed", b)
	})
}
