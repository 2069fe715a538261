package generate

import (
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

type pair struct{ low, high uint64 }

// collect returns the distinct undirected edges, the number of rows, and the number of vertices
// with an edge.
func collect(t *testing.T, kind string, p Parameters) (edges map[pair]int, rows, vertices int) {
	t.Helper()
	k, err := Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	all, err := k.Edges(p)
	if err != nil {
		t.Fatal(err)
	}
	edges, touched := map[pair]int{}, map[uint64]bool{}
	for u, v := range all {
		rows++
		touched[u], touched[v] = true, true
		edges[pair{min(u, v), max(u, v)}]++
	}
	return edges, rows, len(touched)
}

func TestRegularSizes(t *testing.T) {
	for _, c := range []struct {
		kind            string
		p               Parameters
		vertices, edges int
	}{
		{"path", Parameters{N: 1}, 0, 0},
		{"path", Parameters{N: 7}, 7, 6},
		{"cycle", Parameters{N: 2}, 2, 1},
		{"cycle", Parameters{N: 7}, 7, 7},
		{"star", Parameters{N: 7}, 7, 6},
		{"clique", Parameters{N: 7}, 7, 21},
		{"tree", Parameters{N: 12, K: 3}, 12, 11},
		{"caterpillar", Parameters{N: 4, K: 3}, 16, 15},
		{"diamonds", Parameters{N: 5}, 16, 20},
		{"layered", Parameters{Rows: 4, Cols: 3}, 12, 27},
		{"grid", Parameters{Rows: 3, Cols: 5}, 15, 22},
		{"grid", Parameters{Rows: 1, Cols: 5}, 5, 4},
		{"grid", Parameters{Rows: 5, Cols: 1}, 5, 4},
		{"triangles", Parameters{Rows: 1, Cols: 5}, 5, 4},
		{"triangles", Parameters{Rows: 4, Cols: 5}, 20, 31 + 12},
		{"geometric", Parameters{N: 1}, 0, 0},
	} {
		edges, rows, vertices := collect(t, c.kind, c.p)
		if vertices != c.vertices || len(edges) != c.edges || rows != c.edges {
			t.Errorf("%s %+v: %d vertices, %d edges in %d rows; want %d, %d", c.kind, c.p, vertices, len(edges), rows, c.vertices, c.edges)
		}
		for e := range edges {
			if e.low == e.high {
				t.Errorf("%s %+v: self-loop at %d", c.kind, c.p, e.low)
			}
		}
	}
}

// Every vertex of a star but the centre has one edge; of a tree with K
// children, 1, K or K+1.
func TestDegrees(t *testing.T) {
	edges, _, _ := collect(t, "star", Parameters{N: 9})
	for v := uint64(1); v < 9; v++ {
		if edges[pair{0, v}] != 1 {
			t.Errorf("star has no edge 0-%d", v)
		}
	}
	degree := map[uint64]int{}
	edges, _, _ = collect(t, "tree", Parameters{N: 40, K: 3})
	for e := range edges {
		degree[e.low]++
		degree[e.high]++
	}
	for v, d := range degree {
		if v == 0 && d != 3 || v > 0 && d != 1 && d != 4 {
			t.Errorf("tree: vertex %d has degree %d", v, d)
		}
	}
}

func TestScrambleIsBijective(t *testing.T) {
	for bits := range 15 {
		for seed := range uint64(3) {
			seen := make([]bool, 1<<bits)
			for v := range uint64(1) << bits {
				w := scrambled(bits, seed)(v)
				if w >= 1<<bits || seen[w] {
					t.Fatalf("bits %d, seed %d: %d maps to %d, taken or out of range", bits, seed, v, w)
				}
				seen[w] = true
			}
		}
	}
}

func TestGnpCounts(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.5}, {2, 1}, {50, 0}, {50, 1}, {300, 0.1}, {2000, 0.002}, {1 << 20, 1e-9}, {1000, 5e-324}} {
		edges, rows, _ := collect(t, "gnp", Parameters{N: c.n, P: c.p, Seed: 3})
		pairs := float64(c.n) * float64(c.n-1) / 2
		if off := math.Abs(float64(rows) - pairs*c.p); len(edges) != rows || off > 6*math.Sqrt(pairs*c.p*(1-c.p)) {
			t.Errorf("gnp %+v: %d edges (%d distinct), expected about %.0f", c, rows, len(edges), pairs*c.p)
		}
		for e := range edges {
			if e.low == e.high || e.high >= uint64(c.n) {
				t.Errorf("gnp %+v: edge %v", c, e)
			}
		}
	}
}

