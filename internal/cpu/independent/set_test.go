package independent

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// The set is that of a sequential pass over the vertices by priority, for any number of
// threads.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	for i := range 300 {
		n := r.IntN(80)
		if i < 3 {
			n = 5000 // several goroutines
		}
		var g csr.Graph
		g.Offsets, g.Targets = testgraphs.Rows(n, testgraphs.Random(r, n, 1+r.IntN(n+1), r.IntN(3*n+1)))
		order := make([]uint32, n)
		for v := range order {
			order[v] = uint32(v)
		}
		slices.SortFunc(order, func(u, v uint32) int {
			if earlier(u, v) {
				return -1
			}
			return 1
		})
		want := make([]uint32, n)
		for _, v := range order {
			if !slices.ContainsFunc(g.Neighbours(v), func(u uint32) bool { return want[u] == 1 }) {
				want[v] = 1
			}
		}
		for threads := 1; threads <= 4; threads++ {
			got, err := Set(t.Context(), &g, threads)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("graph %d, %d threads: %v, %v, want %v", i, threads, got, err, want)
			}
		}
	}
}

// Any vertex added to the set, or removed from it, is noticed.
func TestCheck(t *testing.T) {
	var g csr.Graph
	g.Offsets, g.Targets = testgraphs.Rows(40, testgraphs.Random(rand.New(rand.NewPCG(17, 6)), 38, 5, 30)) // two isolated vertices
	set, err := Set(t.Context(), &g, 2)
	if err != nil {
		t.Fatal(err)
	}
	for v := range set {
		set[v] ^= 1
		if Check(t.Context(), &g, set, 2) == nil {
			t.Errorf("vertex %d: %d", v, set[v])
		}
		set[v] ^= 1
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Set(ctx, &g, 2); err != context.Canceled {
		t.Error(err)
	}
}
