package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/preprocess/question"
)

// trips is a graph with lengths whose vertices 0 to n-1 have masses, in decimal; "" is a gap in the table.
type trips struct {
	n         int
	directed  bool
	edges     [][2]int
	lengths   []int // nil: hops
	from, to  []string
	cutoff    int // 0: none
	endpoints bool
	seed      uint64 // of the order of the vertex table
	only      []int  // sources; nil: all

	table [][3]string // rows of a table of trips, in decimal; nil: none

	decay string                  // the decay of pairs by distance; "": none
	share func(x float64) float64 // its function

	keep bool // repeated edges are paths of their own

	spreads bool   // flows are constrained by origins
	stay    string // question.Gravity.Stay, in decimal
}

// options returns options that read the graph as two tables of text.
func (g *trips) options(t testing.TB, sides string) Options {
	t.Helper()
	var edges, vertices strings.Builder
	edges.WriteString("src,dst,km\n")
	for i, e := range g.edges {
		fmt.Fprintf(&edges, "%d,%d,%d\n", e[0], e[1], g.length(i))
	}
	vertices.WriteString("a,id,b\n")
	for _, v := range rand.New(rand.NewPCG(g.seed, 1)).Perm(g.n) {
		if g.from[v] != "" {
			fmt.Fprintf(&vertices, "%s,%d,%s\n", g.from[v], v, g.to[v])
		}
	}
	path := filepath.Join(t.TempDir(), "vertices.csv")
	if err := os.WriteFile(path, []byte(vertices.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader(edges.String()), Format: tables.FormatCSV, Vertices: path}}}
	o.Engine = EngineCPU
	o.Question.Directed, o.Question.Endpoints = g.directed, g.endpoints
	if g.lengths != nil {
		o.Question.Lengths.Column = "km"
	}
	if g.keep {
		o.Question.Lengths.Repeats = question.RepeatsKeep
	}
	if g.cutoff > 0 {
		o.Question.Cutoff = strconv.Itoa(g.cutoff)
	}
	if g.only != nil {
		o.Sources = VertexSetOf(g.only...)
	}
	o.Question.Decay.Share = g.decay
	if g.spreads {
		o.Question.Gravity.Constrained = question.ConstrainedOrigins
		o.Question.Gravity.Stay, _ = strconv.ParseFloat(g.stay, 64)
	}
	if strings.Contains(sides, "a") {
		o.Question.Origins.Column = "a"
	}
	if strings.Contains(sides, "b") {
		o.Question.Destinations.Column = "b"
	}
	return o
}

func (g *trips) length(i int) int {
	if g.lengths == nil {
		return 1
	}
	return g.lengths[i]
}

// mass is the mass of a vertex in a column that counts, otherwise 1.
func mass(column []string, v int, counts bool) *big.Rat {
	if !counts {
		return big.NewRat(1, 1)
	}
	x, _ := new(big.Rat).SetString(column[v])
	if x == nil {
		return new(big.Rat)
	}
	return x
}

// listed lists every path of every pair, and shares the product of the pair's masses among the shortest, in fractions.
// travelled is the sum of products times distances.
func (g *trips) listed(sides string) (vertices []*big.Rat, edges map[[2]int]*big.Rat, travelled *big.Rat) {
	shortest, out := g.arcs()
	vertices, edges, travelled = make([]*big.Rat, g.n), map[[2]int]*big.Rat{}, new(big.Rat)
	for v := range vertices {
		vertices[v] = new(big.Rat)
	}
	for ends := range shortest {
		edges[ends] = new(big.Rat)
	}
	for s := range g.n {
		best, paths := g.paths(out, s)
		each := mass(g.from, s, strings.Contains(sides, "a"))
		if g.spreads {
			sees := new(big.Rat).Add(g.reached(best, paths, s, sides).shared, mass([]string{g.stay}, 0, true))
			if sees.Sign() == 0 {
				continue
			}
			each = new(big.Rat).Quo(each, sees)
		}
		for t, list := range paths {
			if !g.counts(best, paths, s, t) {
				continue
			}
			product := new(big.Rat).Mul(each, g.ends(best[t], t, sides))
			if g.table != nil {
				product = g.between(s, t)
			}
			travelled.Add(travelled, new(big.Rat).Mul(product, big.NewRat(int64(best[t]), 1)))
			each := new(big.Rat).Mul(product, big.NewRat(1, int64(len(list))))
			for _, path := range list {
				for i, v := range path {
					if g.endpoints || i > 0 && i < len(path)-1 {
						vertices[v].Add(vertices[v], each)
					}
					if i > 0 {
						edges[[2]int{path[i-1], v}].Add(edges[[2]int{path[i-1], v}], each)
					}
				}
			}
		}
	}
	return vertices, edges, travelled
}

