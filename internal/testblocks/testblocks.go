// Package testblocks makes blocks and plans of test graphs without the reductions,
// for tests of engines.
package testblocks

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Of makes one block of all n vertices and the given edges, masses 1, with
// sources in breadth-first order from vertex 0.
func Of(n int, edges []testgraphs.Edge, lanes int) *preprocess.Block {
	b := &preprocess.Block{Lanes: lanes, Paths: preprocess.Paths{From: slices.Repeat([]float64{1}, n)}}
	b.To = b.From
	b.Offsets, b.Targets = testgraphs.Rows(n, edges)
	seen := make([]bool, n)
	for root := range uint32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		head := len(b.Sources)
		for b.Sources = append(b.Sources, root); head < len(b.Sources); head++ {
			for _, v := range b.Neighbours(b.Sources[head]) {
				if !seen[v] {
					seen[v] = true
					b.Sources = append(b.Sources, v)
				}
			}
		}
	}
	return b
}

// Directed makes one block of all n vertices and the given arcs, masses 1, with
// sources in vertex order.
func Directed(n int, arcs []testgraphs.Edge, lanes int) *preprocess.Block {
	b := &preprocess.Block{Lanes: lanes, Paths: preprocess.Paths{From: slices.Repeat([]float64{1}, n)}}
	b.To = b.From
	b.Offsets, b.Targets = testgraphs.OutRows(n, arcs)
	b.In = new(csr.Graph)
	b.In.Offsets, b.In.Targets = testgraphs.OutRows(n, testgraphs.Reversed(arcs))
	for v := range uint32(n) {
		b.Sources = append(b.Sources, v)
	}
	return b
}

// Acyclic makes one block of all n vertices and at most arcs arcs, which ascend, masses 1,
// with sources in random order.
func Acyclic(r *rand.Rand, n, arcs, lanes int) *preprocess.Block {
	var edges []testgraphs.Edge
	for range arcs {
		u, v := uint32(r.IntN(n)), uint32(r.IntN(n))
		if r.IntN(2) == 0 { // deep, too
			v = min(u+1+uint32(r.IntN(4)), uint32(n-1))
		}
		if u != v {
			edges = append(edges, testgraphs.Edge{min(u, v), max(u, v)})
		}
	}
	b := Directed(n, edges, lanes)
	r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	return b
}

// ArcLengths gives the arcs of a directed block lengths.
func ArcLengths(b *preprocess.Block, length func() int64) {
	lengths := map[testgraphs.Edge]int64{}
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			lengths[testgraphs.Edge{v, u}] = length()
			b.Lengths = append(b.Lengths, lengths[testgraphs.Edge{v, u}])
		}
	}
	for v := range uint32(b.Vertices()) {
		for _, u := range b.In.Neighbours(v) {
			b.In.Lengths = append(b.In.Lengths, lengths[testgraphs.Edge{u, v}])
		}
	}
}

// TwoMasses gives half of the blocks target masses of their own, of which some are 0.
func TwoMasses(r *rand.Rand, b *preprocess.Block) {
	if r.IntN(2) == 0 {
		return
	}
	b.To = make([]float64, b.Vertices())
	for v := range b.To {
		b.To[v] = float64(r.IntN(4) * r.IntN(5))
	}
}

// Waivers makes some sources of a directed block count some targets for less, or not at all.
func Waivers(r *rand.Rand, b *preprocess.Block) {
	for s := range uint32(b.Vertices()) {
		for t := range uint32(b.Vertices()) {
			if b.To[t] == 0 || r.IntN(20) > 0 {
				continue
			}
			share := 1.0
			if r.IntN(3) > 0 {
				share = r.Float64()
			}
			b.Waive(s, t, b.To[t]*share)
		}
	}
}

// Lengths gives the edges of a block, or its arcs if it is directed, lengths of 1 to most.
func Lengths(r *rand.Rand, b *preprocess.Block, most int64) {
	if b.Directed() {
		ArcLengths(b, func() int64 { return 1 + r.Int64N(most) })
		return
	}
	lengths := make(map[testgraphs.Edge]int64)
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			if v < u {
				lengths[testgraphs.Edge{v, u}] = 1 + r.Int64N(most)
			}
		}
	}
	SetLengths(b, lengths)
}

