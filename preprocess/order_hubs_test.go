package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// Within a short cutoff, batches of sources sorted by their hubs reach fewer vertices together than batches in the
// order by landmarks. Every source is there once.
func TestOrderByHubs(t *testing.T) {
	const n, lanes = 3000, 64
	r := rand.New(rand.NewPCG(30, 5))
	ends := []uint32{0, 1}
	edges := []testgraphs.Edge{{0, 1}}
	for v := uint32(2); v < n; v++ {
		for range 1 + r.IntN(2) {
			if u := ends[r.IntN(len(ends))]; u != v {
				edges, ends = append(edges, testgraphs.Edge{u, v}), append(ends, u, v)
			}
		}
	}
	reached := func(cutoff int) (sum int) {
		b := Block{Graph: *graphOf(n, edges), Cutoff: cutoff}
		if b.nearHubs() != (cutoff > 0) {
			t.Fatalf("cutoff %d, depth %d: near hubs %t", cutoff, b.Depth(), b.nearHubs())
		}
		if err := b.arrange(t.Context(), lanes, 2); err != nil {
			t.Fatal(err)
		}
		if sorted := slices.Sorted(slices.Values(b.Sources)); len(sorted) != n || len(slices.Compact(sorted)) != n {
			t.Fatalf("%d sources of %d", len(sorted), n)
		}
		for batch := range slices.Chunk(b.Sources, lanes) {
			met, queue := make(map[uint32]int), slices.Clone(batch)
			for _, v := range batch {
				met[v] = 0
			}
			for head := 0; head < len(queue) && met[queue[head]] < 2; head++ {
				for _, v := range b.Neighbours(queue[head]) {
					if _, ok := met[v]; !ok {
						met[v], queue = met[queue[head]]+1, append(queue, v)
					}
				}
			}
			sum += len(queue)
		}
		return sum
	}
	if hubs, landmarks := reached(2), reached(0); hubs*20 > landmarks*17 {
		t.Errorf("batches in the order of hubs reach %d vertices, in that of landmarks %d", hubs, landmarks)
	}
}

// Sources that share few arcs within a cutoff are searched one at a time, and stay in vertex order.
func TestArrangeAlone(t *testing.T) {
	edges := testgraphs.Random(rand.New(rand.NewPCG(31, 2)), 4000, 4000, 8000)
	for cutoff, want := range map[int]bool{0: false, 2: true, 3: true, 30: false} {
		b := Block{Graph: *graphOf(4000, edges), Cutoff: cutoff, Lanes: 64}
		if alone, err := b.arrangeAlone(t.Context()); alone != want || err != nil || !slices.IsSorted(b.Sources) || len(b.Sources) != 4000 {
			t.Errorf("cutoff %d: alone %t, %v, %d sources", cutoff, alone, err, len(b.Sources))
		}
	}
}
