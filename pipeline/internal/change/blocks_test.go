package change

import (
	"math/rand/v2"
	"testing"
)

// Blocks share no edge, and the masses of each sum to its component: they are what the graph falls into without the block's edges.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 11))
	for range 100 {
		g := &graph{edges: map[[2]uint64]bool{}}
		n := 2 + r.Uint64N(14)
		for v := range n {
			g.ids = append(g.ids, v)
		}
		for range r.Uint64N(2 * n) {
			u, v := r.Uint64N(n), r.Uint64N(n)
			if u != v {
				g.edges[[2]uint64{min(u, v), max(u, v)}] = true
			}
		}
		whole, _ := g.csr()
		b, err := FindBlocks(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		h := b.Hang(nil)
		edges := int64(0)
		for i := range b.head {
			left := &graph{ids: g.ids, edges: map[[2]uint64]bool{}}
			for e := range g.edges {
				if b.Of(uint32(e[0]), uint32(e[1])) != uint32(i) {
					left.edges[e] = true
				}
			}
			if count := int64(len(g.edges) - len(left.edges)); count != b.edges[i] {
				t.Errorf("%v: block %d has %d edges, want %d", g.edges, i, b.edges[i], count)
			}
			edges += b.edges[i]
			without, _ := left.csr()
			sum := int64(0)
			for _, v := range append(b.member[b.first[i]:b.first[i+1]:b.first[i+1]], b.head[i]) {
				mass, want := h.at(uint32(i), v), int64(0)
				distances, _ := paths(without, v)
				for _, d := range distances {
					if d >= 0 {
						want++
					}
				}
				if mass != want {
					t.Errorf("%v: block %d: vertex %d has mass %d, want %d", g.edges, i, v, mass, want)
				}
				sum += mass
			}
			if sum != h.component[b.head[i]] {
				t.Errorf("%v: block %d: masses sum to %d of %d vertices", g.edges, i, sum, h.component[b.head[i]])
			}
		}
		if edges != whole.Edges() {
			t.Errorf("%v: blocks have %d edges", g.edges, edges)
		}
	}
}
