package preprocess

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/draws"
	"bcstage/internal/testgraphs"
)

// A grid is the worst case for batches in breadth-first order.
func TestOrderSharesLevels(t *testing.T) {
	b := Block{Graph: *graphOf(64*64, testgraphs.Grid(64, 64))}
	plain, _, _ := search(&b.Graph, 0, nil)
	for _, lanes := range []int{16, 64} {
		if err := b.arrange(context.Background(), lanes, 2); err != nil {
			t.Fatal(err)
		}
		var ours, theirs figures
		for first := 0; first < b.Vertices(); first += 9 * lanes {
			ours.add(count(&b.Graph, b.Sources[first:first+lanes], b.Farness))
			theirs.add(count(&b.Graph, plain[first:first+lanes], nil))
		}
		if ours.entries > theirs.entries*2/3 || ours.rows > theirs.rows*2/3 {
			t.Errorf("%d lanes: %+v, breadth-first order has %+v", lanes, ours, theirs)
		}
	}
}

// Within a short cutoff, near sources make a batch, and no distances are measured. Within a longer one, landmarks order
// the sources.
func TestOrderWithinCutoff(t *testing.T) {
	const side, lanes = 100, 64
	for cutoff, near := range map[int]bool{3: true, 14: false, 60: false} {
		b := Block{Graph: *graphOf(side*side, testgraphs.Grid(side, side)), Cutoff: cutoff, Lanes: lanes}
		if err := b.arrange(t.Context(), lanes, 2); err != nil {
			t.Fatal(err)
		}
		if sorted := slices.Sorted(slices.Values(b.Sources)); len(sorted) != side*side || len(slices.Compact(sorted)) != side*side {
			t.Fatalf("cutoff %d: %d sources", cutoff, len(sorted))
		}
		if near != (b.Farness == nil) {
			t.Errorf("cutoff %d: near sources together: %t", cutoff, !near)
		}
		// A square of 8 x 8 reaches 8*8 + 4*8*3 + 2*3*2 = 172 vertices within 3 edges, a row of 64 has 64*7 + 18 = 466.
		if err := b.measureBall(t.Context()); err != nil || near && b.Ball.Mean > 260 {
			t.Errorf("cutoff %d: batches reach %.0f vertices, error %v", cutoff, b.Ball.Mean, err)
		}
	}
}

func TestOrderIsPermutation(t *testing.T) {
	for name, g := range shapesOfGraphs() {
		if g.Edges() == 0 {
			continue
		}
		b := Block{Graph: *g}
		for lanes := 1; lanes <= 4; lanes++ {
			if err := b.arrange(context.Background(), lanes, 2); err != nil {
				t.Fatal(err)
			}
			for i, v := range slices.Sorted(slices.Values(b.Sources)) {
				if uint32(i) != v {
					t.Fatalf("%s, %d lanes: %v", name, lanes, b.Sources)
				}
			}
		}
	}
}

// oneWayGrid is a grid most of whose edges run one way, with branches that lead into it and
// branches that end.
func oneWayGrid(side uint32) (n int, arcs []testgraphs.Edge) {
	r := rand.New(rand.NewPCG(14, 0))
	for _, e := range testgraphs.Grid(side, side) {
		if r.IntN(8) > 0 {
			arcs = append(arcs, e)
		}
		if r.IntN(8) > 0 {
			arcs = append(arcs, testgraphs.Edge{e[1], e[0]})
		}
	}
	inner := side * side
	for v := range uint32(400) {
		arcs = append(arcs, testgraphs.Edge{inner + v, r.Uint32N(inner)}, testgraphs.Edge{r.Uint32N(inner), inner + 400 + v}, testgraphs.Edge{inner + 400 + v, inner + 400 + r.Uint32N(400)})
	}
	return int(inner) + 800, arcs
}

// Sources are cut by their distances to the landmarks that they reach.
func TestDirectedOrderSharesLevels(t *testing.T) {
	all, arcs := oneWayGrid(64)
	b := Block{Graph: *digraphOf(all, arcs), Paths: Paths{From: slices.Repeat([]float64{1}, all)}}
	b.To = b.From
	for _, lanes := range []int{16, 64} {
		if err := b.arrangeDirected(t.Context(), 1<<20, 2); err != nil { // too few sources for batches of that size
			t.Fatal(err)
		}
		plain := b.Sources
		if err := b.arrangeDirected(t.Context(), lanes, 2); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(slices.Sorted(slices.Values(b.Sources)), slices.Sorted(slices.Values(plain))) || len(plain) != all {
			t.Fatalf("%d lanes: %d sources, %d in plain order", lanes, len(b.Sources), len(plain))
		}
		var ours, theirs figures
		for first := 0; first+lanes <= all; first += 5 * lanes {
			ours.add(count(&b.Graph, b.Sources[first:first+lanes], b.Farness))
			theirs.add(count(&b.Graph, plain[first:first+lanes], nil))
		}
		if ours.entries > theirs.entries*2/3 || ours.rows > theirs.rows*2/3 {
			t.Errorf("%d lanes: %+v, by components and out-arcs %+v", lanes, ours, theirs)
		}
	}
}

