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
		if r.IntN(2) > 0 {
			g.Lengths = make([]int64, len(g.Targets))
			for v := range uint32(n) {
				for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
					g.Lengths[arc] = 1 + int64(v^g.Targets[arc])%7
				}
			}
		}
		directed := r.IntN(2) > 0
		if directed { // some of the arcs
			gone := make([]bool, len(g.Targets))
			for arc := range gone {
				gone[arc] = r.IntN(3) == 0
			}
			some, err := g.Without(t.Context(), gone, 1)
			if err != nil {
				t.Fatal(err)
			}
			g = *some
			g.In = &Graph{Offsets: []int64{0}}
			for v := range uint32(n) {
				for u := range uint32(n) {
					if arc := g.ArcTo(u, v); arc >= 0 {
						if g.In.Targets = append(g.In.Targets, u); g.HasLengths() {
							g.In.Lengths = append(g.In.Lengths, g.Lengths[arc])
						}
					}
				}
				g.In.Offsets = append(g.In.Offsets, int64(len(g.In.Targets)))
			}
		}
		back, err := g.Upward().BothWays(t.Context(), directed)
		same := func(a, b *Graph) bool {
			return slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Targets, b.Targets) && slices.Equal(a.Lengths, b.Lengths)
		}
		if err != nil || back.Directed() != directed || !same(back, &g) || !same(back.Reverse(), g.Reverse()) {
			t.Fatalf("directed %t: %v: %v, error %v", directed, g, back, err)
		}
		if err := back.Check(); err != nil {
			t.Fatal(err)
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
		"no length":       {Offsets: []int64{0, 1, 1}, Targets: []uint32{1}, Lengths: []int64{0}},
		"few lengths":     {Offsets: []int64{0, 1, 1}, Targets: []uint32{1}, Lengths: []int64{}},
		"too long":        {Offsets: []int64{0, 1, 1}, Targets: []uint32{1}, Lengths: []int64{1 << 62}},
	} {
		if got, err := g.BothWays(t.Context(), false); err == nil {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}
