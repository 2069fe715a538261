package preprocess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Vertices without mass become the insides of edges. Of two ways between the same two vertices the longer is on no shortest
// path. Two that are as long become an edge each. Arcs follow the ways that lead from end to end.
func TestContract(t *testing.T) {
	var arcs []edge
	for _, way := range [][]uint32{{0, 1, 2, 3, 10}, {0, 4, 10}, {0, 9, 10}, {0, 5, 6, 11}, {10, 7, 8, 11}} {
		for i, v := range way[1:] {
			arcs = append(arcs, edge{way[i], v})
		}
	}
	both := "0>10 2 [4], 0>10 2 [9], 0>11 3 [5 6], 10>0 2 [4], 10>0 2 [9], 10>8 2 [7], 11>0 3 [5 6], 11>8 1 [], 8>10 2 [7], 8>11 1 []"
	out := "0>10 2 [4], 0>10 2 [9], 0>11 3 [5 6], 10>0 2 [4], 10>8 2 [7], 8>11 1 []"
	for directed, want := range map[bool]string{false: both, true: out} {
		g := graphOf(12, arcs)
		if directed {
			g = digraphOf(12, append(arcs, edge{10, 4}, edge{4, 0})) // the way over 4 leads back, too
		}
		q := question.Question{Directed: directed, Trips: question.Masses{Column: "trips", Total: 6}}
		p, err := Reduce(context.Background(), g, Options{Question: q, Trips: []building.Trip{{Source: 0, Target: 8, Count: 3}, {Source: 0, Target: 11, Count: 1}, {Source: 10, Target: 0, Count: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if err := b.checkRows(0, b.Vertices(), p.Vertices); err != nil { // of a prepared graph
				t.Error(err)
			}
			for v := range uint32(b.Vertices()) {
				for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
					in, number := b.Flows.Inside, b.Flows.Of[e]
					inside := slices.Sorted(slices.Values(in.Vertices[in.First[number]:in.First[number+1]]))
					got = append(got, fmt.Sprint(b.vertices[v], ">", b.vertices[b.Targets[e]], " ", b.Lengths[e], " ", inside))
				}
			}
		}
		slices.Sort(got)
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("directed %t: %s, want %s", directed, got, want)
		}
	}
}

// Shortcuts may be longer than an arc of a graph, and prepared graphs with them are readable.
func TestContractLongArcs(t *testing.T) {
	g := graphOf(12, testgraphs.Join(testgraphs.Ring(0, 12), []edge{{0, 7}}))
	g.Lengths = slices.Repeat([]int64{1 << 57}, len(g.Targets))
	q := question.Question{Lengths: question.Lengths{Column: "w", Unit: "10^-1"}, Trips: question.Masses{Column: "trips", Total: 3}}
	p, err := Reduce(context.Background(), g, Options{Question: q, Trips: []building.Trip{{Source: 0, Target: 5, Count: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	if b := &p.Blocks[0]; slices.Max(b.Lengths) != 3<<57 {
		t.Errorf("lengths %d", b.Lengths)
	} else if err := b.checkRows(0, b.Vertices(), p.Vertices); err != nil {
		t.Error(err)
	}
}

// The chains of a contracted block stay: its searches add up flows.
func TestContractedChains(t *testing.T) {
	g := graphOf(12, testgraphs.Join(testgraphs.Ring(0, 12), []edge{{0, 6}}))
	g.Lengths = slices.Repeat([]int64{3}, len(g.Targets))
	for _, edges := range []bool{false, true} {
		opts := ends([]uint32{2, 4}, []uint32{2, 4, 9})
		opts.Question.Lengths, opts.Question.Edges = question.Lengths{Column: "w"}, edges
		p, err := Reduce(context.Background(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		if b := &p.Blocks[0]; len(p.Blocks) != 1 || !b.HasFlows() || b.Flows.Inside == nil || b.Chains != nil || b.Middles != nil {
			t.Errorf("edges %t: %d blocks, flows %v, chains %v, middles %v", edges, len(p.Blocks), b.Flows, b.Chains, b.Middles)
		}
	}
}

// Of edges without lengths, few vertices with masses leave a contracted block, also directed, and many leave none.
func TestContractHops(t *testing.T) {
	edges := testgraphs.Join(testgraphs.Ring(0, 48), []edge{{0, 24}})
	for _, directed := range []bool{false, true} {
		g := graphOf(48, edges)
		if directed {
			g = digraphOf(48, append(testgraphs.Reversed(edges), edges...))
		}
		for every, want := range map[int]bool{2: false, 16: true} {
			opts := Options{Origins: make([]int64, 48)}
			for v := 2; v < 48; v += every {
				opts.Origins[v] = 3
				opts.Question.Origins.Total += 3
			}
			opts.Destinations = opts.Origins
			opts.Question.Directed, opts.Question.Origins.Column = directed, "mass"
			opts.Question.Destinations = opts.Question.Origins
			p, err := Reduce(t.Context(), g, opts)
			if err != nil {
				t.Fatal(err)
			}
			if b := &p.Blocks[0]; len(p.Blocks) != 1 || b.HasFlows() != want || want && (!b.HasLengths() || len(b.vertices) != b.Vertices()) {
				t.Errorf("directed %t, every %d: %d blocks, flows %t, %d vertices of %d", directed, every, len(p.Blocks), b.HasFlows(), len(b.vertices), b.Vertices())
			}
		}
	}
}

// In a large sparse graph, very few vertices with masses leave the reductions of trees and blocks out. Scores stay.
func TestLeaveBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for number := range 40 {
		var edges []edge
		for v := uint32(1); v < 400; v++ {
			if v%20 > 0 {
				edges = append(edges, edge{v - 1, v}) // chains
			} else {
				edges = append(edges, edge{r.Uint32N(v), v}, edge{r.Uint32N(v), v})
			}
		}
		g := withLengths(r, graphOf(400, edges), 3)
		if number%2 > 0 {
			g = withLengths(r, digraphOf(400, append(testgraphs.Reversed(edges), edges...)), 3)
		}
		opts := Options{Origins: make([]int64, 400), Destinations: make([]int64, 400), Question: byWeight()}
		opts.Question.Directed = g.Directed()
		few := 1 + r.IntN(12)
		for i, v := range r.Perm(400)[:few] {
			opts.Origins[v], opts.Destinations[v] = int64(i+1), int64(2*i+1)
		}
		opts.Question.Origins = question.Masses{Column: "o", Total: int64(few * (few + 1) / 2)}
		opts.Question.Destinations = question.Masses{Column: "d", Total: int64(few * few)}
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		if p.off("folding") != (few*sparseZones <= 400) {
			t.Errorf("%d vertices of 400 have masses: folding is off: %t", few, p.off("folding"))
		}
		got := scoresOf(t, g, opts)
		opts.Off = []string{"massless"}
		compare(t, got, scoresOf(t, g, opts))
		opts.Off, opts.Destinations = nil, slices.Repeat([]int64{2}, 400) // few origins alone take no vertex away
		opts.Question.Destinations.Total = 800
		if p, err = Reduce(t.Context(), g, opts); err != nil || p.off("folding") {
			t.Errorf("all of 400 vertices are destinations: %v, folding is off", err)
		}
	}
}

// A block that cannot become much smaller takes no memory to be contracted.
func TestNothingToContract(t *testing.T) {
	g := graphOf(12, testgraphs.Join(testgraphs.Ring(0, 12), []edge{{0, 6}}))
	g.Lengths = slices.Repeat([]int64{3}, len(g.Targets))
	asked := map[string]int64{} // the most
	for _, off := range []string{"massless", "folding"} {
		opts := ends([]uint32{0, 1, 2, 3, 4, 5, 6}, []uint32{0, 6, 7, 8, 9, 10, 11})
		opts.Question.Lengths, opts.Off = question.Lengths{Column: "w"}, []string{off}
		opts.Fits = func(bytes int64) error { asked[off] = max(asked[off], bytes); return nil }
		if _, err := Reduce(context.Background(), g, opts); err != nil {
			t.Fatal(err)
		}
	}
	if asked["massless"] != asked["folding"] {
		t.Errorf("asked for %v bytes", asked)
	}
}
