package preprocess

import (
	"math/rand/v2"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// shapesOfGraphs are graphs with the structures that reductions apply to.
func shapesOfGraphs() map[string]*csr.Graph {
	return map[string]*csr.Graph{
		"empty":          graphOf(0, nil),
		"one":            graphOf(1, nil),
		"two apart":      graphOf(2, nil),
		"two":            graphOf(2, testgraphs.Path(0, 1)),
		"isolated":       graphOf(9, nil),
		"path":           graphOf(20, testgraphs.Path(0, 19)),
		"triangle":       graphOf(3, testgraphs.Ring(0, 3)),
		"cycle of 4":     graphOf(4, testgraphs.Ring(0, 4)),
		"cycle of 5":     graphOf(5, testgraphs.Ring(0, 5)),
		"cycle of 16":    graphOf(16, testgraphs.Ring(0, 16)),
		"cycle of 17":    graphOf(17, testgraphs.Ring(0, 17)),
		"clique":         graphOf(9, testgraphs.Clique(0, 9)),
		"star":           graphOf(12, testgraphs.Star(0, 11)),
		"barbell":        graphOf(14, testgraphs.Join(testgraphs.Clique(0, 5), testgraphs.Path(4, 9), testgraphs.Clique(9, 5))),
		"lollipop":       graphOf(14, testgraphs.Join(testgraphs.Ring(0, 7), testgraphs.Path(6, 13))),
		"cycles chained": graphOf(13, testgraphs.Join(testgraphs.Ring(0, 4), testgraphs.Ring(3, 5), testgraphs.Ring(7, 6))),
		"windmill":       graphOf(13, testgraphs.Windmill(4, 4)),
		"grid":           graphOf(30, testgraphs.Grid(5, 6)),
		"bipartite":      graphOf(9, testgraphs.Bipartite(4, 5)),
		"two hubs":       graphOf(12, testgraphs.Bipartite(2, 10)),
		"two components": graphOf(20, testgraphs.Join(testgraphs.Ring(0, 6), testgraphs.Path(5, 9), testgraphs.Clique(10, 4), testgraphs.Path(13, 18))),
		"petersen": graphOf(10, append(testgraphs.Ring(0, 5), edge{5, 7}, edge{7, 9}, edge{9, 6}, edge{6, 8}, edge{8, 5},
			edge{0, 5}, edge{1, 6}, edge{2, 7}, edge{3, 8}, edge{4, 9})),
	}
}

// randomGraph draws a graph of one of several kinds, with its vertices
// shuffled.
func randomGraph(r *rand.Rand) *csr.Graph {
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
	case 1: // tree, and a few more edges
		for v := uint32(1); v < n; v++ {
			edges = append(edges, edge{r.Uint32N(v), v})
		}
		for range r.IntN(4) {
			edges = append(edges, edge{r.Uint32N(n), r.Uint32N(n)})
		}
	case 2: // cactus: cycles and bridges hung on each other
		for v := uint32(1); v < n; {
			k := min(1+r.Uint32N(6), n-v)
			at := r.Uint32N(v)
			edges = append(edges, testgraphs.Path(v, v+k-1)...)
			edges = append(edges, edge{at, v}, edge{at, v + k - 1})
			v += k
		}
	case 3: // blocks of any kind hung on each other
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
