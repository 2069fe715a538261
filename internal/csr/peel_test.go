package csr_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
)

// Each vertex is removed when it has at most one neighbour left, into that one. In the end, all have two, or must
// stay.
func TestPeel(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for round := range 300 {
		n := 1 + random.IntN(30)
		var edges [][2]uint32
		for range random.IntN(2 * n) {
			edges = append(edges, [2]uint32{uint32(random.IntN(n)), uint32(random.IntN(n))})
		}
		var g csr.Graph
		g.Offsets, g.Targets = testgraphs.Rows(n, edges)
		stays := make([]bool, n)
		for v := range stays {
			stays[v] = random.IntN(4) == 0 && round%2 == 0
		}
		goes := func(v, degree uint32) bool { return degree == 0 || !stays[v] }
		p, err := csr.Peel(t.Context(), &g, 2, goes)
		if err != nil {
			t.Fatal(err)
		}
		left := slices.Repeat([]bool{true}, n)
		neighbours := func(v uint32) (list []uint32) {
			for _, w := range g.Neighbours(v) {
				if left[w] {
					list = append(list, w)
				}
			}
			return list
		}
		for i, v := range p.Order {
			want := neighbours(v)
			if len(want) == 0 {
				want = []uint32{v}
			}
			if !left[v] || !slices.Equal(want, []uint32{p.Into[i]}) {
				t.Fatalf("round %d: %d goes into %d; want %v", round, v, p.Into[i], want)
			}
			left[v] = false
		}
		for v := range uint32(n) {
			degree := uint32(len(neighbours(v)))
			if left[v] && degree < 2 && goes(v, degree) || left[v] && degree != p.Degree[v] || !left[v] && p.Degree[v] != 0 {
				t.Fatalf("round %d: vertex %d is left: %v, with degree %d; have %d", round, v, left[v], degree, p.Degree[v])
			}
		}
		if _, err := csr.Peel(testending.After(t.Context(), 0), &g, 2, goes); len(p.Order) > 0 && err == nil {
			t.Fatal("an ended context passed")
		}
	}
}