func TestSmallWorld(t *testing.T) {
	edges, rows, _ := collect(t, "smallworld", Parameters{N: 1000, K: 6, P: 0})
	if rows != 3000 || len(edges) != 3000 {
		t.Errorf("ring: %d rows, %d edges, want 3000", rows, len(edges))
	}
	edges, rows, _ = collect(t, "smallworld", Parameters{N: 10_000, K: 10, P: 0.1, Seed: 1})
	moved := 0
	for e, times := range edges {
		if e.low == e.high {
			t.Errorf("self-loop at %d", e.low)
		}
		if gap := e.high - e.low; gap > 5 && gap < 9995 {
			moved += times
		}
	}
	if rows != 50_000 || moved < 4600 || moved > 5400 {
		t.Errorf("%d rows, %d moved; want 50000 and about 5000", rows, moved)
	}
}

// K edges per vertex to earlier ones, and a hub much larger than the mean.
func TestPreferential(t *testing.T) {
	edges, rows, vertices := collect(t, "ba", Parameters{N: 10_000, K: 3, Seed: 1})
	if rows != 3*9999 || vertices != 10_000 {
		t.Errorf("%d rows, %d vertices", rows, vertices)
	}
	degree := map[uint64]int{}
	for e, times := range edges {
		if e.low == e.high {
			t.Fatalf("self-loop at %d", e.low)
		}
		degree[e.low] += times
		degree[e.high] += times
	}
	largest := 0
	for _, d := range degree {
		largest = max(largest, d)
	}
	if largest < 100 {
		t.Errorf("largest degree %d: not preferential", largest)
	}
}

