package building

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
)

// randomPairs returns edges in chunks of odd sizes, and the graph that they
// make.
func randomPairs(random *rand.Rand, n, edges int) ([]pairs, plain) {
	var chunks []pairs
	want := plain{neighbours: make([]map[uint32]bool, n)}
	for v := range want.neighbours {
		want.neighbours[v] = map[uint32]bool{}
	}
	for edges > 0 {
		size := min(1+random.IntN(1+edges/2), edges)
		c := pairs{make([]uint32, size), make([]uint32, size)}
		for i := range size {
			u, v := uint32(random.IntN(n)), uint32(random.IntN(n))
			c.src[i], c.dst[i] = u, v
			if u == v {
				want.loops++
			} else {
				want.neighbours[u][v], want.neighbours[v][u] = true, true
			}
		}
		chunks = append(chunks, c)
		edges -= size
	}
	return chunks, want
}

func checkGraph(t *testing.T, g *csr.Graph, loops int64, want plain) {
	t.Helper()
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	if g.Vertices() != len(want.neighbours) || loops != want.loops {
		t.Fatalf("%d vertices, %d self-loops, want %d, %d", g.Vertices(), loops, len(want.neighbours), want.loops)
	}
	for v, neighbours := range want.neighbours {
		row := g.Neighbours(uint32(v))
		if len(row) != len(neighbours) {
			t.Fatalf("vertex %d has %d neighbours, want %d", v, len(row), len(neighbours))
		}
		for _, u := range row {
			if !neighbours[u] {
				t.Fatalf("vertex %d has neighbour %d", v, u)
			}
		}
	}
}

// The shapes of buckets: one vertex or many, empty ones, sorted by comparison or by
// radix, and so many repeats that there is no room for them at once.
func TestSymmetriseShapes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct{ n, edges int }{
		{1, 1000},
		{2, 100_000},
		{5, 300_000},  // one vertex to a bucket
		{17, 300_000}, // as many vertices as buckets, nearly
		{1 << 10, 1 << 18},
		{3000, 100},
		{200_000, 100},
		{200_000, 200_000},
		{1<<16 + 1, 70_000},
		{1 << 16, 70_000},
	} {
		l := csr.BucketsFor(c.n, int64(c.edges))
		if last := l.Count - 1; l.First(last) >= c.n || l.First(l.Count) != c.n || int(l.Of(uint32(c.n-1))) != last {
			t.Fatalf("%+v: %+v", c, l)
		}
		chunks, want := randomPairs(random, c.n, c.edges)
		for _, threads := range []int{1, 3} {
			g, loops, err := makeRows(t.Context(), c.n, slices.Clone(chunks), true, false, threads, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkGraph(t, &g, loops, want)
		}
		g, loops, err := makeRows(t.Context(), c.n, chunks, false, false, 2, nil, nil) // writes over chunks
		if err != nil {
			t.Fatal(err)
		}
		checkGraph(t, &g, loops, want)
	}
}

func pairsOf(edges [][2]uint32) (p pairs) {
	for _, e := range edges {
		p.src, p.dst = append(p.src, e[0]), append(p.dst, e[1])
	}
	return p
}

// Many vertices, nearly all without edges.
func TestSymmetriseWide(t *testing.T) {
	const n, edges = 1<<21 + 5, 40_000
	random := rand.New(rand.NewPCG(8, 8))
	want := map[[2]uint32]bool{}
	list := make([][2]uint32, edges)
	for i := range list {
		u, v := uint32(random.IntN(n)), uint32(n-1-random.IntN(n)/3)
		list[i] = [2]uint32{u, v}
		if u != v {
			want[[2]uint32{u, v}], want[[2]uint32{v, u}] = true, true
		}
	}
	g, _, err := makeRows(t.Context(), n, []pairs{pairsOf(list)}, false, false, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	for v := range uint32(n) {
		for _, u := range g.Neighbours(v) {
			if !want[[2]uint32{v, u}] {
				t.Fatalf("%d, %d is no edge", v, u)
			}
		}
	}
	if len(want) != len(g.Targets) {
		t.Fatalf("%d targets, want %d", len(g.Targets), len(want))
	}
}

// A vertex of the largest number with every other as neighbour, and one of the
// smallest: the two extremes of an uneven partition.
func TestSymmetriseStars(t *testing.T) {
	const n = 100_000
	for _, hub := range []uint32{0, n - 1, n / 2} {
		var edges [][2]uint32
		for v := range uint32(n) {
			edges = append(edges, [2]uint32{hub, v}, [2]uint32{v, hub})
		}
		g, _, err := makeRows(t.Context(), n, []pairs{pairsOf(edges)}, false, false, 3, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		if g.Edges() != n-1 || len(g.Neighbours(hub)) != n-1 {
			t.Fatalf("%d edges, %d at the hub, want %d", g.Edges(), len(g.Neighbours(hub)), n-1)
		}
	}
}

func TestGraphCheck(t *testing.T) {
	good := csr.Graph{Offsets: []int64{0, 2, 3, 4}, Targets: []uint32{1, 2, 0, 0}}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]csr.Graph{
		"a row that falls":     {Offsets: []int64{0, 2, 3, 4}, Targets: []uint32{2, 1, 0, 0}},
		"a repeat":             {Offsets: []int64{0, 2, 4}, Targets: []uint32{1, 1, 0, 0}},
		"a self-loop":          {Offsets: []int64{0, 1}, Targets: []uint32{0}},
		"one way only":         {Offsets: []int64{0, 1, 1}, Targets: []uint32{1}},
		"a neighbour beyond n": {Offsets: []int64{0, 1, 2}, Targets: []uint32{1, 2}},
		"falling offsets":      {Offsets: []int64{0, 2, 1, 4}, Targets: []uint32{1, 2, 0, 0}},
		"targets left over":    {Offsets: []int64{0, 1, 2}, Targets: []uint32{1, 0, 0}},
		"a false start":        {Offsets: []int64{1, 1, 1}, Targets: []uint32{0}},
	} {
		if g.Check() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
