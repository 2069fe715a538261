package pipeline

import (
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
)

// trips are a graph with lengths whose vertices 0 to n-1 send and get masses, in decimal; "" is none in the table.
type trips struct {
	n         int
	directed  bool
	edges     [][2]int
	lengths   []int // nil: hops
	from, to  []string
	cutoff    int // 0: none
	endpoints bool
	seed      uint64 // of the order of the vertex table
	only      []int  // where paths begin; nil: anywhere

	table [][3]string // rows of a table of trips, in decimal; nil: none

	decay string                  // how pairs count by their distance; "": alike
	share func(x float64) float64 // what that is
}

// options has the graph as two tables of text.
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
	o := Options{Input: Input{Read: arrowio.Read, Files: arrowio.Options{Stdin: strings.NewReader(edges.String()), Format: arrowio.FormatCSV, Vertices: path}}}
	o.Engine = EngineCPU
	o.Question.Directed, o.Question.Endpoints = g.directed, g.endpoints
	if g.lengths != nil {
		o.Question.Lengths.Column = "km"
	}
	if g.cutoff > 0 {
		o.Question.Cutoff = strconv.Itoa(g.cutoff)
	}
	if g.only != nil {
		o.Sources = VertexSetOf(g.only...)
	}
	o.Question.Decay.Share = g.decay
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

// mass is what a vertex has in a column that counts, or 1.
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

// listed lists every path of every pair, and shares the product of its masses among the shortest, in fractions. travelled is the
// sum of products times distances.
func (g *trips) listed(sides string) (vertices []*big.Rat, edges map[[2]int]*big.Rat, travelled *big.Rat) {
	type arc struct{ to, length int }
	shortest := map[[2]int]int{}
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
	out := make([][]arc, g.n)
	for ends, length := range shortest {
		out[ends[0]] = append(out[ends[0]], arc{ends[1], length})
	}
	vertices, edges, travelled = make([]*big.Rat, g.n), map[[2]int]*big.Rat{}, new(big.Rat)
	for v := range vertices {
		vertices[v] = new(big.Rat)
	}
	for ends := range shortest {
		edges[ends] = new(big.Rat)
	}
	for s := range g.n {
		best, paths := make([]int, g.n), make([][][]int, g.n)
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
		for t, list := range paths {
			if s == t || len(list) == 0 || g.only != nil && !slices.Contains(g.only, s) || g.cutoff > 0 && best[t] > g.cutoff {
				continue
			}
			product := mass(g.from, s, strings.Contains(sides, "a"))
			product = new(big.Rat).Mul(product, mass(g.to, t, strings.Contains(sides, "b")))
			if g.table != nil {
				product = g.between(s, t)
			}
			if g.share != nil {
				product.Mul(product, new(big.Rat).SetFloat64(g.share(float64(best[t]))))
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

// between is what the table says that goes from a vertex to another.
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

// anyTrips draws a small graph of many shapes, with masses of many magnitudes, zeros and gaps.
func anyTrips(r *rand.Rand) *trips {
	g := &trips{n: 2 + r.IntN(8), directed: r.IntN(2) == 0, endpoints: r.IntN(4) == 0, seed: r.Uint64()}
	join := func(u, v int) { g.edges = append(g.edges, [2]int{u, v}) }
	switch shape := r.IntN(6); shape {
	case 0: // a tree with a few more
		for v := 1; v < g.n; v++ {
			join(r.IntN(v), v)
		}
		for range r.IntN(3) {
			join(r.IntN(g.n), r.IntN(g.n))
		}
	case 1: // a ring with tails
		k := 2 + r.IntN(g.n-1)
		for v := range g.n {
			if v < k {
				join(v, (v+1)%k)
			} else {
				join(r.IntN(v), v)
			}
		}
	case 2: // twins
		for v := 2; v < g.n; v++ {
			join(0, v)
			join(v, 1)
		}
	case 3: // chains between junctions
		for v := 2; v < g.n; v++ {
			join(v, max(v-1-r.IntN(2), 0))
		}
		join(0, g.n-1)
		join(1, g.n-1)
	default:
		for range 1 + r.IntN(2*g.n) {
			join(r.IntN(g.n), r.IntN(g.n))
		}
	}
	for i := range g.edges {
		if r.IntN(4) == 0 {
			g.edges[i][0], g.edges[i][1] = g.edges[i][1], g.edges[i][0]
		}
		if g.directed && r.IntN(3) == 0 {
			join(g.edges[i][1], g.edges[i][0])
		}
	}
	if r.IntN(2) == 0 {
		for range g.edges {
			g.lengths = append(g.lengths, 1+r.IntN(3))
		}
	}
	if r.IntN(4) == 0 {
		g.cutoff = 1 + r.IntN(5)
	}
	if r.IntN(6) == 0 && len(g.edges) > 0 {
		g.only = []int{g.edges[0][0], g.edges[len(g.edges)-1][1]}
	}
	kind := r.IntN(4)
	draw := func() string {
		switch {
		case r.IntN(4) == 0:
			return "0"
		case kind == 0:
			return strconv.Itoa(r.IntN(5))
		case kind == 1:
			return strconv.FormatFloat(r.Float64(), 'f', 1+r.IntN(6), 64)
		case kind == 2 && r.IntN(2) == 0:
			return strconv.Itoa(1_000_000_000_000 - r.IntN(3)) // beside
		}
		return "0.00" + strconv.Itoa(1+r.IntN(9))
	}
	for range g.n {
		a, b := draw(), draw()
		if r.IntN(8) == 0 {
			a, b = "", ""
		}
		g.from, g.to = append(g.from, a), append(g.to, b)
	}
	return g
}

// equals tells whether a number is as wanted to 12 digits, or to the last bits of a sum that has room for all.
func equals(got float64, want, all *big.Rat) bool {
	x, _ := want.Float64()
	most, _ := all.Float64()
	const terms = 16 // that are each rounded to the sum's last bit
	return !math.IsNaN(got) && math.Abs(got-x) <= 1e-12*x+terms*math.Ldexp(most, -125)
}

// products is what all vertices send times what all get.
func (g *trips) products(sides string) *big.Rat {
	from, to := new(big.Rat), new(big.Rat)
	for v := range g.n {
		from.Add(from, mass(g.from, v, strings.Contains(sides, "a")))
		to.Add(to, mass(g.to, v, strings.Contains(sides, "b")))
	}
	return from.Mul(from, to)
}

// flows is the textbook with masses, for graphs that are too large to list paths of.
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
