package preprocess

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// alignPlainly is alignBatch, but tries every possible start of a source.
func alignPlainly(of []distances, sources []uint32, farness []uint16) (total int) {
	var levels [landmarks]uint64
	ahead := make([]int, len(sources))
	for i, v := range sources {
		low, high, sum := math.MaxInt, math.MinInt, 0
		var beyond [landmarks]int
		for j, d := range of[v] {
			beyond[j] = int(d) - int(of[sources[0]][j])
			low, high, sum = min(low, beyond[j]), max(high, beyond[j]), sum+beyond[j]
		}
		fewest := int64(math.MaxInt64)
		for try := low; try <= high; try++ {
			fresh := landmarks
			for j, x := range beyond {
				fresh -= int(levels[j] >> uint(x-try+32) & 1)
			}
			if cost := int64(fresh)<<32 + int64(max(try*landmarks-sum, sum-try*landmarks)); cost < fewest {
				ahead[i], fewest = try, cost
			}
		}
		for j, x := range beyond {
			levels[j] |= 1 << uint(x-ahead[i]+32)
		}
	}
	for i, v := range sources {
		farness[v] = uint16(ahead[i] - slices.Min(ahead))
	}
	for _, set := range levels {
		total += bits.OnesCount64(set)
	}
	return total
}

// Starts are those found by trying each of them, however far apart distances are.
func TestAlignsAsPlainly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for turn := range 300 {
		of := make([]distances, 1+r.IntN(12))
		var sources []uint32
		apart := 1 << r.IntN(13)
		for v := range of {
			base := 3000 + r.IntN(apart)
			for j := range of[v] {
				if of[v][j] = uint16(base + r.IntN(40)); r.IntN(4) == 0 {
					of[v][j] += uint16(r.IntN(apart))
				}
			}
			sources = append(sources, uint32(v))
		}
		got, want := make([]uint16, len(of)), make([]uint16, len(of))
		if a, b := alignBatch(of, sources, got), alignPlainly(of, sources, want); a != b || !slices.Equal(got, want) {
			t.Fatalf("turn %d: %d, %v, want %d, %v", turn, a, got, b, want)
		}
	}
}

// Sources whose distances from the landmarks are capped may share no level. The memory of a
// batch must allow for that. A start is never earlier by more than 16 bits hold.
func TestTooFarToAlign(t *testing.T) {
	of, sources, farness := make([]distances, 8), []uint32{0, 1, 2, 3, 4, 5, 6, 7}, make([]uint16, 8)
	for v := range of {
		for j := range of[v] {
			of[v][j] = farthest
		}
	}
	if levels := alignBatch(of, sources, farness); levels != 8*landmarks {
		t.Errorf("%d levels, want %d", levels, 8*landmarks)
	}
	for j := range landmarks { // at some landmarks the second is much farther than the first, at others the third is much nearer
		of[0][j], of[1][j], of[2][j] = 0, farthest, uint16(1000*j+200)
		if j > landmarks/2 {
			of[0][j], of[2][j] = farthest, 0
		}
	}
	alignBatch(of, sources[:3], farness)
	if want := []uint16{farthest, math.MaxUint16, 0}; !slices.Equal(farness[:3], want) {
		t.Errorf("farness %d, want %d", farness[:3], want)
	}
}

// Splitting a segment of many vertices stops midway.
func TestSplitEnds(t *testing.T) {
	const n = 4 * parallel.Interval
	r := rand.New(rand.NewPCG(5, 6))
	of, order := make([]distances, n), make([]uint32, n)
	for v := range of {
		order[v] = uint32(v)
		for j := range of[v] {
			of[v][j] = uint16(r.IntN(100))
		}
	}
	before := slices.Clone(order)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newCutter(of)
	c.order, c.spare, c.along = order, make([]uint32, n), make([]float32, n)
	c.split(ctx, segment{lo: 0, middle: n / 2, hi: n, count: 2}, new(bench))
	if !slices.Equal(order, before) {
		t.Error("sorted to its end")
	}
}

// The steps of a directed block check the context in every loop over its vertices.
func TestLooksInLoops(t *testing.T) {
	const times = 4
	const n = times * parallel.Interval
	r := rand.New(rand.NewPCG(5, 7))
	var edges []edge
	for v := range uint32(n) { // a cycle, so that all is one block, and some arcs
		edges = append(edges, edge{v, (v + 1) % n})
		if r.IntN(2) == 0 {
			edges = append(edges, edge{v, r.Uint32N(n)})
		}
	}
	g := digraphOf(n, edges)
	plan, err := Reduce(t.Context(), g, Options{Threads: 1, Question: question.Question{Directed: true}})
	if err != nil {
		t.Fatal(err)
	}
	b := &plan.Blocks[0]
	if b.Vertices() < n/2 {
		t.Fatalf("a block of %d vertices", b.Vertices())
	}
	once := b.Vertices() / parallel.Interval
	var find strongSearch
	s, err := find.find(t.Context(), &b.Graph)
	if err != nil {
		t.Fatal(err)
	}
	l := &looks{Context: t.Context()}
	expect := func(what string, loops int) {
		t.Helper()
		if l.count.Load() < int64(loops*once) {
			t.Errorf("%s: %d looks, want %d in each of %d loops", what, l.count.Load(), once, loops)
		}
		l.count.Store(0)
	}
	c, err := condense(l, &b.Graph, s, b.To)
	if err != nil {
		t.Fatal(err)
	}
	expect("condense", 3)
	rows := make([][sweepWords]uint64, n)
	sweep(l, c, []uint32{0}, rows, make([]int64, 1))
	if l.count.Load() < n/parallel.Interval {
		t.Errorf("sweep: %d looks", l.count.Load())
	}
	l.count.Store(0)
	w, err := newForcedWays(l, b)
	if err != nil {
		t.Fatal(err)
	}
	expect("forced ways", 5) // the search for components, walks, and three loops
	if err := w.settle(l, wholes.NewForms(n, false), 1); err != nil {
		t.Fatal(err)
	}
	expect("settle", 2)
	source, virtual, err := w.groups(l)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.waivable(l, source, len(virtual)); err != nil {
		t.Fatal(err)
	}
	if err := w.merge(l, source, virtual); err != nil {
		t.Fatal(err)
	}
	expect("merge", 2+2+8+1)
}