// between is the table's amount from a vertex to another.
func (g *trips) between(s, t int) *big.Rat {
	sum := new(big.Rat)
	for _, row := range g.table {
		if row[0] == strconv.Itoa(s) && row[1] == strconv.Itoa(t) {
			x, _ := new(big.Rat).SetString(row[2])
			sum.Add(sum, x)
		}
	}
	return sum
}

// counts reports whether a pair of vertices counts.
func (g *trips) counts(best []int, paths [][][]int, s, t int) bool {
	return s != t && len(paths[t]) > 0 && (g.only == nil || slices.Contains(g.only, s)) && (g.cutoff == 0 || best[t] <= g.cutoff)
}

// ends is the mass of a target at a distance, times its decay.
func (g *trips) ends(distance, t int, sides string) *big.Rat {
	mass := mass(g.to, t, strings.Contains(sides, "b"))
	return new(big.Rat).Mul(mass, new(big.Rat).SetFloat64(g.shareAt(distance)))
}

// shareAt is the decay at a distance; 0 where it is negligible.
func (g *trips) shareAt(distance int) float64 {
	if g.share == nil {
		return 1
	}
	if share := g.share(float64(distance)); share >= 0x1p-500 {
		return share
	}
	return 0
}

// reaches holds sums over the reached target masses: of masses, masses times shares, masses times distances, and masses
// divided by distances.
type reaches struct{ mass, shared, distance, inverse *big.Rat }

