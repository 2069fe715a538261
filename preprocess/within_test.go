package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// A search clears only the vertices that it met, and the next one finds the same as a fresh one.
func TestWithinClearsWhatItMet(t *testing.T) {
	const n = 400
	r := rand.New(rand.NewPCG(30, 6))
	g := graphOf(n, testgraphs.Random(r, n, n, 100))
	var used withinSearch
	mass := make([]int64, n)
	for v := range mass {
		mass[v] = 1 + r.Int64N(9)
	}
	for range 50 {
		from := make([]uint32, 0, 64)
		for _, v := range r.Perm(n)[:1+r.IntN(64)] {
			from = append(from, uint32(v))
		}
		arcs := int64(1 + r.IntN(6))
		var fresh withinSearch
		got, want := make([]int64, n), make([]int64, n)
		used.run(t.Context(), g, mass, from, arcs, got)
		fresh.run(t.Context(), g, mass, from, arcs, want)
		if !slices.Equal(got, want) {
			t.Fatalf("within %d arcs of %v: %v, want %v", arcs, from, got, want)
		}
		for _, marks := range [][]uint64{used.seen, used.here, used.next} {
			if slices.ContainsFunc(marks, func(m uint64) bool { return m != 0 }) {
				t.Fatalf("within %d arcs of %v: marks are left", arcs, from)
			}
		}
	}
}
