package csr_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// streets is a grid whose edges are cut into chains.
func streets(r *rand.Rand) *csr.Graph {
	edges := testgraphs.CutGrid(r, float64(80+r.IntN(400)), 9*r.Float64())
	n := uint32(0)
	for _, e := range edges {
		n = max(n, e[0]+1, e[1]+1)
	}
	return graphOf(int(n), edges)
}

func findChains(t *testing.T, g *csr.Graph) *csr.Chains {
	t.Helper()
	c, err := csr.FindChains(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkChains checks the invariants of chains.
func checkChains(t *testing.T, g *csr.Graph, c *csr.Chains) {
	t.Helper()
	for _, v := range c.Junctions {
		if len(g.Neighbours(v)) < 3 {
			t.Fatalf("junction %d has neighbours %v", v, g.Neighbours(v))
		}
	}
	walked := map[testgraphs.Edge]int{}
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
			walked[testgraphs.Edge{min(at, v), max(at, v)}]++
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
		g := streets(r)
		c := findChains(t, g)
		checkChains(t, g, c)
		if again := findChains(t, g); !slices.Equal(again.Inner, c.Inner) || !slices.Equal(again.Ends, c.Ends) {
			t.Fatal("chains differ from call to call")
		}
	}
	theta := graphOf(8, testgraphs.Join([]testgraphs.Edge{{0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 1}, {0, 5}, {7, 1}}, testgraphs.Path(5, 7)))
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

func TestFindChainsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := streets(rand.New(rand.NewPCG(7, 7)))
	if _, err := csr.FindChains(ctx, g); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the context's", err)
	}
}
