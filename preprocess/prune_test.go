package preprocess

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/wholes"
)

// pruned returns the graph that the step leaves.
func pruned(t *testing.T, g *csr.Graph, threads int) *csr.Graph {
	t.Helper()
	r := &reducer{opts: Options{Threads: threads}, plan: &Plan{}, graph: g}
	if err := r.prune(t.Context(), wholes.Forms{}); err != nil {
		t.Fatal(err)
	}
	if r.plan.Pruned != g.Edges()-r.graph.Edges() {
		t.Errorf("%d edges pruned of %d, %d left", r.plan.Pruned, g.Edges(), r.graph.Edges())
	}
	return r.graph
}

// In small graphs, exactly the arcs as long as the distance between their ends are left.
func TestPrune(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	gone := int64(0)
	for i := range 3000 / testgraphs.OneIn {
		g := randomGraph(r)
		if i%2 == 0 {
			g = digraphOf(randomArcs(r, 24))
		}
		g = withLengths(r, g, []int64{2, 3, 10, 1 << 40}[i%4])
		left := pruned(t, g, 1+r.IntN(3))
		gone += g.Edges() - left.Edges()
		check := func(g, left *csr.Graph) {
			for u := range uint32(g.Vertices()) {
				_, distance, _ := search(g, u, nil)
				at := left.Offsets[u]
				for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
					if v := g.Targets[e]; int(g.Lengths[e]) == distance[v] {
						if at == left.Offsets[u+1] || left.Targets[at] != v || left.Lengths[at] != g.Lengths[e] {
							t.Fatalf("graph %d: arc %d, %d is gone", i, u, v)
						}
						at++
					}
				}
				if at != left.Offsets[u+1] {
					t.Fatalf("graph %d: an arc of %d is left that is longer than its ends are apart", i, u)
				}
			}
		}
		check(g, left)
		if g.In != nil {
			check(g.In, left.In)
		}
	}
	if gone == 0 {
		t.Error("nothing was pruned")
	}
}

// A budget that ends searches too early leaves arcs open; the verdicts on others are right, for graphs with
// edges and with arcs.
func TestPruneBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	for i, g := range []*csr.Graph{kron(8, 8), digraphOf(randomArcs(r, 200)), digraphOf(randomArcs(r, 100))} {
		g = withLengths(r, g, 100)
		for budget := 1; budget <= 256; budget *= 4 {
			p, err := newPruner(t.Context(), g, make([]verdict, len(g.Targets)), budget, 2)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.search(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			open := 0
			for u := range uint32(g.Vertices()) {
				_, distance, _ := search(g, u, nil)
				for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
					switch of, long := p.known[e], int(g.Lengths[e]) > distance[g.Targets[e]]; {
					case of == undecided && (g.In != nil || p.known[g.ArcTo(g.Targets[e], u)] == undecided):
						open++
					case of == needed && long || of == needless && !long:
						t.Fatalf("graph %d budget %d: arc %d, %d: found %d, longer %v", i, budget, u, g.Targets[e], of, long)
					}
				}
			}
			if budget == 1 && open == 0 || budget == 256 && open > 0 {
				t.Errorf("graph %d budget %d: %d arcs undecided", i, budget, open)
			}
		}
	}
}

// A pass is made where it is shorter than the searches that it saves, or short itself. Searches of a graph
// without cycles are short.
func TestPruningPays(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 60))
	edges := acyclicEdges(r, 4000, 8000)
	without, with := digraphOf(4000, edges), digraphOf(4000, append(testgraphs.Reversed(edges[:1]), edges...))
	few := digraphOf(40, acyclicEdges(r, 40, 80))
	for _, c := range []struct {
		name   string
		g      *csr.Graph
		open   int64
		budget int
		share  float64
		want   bool
	}{
		{"nothing is open", few, 0, 64, 1, false},
		{"a short pass", few, 80, 64, 0, true},
		{"arcs in cycles", with, 8000, 64, .5, true},
		{"no cycles", without, 8000, 64, .5, false},
		{"no cycles and a short pass for many arcs", without, 8000, 8, .9, true},
		{"few arcs to go", with, 8000, 64, .01, false},
		{"far away", with, 8000, 512, .5, false},
	} {
		got, err := pruningPays(t.Context(), c.g, c.g.Vertices(), c.open, c.budget, c.share)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

// Of a graph without cycles, a first pass may remove most arcs, and take longer than the sweeps that it saves.
func TestPruneSwept(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	hubs, arcs := kron(13, 24), []testgraphs.Edge{}
	for u := range uint32(hubs.Vertices()) {
		for _, v := range hubs.Neighbours(u) {
			if u < v {
				arcs = append(arcs, testgraphs.Edge{u, v})
			}
		}
	}
	without := withLengths(r, digraphOf(hubs.Vertices(), arcs), 100)
	with := withLengths(r, digraphOf(hubs.Vertices(), append(testgraphs.Reversed(arcs[:1]), arcs...)), 100)
	if left := pruned(t, without, 1); left.Edges() != without.Edges() {
		t.Errorf("no cycles: %d of %d arcs are left", left.Edges(), without.Edges())
	}
	if left := pruned(t, with, 1); 2*left.Edges() > with.Edges() {
		t.Errorf("a cycle: %d of %d arcs are left", left.Edges(), with.Edges())
	}
}

// The result does not depend on threads, and a context that ends stops it.
func TestPruneThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	g := withLengths(r, kron(11, 8), 100)
	one := pruned(t, g, 1)
	if three := pruned(t, g, 3); !reflect.DeepEqual(one, three) {
		t.Error("three threads leave another graph than one")
	}
	if share := float64(one.Edges()) / float64(g.Edges()); share > 0.4 || math.IsNaN(share) {
		t.Errorf("%.2f of the edges are left", share)
	}
}

// A context ends at its k-th check, for every k: Reduce returns its error and no plan, whichever step it is
// at.
func TestReduceLengthsStopsEverywhere(t *testing.T) {
	g := withLengths(rand.New(rand.NewPCG(57, 58)), kron(9, 4), 9)
	for k := 1; ; k += testending.Stride(k) {
		ctx := testending.After(t.Context(), k)
		p, err := Reduce(ctx, g, Options{Question: byWeight(), Threads: 2, Lanes: 8})
		if err == nil {
			if k < 20 {
				t.Errorf("only %d questions", k)
			}
			return
		}
		if p != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("question %d: plan %v, error %v", k, p != nil, err)
		}
	}
}

// Few searches take less time than a pass over a graph that is not small.
func TestFewSourcesLeavePruning(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 61))
	g := withLengths(r, graphOf(600, testgraphs.Random(r, 600, 600, 18000)), 1000)
	for sources, want := range map[int]bool{leastPruned - 1: false, leastPruned: true} {
		list := make([]uint32, sources)
		for i := range list {
			list[i] = uint32(i)
		}
		opts := ends(list, nil)
		opts.Question.Lengths = byWeight().Lengths
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		if p.Pruned > 0 != want {
			t.Errorf("%d sources: %d edges pruned", sources, p.Pruned)
		}
	}
}
