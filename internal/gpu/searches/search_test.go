package searches

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// withLengths gives the arcs of a graph lengths from 1 to most; an undirected one the
// same both ways.
func withLengths(r *rand.Rand, g *csr.Graph, most int64) {
	seed := r.Uint64()
	g.Lengths = make([]int64, len(g.Targets))
	for u := range g.Vertices() {
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			a, b := uint64(u), uint64(g.Targets[i])
			if g.In == nil && a > b {
				a, b = b, a
			}
			g.Lengths[i] = 1 + int64(rand.New(rand.NewPCG(seed^a, b)).Uint64N(uint64(most)))
		}
	}
}

// checkAll compares every strategy with the cores, from some sources of a graph with
// lengths.
func checkAll(t testing.TB, s *Searches, what string, g *csr.Graph, sources ...uint32) {
	t.Helper()
	for _, p := range Problems() {
		expected := make([]*Expected, len(sources))
		for i, source := range sources {
			var err error
			if expected[i], err = Expect(t.Context(), g, p, source); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range Solving(p) {
			search, err := s.Of(g, p, name)
			if err != nil {
				t.Fatal(err)
			}
			for i, source := range sources {
				if err = search.Run(t.Context(), source); err != nil {
					break
				}
				var found Found
				if found, err = search.Found(); err != nil {
					break
				}
				if err = expected[i].Compare(found); err != nil {
					err = fmt.Errorf("from %d: %w", source, err)
					break
				}
			}
			if err != nil {
				t.Fatalf("%s, %s by %s: %v", what, p, name, err)
			}
			search.Release()
		}
	}
}

// shapes are graphs that distinguish strategies: by depth, hubs, levels too large for
// a work-group, unreached vertices.
func shapes(r *rand.Rand, small bool) map[string]*csr.Graph {
	if small {
		g := &testblocks.Directed(70, testgraphs.Join(testgraphs.Random(r, 30, 30, 60), testgraphs.Star(1, 40), testgraphs.Star(0, 30)), 64).Graph
		h := &testblocks.Of(16, testgraphs.Grid(2, 7), 64).Graph
		withLengths(r, g, 5)
		withLengths(r, h, 50)
		return map[string]*csr.Graph{"shallow": g, "grid": h}
	}
	const size = 20
	list := map[string][]testgraphs.Edge{
		"alone":    nil,
		"path":     testgraphs.Path(0, 10*size),
		"star":     testgraphs.Star(0, 40*size),
		"hubs":     testgraphs.Hubs(3, 20*size),
		"grid":     testgraphs.Grid(4, 10*size),
		"clique":   testgraphs.Clique(2, 10+4*size),
		"diamonds": testgraphs.Diamonds(uint32(2 * size)),
		"shallow":  testgraphs.Random(r, 30*size, 30*size, 90*size),
		"deep":     testgraphs.Random(r, 30*size, 3, 3*size),
	}
	var bundle []testgraphs.Edge // a level of 70 vertices with 41 to 44 arcs, above the limit that most vertices suggest
	for hub := range uint32(70) {
		bundle = append(bundle, testgraphs.Edge{0, 1 + hub})
		for i := range 40 + hub%4 {
			bundle = append(bundle, testgraphs.Edge{1 + hub, 71 + (hub*37+i)%1300})
		}
	}
	list["bundle"] = bundle
	var spider []testgraphs.Edge // two levels of a thousand
	for leg := uint32(1); leg <= 1000; leg++ {
		spider = append(spider, testgraphs.Edge{0, leg}, testgraphs.Edge{leg, 1000 + leg})
	}
	list["spider"] = spider
	graphs := map[string]*csr.Graph{}
	for name, edges := range list {
		n := 3 // two are not reached
		for _, e := range edges {
			n = max(n, int(max(e[0], e[1]))+3)
		}
		graphs[name] = &testblocks.Of(n, edges, 64).Graph
		graphs[name+", arcs"] = &testblocks.Directed(n, edges, 64).Graph
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range graphs {
			if !yield(name) {
				return
			}
		}
	}) {
		withLengths(r, graphs[name], 1+r.Int64N(100))
	}
	return graphs
}

