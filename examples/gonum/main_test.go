package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/graphs/gen"
	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"
)

// The scores, and the nodes with scores, are gonum's, with and without directions.
func TestBetweenness(t *testing.T) {
	undirected, directed := simple.NewUndirectedGraph(), simple.NewDirectedGraph()
	for _, g := range []gen.GraphBuilder{undirected, directed} {
		if err := gen.Gnm(g, 60, 150, rand.NewPCG(3, 4)); err != nil {
			t.Fatal(err)
		}
	}
	for name, g := range map[string]graph.Graph{"undirected": undirected, "directed": directed} {
		got, err := Betweenness(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		want := network.Betweenness(g)
		if len(got) != len(want) || len(want) < 30 {
			t.Errorf("%s: %d nodes, want %d", name, len(got), len(want))
		}
		for node, score := range want {
			if math.Abs(got[node]-score) > 1e-9*max(1, score) {
				t.Errorf("%s: node %d: %v, want %v", name, node, got[node], score)
			}
		}
	}
}