// So are drawn sources. Landmarks that they do not reach must not matter.
func TestDirectedStagesShareLevels(t *testing.T) {
	n, arcs := oneWayGrid(64)
	for v := range uint32(2000) { // no path passes most sources
		arcs = append(arcs, testgraphs.Edge{uint32(n) + v, v * 2}, testgraphs.Edge{uint32(n) + v, v})
	}
	n += 2000
	b := Block{Graph: *digraphOf(n, arcs), Paths: Paths{From: slices.Repeat([]float64{1}, n)}, Lanes: 16}
	b.To = b.From
	if err := b.arrangeDirected(t.Context(), b.Lanes, 2); err != nil {
		t.Fatal(err)
	}
	p := &Plan{Blocks: []Block{b}}
	p.Batches = batches(p.Blocks)
	q, err := p.Draw(t.Context(), 0, draws.Drawing{Seed: 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	from, err := measureDistances(t.Context(), &b.Graph, 1)
	if err != nil {
		t.Fatal(err)
	}
	drawn, c := &q.Blocks[0], newCutter(from)
	var ours, theirs figures
	for _, stage := range q.Drawn.Stages[:8] {
		sources := slices.Clone(drawn.Sources[q.Batches[stage.First].First:][:stage.Sources])
		if err := c.cut(t.Context(), sources, stage.End-stage.First, 2); err != nil {
			t.Fatal(err)
		}
		cut, err := align(t.Context(), from, sources, stage.End-stage.First, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, batch := range q.Batches[stage.First:stage.End] {
			ours.add(count(&b.Graph, drawn.Sources[batch.First:][:batch.Count], drawn.Farness))
			first, end := batchBounds(len(sources), stage.End-stage.First, i)
			theirs.add(count(&b.Graph, sources[first:end], cut.farness))
		}
	}
	if ours.entries > theirs.entries*9/10 || ours.rows > theirs.rows*9/10 {
		t.Errorf("%+v, by distances from landmarks %+v", ours, theirs)
	}
}

// A lattice with a few random edges: the order should follow the lattice.
func TestOrderFindsLattice(t *testing.T) {
	b := Block{Graph: *smallWorld(5000, 10, .05)}
	plain, _, _ := search(&b.Graph, 0, nil)
	if err := b.arrange(context.Background(), 64, 2); err != nil {
		t.Fatal(err)
	}
	var ours, theirs figures
	for first := 0; first+64 <= b.Vertices(); first += 9 * 64 {
		ours.add(count(&b.Graph, b.Sources[first:first+64], b.Farness))
		theirs.add(count(&b.Graph, plain[first:first+64], nil))
	}
	if ours.rows > theirs.rows*9/10 {
		t.Errorf("%+v, breadth-first order has %+v", ours, theirs)
	}
}

func TestDepth(t *testing.T) {
	for name, g := range shapesOfGraphs() {
		for _, off := range [][]string{nil, {"twins"}} {
			p, err := Reduce(context.Background(), g, Options{Off: off})
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.Blocks {
				b := &p.Blocks[i]
				_, distance, _ := search(&b.Graph, 0, nil)
				if got, want := b.Depth(), slices.Max(distance); got != want {
					t.Errorf("%s: depth %d, want %d", name, got, want)
				}
			}
		}
	}
}

// Distances that exceed 16 bits must not break the search.
func TestFloodOfDeepGraph(t *testing.T) {
	const n = 200_000
	var from [landmarks]uint32
	for i := range from {
		from[i] = uint32(i * n / landmarks)
	}
	out := make([]distances, n)
	path := longPath(n)
	if err := flood(context.Background(), path, path, &from, out); err != nil {
		t.Fatal(err)
	}
	for v, d := range out {
		for i, s := range from {
			if int(d[i]) != min(max(v-int(s), int(s)-v), math.MaxUint16-1) {
				t.Fatalf("vertex %d at distance %d from %d", v, d[i], s)
			}
		}
	}
}

// tell and hear find the same level, also in directed graphs.
func TestToldAsHeard(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 13))
	for range 300 {
		n := 1 + r.IntN(60)
		var arcs []edge
		for range r.IntN(4 * n) {
			arcs = append(arcs, edge{uint32(r.IntN(n)), uint32(r.IntN(n))})
		}
		g := digraphOf(n, arcs)
		if r.IntN(2) == 0 {
			g = graphOf(n, arcs)
		}
		var ways [2]flooding
		for i := range ways {
			ways[i] = flooding{make([]uint32, n), make([]uint32, n), make([]uint32, n), make([]uint32, 0, n)}
		}
		var frontier []uint32
		for v := range n {
			seen := r.Uint32() | r.Uint32()<<r.IntN(32)
			if r.IntN(4) == 0 {
				seen = math.MaxUint32
			}
			here := seen & r.Uint32() & r.Uint32() * uint32(r.IntN(2))
			for i := range ways {
				ways[i].seen[v], ways[i].here[v] = seen, here
			}
			if here != 0 {
				frontier = append(frontier, uint32(v))
			}
		}
		if err := ways[0].tell(context.Background(), g, frontier); err != nil {
			t.Fatal(err)
		}
		if err := ways[1].hear(context.Background(), g.Reverse()); err != nil {
			t.Fatal(err)
		}
		slices.Sort(ways[0].coming) // tell lists it in the order of the frontier, hear in that of vertices
		if !slices.Equal(ways[0].coming, ways[1].coming) || !slices.Equal(ways[0].next, ways[1].next) {
			t.Fatalf("told %v %x, heard %v %x", ways[0].coming, ways[0].next, ways[1].coming, ways[1].next)
		}
	}
}

// Floods of many levels, with tell for some and hear for others, measure distances.
func TestFlood(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 19))
	for range 40 {
		n := 40 + r.IntN(300)
		arcs := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		g := digraphOf(n, arcs)
		if r.IntN(2) == 0 {
			g = graphOf(n, arcs)
		}
		if len(g.Targets) == 0 {
			continue
		}
		from, out := drawLandmarks(g, 1), make([]distances, n)
		if err := flood(context.Background(), g, g.Reverse(), &from, out); err != nil {
			t.Fatal(err)
		}
		for i, s := range from {
			_, want, _ := search(g, s, nil)
			for v, d := range want {
				if d > n { // there is no path
					d = 0
				}
				if int(out[v][i]) != d {
					t.Fatalf("vertex %d at distance %d from %d, want %d", v, out[v][i], s, d)
				}
			}
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	block := Block{Graph: *graphOf(256*256, testgraphs.Grid(256, 256))}
	for b.Loop() {
		if err := block.arrange(context.Background(), 64, 2); err != nil {
			b.Fatal(err)
		}
	}
}

// Four at a time equal each one alone, to the bit.
func TestFour(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		var points [4][landmarks]float32
		var direction [landmarks]float32
		c := &cutter{of: make([]distances, 9), mean: make([]float32, 9)}
		for j := range landmarks {
			direction[j] = float32(r.NormFloat64())
			for i := range points {
				points[i][j] = float32(r.NormFloat64())
			}
			for v := range c.of {
				c.of[v][j] = uint16(r.IntN(40))
			}
		}
		for v := range c.of {
			c.mean[v] = c.of[v].mean()
		}
		var got [4]float32
		got[0], got[1], got[2], got[3] = dotFour(points[:], &direction)
		vertices, along := []uint32{7, 0, 3, 8}, make([]float32, 4)
		c.alongFour(vertices, along, &direction)
		for i, v := range vertices {
			if want := dot(&points[i], &direction); got[i] != want {
				t.Fatalf("dot %v, want %v", got[i], want)
			}
			if want := c.of[v].along(c.mean[v], &direction); along[i] != want {
				t.Fatalf("along %v, want %v", along[i], want)
			}
		}
	}
}

// Batches of few levels, whose tries are counted eight at a time, have the same starts as
// others.
func TestCountMet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for round := range 300 {
		width := 1 + round%32 // from the lowest to the highest
		low := r.IntN(60) - 30
		high := low + width - 1
		var levels [landmarks]uint64
		var beyond [landmarks]int
		for j := range landmarks {
			levels[j], beyond[j] = r.Uint64(), low+r.IntN(width)
		}
		var met [32]uint8
		countMet(&met, &levels, &beyond, high-32, width)
		for try := low; try <= high; try++ {
			want := 0
			for j, x := range beyond {
				want += int(levels[j] >> uint(x-try+32) & 1)
			}
			if int(met[high-try]) != want {
				t.Fatalf("from %d to %d, try %d: %d, want %d", low, high, try, met[high-try], want)
			}
		}
	}
}
