package pairs

import (
	"math/rand/v2"
	"testing"
)

// Every vertex of a search has its place, whatever earlier searches found, also after the slots were cleared, and where
// there is an array in their place.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 100, fewVertices - 1, fewVertices, fewVertices + 77} {
		p := newPlaces(n)
		slots := false
		for search := range 50 {
			if search == 30 {
				p.base = max(p.base, 1<<31-5) // the next clears the slots
			}
			most := 1 + n*search/1000
			if search == 49 {
				most = n // finds a quarter
			}
			order, place := []uint32(nil), map[uint32]int{}
			for range 1 + r.IntN(min(n, most)) + most/2 {
				v := r.Uint32N(uint32(n))
				if _, found := place[v]; !found {
					p.set(v, order)
					place[v] = len(order)
					order = append(order, v)
				}
			}
			slots = slots || p.array == nil
			for v, want := range place {
				if got := p.of(v); int(got) != want {
					t.Fatalf("%d vertices, search %d: vertex %d at %d, want %d", n, search, v, got, want)
				}
			}
			p.clear()
		}
		if slots != (n >= fewVertices) || p.array == nil {
			t.Errorf("%d vertices: slots %v, in the end an array %v", n, slots, p.array != nil)
		}
	}
}
