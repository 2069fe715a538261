package csr_test

import (
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// Runs of nearby vertices have few neighbours outside, about as many as the rim of a disk.
// Runs of breadth-first order consist of rim.
func TestNearbyIsCompact(t *testing.T) {
	const side, run = 64, 64
	g := graphOf(side*side, testgraphs.Grid(side, side))
	for _, shortest := range []int{csr.ShortestRun, run} {
		testRuns(t, g, shortest, run)
	}
}

func testRuns(t *testing.T, g *csr.Graph, shortest, run int) {
	order, err := csr.Nearby(t.Context(), g, shortest)
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
	order, err := csr.Nearby(t.Context(), g, csr.ShortestRun)
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
