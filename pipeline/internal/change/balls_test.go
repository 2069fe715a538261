package change

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
)

// drawn returns a graph near a grid, with gaps, some long edges and lengths or none, and all its distances; unreached: none.
func drawn(r *rand.Rand, directed, lengths bool) (g *csr.Graph, arcs [][2]uint32, far [][]int64) {
	wide, high := 3+r.IntN(7), 3+r.IntN(7)
	switch r.IntN(8) {
	case 0: // deep
		wide, high = 2, 50
	case 1: // with large sides
		wide, high = 12, 12
	}
	n := wide * high
	length := make([][]int64, n)
	far = make([][]int64, n)
	for v := range n {
		length[v], far[v] = make([]int64, n), make([]int64, n)
		for w := range n {
			if far[v][w] = unreached; v == w {
				far[v][w] = 0
			}
		}
	}
	join := func(u, v int) {
		by := int64(1)
		if lengths {
			by = 1 + r.Int64N(6)
		}
		if u != v && length[u][v] == 0 {
			if length[u][v] = by; !directed {
				length[v][u] = by
			}
		}
	}
	for v := range n {
		for _, w := range []int{v + 1, v + wide} {
			if w < n && (w != v+1 || w%wide > 0) && r.IntN(5) > 0 {
				if join(v, w); r.IntN(4) > 0 {
					join(w, v)
				}
			}
		}
		if r.IntN(n) == 0 {
			join(v, r.IntN(n))
		}
	}
	g = &csr.Graph{Offsets: []int64{0}}
	for u := range n {
		for v, by := range length[u] {
			if by == 0 {
				continue
			}
			far[u][v] = by
			if g.Targets = append(g.Targets, uint32(v)); lengths {
				g.Lengths = append(g.Lengths, by)
			}
			if directed || u < v {
				arcs = append(arcs, [2]uint32{uint32(u), uint32(v)})
			}
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	if directed {
		order := csr.Ascending(n)
		in, err := g.Turned(context.Background(), order, order)
		if err != nil {
			panic(err)
		}
		g.In = &in
	}
	for by := range n {
		for u := range n {
			for v := range n {
				far[u][v] = min(far[u][v], far[u][by]+far[by][v])
			}
		}
	}
	return g, arcs, far
}

const unreached = math.MaxInt32

// leastCover is the size of the smallest set of sources and targets with an end of each pair: as many as pairs without a common end, by
// Koenig's theorem. Pairs are targets by source.
func leastCover(pairs [][]int, n int) (size int) {
	source := slices.Repeat([]int{-1}, n) // by target
	for s := range pairs {
		tried := make([]bool, n)
		var free func(s int) bool
		free = func(s int) bool {
			for _, t := range pairs[s] {
				if tried[t] {
					continue
				}
				if tried[t] = true; source[t] < 0 || free(source[t]) {
					source[t] = s
					return true
				}
			}
			return false
		}
		if free(s) {
			size++
		}
	}
	return size
}

// Covers hold an end of every pair with a shortest path over a changed edge, however early the budget ends. Those of one edge are a tenth
// larger than the smallest at most, all together. Its sides are not. The 600 graphs have directions and lengths. Paths begin and end
// anywhere, or at some vertices.
func TestBallsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 9))
	balls, sides, least := 0, 0, 0
	for i := range 600 {
		g, arcs, far := drawn(r, i%2 > 0, i/2%2 > 0)
		if len(arcs) == 0 {
			continue
		}
		n := g.Vertices()
		var ends [2][]bool
		for side := range ends {
			if r.IntN(3) == 0 {
				ends[side] = make([]bool, n)
				for v := range ends[side] {
					ends[side][v] = r.IntN(3) > 0
				}
			}
		}
		if !g.Directed() {
			ends[1] = ends[0]
		}
		r.Shuffle(len(arcs), func(i, j int) { arcs[i], arcs[j] = arcs[j], arcs[i] })
		arcs = arcs[:min(len(arcs), 1+r.IntN(3))]
		asked := seeking{g: g, edges: arcs, ends: ends, budget: 1 << 30, small: func(Cover, Cover) bool { return true }}
		cover := func(budget int) (from, to Cover, size int) {
			asked.budget = budget
			from, to, err := smallerSides(t.Context(), asked)
			if err != nil {
				t.Fatal(err)
			}
			if size = from.size(); g.Directed() {
				size += to.size()
			}
			return from, to, size
		}
		from, to, size := cover(1 << 30)
		earlyFrom, earlyTo, _ := cover(1 + r.IntN(20*len(g.Targets)))
		_, _, plain := cover(0)
		pairs := make([][]int, n)
		for _, e := range arcs {
			check := func(u, v uint32) {
				for s := range n {
					for end := range n {
						if far[s][end] >= unreached || far[s][u]+g.Length(e[0], e[1])+far[v][end] != far[s][end] {
							continue
						}
						if begins, stops := ends[0] == nil || ends[0][s], ends[1] == nil || ends[1][end]; !begins || !stops {
							continue
						}
						if !from[s] && !to[end] || !earlyFrom[s] && !earlyTo[end] {
							t.Fatalf("%d: a path from %d to %d over %v has no end in the covers", i, s, end, e)
						}
						pairs[s] = append(pairs[s], end)
					}
				}
			}
			if check(e[0], e[1]); len(arcs) == 1 {
				balls, sides, least = balls+size, sides+plain, least+leastCover(pairs, n)
			}
			if !g.Directed() {
				check(e[1], e[0])
			}
		}
	}
	if 20*balls > 22*least || 20*sides < 25*least {
		t.Errorf("balls have %d vertices, sides %d, the smallest covers %d", balls, sides, least)
	}
}
