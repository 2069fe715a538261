package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/preprocess/question"
)

// anyRepeats is a graph many of whose edges are there several times, in either direction.
func anyRepeats(r *rand.Rand) *trips {
	g := anyTrips(r)
	g.keep = true
	more := func() int { return []int{0, 0, 1, 2}[r.IntN(4)] }
	if all := r.IntN(3); r.IntN(3) == 0 { // twins are left
		more = func() int { return all }
	}
	for i := range len(g.edges) {
		for range more() {
			e := g.edges[i]
			if !g.directed && r.IntN(2) == 0 {
				e[0], e[1] = e[1], e[0]
			}
			g.edges = append(g.edges, e)
			if g.lengths != nil {
				g.lengths = append(g.lengths, g.lengths[i]+r.IntN(5)/4)
			}
		}
	}
	r.Shuffle(len(g.edges), func(i, j int) {
		g.edges[i], g.edges[j] = g.edges[j], g.edges[i]
		if g.lengths != nil {
			g.lengths[i], g.lengths[j] = g.lengths[j], g.lengths[i]
		}
	})
	return g
}

// Kept copies of an edge are paths of their own. By every walk, scores of vertices are those of all listed paths, to 1e-12, and
// each row of the edges' table has its share.
func TestRepeatsKept(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 31))
	forced, some := map[string]int{}, 0
	for number := range 400 {
		g := anyRepeats(random)
		sides, column, each, all := "", "betweenness_centrality", 1.0, big.NewRat(100, 1)
		if !g.directed {
			each = 2
		}
		kind := random.IntN(5)
		switch kind {
		case 0:
			sides = []string{"ab", "a", "b"}[random.IntN(3)]
		case 1:
			g.decay, g.share = decays(random)
		case 2:
			anyTable(random, g)
		}
		if sides != "" || g.table != nil {
			column, each, all = "flow", 1, g.products(sides)
		}
		if g.table != nil {
			all = g.sent()
		}
		vertices, edges, _ := g.listed(sides)
		var ofEdges tables.Table
		g.byWalks(t, random, forced, sides, func(o *Options) {
			ofEdges = tables.Table{}
			if g.table != nil {
				o.Trips = tripsFile(t, g.table)
			}
			if !g.endpoints && random.IntN(2) == 0 {
				o.Edges = into(&ofEdges)
			}
		}, func(walk string, table *tables.Table, _ *Stats) {
			g.holdColumn(t, walk, table, column, each, vertices, all)
			if ofEdges.Columns == nil {
				return
			}
			scores := ofEdges.Columns[0].Values.(tables.Floats)
			if len(scores) != len(g.edges) {
				t.Fatalf("graph %d: %d scores of %d edges", number, len(scores), len(g.edges))
			}
			for i, e := range g.edges {
				want := new(big.Rat)
				if e[0] != e[1] && g.length(i) == g.shortestOf(e[0], e[1]) {
					if want.Set(edges[e]); !g.directed {
						want.Add(want, edges[[2]int{e[1], e[0]}])
					}
					want.Mul(want, big.NewRat(1, int64(g.copies(e))))
				}
				if got := each * scores[i]; math.Abs(got-floatOf(want)) > 16*0x1p-110 && !equals(got, want, all) {
					t.Fatalf("graph %d, walk %s: edge %d, %v: %v, want %v: %+v", number, walk, i, e, got, want.FloatString(20), g)
				}
				if scores[i] > 0 {
					some++
				}
			}
		})
	}
	holdWalks(t, forced, "auto", "rows", "entries", "lines", "meshes", "lengths", "chains", "chain-lengths", "acyclic", "balls")
	if some < 400 {
		t.Errorf("%d scores of edges were more than 0", some)
	}
}

