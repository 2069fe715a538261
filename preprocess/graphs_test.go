package preprocess

import (
	"math/rand/v2"
)

// shapesOfGraphs are graphs with a structure that some reduction is about.
func shapesOfGraphs() map[string]*Graph {
	return map[string]*Graph{
		"empty":          graphOf(0, nil),
		"one":            graphOf(1, nil),
		"two apart":      graphOf(2, nil),
		"two":            graphOf(2, path(0, 1)),
		"isolated":       graphOf(9, nil),
		"path":           graphOf(20, path(0, 19)),
		"triangle":       graphOf(3, ring(0, 3)),
		"cycle of 4":     graphOf(4, ring(0, 4)),
		"cycle of 5":     graphOf(5, ring(0, 5)),
		"cycle of 16":    graphOf(16, ring(0, 16)),
		"cycle of 17":    graphOf(17, ring(0, 17)),
		"clique":         graphOf(9, clique(0, 9)),
		"star":           graphOf(12, star(0, 11)),
		"barbell":        graphOf(14, join(clique(0, 5), path(4, 9), clique(9, 5))),
		"lollipop":       graphOf(14, join(ring(0, 7), path(6, 13))),
		"cycles chained": graphOf(13, join(ring(0, 4), ring(3, 5), ring(7, 6))),
		"windmill":       graphOf(13, windmill(4, 4)),
		"grid":           graphOf(30, grid(5, 6)),
		"bipartite":      graphOf(9, bipartite(4, 5)),
		"two hubs":       graphOf(12, bipartite(2, 10)),
		"two components": graphOf(20, join(ring(0, 6), path(5, 9), clique(10, 4), path(13, 18))),
		"petersen": graphOf(10, append(ring(0, 5), edge{5, 7}, edge{7, 9}, edge{9, 6}, edge{6, 8}, edge{8, 5},
			edge{0, 5}, edge{1, 6}, edge{2, 7}, edge{3, 8}, edge{4, 9})),
	}
}

func join(parts ...[]edge) []edge {
	var all []edge
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// path joins from, from+1, ..., to.
func path(from, to uint32) []edge {
	var edges []edge
	for v := from; v < to; v++ {
		edges = append(edges, edge{v, v + 1})
	}
	return edges
}

// ring is a cycle of the k vertices from first on.
func ring(first, k uint32) []edge {
	return append(path(first, first+k-1), edge{first, first + k - 1})
}

// clique of the k vertices from first on.
func clique(first, k uint32) []edge {
	var edges []edge
	for v := first; v < first+k; v++ {
		for u := first; u < v; u++ {
			edges = append(edges, edge{u, v})
		}
	}
	return edges
}

// star of a centre and the leaves centre+1..centre+leaves.
func star(centre, leaves uint32) []edge {
	var edges []edge
	for v := centre + 1; v <= centre+leaves; v++ {
		edges = append(edges, edge{centre, v})
	}
	return edges
}

// windmill is count cycles of k vertices that share vertex 0.
func windmill(count, k uint32) []edge {
	var edges []edge
	for i := range count {
		first := 1 + i*(k-1)
		edges = append(edges, path(first, first+k-2)...)
		edges = append(edges, edge{0, first}, edge{0, first + k - 2})
	}
	return edges
}

// grid of rows*columns vertices.
func grid(rows, columns uint32) []edge {
	var edges []edge
	for r := range rows {
		for c := range columns {
			v := r*columns + c
			if c+1 < columns {
				edges = append(edges, edge{v, v + 1})
			}
			if r+1 < rows {
				edges = append(edges, edge{v, v + columns})
			}
		}
	}
	return edges
}

// bipartite joins each of 0..a-1 to each of a..a+b-1.
func bipartite(a, b uint32) []edge {
	var edges []edge
	for u := range a {
		for v := a; v < a+b; v++ {
			edges = append(edges, edge{u, v})
		}
	}
	return edges
}

// randomGraph is one of several kinds, with its vertices shuffled.
func randomGraph(r *rand.Rand) *Graph {
	n := uint32(1 + r.IntN(28))
	var edges []edge
	switch r.IntN(5) {
	case 0: // sparse to dense
		p := []float64{.03, .07, .1, .15, .3, .6}[r.IntN(6)]
		for v := range n {
			for u := range v {
				if r.Float64() < p {
					edges = append(edges, edge{u, v})
				}
			}
		}
	case 1: // tree, and a few edges more
		for v := uint32(1); v < n; v++ {
			edges = append(edges, edge{r.Uint32N(v), v})
		}
		for range r.IntN(4) {
			edges = append(edges, edge{r.Uint32N(n), r.Uint32N(n)})
		}
	case 2: // cactus: cycles and bridges hung on one another
		for v := uint32(1); v < n; {
			k := min(1+r.Uint32N(6), n-v)
			at := r.Uint32N(v)
			edges = append(edges, path(v, v+k-1)...)
			edges = append(edges, edge{at, v}, edge{at, v + k - 1})
			v += k
		}
	case 3: // blocks of any kind hung on one another
		for v := uint32(1); v < n; {
			k := min(1+r.Uint32N(8), n-v)
			at := r.Uint32N(v)
			for u := v; u < v+k; u++ {
				for w := v; w < u; w++ {
					if r.Float64() < .5 {
						edges = append(edges, edge{w, u})
					}
				}
				if r.Float64() < .5 {
					edges = append(edges, edge{at, u})
				}
			}
			v += k
		}
	case 4: // twins: vertices that copy the neighbours of earlier ones
		rows := [][]uint32{{}}
		for v := uint32(1); v < n; v++ {
			var row []uint32
			if r.IntN(2) == 0 {
				row = append(row, rows[r.IntN(len(rows))]...)
			}
			if r.IntN(2) == 0 {
				row = append(row, r.Uint32N(v))
			}
			rows = append(rows, row)
			for _, u := range row {
				edges = append(edges, edge{u, v})
			}
		}
	}
	shuffled := r.Perm(int(n))
	for i, e := range edges {
		edges[i] = edge{uint32(shuffled[e[0]]), uint32(shuffled[e[1]])}
	}
	return graphOf(int(n), edges)
}
