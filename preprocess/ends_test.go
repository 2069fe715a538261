package preprocess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// ends returns options with a question about some vertices. nil is all vertices.
func ends(sources, targets []uint32) Options {
	set := func(list []uint32) question.Set {
		if list == nil {
			return question.Set{}
		}
		return question.SetOf(func(yield func([]byte) bool) {
			for _, v := range list {
				if !yield([]byte(strconv.Itoa(int(v)))) {
					return
				}
			}
		})
	}
	return Options{Question: question.Question{Sources: set(sources), Targets: set(targets)}, Sources: sources, Targets: targets}
}

// someOf draws vertices, ascending: none, one, a few, or most.
func someOf(r *rand.Rand, n int) []uint32 {
	list := make([]uint32, 0, n)
	of := []int{1, 2, 10, n + 1}[r.IntN(4)]
	for v := range n {
		if r.IntN(of) == 0 {
			list = append(list, uint32(v))
		}
	}
	if r.IntN(8) == 0 && n > 0 {
		list = []uint32{uint32(r.IntN(n))}
	}
	return list
}

// anyGraph draws a graph, directed for even numbers.
func anyGraph(r *rand.Rand, number int) *csr.Graph {
	g := randomGraph(r)
	if number%2 == 0 {
		g = digraphOf(randomArcs(r, 24))
	}
	return g
}

// anyEnds returns all vertices or, once in times, some, with the question about them.
func anyEnds(r *rand.Rand, g *csr.Graph, times int) (sources, targets []uint32, asked Options) {
	sources, targets = everyVertex(g), everyVertex(g)
	if r.IntN(times) == 0 {
		sources, targets = someOf(r, g.Vertices()), someOf(r, g.Vertices())
		asked = ends(sources, targets)
	}
	return sources, targets, asked
}

// anyLength exceeds the length of every path.
const anyLength = math.MaxInt/2 - 1

// enumerated is the definition: for every pair of a source and a target, the share of the shortest paths
// between them that pass each other vertex; ordered pairs, exact. It lists the paths one by one, up to
// cutoff edges.
func enumerated(g *csr.Graph, sources, targets []uint32, cutoff int) []float64 {
	n := g.Vertices()
	sums := make([]*big.Rat, n)
	for v := range sums {
		sums[v] = new(big.Rat)
	}
	for _, s := range sources {
		_, distance, _ := search(g, s, nil)
		for _, t := range targets {
			if s == t || distance[t] > min(anyLength, cutoff) {
				continue
			}
			through, all := make([]int64, n), int64(0)
			var path []uint32
			var back func(v uint32)
			back = func(v uint32) {
				if v == s {
					all++
					for _, u := range path {
						through[u]++
					}
					return
				}
				for _, u := range g.Reverse().Neighbours(v) {
					if distance[u]+int(g.Length(u, v)) == distance[v] {
						if u != s {
							path = append(path, u)
						}
						back(u)
						if u != s {
							path = path[:len(path)-1]
						}
					}
				}
			}
			back(t)
			for v, count := range through {
				sums[v].Add(sums[v], big.NewRat(count, all))
			}
		}
	}
	scores := make([]float64, n)
	for v := range scores {
		scores[v], _ = sums[v].Float64()
	}
	return scores
}

func everyVertex(g *csr.Graph) []uint32 {
	all := make([]uint32, g.Vertices())
	for v := range all {
		all[v] = uint32(v)
	}
	return all
}

func halved(scores []float64) []float64 {
	for v := range scores {
		scores[v] /= 2
	}
	return scores
}

// Whatever the ends and the reductions that are on, scores are those of the definition.
func TestEndsRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	for i := range 4000 / testgraphs.OneIn {
		g := randomGraph(r)
		if i%2 == 0 {
			g = digraphOf(randomArcs(r, 24))
		}
		if g.Vertices() > 60 {
			continue
		}
		sources, targets := someOf(r, g.Vertices()), someOf(r, g.Vertices())
		asked := ends(sources, targets)
		switch r.IntN(5) {
		case 0:
			asked, sources = ends(nil, targets), everyVertex(g)
		case 1:
			asked, targets = ends(sources, nil), everyVertex(g)
		}
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		asked.Question.Directed = g.In != nil
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumerated(g, sources, targets, anyLength)
			if g.In == nil {
				want = halved(want)
			}
			compare(t, scoresOf(t, g, asked), want)
		})
	}
}

