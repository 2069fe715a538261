package preprocess

import (
	"context"
	"errors"
	"math/rand/v2"
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

func findChains(t *testing.T, g *csr.Graph) *Chains {
	t.Helper()
	c, err := FindChains(t.Context(), &Block{Graph: *g})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkChains checks the invariants of chains.
func checkChains(t *testing.T, g *csr.Graph, c *Chains) {
	t.Helper()
	for _, v := range c.Junctions {
		if len(g.Neighbours(v)) < 3 {
			t.Fatalf("junction %d has neighbours %v", v, g.Neighbours(v))
		}
	}
	walked := map[edge]int{}
	for e, ends := range c.Ends {
		if ends[0] >= ends[1] || e > 0 && c.Ends[e-1][1] > ends[1] {
			t.Fatalf("chain %d: ends %v after %v", e, ends, c.Ends[max(e-1, 0)])
		}
		inner := c.Inner[c.First[e]:c.First[e+1]]
		if c.Length(e) != len(inner)+1 {
			t.Fatalf("chain %d: length %d, %d vertices inside", e, c.Length(e), len(inner))
		}
		at := c.Junctions[ends[0]]
		for _, v := range append(slices.Clone(inner), c.Junctions[ends[1]]) {
			if !slices.Contains(g.Neighbours(at), v) {
				t.Fatalf("chain %d: %d and %d are no neighbours", e, at, v)
			}
			walked[edge{min(at, v), max(at, v)}]++
			at = v
		}
		for _, v := range inner {
			if len(g.Neighbours(v)) != 2 {
				t.Fatalf("chain %d: %d inside has neighbours %v", e, v, g.Neighbours(v))
			}
		}
	}
	if int64(len(walked)) != g.Edges() {
		t.Fatalf("%d edges are in chains, want %d", len(walked), g.Edges())
	}
	sources := c.Sources()
	slices.Sort(sources)
	for v := range g.Vertices() {
		if len(sources) != g.Vertices() || sources[v] != uint32(v) {
			t.Fatalf("sources are %v, want every vertex once", c.Sources())
		}
	}
}

func TestFindChains(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		g := streets(r, 2+r.Uint32N(8), 3+r.Uint32N(8), 1+r.IntN(9))
		c := findChains(t, g)
		checkChains(t, g, c)
		if again := findChains(t, g); !slices.Equal(again.Inner, c.Inner) || !slices.Equal(again.Ends, c.Ends) {
			t.Fatal("chains differ from call to call")
		}
	}
	theta := graphOf(8, testgraphs.Join([]edge{{0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 1}, {0, 5}, {7, 1}}, testgraphs.Path(5, 7)))
	c := findChains(t, theta)
	checkChains(t, theta, c)
	if len(c.Junctions) != 2 || len(c.Ends) != 4 {
		t.Fatalf("%d junctions, %d chains, want 2 and 4", len(c.Junctions), len(c.Ends))
	}
	for name, g := range map[string]*csr.Graph{"edge": graphOf(2, testgraphs.Path(0, 1)), "cycle": graphOf(6, testgraphs.Ring(0, 6))} {
		if findChains(t, g) != nil {
			t.Errorf("%s: chains, want none", name)
		}
	}
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
			checkChains(t, &b.Graph, b.Chains)
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

// Runs of nearby vertices have few neighbours outside, about as many as the rim of a disk.
// Runs of breadth-first order consist of rim.
func TestNearbyIsCompact(t *testing.T) {
	const side, run = 64, 64
	g := graphOf(side*side, testgraphs.Grid(side, side))
	for _, shortest := range []int{shortest, run} {
		testRuns(t, g, shortest, run)
	}
}

func testRuns(t *testing.T, g *csr.Graph, shortest, run int) {
	order, err := nearby(t.Context(), g, shortest)
	if err != nil {
		t.Fatal(err)
	}
	number := make([]int, len(order))
	for i := range number {
		number[i] = -1
	}
	for i, v := range order {
		number[v] = i / run
	}
	leaving := 0
	for v := range number {
		if number[v] < 0 {
			t.Fatalf("vertex %d is missing", v)
		}
		for _, u := range g.Neighbours(uint32(v)) {
			if number[u] != number[v] {
				leaving++
			}
		}
	}
	// A square of 64 has a rim of 32 edges; a row has 128.
	if perRun := float64(leaving) / float64(len(order)/run); perRun > 48 {
		t.Errorf("halved to %d: %.1f edges leave a run of %d vertices, want at most 48", shortest, perRun, run)
	}
}

func TestNearbyPieces(t *testing.T) {
	g := graphOf(30, testgraphs.Join(testgraphs.Ring(0, 7), testgraphs.Ring(10, 9), testgraphs.Clique(20, 5))) // and vertices without edges
	order, err := nearby(t.Context(), g, shortest)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(order)
	for v := range order {
		if len(order) != 30 || order[v] != uint32(v) {
			t.Fatalf("order %v, want every vertex once", order)
		}
	}
}

func TestFindChainsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := streets(rand.New(rand.NewPCG(7, 7)), 9, 9, 5)
	if _, err := FindChains(ctx, &Block{Graph: *g}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
}
