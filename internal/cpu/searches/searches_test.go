package searches

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// definition relaxes every arc until nothing changes, and then counts paths, near vertices
// first.
func definition(g *csr.Graph, source uint32, o Options) Rows {
	n := g.Vertices()
	distance := make([]int64, n)
	for v := range distance {
		distance[v] = unreached
	}
	distance[source] = 0
	length := func(i int64) int64 {
		if g.Lengths == nil {
			return 1
		}
		return g.Lengths[i]
	}
	for changed := true; changed; {
		changed = false
		for u := range n {
			if distance[u] == unreached {
				continue
			}
			for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
				if v := g.Targets[i]; distance[u]+length(i) < distance[v] {
					distance[v], changed = distance[u]+length(i), true
				}
			}
		}
	}
	var rows Rows
	for v, d := range distance {
		if d != unreached && (o.Cutoff < 0 || d <= o.Cutoff) {
			rows.Vertices = append(rows.Vertices, uint32(v))
		}
	}
	slices.SortStableFunc(rows.Vertices, func(a, b uint32) int { return int(distance[a] - distance[b]) })
	counts := make([]float64, n)
	counts[source] = 1
	for _, u := range rows.Vertices {
		rows.Distances = append(rows.Distances, distance[u])
		for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
			if v := g.Targets[i]; distance[u]+length(i) == distance[v] {
				counts[v] += counts[u]
			}
		}
	}
	if o.Paths {
		for _, v := range rows.Vertices {
			rows.Paths = append(rows.Paths, counts[v])
		}
	}
	return rows
}

// withLengths gives the arcs of a graph lengths from 1 to most; an undirected one
// the same both ways.
func withLengths(r *rand.Rand, g *csr.Graph, most int64) {
	seed := r.Uint64()
	give := func(h *csr.Graph, turned bool) {
		h.Lengths = make([]int64, len(h.Targets))
		for u := range h.Vertices() {
			for i := h.Offsets[u]; i < h.Offsets[u+1]; i++ {
				a, b := uint64(u), uint64(h.Targets[i])
				if turned || g.In == nil && a > b {
					a, b = b, a
				}
				h.Lengths[i] = 1 + int64(rand.New(rand.NewPCG(seed^a, b)).Uint64N(uint64(most)))
			}
		}
	}
	give(g, false)
	if g.In != nil {
		give(g.In, true)
	}
}

// A search that has met little clears only that, whatever came before: a search that met
// much, or one that was given up.
func TestForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 4))
	var edges []testgraphs.Edge
	const components = 400
	for c := range uint32(components) {
		for v := range uint32(4) {
			edges = append(edges, testgraphs.Edge{5*c + r.Uint32N(v+1), 5*c + v + 1})
		}
	}
	for v := range uint32(599) { // a large one beside
		edges = append(edges, testgraphs.Edge{5*components + r.Uint32N(v+1), 5*components + v + 1})
	}
	g := &testblocks.Of(5*components+600, edges, 1).Graph
	for _, o := range []Options{{Cutoff: -1}, {Cutoff: 1}, {Cutoff: -1, Paths: true}, {Cutoff: 2, Paths: true}} {
		for _, lengths := range []bool{false, true} {
			if g.Lengths = nil; lengths {
				withLengths(r, g, 3)
			}
			s := New(g, o)
			for turn := range 200 {
				var sources []uint32
				for range 1 + r.IntN(min(s.Lanes(), 3)) {
					if s.Lanes() > len(sources) {
						sources = append(sources, r.Uint32N(uint32(g.Vertices())))
					}
				}
				slices.Sort(sources)
				sources = slices.Compact(sources)
				if turn%7 == 3 {
					ctx, cancel := context.WithCancel(t.Context())
					cancel()
					if err := s.Run(ctx, sources, func(Rows) error { return nil }); !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					continue
				}
				at := 0
				err := s.Run(t.Context(), sources, func(rows Rows) error {
					if want := definition(g, sources[at], o); !reflect.DeepEqual(rows, want) {
						return fmt.Errorf("from %d: %v, want %v", sources[at], rows, want)
					}
					at++
					return nil
				})
				if err != nil {
					t.Fatalf("%+v, lengths %v, turn %d: %v", o, lengths, turn, err)
				}
			}
		}
	}
}

