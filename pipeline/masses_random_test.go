package pipeline

import (
	"math/rand/v2"
	"strconv"
)

// anyTrips draws a small graph of many shapes, with masses of many magnitudes, zeros and gaps.
func anyTrips(r *rand.Rand) *trips {
	g := &trips{n: 2 + r.IntN(8), directed: r.IntN(2) == 0, endpoints: r.IntN(4) == 0, seed: r.Uint64()}
	join := func(u, v int) { g.edges = append(g.edges, [2]int{u, v}) }
	switch shape := r.IntN(6); shape {
	case 0: // a tree with a few more edges
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
