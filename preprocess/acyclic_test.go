package preprocess

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// acyclicEdges returns at most arcs arcs that ascend in a random order of n vertices.
func acyclicEdges(r *rand.Rand, n, arcs int) (edges []testgraphs.Edge) {
	place := r.Perm(n)
	for range arcs {
		u, v := r.IntN(n), r.IntN(n)
		if place[u] > place[v] {
			u, v = v, u
		}
		if u != v {
			edges = append(edges, testgraphs.Edge{uint32(u), uint32(v)})
		}
	}
	return edges
}

// Blocks with few arcs on cycles are numbered likewise, and their vertices keep their scores: twins and out-sets of vertices on
// cycles are not merged as those elsewhere.
func TestFewCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 71))
	nearly := 0
	for round := range 300 {
		n := 10 + r.IntN(50)
		arcs := acyclicEdges(r, n, n*(1+r.IntN(4)))
		if len(arcs) == 0 {
			continue
		}
		for range 1 + r.IntN(2) {
			back := arcs[r.IntN(len(arcs))]
			arcs = append(arcs, edge{back[1], back[0]})
		}
		g, opts := digraphOf(n, arcs), directed()
		if round%2 == 1 {
			g = withLengths(r, g, 3)
			opts.Question.Lengths = byWeight().Lengths
		}
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Blocks {
			if b := &p.Blocks[i]; b.Directed() && csr.NearlyAscends(&b.Graph) && !b.Ascends() {
				nearly++
			}
		}
		compare(t, scoresOf(t, g, opts), brandes(g))
	}
	if nearly < 30 {
		t.Errorf("%d blocks have few arcs on cycles", nearly)
	}
}

// Blocks without cycles have arcs that ascend and join the same vertices both ways, also where
// paths are turned round. Other blocks keep their numbers.
func TestSortAcyclic(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 7))
	turned := 0
	for round := range 200 {
		n := 20 + r.IntN(200)
		edges := acyclicEdges(r, n, 3*n)
		cyclic := round%4 == 3
		if cyclic {
			edges = append(edges, testgraphs.Reversed(edges)...)
		}
		offsets, targets := testgraphs.OutRows(n, edges)
		back, sources := testgraphs.OutRows(n, testgraphs.Reversed(edges))
		g := csr.Graph{Offsets: offsets, Targets: targets, In: &csr.Graph{Offsets: back, Targets: sources}}
		opts := Options{Question: question.Question{Directed: true}}
		if round%2 == 1 { // paths end at few vertices: they are searched from their ends
			opts.Question.Targets, opts.Targets = question.SetOf(func(func([]byte) bool) {}), []uint32{1, 2, 3}
		}
		if round%3 == 1 {
			opts.Question.Lengths = question.Lengths{Column: "weight"}
			g.Lengths, g.In.Lengths = make([]int64, len(targets)), make([]int64, len(sources))
			for v := range uint32(n) {
				for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
					g.Lengths[e] = 1 + int64(v+7*g.Targets[e])%5
				}
				for e := g.In.Offsets[v]; e < g.In.Offsets[v+1]; e++ {
					g.In.Lengths[e] = 1 + int64(g.In.Targets[e]+7*v)%5
				}
			}
		}
		p, err := Reduce(t.Context(), &g, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if err := b.Graph.Check(); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if b.Ascends() == cyclic && len(b.Targets) > 0 {
				t.Fatalf("round %d: block of %d vertices ascends %t", round, b.Vertices(), !cyclic)
			}
			for _, s := range b.Sources {
				if b.Offsets[s] == b.Offsets[s+1] {
					t.Fatalf("round %d: source %d leads nowhere", round, s)
				}
			}
			if cyclic {
				continue
			}
			for u := range uint32(len(b.vertices)) {
				for e := b.Offsets[u]; e < b.Offsets[u+1]; e++ {
					v := b.Targets[e]
					x, y := b.members(u)[0], b.members(v)[0]
					forth, against := g.Arc(x, y), g.Arc(y, x)
					if !forth && against {
						turned++
						x, y = y, x
					}
					if !forth && !against || !b.In.Arc(v, u) || b.Lengths != nil && (b.Lengths[e] != g.Length(x, y) || b.In.Length(v, u) != b.Lengths[e]) {
						t.Fatalf("round %d: arc from %d to %d is not the graph's", round, u, v)
					}
				}
			}
		}
	}
	if turned == 0 {
		t.Error("no block was searched from its ends")
	}
}

// Sources that reach nearly the same vertices share batches: together they reach fewer vertices
// than batches in the order of numbers.
func TestArrangeAcyclic(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 8))
	// Four graphs side by side, whose vertices have mixed numbers.
	const n, parts = 4000, 4
	var edges []testgraphs.Edge
	for range 4 * n {
		u := r.IntN(n)
		v := u + parts*(1+r.IntN(20))
		if v < n {
			edges = append(edges, testgraphs.Edge{uint32(u), uint32(v)})
		}
	}
	offsets, targets := testgraphs.OutRows(n, edges)
	b := Block{Graph: csr.Graph{Offsets: offsets, Targets: targets}}
	reached := func(sources []uint32) (total int) {
		for group := range slices.Chunk(sources, 64) {
			met := map[uint32]bool{}
			queue := slices.Clone(group)
			for head := 0; head < len(queue); head++ {
				if x := queue[head]; !met[x] {
					met[x] = true
					queue = append(queue, b.Neighbours(x)...)
				}
			}
			total += len(met)
		}
		return total
	}
	before := reached(b.every())
	if err := b.arrangeAcyclic(context.Background(), b.every()); err != nil {
		t.Fatal(err)
	}
	sorted := slices.Sorted(slices.Values(b.Sources))
	if !slices.Equal(sorted, b.every()) {
		t.Fatal("not every vertex once")
	}
	if after := reached(b.Sources); 2*after > before {
		t.Errorf("batches reach %d vertices, in the order of numbers %d", after, before)
	}
	want := slices.Clone(b.Sources)
	if err := b.arrangeAcyclic(context.Background(), b.every()); err != nil || !slices.Equal(b.Sources, want) {
		t.Errorf("another order the second time (%v)", err)
	}
}
