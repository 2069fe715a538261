package pipeline

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// network is a graph of a few vertices as a test removes from it.
type network struct {
	n        int
	rows     [][3]int64 // both ends and the length, as they are given
	directed bool
	lengths  bool
	from, to []int64 // masses by vertex; nil: 1 each
}

// source sends the rows; ids are ten times the number of the vertex.
func (g *network) source(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
	defer close(edges)
	var b tables.Batch
	for _, row := range g.rows {
		b.Src.Ints, b.Dst.Ints = append(b.Src.Ints, uint64(10*row[0])), append(b.Dst.Ints, uint64(10*row[1]))
		if g.lengths {
			b.Weights.Digits, b.Weights.Exponents = append(b.Weights.Digits, row[2]), append(b.Weights.Exponents, -1)
		}
	}
	summary := tables.Summary{IDs: tables.Int64IDs(), Rows: int64(len(g.rows))}
	if g.from != nil || g.to != nil { // a vertex table
		vertices := tables.Batch{}
		for v := range uint64(g.n) {
			vertices.Vertices.Ints = append(vertices.Vertices.Ints, 10*v)
		}
		for side, masses := range [][]int64{g.from, g.to} {
			name, column := []string{"from", "to"}[side], tables.KeptValues{}
			for _, mass := range masses {
				column.Keys.Ints = append(column.Keys.Ints, uint64(mass))
			}
			if masses != nil {
				vertices.Kept, summary.Kept = append(vertices.Kept, column), append(summary.Kept, tables.GroupColumn{Name: name, Type: tables.Int64IDs()})
			}
		}
		edges <- vertices
	}
	edges <- b
	return summary, nil
}

// weighed reports whether pairs count the products of their masses.
func (g *network) weighed() bool { return g.from != nil || g.to != nil }

func (g *network) options() Options {
	o := Options{Input: Input{Source: g.source}, Question: question.Question{Directed: g.directed}}
	if g.lengths {
		o.Question.Lengths.Column = "km"
	}
	if g.from != nil {
		o.Question.Origins.Column = "from"
	}
	if g.to != nil {
		o.Question.Destinations.Column = "to"
	}
	return o
}

// without is the network without some edges.
func (g *network) without(gone func(u, v int64) bool) *network {
	left := *g
	left.rows = slices.DeleteFunc(slices.Clone(g.rows), func(row [3]int64) bool {
		return gone(row[0], row[1]) || !g.directed && gone(row[1], row[0])
	})
	return &left
}

// expected are the figures by all shortest paths, counted from every vertex by relaxing until nothing changes: the total, the
// largest betweenness, reach and the mean distance.
func (g *network) expected() [4]float64 {
	const far = math.MaxInt64 / 4
	length := make([][]int64, g.n)
	for u := range length {
		length[u] = slices.Repeat([]int64{far}, g.n)
	}
	join := func(u, v, l int64) {
		if u != v {
			length[u][v] = min(length[u][v], l)
		}
	}
	for _, row := range g.rows {
		l := int64(10)
		if g.lengths {
			l = row[2]
		}
		if join(row[0], row[1], l); !g.directed {
			join(row[1], row[0], l)
		}
	}
	d, paths := make([][]int64, g.n), make([][]float64, g.n)
	for s := range g.n {
		d[s], paths[s] = slices.Repeat([]int64{far}, g.n), make([]float64, g.n)
		d[s][s], paths[s][s] = 0, 1
		for range g.n {
			for u := range g.n {
				for v := range g.n {
					d[s][v] = min(d[s][v], d[s][u]+length[u][v])
				}
			}
		}
		order := make([]int, g.n)
		for v := range order {
			order[v] = v
		}
		slices.SortFunc(order, func(u, v int) int { return cmp.Compare(d[s][u], d[s][v]) })
		for _, v := range order {
			for u := range g.n {
				if v != s && d[s][v] < far && d[s][u]+length[u][v] == d[s][v] {
					paths[s][v] += paths[s][u]
				}
			}
		}
	}
	pair := func(s, t int) float64 {
		product := 1.0
		if g.from != nil {
			product *= float64(g.from[s])
		}
		if g.to != nil {
			product *= float64(g.to[t])
		}
		return product
	}
	var total, largest, reach, sum float64
	for v := range g.n {
		score := 0.0
		for s := range g.n {
			for t := range g.n {
				if s == t || d[s][t] >= far {
					continue
				}
				if v == 0 {
					reach += pair(s, t)
					sum += pair(s, t) * float64(d[s][t]) / 10
				}
				if v != s && v != t && d[s][v]+d[v][t] == d[s][t] {
					score += pair(s, t) * paths[s][v] * paths[v][t] / paths[s][t]
				}
			}
		}
		if !g.directed && !g.weighed() {
			score /= 2
		}
		total += score
		largest = max(largest, score)
	}
	if reach > 0 {
		sum /= reach
	}
	return [4]float64{total, largest, reach, sum}
}

// networks are shapes with bridges, trees, cacti, cliques, several components, edges that are repeated, and loops.
func networks(r *rand.Rand, count int) (list []*network) {
	for i := range count {
		g := &network{n: 2 + r.IntN(13), directed: i%4 > 1, lengths: i%2 > 0}
		add := func(u, v int) { g.rows = append(g.rows, [3]int64{int64(u), int64(v), 1 + r.Int64N(6)}) }
		switch i / 4 % 5 {
		case 0: // a tree and some edges more
			for v := 1; v < g.n; v++ {
				add(r.IntN(v), v)
			}
			for range r.IntN(4) {
				add(r.IntN(g.n), r.IntN(g.n))
			}
		case 1: // anything
			for range 1 + r.IntN(2*g.n) {
				add(r.IntN(g.n), r.IntN(g.n))
			}
		case 2: // triangles that share vertices
			for v := 1; v+1 < g.n; v += 2 {
				u := r.IntN(v)
				add(u, v)
				add(v, v+1)
				add(v+1, u)
			}
			add(0, g.n-1)
		case 3: // a ring with chords and leaves
			ring := max(2, g.n*2/3)
			for v := range ring {
				add(v, (v+1)%ring)
			}
			add(r.IntN(ring), r.IntN(ring))
			for v := ring; v < g.n; v++ {
				add(r.IntN(v), v)
			}
		case 4: // dense parts, joined or not
			for u := range g.n {
				for v := range u {
					if u%2 == v%2 && r.IntN(4) > 0 || r.IntN(12) == 0 {
						add(u, v)
					}
				}
			}
			add(0, g.n-1)
		}
		if g.directed {
			for _, row := range g.rows {
				if r.IntN(2) == 0 {
					add(int(row[1]), int(row[0]))
				}
			}
		}
		for _, masses := range [][]*[]int64{{}, {}, {&g.from, &g.to}, {}, {&g.to}}[i%5] {
			for range g.n {
				*masses = append(*masses, max(r.Int64N(12)-3, 0))
			}
		}
		if i%10 == 2 { // as much ends
			g.to = g.from
		}
		r.Shuffle(len(g.rows), func(i, j int) { g.rows[i], g.rows[j] = g.rows[j], g.rows[i] })
		list = append(list, g)
	}
	return list
}