// Graphs of all shapes with few and with many copies have the scores of the same graph with a vertex in the middle of every edge, by every walk.
func TestRepeatsAreMiddles(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 31))
	forced := map[string]int{}
	for _, e := range bothQuestions(graphs(random, 12)) {
		if e.directed && random.IntN(2) == 0 {
			continue
		}
		kept, split := &edgeList{name: e.name, directed: e.directed}, &edgeList{directed: e.directed}
		middle := slices.Max(append(slices.Clone(e.src), e.dst...)) + 1
		most := 1 + random.IntN(40) // of a hub, more than there are vertices
		for i := range e.src {
			copies := 1
			if random.IntN(4) == 0 {
				copies += random.IntN(most)
			}
			for range copies {
				kept.join(int(e.src[i]), int(e.dst[i]))
				split.join(int(e.src[i]), int(middle))
				split.join(int(middle), int(e.dst[i]))
				middle++
			}
		}
		mass := map[int64]float64{}
		for _, ends := range [][]int64{e.src, e.dst} {
			for _, v := range ends {
				mass[v] = 1
			}
		}
		want, each := split.flows(mass, mass), 1.0
		if !e.directed {
			each = 2
		}
		for _, walk := range append([]string{"auto"}, cpu.Walks()...) {
			opts := kept.asText(false)
			opts.Question.Lengths.Repeats = question.RepeatsKeep
			opts.Walk, opts.Verify = walk, 2
			var table tables.Table
			_, err := Run(t.Context(), opts, into(&table))
			if errors.Is(err, engine.ErrWalk) {
				continue
			}
			if err != nil {
				t.Fatalf("%s, walk %s: %v", e.name, walk, err)
			}
			forced[walk]++
			for v, x := range scoresIn(table) {
				id := int64(table.IDs.Ints[v])
				if y := want[id]; math.Abs(each*x-y) > 1e-11*y {
					t.Fatalf("%s, walk %s: vertex %d: %v, want %v", e.name, walk, id, each*x, y)
				}
			}
		}
	}
	holdWalks(t, forced, "auto", "rows", "entries", "lines", "meshes", "chains", "acyclic")
}

// Rows in another order leave all bits as they are, and so do threads, sets and shards; without repeats there is nothing to keep.
func TestRepeatsInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 31))
	for range 60 {
		g := anyRepeats(random)
		for v := range g.n { // their numbers are then those of the vertex table
			if g.from[v] == "" {
				g.from[v], g.to[v] = "1", "1"
			}
		}
		run := func(change func(o *Options)) (table tables.Table) {
			opts := g.options(t, "ab")
			change(&opts)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			return table
		}
		want := run(func(o *Options) { o.Threads = 1 })
		shard := func(i int) func(*Options) { return func(o *Options) { o.Shard = Shard{Mine: []int{i}, Of: 2} } }
		merged, err := tryMerge([]tables.Table{run(shard(0)), run(shard(1))}, Output{})
		if err != nil {
			t.Fatal(err)
		}
		others := map[string]tables.Table{"shards": merged, "set go": run(func(o *Options) { o.Set, o.Threads = "go", 3 })}
		random.Shuffle(len(g.edges), func(i, j int) {
			g.edges[i], g.edges[j] = g.edges[j], g.edges[i]
			if g.lengths != nil {
				g.lengths[i], g.lengths[j] = g.lengths[j], g.lengths[i]
			}
		})
		others["rows permuted"] = run(func(*Options) {})
		for what, got := range others {
			if !sameBits(columnOf(t, &got, "flow"), columnOf(t, &want, "flow")) {
				t.Errorf("%s: %v, want %v: %+v", what, got.Columns, want.Columns, g)
			}
		}
		if _, err := tryMerge([]tables.Table{run(shard(0)), run(func(o *Options) { shard(1)(o); o.Question.Lengths.Repeats = "" })}, Output{}); err == nil || !strings.Contains(err.Error(), "--repeats") {
			t.Errorf("parts with and without copies: %v", err)
		}
	}
	for _, e := range bothQuestions(graphs(random, 5)) {
		seen := map[string]bool{}
		once := &edgeList{name: e.name, directed: e.directed}
		for i := range e.src {
			u, v := e.src[i], e.dst[i]
			if !e.directed {
				u, v = min(u, v), max(u, v)
			}
			if ends := fmt.Sprint(u, v); !seen[ends] {
				seen[ends] = true
				once.join(int(e.src[i]), int(e.dst[i]))
			}
		}
		var plain, kept tables.Table
		_, err := Run(t.Context(), once.asText(false), into(&plain))
		opts := once.asText(false)
		opts.Question.Lengths.Repeats = question.RepeatsKeep
		_, again := Run(t.Context(), opts, into(&kept))
		if err != nil || again != nil {
			t.Fatal(err, again)
		}
		if !sameBits(tables.Floats(scoresIn(plain)), tables.Floats(scoresIn(kept))) {
			t.Errorf("%s: %v, and with repeats that are kept, of which there are none, %v", e.name, scoresIn(plain), scoresIn(kept))
		}
	}
}
