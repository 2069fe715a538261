package gpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// Clusters have every vertex once, and are connected where enough is left to grow by.
func TestClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 50 {
		n := 2 + r.IntN(300)
		b := testblocks.Of(n, testgraphs.Random(r, n, n, r.IntN(n)), 64)
		order := clusters(b)
		sorted := slices.Sorted(slices.Values(order))
		for v := range n {
			if int(sorted[v]) != v {
				t.Fatalf("%d vertices: place %d of the sorted order has %d", n, v, sorted[v])
			}
		}
	}
	order := clusters(grid(8, 8, 64))
	for first := 0; first < len(order); first += clusterSize {
		for i, v := range order[first+1 : first+16] {
			before := order[first : first+1+i]
			if !slices.ContainsFunc(grid(8, 8, 64).Neighbours(uint32(v)), func(u uint32) bool { return slices.Contains(before, uint16(u)) }) {
				t.Errorf("%d is beside none of %v", v, before)
			}
		}
	}
}
