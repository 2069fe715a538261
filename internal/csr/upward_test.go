package csr

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// A graph comes back from its edges, each given once. Numbers that are not such edges are refused.
func TestUpwardAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 4))
	for range 40 {
		n := 1 + r.IntN(30)
		var g Graph
		g.Offsets, g.Targets = testgraphs.Rows(n, testgraphs.Random(r, n, n, r.IntN(2*n)))
		up := g.Upward()
		back, err := up.BothWays(t.Context())
		if err != nil || !slices.Equal(back.Offsets, g.Offsets) || !slices.Equal(back.Targets, g.Targets) {
			t.Fatalf("%v: %v, error %v", g, back, err)
		}
	}
	for name, g := range map[string]Graph{
		"no offsets":      {},
		"targets missing": {Offsets: []int64{0, 1, 1}},
		"to itself":       {Offsets: []int64{0, 1, 1}, Targets: []uint32{0}},
		"downwards":       {Offsets: []int64{0, 0, 1}, Targets: []uint32{0}},
		"out of range":    {Offsets: []int64{0, 1, 1}, Targets: []uint32{2}},
		"twice":           {Offsets: []int64{0, 2, 2}, Targets: []uint32{1, 1}},
		"back":            {Offsets: []int64{0, 2, 1, 2}, Targets: []uint32{1, 2}},
		"beyond":          {Offsets: []int64{0, 9, 1}, Targets: []uint32{1}},
	} {
		if got, err := g.BothWays(t.Context()); err == nil {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}