// Acyclic kinds have arcs one way only: to earlier papers, of which recent ones are cited more, and
// to the next layer.
func TestAcyclic(t *testing.T) {
	const n, k = 5000, 6
	kind, _ := Find("citations")
	all, err := kind.Edges(Parameters{N: n, K: k, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	rows, near, cites, cited := 0, 0, map[uint64]int{}, map[uint64]int{}
	for u, v := range all {
		if v >= u || u >= n {
			t.Fatalf("%d cites %d", u, v)
		}
		rows++
		cites[u]++
		cited[v]++
		if 4*(u-v) < u {
			near++
		}
	}
	most, hub := 0, 0
	for v := range uint64(n) {
		if v > 0 && cites[v] == 0 {
			t.Errorf("%d cites nothing", v)
		}
		most, hub = max(most, cites[v]), max(hub, cited[v])
	}
	if mean := float64(rows) / n; most != k || mean < 3.4 || mean > 3.6 || hub < 20 || 5*near < 2*rows {
		t.Errorf("%d citations, %.2f each, %d at most, %d of one, %d near", rows, mean, most, hub, near)
	}
	kind, _ = Find("dependencies")
	if all, err = kind.Edges(Parameters{Rows: 5, Cols: 100, K: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	rows, low := 0, 0
	for u, v := range all {
		if v/100 != u/100+1 || v >= 500 {
			t.Fatalf("%d leads to %d", u, v)
		}
		if rows++; v%100 < 25 {
			low++
		}
	}
	if rows != 4*100*3 || 2*low < rows {
		t.Errorf("%d arcs, %d of them to the first quarter", rows, low)
	}
}

// Quadrant probabilities determine the number of vertices with an edge and of distinct edges:
// evenly drawn ends would give 16384 and 261 000.
func TestKron(t *testing.T) {
	edges, rows, vertices := collect(t, "kron", Parameters{Scale: 14, EdgeFactor: 16, Seed: 1})
	if rows != 16<<14 {
		t.Errorf("%d rows, want %d", rows, 16<<14)
	}
	// An independent generator of this scale gave 12 560 and 213 311.
	if vertices < 12_300 || vertices > 12_900 || len(edges) < 208_000 || len(edges) > 218_000 {
		t.Errorf("%d vertices, %d distinct edges", vertices, len(edges))
	}
	if _, rows, _ := collect(t, "kron", Parameters{Scale: 0, EdgeFactor: 2, Seed: 1}); rows != 2 {
		t.Errorf("scale 0: %d rows", rows)
	}
}

// Equal parameters give equal edges in every release: benchmark figures are
// quoted by seed. A change here is a change of data set.
func TestStable(t *testing.T) {
	want := map[string]uint64{
		"kron":         0x5eb3904dfc55bbb4,
		"smallworld":   0x21061e20a9338503,
		"ba":           0xd153cbbd84620e3e,
		"gnp":          0xff361be675b9c85e,
		"rmat":         0x42037cb89c0330e0,
		"er":           0x6e756eaa384b2480,
		"triangles":    0xfaad9e67a9b74a65,
		"road":         0xbd57ae69740813f2,
		"citations":    0x24145707c61a23dd,
		"dependencies": 0xcce06684c49f00ee,
	}
	for name, sum := range want {
		k, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		p := k.Defaults
		p.N, p.Scale, p.Rows, p.Cols = 500, 8, 20, 25
		all, err := k.Edges(p)
		if err != nil {
			t.Fatal(err)
		}
		for pass := range 2 {
			hash := fnv.New64a()
			for u, v := range all {
				hash.Write(strconv.AppendUint(strconv.AppendUint(nil, u, 10), v, 36))
			}
			if hash.Sum64() != sum {
				t.Errorf("%s, pass %d: %#x, want %#x", name, pass, hash.Sum64(), sum)
			}
		}
	}
}

// A cell of the grid limits the search, and does not decide: every pair within the radius is an
// edge, and no other. The points are drawn again here.
func TestGeometric(t *testing.T) {
	const n = 400
	edges, rows, _ := collect(t, "geometric", Parameters{N: n, Seed: 5})
	if rows != len(edges) {
		t.Errorf("%d rows, %d edges", rows, len(edges))
	}
	radius := 0.55 * math.Sqrt(math.Log(n)/n)
	random := rand.New(rand.NewPCG(5, 0))
	var x, y [n]float64
	for v := range n {
		x[v], y[v] = random.Float64(), random.Float64()
	}
	for u := range n {
		for v := u + 1; v < n; v++ {
			near := math.Hypot(x[u]-x[v], y[u]-y[v]) <= radius
			if there := edges[pair{uint64(u), uint64(v)}] == 1; there != near {
				t.Fatalf("%d and %d: edge %v, near %v", u, v, there, near)
			}
		}
	}
}

// Three of four streets of a road network exist, with one bend each on average.
func TestRoad(t *testing.T) {
	edges, rows, vertices := collect(t, "road", Parameters{N: 100_000, Seed: 1})
	if len(edges) != rows || vertices < 98_000 || vertices > 102_000 {
		t.Errorf("%d edges in %d rows, %d vertices", len(edges), rows, vertices)
	}
	if mean := 2 * float64(rows) / float64(vertices); mean < 2.38 || mean > 2.42 {
		t.Errorf("mean degree %.3f", mean)
	}
}

// The more even the quadrants, the more vertices have an edge.
func TestQuadrants(t *testing.T) {
	touched := map[string]int{}
	for _, kind := range []string{"kron", "rmat", "er"} {
		_, rows, vertices := collect(t, kind, Parameters{Scale: 14, EdgeFactor: 16, Seed: 1})
		if touched[kind] = vertices; rows != 16<<14 {
			t.Errorf("%s: %d rows", kind, rows)
		}
	}
	if !(touched["kron"] < 13_000 && touched["rmat"] > 15_000 && touched["rmat"] < touched["er"] && touched["er"] == 1<<14) {
		t.Errorf("vertices with an edge: %v", touched)
	}
}

// An iterator that continues after its loop has ended panics.
func TestStopsEarly(t *testing.T) {
	for _, k := range Kinds() {
		all, err := k.Edges(k.Defaults)
		if err != nil {
			t.Fatal(err)
		}
		for most := 1; most < 5; most++ {
			seen := 0
			for range all {
				if seen++; seen == most {
					break
				}
			}
			if seen != most {
				t.Errorf("%s: %d edges, want %d", k.Name, seen, most)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	if _, err := Find("nothing"); !errors.Is(err, ErrParameter) {
		t.Errorf("unknown kind: %v", err)
	}
	for _, c := range []struct {
		kind string
		p    Parameters
	}{
		{"kron", Parameters{Scale: 32, EdgeFactor: 1}},
		{"kron", Parameters{Scale: 4}},
		{"smallworld", Parameters{N: 10, K: 3}},
		{"smallworld", Parameters{N: 10, K: 10}},
		{"gnp", Parameters{N: 10, P: math.NaN()}},
		{"gnp", Parameters{N: 10, P: 1.5}},
		{"path", Parameters{}},
		{"tree", Parameters{N: 5}},
		{"grid", Parameters{Rows: 1 << 20, Cols: 1 << 20}},
		{"diamonds", Parameters{N: 1 << 30}},
	} {
		k, err := Find(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Edges(c.p); !errors.Is(err, ErrParameter) {
			t.Errorf("%s %+v: %v, want ErrParameter", c.kind, c.p, err)
		}
	}
}
