package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// lagoons is streets with loops and tails hung on them.
func lagoons(r *rand.Rand) *csr.Graph {
	g := streets(r, 4, 5, 30)
	n := uint32(g.Vertices())
	var edges []edge
	for v := range n {
		for _, u := range g.Neighbours(v) {
			if u > v {
				edges = append(edges, edge{v, u})
			}
		}
	}
	for range 12 {
		from, loop := r.Uint32N(n), r.IntN(2) == 0
		at := from
		for range 3 + r.IntN(9) {
			edges = append(edges, edge{at, n})
			at = n
			n++
		}
		if loop {
			edges = append(edges, edge{from, at})
		}
	}
	return graphOf(int(n), edges)
}

// TestRoads checks the layout against the invariants of Roads.
func TestRoads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 16))
	for range 20 {
		g := lagoons(r)
		plan, err := Reduce(t.Context(), g, Options{Threads: 1, Question: question.Question{Measures: []string{measures.Farness}}})
		if err != nil {
			t.Fatal(err)
		}
		b := &plan.Blocks[0]
		if len(plan.Blocks) != 1 || b.Roads == nil {
			t.Fatalf("%d blocks, no roads", len(plan.Blocks))
		}
		roads, at, e := b.Roads, uint32(0), 0
		hang := func(first uint32) {
			for ; int(at) < len(roads.Into) && roads.Into[at] != at; at++ {
				on := roads.Into[at]
				if on >= at || on < first || !slices.Contains(b.Neighbours(at), on) {
					t.Fatalf("%d hangs on %d, in a group from %d", at, on, first)
				}
			}
		}
		for j, v := range roads.Junctions {
			if v != at {
				t.Fatalf("junction %d is %d, want %d", j, v, at)
			}
			at++
			hang(v)
			for ; e < len(roads.Ends) && roads.Ends[e][1] == uint32(j); e++ {
				before, first := roads.Junctions[roads.Ends[e][0]], at
				for _, inner := range roads.Inner[roads.First[e]:roads.First[e+1]] {
					if inner != at || roads.Into[at] != at || !slices.Contains(b.Neighbours(at), before) {
						t.Fatalf("chain %d: %d after %d, want %d", e, inner, before, at)
					}
					before, at = inner, at+1
				}
				if !slices.Contains(b.Neighbours(before), v) {
					t.Fatalf("chain %d ends at %d, no neighbour of %d", e, before, v)
				}
				hang(first)
			}
		}
		if int(at) != b.Vertices() || e != len(roads.Ends) {
			t.Fatalf("%d of %d vertices, %d of %d chains", at, b.Vertices(), e, len(roads.Ends))
		}
	}
}
