package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// withChains makes a block of the edges, gives it its chains and the given
// number of sources per batch. It must be biconnected.
func withChains(t testing.TB, edges []testgraphs.Edge, lanes int) *preprocess.Block {
	t.Helper()
	n := uint32(0)
	for _, e := range edges {
		n = max(n, e[0]+1, e[1]+1)
	}
	b := testblocks.Of(int(n), edges, lanes)
	var err error
	if b.Chains, err = preprocess.FindChains(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if b.Chains == nil {
		t.Fatal("no chains")
	}
	b.Sources = b.Chains.Sources()
	return b
}

// drawing collects chains.
type drawing struct {
	edges []testgraphs.Edge
	n     uint32 // vertices
}

// chain joins a and b by a chain of a length, with new vertices inside.
func (d *drawing) chain(a, b uint32, length int) {
	for ; length > 1; length-- {
		d.edges = append(d.edges, [2]uint32{a, d.n})
		a = d.n
		d.n++
	}
	d.edges = append(d.edges, [2]uint32{a, b})
}

// ears draws a random biconnected graph: a cycle, and chains whose ends are any
// two vertices so far (H. Whitney, "Non-separable and planar graphs", 1932).
func ears(r *rand.Rand, count, longest int) []testgraphs.Edge {
	d := &drawing{n: 1}
	d.chain(0, 0, 4+r.IntN(8))
	direct := map[[2]uint32]bool{}
	for _, e := range d.edges {
		direct[[2]uint32{min(e[0], e[1]), max(e[0], e[1])}] = true
	}
	for range count {
		a, b := uint32(r.IntN(int(d.n))), uint32(r.IntN(int(d.n)))
		if r.IntN(4) == 0 && len(d.edges) > 20 { // beside another chain
			a, b = d.edges[0][0], d.edges[len(d.edges)-1][1]
		}
		length := 1 + r.IntN(longest)
		key := [2]uint32{min(a, b), max(a, b)}
		if a == b || length == 1 && direct[key] {
			continue
		}
		direct[key] = direct[key] || length == 1
		d.chain(a, b, length)
	}
	// A last ear makes sure that there are junctions.
	d.chain(0, 2, 1+longest)
	return d.edges
}

// weigh draws weights, small or now and then large.
func weigh(r *rand.Rand, b *preprocess.Block, most int) {
	twoMasses(r, b)
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
	plan := testblocks.Plan(b)
	for _, got := range results(t, plan, Options{}, plan.Batches) {
		sources := b.Sources[got.Batch.First:][:got.Batch.Count]
		scores, check, by := make([]float64, b.Vertices()), make([]float64, len(sources)), make([]float64, len(sources))
		if err := Reference(t.Context(), b, sources, scores, check, by); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for i, s := range sources {
			want += b.From[s] * by[i]
		}
		name := fmt.Sprintf("%s, batch %+v", name, got.Batch)
		wantClose(t, name+" scores", got.Scores, scores, 1e-12)
		wantClose(t, name+" got", got.Got, []float64{want}, 1e-12)
		wantClose(t, name+" want", got.Want, []float64{want}, 1e-15)
	}
}

func TestChainsMatchReference(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for round := range 1500 {
		b := withChains(t, ears(r, r.IntN(14), 1+r.IntN(10)), 1)
		b.Lanes = 1 + r.IntN(b.Vertices())
		weigh(r, b, []int{10, 1000, 1 << 24}[round%3])
		if round%2 == 0 { // any sources may share a batch
			r.Shuffle(len(b.Sources), func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
		}
		checkChains(t, fmt.Sprintf("round %d", round), b)
	}
}

// Chains of equal lengths: every kind of tie.
func TestChainsThatTie(t *testing.T) {
	for length := 1; length <= 6; length++ {
		for other := 1; other <= 6; other++ {
			theta := &drawing{n: 2}
			for i := range 5 {
				theta.chain(0, 1, []int{length, other}[i%2]+1)
			}
			theta.chain(0, 1, 1)

			const side = 4
			mesh := &drawing{n: side * side}
			for i := range uint32(side * side) {
				if i%side != side-1 {
					mesh.chain(i, i+1, length)
				}
				if i < side*(side-1) {
					mesh.chain(i, i+side, other)
				}
			}

			clique := &drawing{n: 5}
			for i := range uint32(5) {
				for j := range i {
					clique.chain(i, j, []int{length, other}[(i+j)%2])
				}
			}
			for name, d := range map[string]*drawing{"theta": theta, "mesh": mesh, "clique": clique} {
				checkChains(t, fmt.Sprintf("%s of %d and %d", name, length, other), withChains(t, d.edges, 7))
			}
		}
	}
}

// necklace is a ring of squares joined at opposite corners; every side is a
// chain. There are 2^squares ways around half of it.
func necklace(squares int, length int) []testgraphs.Edge {
	d := &drawing{n: uint32(squares)}
	for i := range uint32(squares) {
		next := (i + 1) % uint32(squares)
		d.chain(i, next, length)
		d.chain(i, next, length)
	}
	return d.edges
}

func TestChainsManyPaths(t *testing.T) {
	checkChains(t, "2^450 paths", withChains(t, necklace(900, 2), 64))
}

// Path counts beyond the range show in the self-check, before they could do harm.
func TestChainsOverflow(t *testing.T) {
	b := withChains(t, necklace(2100, 2), 8)
	plan := testblocks.Plan(b)
	for _, r := range results(t, plan, Options{}, plan.Batches[:2]) {
		if !math.IsNaN(r.Got[0]) {
			t.Fatalf("got %v, want NaN: 2^1050 paths", r.Got[0])
		}
	}
}

// Equal batches give equal bits, in any order, on a worker that has been used for
// blocks of other sizes and kinds.
func TestChainsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	var blocks []*preprocess.Block
	for range 4 {
		b := withChains(t, ears(r, 20, 12), 17)
		weigh(r, b, 1000)
		blocks = append(blocks, b, randomBlock(r, 60, 50, 16))
	}
	plan := testblocks.Plan(blocks...)
	want := results(t, plan, Options{}, plan.Batches)
	for range 5 {
		order := slices.Clone(plan.Batches)
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, got := range results(t, plan, Options{}, order) {
			w := want[got.Batch.Index]
			if !slices.Equal(got.Scores, w.Scores) || !slices.Equal(got.Got, w.Got) || !slices.Equal(got.Want, w.Want) || got.Work != w.Work {
				t.Fatalf("batch %d differs when computed in another order", got.Batch.Index)
			}
		}
	}
}

func TestChainsCancelled(t *testing.T) {
	b := withChains(t, necklace(300, 3), 64)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s chainSearch
	if _, err := s.run(ctx, b, testblocks.Plan(b).Batches[0]); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
	if _, err := s.run(t.Context(), b, testblocks.Plan(b).Batches[1]); err != nil { // and the next is sound
		t.Fatal(err)
	}
	checkChains(t, "after a cancelled batch", b)
}

// Some sources of a real road network, which the plan must find chains in.
func TestChainsLuxembourg(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large graph; not with -short")
	}
	plan := realPlan(t, "luxembourg.osm.graph.gz", preprocess.Options{})
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

// FuzzChains draws a graph from bytes: the lengths and ends of ears, weights, and
// the size of batches.
func FuzzChains(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 5, 1, 3, 4, 4, 0, 2, 2})
	f.Add([]byte{9, 0, 9, 9, 9, 9, 9, 0, 9, 9, 0, 9, 200, 100, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || len(data) > 60 {
			return
		}
		d := &drawing{n: 1}
		d.chain(0, 0, 3+int(data[0]%20))
		have := map[[2]uint32]bool{}
		for _, e := range d.edges {
			have[[2]uint32{min(e[0], e[1]), max(e[0], e[1])}] = true
		}
		for i := 1; i+2 < len(data); i += 3 {
			a, b, length := uint32(data[i])%d.n, uint32(data[i+1])%d.n, 1+int(data[i+2]%24)
			key := [2]uint32{min(a, b), max(a, b)}
			if a == b || length == 1 && have[key] {
				continue
			}
			have[key] = have[key] || length == 1
			d.chain(a, b, length)
		}
		b := testblocks.Of(int(d.n), d.edges, 1+int(data[1]))
		var err error
		if b.Chains, err = preprocess.FindChains(t.Context(), b); err != nil {
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