func TestShapes(t *testing.T) {
	d := &simulator{}
	s := New(d)
	for name, g := range shapes(rand.New(rand.NewPCG(1, 2)), false) {
		checkAll(t, s, name, g, 0, uint32(g.Vertices()-3))
	}
	for _, what := range []string{"narrow rounds", "wide rounds down", "rounds that turn up", "rounds up", "rounds that turn down",
		"narrow rounds of near", "wide rounds of near", "low piles", "high piles"} {
		if d.did[what] == 0 {
			t.Errorf("no %s", what)
		}
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := New(&simulator{})
	for i := range 80 {
		n := 1 + r.IntN(200)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		block := testblocks.Of(n, edges, 64)
		if i%2 == 1 {
			block = testblocks.Directed(n, edges, 64)
		}
		withLengths(r, &block.Graph, 1+r.Int64N(9))
		checkAll(t, s, fmt.Sprint("graph ", i), &block.Graph, uint32(r.IntN(n)), uint32(r.IntN(n)))
	}
}

// A comparison that cannot fail is worthless.
func TestCompareFinds(t *testing.T) {
	g := &testblocks.Of(30, testgraphs.Grid(5, 6), 64).Graph
	expected, err := Expect(t.Context(), g, BC, 0)
	if err != nil {
		t.Fatal(err)
	}
	search, err := New(&simulator{}).Of(g, BC, Queue)
	if err == nil {
		err = search.Run(t.Context(), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*Found){
		"a distance":   func(f *Found) { f.Distances[7]++ },
		"reach":        func(f *Found) { f.Distances[9] = None },
		"a count":      func(f *Found) { f.Paths[8] *= 1 + 1e-8 },
		"a dependency": func(f *Found) { f.Dependencies[8] *= 1 + 1e-8 },
	} {
		found, err := search.Found()
		if err != nil {
			t.Fatal(err)
		}
		if err := expected.Compare(found); err != nil {
			t.Fatal(err)
		}
		spoil(&found)
		if err := expected.Compare(found); !errors.Is(err, ErrDiffers) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Distances that exceed 32 bits are refused, as a single arc and as a sum.
func TestRange(t *testing.T) {
	for _, length := range []int64{1 << 31, 1 << 40} {
		g := &testblocks.Of(5, testgraphs.Path(0, 4), 64).Graph
		g.Lengths = slices.Repeat([]int64{length}, len(g.Targets))
		for _, name := range Solving(SSSP) {
			search, err := New(&simulator{}).Of(g, SSSP, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := search.Run(t.Context(), 0); !errors.Is(err, ErrRange) {
				t.Errorf("%s, arcs of %d: %v", name, length, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	g := &testblocks.Of(5, testgraphs.Path(0, 4), 64).Graph
	if _, err := New(&simulator{}).Of(g, BFS, "fast"); !errors.Is(err, ErrProblem) {
		t.Error(err)
	}
	if _, err := Expect(t.Context(), g, SSSP, 0); !errors.Is(err, ErrProblem) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	search, err := New(&simulator{}).Of(g, BFS, Queue)
	if err != nil {
		t.Fatal(err)
	}
	if err := search.Run(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Sampling takes edge for shallow graphs and queue for deep ones. Auto takes one that
// solves the problem. Any other name is itself.
func TestChoose(t *testing.T) {
	s := New(&simulator{})
	for _, c := range []struct {
		edges []testgraphs.Edge
		name  Strategy
		want  Strategy
	}{
		{testgraphs.Star(0, 60), Sampling, Edge},
		{testgraphs.Path(0, 60), Sampling, Queue},
		{testgraphs.Path(0, 60), Vertex, Vertex},
	} {
		got, reason, err := s.Choose(t.Context(), &testblocks.Of(61, c.edges, 64).Graph, BFS, c.name, []uint32{0, 5})
		if err != nil || got != c.want || (reason == "") != (c.name == c.want) {
			t.Errorf("%s: %s, %q, %v; want %s", c.name, got, reason, err, c.want)
		}
	}
	for _, p := range Problems() {
		g := shapes(rand.New(rand.NewPCG(8, 9)), true)["grid"]
		got, _, err := s.Choose(t.Context(), g, p, Auto, []uint32{0, 5})
		if err != nil || !slices.Contains(Solving(p), got) {
			t.Errorf("%s: %s, %v", p, got, err)
		}
	}
}
