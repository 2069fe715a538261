package lengths

import (
	"math/rand/v2"
	"testing"
)

// Distances from the limit on are unreached, and others stay.
func TestMarkFar(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, beyond := range []int32{1, 2, 801, 1 << 20, 1<<28 + 1} {
		rows, want := make([]int32, 16*lanes), make([]int32, 16*lanes)
		for i := range rows {
			if rows[i], want[i] = beyond, farNarrow; random.IntN(2) == 0 {
				rows[i] = max(0, beyond-1-random.Int32N(min(beyond, 3)))
				want[i] = rows[i]
			}
		}
		markFar(rows, uint64(beyond))
		for i, d := range rows {
			if d != want[i] {
				t.Fatalf("limit %d: distance %d is %d, want %d", beyond, i, d, want[i])
			}
		}
	}
}
