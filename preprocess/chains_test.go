package preprocess

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
)

// streets is a grid of rows and columns whose edges are cut into chains of
// 1..longest edges.
func streets(r *rand.Rand, rows, columns uint32, longest int) *csr.Graph {
	n := rows * columns
	var edges []edge
	for _, e := range testgraphs.Grid(rows, columns) {
		at := e[0]
		for range r.IntN(longest) {
			edges = append(edges, edge{at, n})
			at = n
			n++
		}
		edges = append(edges, edge{at, e[1]})
	}
	return graphOf(int(n), edges)
}

// Reduce gives chains to the blocks that gain by them, and batches to match.
func TestReduceFindsChains(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, test := range []struct {
		name    string
		graph   *csr.Graph
		options Options
		chains  bool
		lanes   int
	}{
		{"long streets", streets(r, 20, 20, 12), Options{}, true, chainLanes},
		{"long streets, 5 lanes", streets(r, 20, 20, 12), Options{Lanes: 5}, true, 5},
		{"long streets, no chains", streets(r, 20, 20, 12), Options{Off: []string{"chains"}}, false, engine.MaxLanes},
		{"long streets, 64 draws", streets(r, 20, 20, 12), Options{Drawn: true, Draws: 64}, false, engine.MaxLanes},
		{"long streets, any draws", streets(r, 20, 20, 12), Options{Drawn: true}, true, chainLanes},
		{"few long streets", streets(r, 3, 3, 12), Options{}, true, 0},
		{"short streets", streets(r, 20, 20, 3), Options{}, false, engine.MaxLanes},
		{"grid", graphOf(400, testgraphs.Grid(20, 20)), Options{}, false, engine.MaxLanes},
	} {
		p, err := Reduce(t.Context(), test.graph, test.options)
		if err != nil {
			t.Fatal(err)
		}
		b := &p.Blocks[0]
		if test.lanes == 0 {
			test.lanes = b.Vertices()
		}
		if (b.Chains != nil) != test.chains || b.Lanes != test.lanes {
			t.Errorf("%s: chains %t, %d lanes, want %t, %d", test.name, b.Chains != nil, b.Lanes, test.chains, test.lanes)
		}
		if b.Chains != nil {
			if want, err := csr.FindChains(t.Context(), &b.Graph); err != nil || !reflect.DeepEqual(b.Chains, want) {
				t.Errorf("%s: chains are not those of the block's graph (%v)", test.name, err)
			}
			if !slices.Equal(b.Sources, b.Chains.Sources()) {
				t.Errorf("%s: sources are not those of the chains", test.name)
			}
		}
	}
}

// A batch costs as much as it has roots: junctions, and ends of chains with sources.
func TestRootsOfBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 4))
	blocks := 0
	for i := range 20 {
		g := streets(random, 4+random.Uint32N(5), 5+random.Uint32N(5), 12)
		p, err := Reduce(t.Context(), g, Options{Lanes: i % 9})
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range p.Batches {
			b := &p.Blocks[batch.Block]
			if b.Chains == nil {
				if batch.Roots != 0 {
					t.Fatalf("%d roots without chains", batch.Roots)
				}
				continue
			}
			blocks++
			roots := map[uint32]bool{}
			for _, s := range b.Sources[batch.First : batch.First+batch.Count] {
				for j, v := range b.Chains.Junctions {
					if v == s {
						roots[uint32(j)] = true
					}
				}
				for e, ends := range b.Chains.Ends {
					if slices.Contains(b.Chains.Inner[b.Chains.First[e]:b.Chains.First[e+1]], s) {
						roots[ends[0]], roots[ends[1]] = true, true
					}
				}
			}
			if batch.Roots != len(roots) {
				t.Fatalf("batch %+v has roots %v", batch, roots)
			}
		}
	}
	if blocks == 0 {
		t.Error("no batches with chains")
	}
}