// A search from one source that meets few vertices clears, lists and counts only those, too.
func TestForgetsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	edges := testgraphs.Path(0, 699)
	const n, last = 2000, 1999
	for v := uint32(700); v < last; v += 4 {
		edges = append(edges, testgraphs.Edge{v, v + 1}, testgraphs.Edge{v, v + 2}, testgraphs.Edge{v + 1, v + 3}, testgraphs.Edge{v + 2, v + 3})
	}
	g := &testblocks.Of(n, edges, 64).Graph
	for _, o := range []Options{{Cutoff: -1}, {Cutoff: 1}, {Cutoff: -1, Paths: true}} {
		s := New(g, o)
		s.deep = true
		for turn := range 100 {
			source := r.Uint32N(last - 10)
			mark := turn > 0 && s.alone.ready && source >= 700
			if mark {
				s.alone.far[last] = 12345 // a look at all vertices would change or list it
			}
			err := s.Run(t.Context(), []uint32{source}, func(rows Rows) error {
				if want := definition(g, source, o); !reflect.DeepEqual(rows, want) {
					return fmt.Errorf("from %d: %v, want %v", source, rows, want)
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%+v, turn %d: %v", o, turn, err)
			}
			if few := source >= 700 || o.Cutoff == 1; few != s.alone.ready {
				t.Fatalf("%+v, from %d: ready %v", o, source, s.alone.ready)
			}
			if mark {
				if s.alone.far[last] != 12345 {
					t.Fatalf("%+v, turn %d: all vertices were looked at", o, turn)
				}
				s.alone.far[last] = None
			}
		}
	}
}

func check(t *testing.T, what string, g *csr.Graph, sources []uint32, o Options) {
	t.Helper()
	s := New(g, o)
	for range 2 { // a search forgets the last one
		for first := 0; first < len(sources); first += s.Lanes() {
			some := sources[first:min(first+s.Lanes(), len(sources))]
			at := 0
			err := s.Run(t.Context(), some, func(rows Rows) error {
				if want := definition(g, some[at], o); !reflect.DeepEqual(rows, want) {
					return fmt.Errorf("from %d: %v, want %v", some[at], rows, want)
				}
				at++
				return nil
			})
			if err != nil || at != len(some) {
				t.Fatalf("%s, %+v: %d of %d, %v", what, o, at, len(some), err)
			}
		}
	}
}

// Random graphs of all densities, both kinds of arcs, with and without lengths,
// paths, cutoff.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		n := 1 + r.IntN(70)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		block := testblocks.Of(n, edges, 64)
		if i%2 == 1 {
			block = testblocks.Directed(n, edges, 64)
		}
		g := &block.Graph
		if i%3 == 0 {
			withLengths(r, g, 1+r.Int64N(6))
		}
		o := Options{Cutoff: int64(r.IntN(8)) - 2, Paths: r.IntN(2) == 0}
		var sources []uint32
		for v := range uint32(n) {
			if r.IntN(3) > 0 {
				sources = append(sources, v)
			}
		}
		check(t, fmt.Sprint("graph ", i), g, sources, o)
	}
}

// Levels wide enough to be pulled and listed densely, and a long path.
func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, edges := range map[string][]testgraphs.Edge{
		"hubs": testgraphs.Join(testgraphs.Hubs(3, 800), testgraphs.Path(802, 1199)),
		"grid": testgraphs.Grid(30, 40),
		"mesh": testgraphs.Random(r, 1200, 1200, 6000),
	} {
		sources := []uint32{0, 7, 1199, 600, 3}
		for _, paths := range []bool{false, true} {
			check(t, name, &testblocks.Of(1200, edges, 64).Graph, sources, Options{Cutoff: -1, Paths: paths})
			check(t, name+", arcs", &testblocks.Directed(1200, edges, 64).Graph, sources, Options{Cutoff: -1, Paths: paths})
		}
	}
}