// No path begins or no path ends; a path ends where it begins; or no path joins the ends.
func TestEndsWithoutPaths(t *testing.T) {
	g := graphOf(20, testgraphs.Join(testgraphs.Grid(3, 3), testgraphs.Star(10, 8)))
	for name, asked := range map[string]Options{
		"no source": ends([]uint32{}, nil), "no target": ends(nil, []uint32{}), "neither": ends([]uint32{}, []uint32{}),
		"one vertex": ends([]uint32{4}, []uint32{4}), "two components": ends([]uint32{0, 1}, []uint32{10, 11}), "no neighbour": ends([]uint32{9}, nil),
	} {
		for v, score := range scoresOf(t, g, asked) {
			if score != 0 {
				t.Errorf("%s: vertex %d has %g", name, v, score)
			}
		}
		p, err := Reduce(context.Background(), g, asked)
		if err != nil {
			t.Fatal(err)
		}
		if name != "one vertex" && len(p.Batches) > 0 {
			t.Errorf("%s: %d batches", name, len(p.Batches))
		}
	}
}

// Only sources are searched, in any kind of block.
func TestEndsAreSearchedAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	for _, edges := range [][]edge{testgraphs.Grid(40, 40), testgraphs.Random(r, 1600, 1600, 6000), testgraphs.CutGrid(r, 1600, 5)} {
		n := 0
		for _, e := range edges {
			n = max(n, int(e[0])+1, int(e[1])+1)
		}
		g := graphOf(n, edges)
		var sources []uint32
		for v := 3; v < n; v += 7 {
			sources = append(sources, uint32(v))
		}
		p, err := Reduce(context.Background(), g, ends(sources, nil))
		if err != nil {
			t.Fatal(err)
		}
		searched := 0
		for _, batch := range p.Batches {
			searched += batch.Count
		}
		if searched > len(sources) {
			t.Errorf("%d sources, %d searches", len(sources), searched)
		}
	}
}

func TestReduceRefusesEnds(t *testing.T) {
	g := graphOf(5, testgraphs.Path(0, 4))
	twice, beyond, unasked := ends([]uint32{1, 1}, nil), ends(nil, []uint32{5}), Options{Sources: []uint32{1}}
	for _, opts := range []Options{twice, beyond, unasked, {Targets: []uint32{}}} {
		if _, err := Reduce(context.Background(), g, opts); !errors.Is(err, errOptions) {
			t.Errorf("%v, %v: %v", opts.Sources, opts.Targets, err)
		}
	}
}

// Sums over a partition of the sources are those of all.
func TestEndsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	for range 300 {
		g := randomGraph(r)
		parts := make([][]uint32, 3)
		for v := range uint32(g.Vertices()) {
			i := r.IntN(3)
			parts[i] = append(parts[i], v)
		}
		sum := make([]float64, g.Vertices())
		for _, part := range parts {
			for v, x := range scoresOf(t, g, ends(append([]uint32{}, part...), nil)) {
				sum[v] += x
			}
		}
		compare(t, sum, brandes(g))
	}
}

// Where paths end at few vertices, searches begin there: a block has fewer sources than twice the number
// of targets, though all vertices are sources.
func TestFewTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 4))
	for number := range 40 {
		n := 60
		g := graphOf(n, testgraphs.Random(r, n, 5, 200))
		if number%2 == 0 {
			g = digraphOf(randomArcs(r, n))
		}
		targets := []uint32{uint32(r.IntN(g.Vertices())), uint32(r.IntN(g.Vertices()))}
		slices.Sort(targets)
		targets = slices.Compact(targets)
		opts := ends(nil, targets)
		opts.Question.Directed = g.In != nil
		plan, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range plan.Blocks {
			if b := &plan.Blocks[i]; len(b.Sources) >= 2*len(targets) && len(b.Sources) > 1 {
				t.Errorf("graph %d: %d searches for %d targets", number, len(b.Sources), len(targets))
			}
		}
	}
}