func (g *trips) reached(best []int, paths [][][]int, s int, sides string) reaches {
	r := reaches{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
	for t := range paths {
		if !g.counts(best, paths, s, t) || g.shareAt(best[t]) == 0 {
			continue
		}
		mass, distance := mass(g.to, t, strings.Contains(sides, "b")), big.NewRat(int64(best[t]), 1)
		r.mass.Add(r.mass, mass)
		r.shared.Add(r.shared, g.ends(best[t], t, sides))
		r.distance.Add(r.distance, new(big.Rat).Mul(mass, distance))
		r.inverse.Add(r.inverse, new(big.Rat).Quo(mass, distance))
	}
	return r
}

// arc is an arc to a vertex.
type arc struct{ to, length int }

// arcs returns the shortest arc between each two vertices, by both vertices, and by the first.
func (g *trips) arcs() (shortest map[[2]int]int, out [][]arc) {
	shortest = map[[2]int]int{}
	for i, e := range g.edges {
		for _, ends := range [][2]int{e, {e[1], e[0]}} {
			if before, met := shortest[ends]; e[0] != e[1] && (!met || g.length(i) < before) {
				shortest[ends] = g.length(i)
			}
			if g.directed {
				break
			}
		}
	}
	out = make([][]arc, g.n)
	for ends, length := range shortest {
		for range g.copies(ends) {
			out[ends[0]] = append(out[ends[0]], arc{ends[1], length})
		}
	}
	return shortest, out
}

// copies returns the number of paths along the arc between two vertices.
func (g *trips) copies(ends [2]int) (count int) {
	if !g.keep {
		return 1
	}
	least := g.shortestOf(ends[0], ends[1])
	for i, e := range g.edges {
		if g.length(i) == least && (e == ends || !g.directed && e == [2]int{ends[1], ends[0]}) {
			count++
		}
	}
	return count
}

// paths returns the shortest paths from a vertex to each, and their lengths.
func (g *trips) paths(out [][]arc, s int) (best []int, paths [][][]int) {
	best, paths = make([]int, g.n), make([][][]int, g.n)
	var visit func(path []int, length int)
	visit = func(path []int, length int) {
		v := path[len(path)-1]
		switch {
		case len(paths[v]) == 0 || length < best[v]:
			best[v], paths[v] = length, [][]int{slices.Clone(path)}
		case length == best[v]:
			paths[v] = append(paths[v], slices.Clone(path))
		}
		for _, a := range out[v] {
			if !slices.Contains(path, a.to) {
				visit(append(path, a.to), length+a.length)
			}
		}
	}
	visit([]int{s}, 0)
	return best, paths
}

// byWalks searches a graph by auto and by some of the walks that suit it; forced counts these. adapt changes the
// options of each run, and hold checks its results.
func (g *trips) byWalks(t *testing.T, r *rand.Rand, forced map[string]int, sides string, adapt func(o *Options), hold func(walk string, table *tables.Table, stats *Stats)) {
	t.Helper()
	for i, walk := range append([]string{"auto"}, cpu.Walks()...) {
		if i > 0 && r.IntN(3) > 0 {
			continue
		}
		opts := g.options(t, sides)
		opts.Walk, opts.Threads, opts.Verify = walk, 1+r.IntN(2), 2
		opts.Lanes = []int{0, 0, 1, 5}[r.IntN(4)]
		adapt(&opts)
		var table tables.Table
		stats, err := Run(t.Context(), opts, into(&table))
		if errors.Is(err, engine.ErrWalk) {
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", g, err)
		}
		forced[walk]++
		hold(walk, &table, stats)
	}
}

// holdWalks checks that each of these walks searched some graph.
func holdWalks(t *testing.T, forced map[string]int, walks ...string) {
	t.Helper()
	for _, walk := range walks {
		if forced[walk] == 0 {
			t.Errorf("no graph was searched by walk %s", walk)
		}
	}
}

// holdColumn compares a column, times each, with numbers by id, to 1e-12 or to the last bits of sums with room for all.
func (g *trips) holdColumn(t *testing.T, walk string, table *tables.Table, name string, each float64, want []*big.Rat, all *big.Rat) {
	t.Helper()
	for v, got := range columnOf(t, table, name).Numbers() {
		id := table.IDs.Ints[v]
		exact, _ := want[id].Float64()
		if got *= each; math.Abs(got-exact) > 16*0x1p-110 && !equals(got, want[id], all) {
			t.Fatalf("walk %s: %s of vertex %d: %v, want %v: %+v", walk, name, id, got, want[id].FloatString(20), g)
		}
	}
}

// holdEdges is holdColumn for the scores of edges, by their ends.
func (g *trips) holdEdges(t *testing.T, walk string, table *tables.Table, name string, each float64, edges map[[2]int]*big.Rat, all *big.Rat) {
	t.Helper()
	for i, got := range table.Floats(name) {
		u, v := int(table.IDs.Ints[table.Pairs.Ends[0][i]]), int(table.IDs.Ints[table.Pairs.Ends[1][i]])
		want := edges[[2]int{u, v}]
		if !g.directed {
			want = new(big.Rat).Add(want, edges[[2]int{v, u}])
		}
		exact, _ := want.Float64()
		if got *= each; math.Abs(got-exact) > 16*0x1p-110 && !equals(got, want, all) {
			t.Fatalf("walk %s: %s of edge %d-%d: %v, want %v: %+v", walk, name, u, v, got, exact, fmt.Sprintf("%q %q %v", g.from, g.to, g.table))
		}
	}
}

// equals reports whether a number is as expected to 12 digits, or to the last bits of a sum with room for all.
func equals(got float64, want, all *big.Rat) bool {
	x, _ := want.Float64()
	most, _ := all.Float64()
	const terms = 16 // each rounded to the sum's last bit
	return !math.IsNaN(got) && math.Abs(got-x) <= 1e-12*x+terms*math.Ldexp(most, -125)
}

// products is the product of all origins and all destinations, or the sum of origins if flows are constrained.
func (g *trips) products(sides string) *big.Rat {
	from, to := new(big.Rat), new(big.Rat)
	for v := range g.n {
		from.Add(from, mass(g.from, v, strings.Contains(sides, "a")))
		to.Add(to, mass(g.to, v, strings.Contains(sides, "b")))
	}
	if g.spreads {
		return from
	}
	return from.Mul(from, to)
}

// flows is the textbook with masses, for graphs that are too large to list their paths.
func (e *edgeList) flows(from, to map[int64]float64) map[int64]float64 {
	next, before := map[int64][]int64{}, map[int64][]int64{}
	met := map[[2]int64]bool{}
	arc := func(u, v int64) {
		if u != v && !met[[2]int64{u, v}] {
			met[[2]int64{u, v}] = true
			next[u], before[v] = append(next[u], v), append(before[v], u)
		}
	}
	scores := map[int64]float64{}
	for i := range e.src {
		scores[e.src[i]], scores[e.dst[i]] = 0, 0
		arc(e.src[i], e.dst[i])
		if !e.directed {
			arc(e.dst[i], e.src[i])
		}
	}
	for s := range scores {
		distance, sigma, order := map[int64]int{s: 0}, map[int64]float64{s: 1}, []int64{s}
		for head := 0; head < len(order); head++ {
			u := order[head]
			for _, v := range next[u] {
				if _, seen := distance[v]; !seen {
					distance[v] = distance[u] + 1
					order = append(order, v)
				}
				if distance[v] == distance[u]+1 {
					sigma[v] += sigma[u]
				}
			}
		}
		delta := map[int64]float64{}
		for i := len(order) - 1; i > 0; i-- {
			t := order[i]
			for _, v := range before[t] {
				if d, reached := distance[v]; reached && d == distance[t]-1 {
					delta[v] += sigma[v] / sigma[t] * (to[t] + delta[t])
				}
			}
			scores[t] += from[s] * delta[t]
		}
	}
	return scores
}