// Sources that share little are searched alone, from the batch on that shows it.
func TestDeep(t *testing.T) {
	for name, edges := range map[string][]testgraphs.Edge{"path": testgraphs.Path(0, 699), "grid": testgraphs.Grid(7, 100), "squares": testgraphs.Diamonds(230)} {
		var sources []uint32
		for v := uint32(0); v < 690; v += 10 {
			sources = append(sources, v)
		}
		for _, g := range []*csr.Graph{&testblocks.Of(700, edges, 64).Graph, &testblocks.Directed(700, edges, 64).Graph} {
			for _, o := range []Options{{Cutoff: -1}, {Cutoff: 300}, {Cutoff: -1, Paths: true}} {
				check(t, name, g, sources, o)
				s := New(g, o)
				if err := s.Run(t.Context(), sources[:s.Lanes()], func(Rows) error { return nil }); err != nil || !s.deep && g.In == nil && o.Cutoff < 0 {
					t.Errorf("%s, %+v: together all the way, %v", name, o, err)
				}
			}
		}
	}
}

func TestRowsOf(t *testing.T) {
	got := new(Spare).RowsOf([]uint32{2, None, 0, 1, 2, 4})
	want := Rows{Vertices: []uint32{2, 3, 0, 4, 5}, Distances: []int64{0, 1, 2, 2, 4}}
	if !slices.Equal(got.Vertices, want.Vertices) || !slices.Equal(got.Distances, want.Distances) {
		t.Errorf("%v, want %v", got, want)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for _, most := range []uint32{1<<16 - 1, 1 << 16, 1 << 20, None} {
		far := make([]uint32, 3000)
		for v := range far {
			far[v] = r.Uint32N(most)
			if r.IntN(4) == 0 {
				far[v] = []uint32{None, far[r.IntN(v+1)], most - 1}[r.IntN(3)]
			}
		}
		got, at := (*Spare)(nil).RowsOf(far), 0
		for i, v := range got.Vertices {
			if int64(far[v]) != got.Distances[i] || i > 0 && (far[v] < far[got.Vertices[i-1]] || far[v] == far[got.Vertices[i-1]] && v <= got.Vertices[i-1]) {
				t.Fatalf("most %d: row %d is %d at %d", most, i, v, got.Distances[i])
			}
			at++
		}
		for _, d := range far {
			if d != None {
				at--
			}
		}
		if at != 0 {
			t.Errorf("most %d: %d rows too many", most, at)
		}
	}
}

// 1100 squares in a row have 2^1100 paths from end to end: more than float64 counts.
func TestTooManyPaths(t *testing.T) {
	edges := testgraphs.Diamonds(1100)
	g := &testblocks.Of(3301, edges, 64).Graph
	for _, lengths := range []bool{false, true} {
		if lengths {
			g.Lengths = slices.Repeat([]int64{3}, len(g.Targets))
		}
		s := New(g, Options{Cutoff: -1, Paths: true})
		err := s.Run(t.Context(), []uint32{0}, func(Rows) error { return nil })
		var pair *TooManyPaths
		if !errors.Is(err, ErrPaths) || !errors.As(err, &pair) || pair.Source != 0 {
			t.Errorf("lengths %v: %v", lengths, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := &testblocks.Of(100, testgraphs.Grid(10, 10), 64).Graph
	for range 2 {
		for _, paths := range []bool{false, true} {
			err := New(g, Options{Cutoff: -1, Paths: paths}).Run(ctx, []uint32{5}, func(Rows) error { return nil })
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		g.Lengths = slices.Repeat([]int64{1}, len(g.Targets))
	}
}

// Bytes holds where sources share as little as possible: a path, and a path that ends in a
// star, whose leaves are entries of every source.
func TestBytes(t *testing.T) {
	const n = 3000
	for name, edges := range map[string][]testgraphs.Edge{
		"path":            testgraphs.Path(0, n),
		"path and a star": append(testgraphs.Path(0, 300), testgraphs.Star(300, n-300)...),
	} {
		g := &testblocks.Of(n+1, edges, 64).Graph
		for _, lanes := range []int{1, 8, 32, maxLanes} {
			var sources []uint32
			for i := range lanes {
				sources = append(sources, uint32(i*300/lanes))
			}
			var h hops
			if _, err := h.search(t.Context(), g, sources, Options{Cutoff: n}); err != nil {
				t.Fatal(err)
			}
			rows := 2 * (4 + 8 + 8) * g.Vertices() // as Bytes says
			held := int64(rows + 8*(len(h.seen)+len(h.here)+len(h.next)+len(h.mask)) + 4*(len(h.vertex)+len(h.touched)))
			if said := Bytes(g, lanes, false); held > said {
				t.Errorf("%s, %d lanes: %d bytes, said %d", name, lanes, held, said)
			}
		}
	}
}