// Where few vertices have numbers of distances, searches begin at these. Either way, a block has as many
// sources as vertices that count, or that have numbers.
func TestFewDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 5))
	own := 0
	for number := range 200 {
		g := randomGraph(r)
		if number%2 == 0 {
			g = digraphOf(randomArcs(r, 90))
		}
		n := g.Vertices()
		some := func() (list []uint32) {
			for v := range n {
				if r.IntN(1+n) < 1+number%7 {
					list = append(list, uint32(v))
				}
			}
			return list
		}
		sources, targets := some(), some()
		if number%3 == 0 {
			sources = nil
		}
		if targets == nil {
			continue
		}
		opts := ends(sources, targets)
		opts.Question.Directed = g.In != nil
		opts.Question.Measures = []string{measures.Farness}
		if g.In != nil {
			opts.Question.Measures = []string{measures.Farness + measures.In, measures.Farness + measures.Out}
		}
		plan, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range plan.Blocks {
			b := &plan.Blocks[i]
			begin, end := sources, targets
			if b.Outward {
				begin, end = end, begin
			}
			among := func(list []uint32) (of []uint32) {
				for local, v := range b.vertices {
					if list == nil || slices.Contains(list, v) {
						of = append(of, uint32(local))
					}
				}
				return of
			}
			from, to := among(begin), among(end)
			if want := fewOwn*len(to) <= len(from); b.Own != want {
				t.Fatalf("graph %d: %d sources, %d vertices with numbers: searched from these: %v", number, len(from), len(to), b.Own)
			}
			if b.Own {
				own++
				from, to = to, from
			}
			from = slices.DeleteFunc(from, func(v uint32) bool { return b.Directed() && len(b.Neighbours(v)) == 0 }) // they reach nothing
			searched := slices.Sorted(slices.Values(b.Sources))
			counted := slices.DeleteFunc(among(nil), func(v uint32) bool { return b.counted != nil && !b.counted[v] })
			if !slices.Equal(searched, from) || !slices.Equal(counted, to) {
				t.Fatalf("graph %d: searched from %d, counted %d, want %d, %d", number, searched, counted, from, to)
			}
			for local, v := range b.vertices {
				var want []uint32
				of := g.Neighbours(v)
				if b.Own != b.Outward {
					of = g.Reverse().Neighbours(v)
				}
				for _, u := range of {
					want = append(want, uint32(slices.Index(b.vertices, u)))
				}
				if slices.Sort(want); !slices.Equal(b.Neighbours(uint32(local)), want) {
					t.Fatalf("graph %d: arcs of %d lead to %d, want %d", number, local, b.Neighbours(uint32(local)), want)
				}
			}
		}
	}
	if own == 0 {
		t.Error("none was searched from the vertices with numbers")
	}
}

// Where the sum of a vertex's distances may exceed 63 bits, no source keeps one, though few vertices have
// numbers.
func TestFewDistancesOfLongArcs(t *testing.T) {
	const n = 40
	for _, test := range []struct {
		longest int64
		own     bool
	}{{1 << 40, true}, {1 << 53, false}} {
		var edges []edge
		for v := range uint32(n - 1) {
			edges = append(edges, edge{v, v + 1})
		}
		g := graphOf(n, edges)
		g.Lengths = slices.Repeat([]int64{test.longest}, len(g.Targets))
		opts := ends(nil, []uint32{3})
		opts.Question.Measures = []string{measures.Farness}
		opts.Question.Lengths.Column, opts.Divisor = "km", 1
		plan, err := Reduce(t.Context(), g, opts)
		if err != nil || len(plan.Blocks) != 1 || plan.Blocks[0].Own != test.own {
			t.Errorf("%d: %v, %+v", test.longest, err, plan)
		}
	}
}