// SetLengths gives the edges of an undirected block the given lengths; the key has the
// smaller end first.
func SetLengths(b *preprocess.Block, lengths map[testgraphs.Edge]int64) {
	b.Lengths = make([]int64, 0, len(b.Targets))
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			b.Lengths = append(b.Lengths, lengths[testgraphs.Edge{min(u, v), max(u, v)}])
		}
	}
}

// Plan cuts the sources of each block into batches, and measures its balls.
func Plan(blocks ...*preprocess.Block) *preprocess.Plan {
	p := new(preprocess.Plan)
	p.BlockCount = len(blocks)
	for i, b := range blocks {
		p.Blocks = append(p.Blocks, *b)
		p.Vertices += b.Vertices()
		p.Edges += b.Edges()
		p.LargestBlock = max(p.LargestBlock, b.Vertices())
		for first := 0; first < len(b.Sources); first += b.Lanes {
			p.Batches = append(p.Batches, engine.Batch{Index: len(p.Batches), Block: i,
				First: first, Count: min(b.Lanes, len(b.Sources)-first)})
		}
	}
	if err := p.Measure(context.Background()); err != nil {
		panic(err) // the only error is the context's
	}
	return p
}

// Flows numbers the edges of a block, backwards, and has searches sum the flow of each.
func Flows(b *preprocess.Block) *preprocess.Block {
	f := &preprocess.Flows{Of: make([]uint32, len(b.Targets)), Edges: make([]uint32, b.Edges())}
	number := map[testgraphs.Edge]uint32{}
	for v := range uint32(b.Vertices()) {
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			key := testgraphs.Edge{v, b.Targets[e]}
			if !b.Directed() {
				key = testgraphs.Edge{min(v, key[1]), max(v, key[1])}
			}
			if _, met := number[key]; !met {
				number[key] = uint32(len(f.Edges) - 1 - len(number))
			}
			f.Of[e] = number[key]
		}
	}
	b.Flows = f
	return b
}

// Reduced returns the plan that Reduce makes of a graph.
func Reduced(t testing.TB, edges []testgraphs.Edge, opts preprocess.Options) *preprocess.Plan {
	t.Helper()
	src, dst := testgraphs.Columns(edges)
	builder := building.NewBuilder(0)
	builder.Directed = opts.Question.Directed
	if err := builder.AddEdges(building.Keys{Ints: src}, building.Keys{Ints: dst}); err != nil {
		t.Fatal(err)
	}
	input, err := builder.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := preprocess.Reduce(t.Context(), &input.Graph, opts)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Published returns the plan of one of the published graphs.
func Published(t testing.TB, name string, opts preprocess.Options) *preprocess.Plan {
	t.Helper()
	_, edges := testgraphs.Published(t, name)
	return Reduced(t, edges, opts)
}

// Found computes the distances by edges of a batch, from one source after another with a
// queue: at each vertex it meets, or with Own, at the source.
func Found(b *preprocess.Block, batch engine.Batch) []engine.Found {
	found := make([]engine.Found, b.Vertices())
	for _, s := range b.Sources[batch.First : batch.First+batch.Count] {
		distance := make([]uint64, b.Vertices())
		queue := []uint32{s}
		for head := 0; head < len(queue); head++ {
			for _, v := range b.Neighbours(queue[head]) {
				if v == s || distance[v] > 0 {
					continue
				}
				d := distance[queue[head]] + 1
				if b.Cutoff > 0 && d > uint64(b.Cutoff) {
					continue
				}
				distance[v], queue = d, append(queue, v)
				f := &found[v]
				if b.Own {
					if counted := b.Counted(); counted != nil && !counted[v] {
						continue
					}
					f = &found[s]
				}
				f.Reach++
				f.Farness += d
				var carry uint64
				f.Harmonic, carry = bits.Add64(f.Harmonic, (1<<engine.HarmonicBits+d/2)/d, 0)
				f.HarmonicHigh += carry
				f.Eccentricity = max(f.Eccentricity, d)
			}
		}
	}
	return found
}
