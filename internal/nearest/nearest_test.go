package nearest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The smallest distance comes out, whatever is pushed in between.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q Queue
	var in []int64
	for range 20000 {
		if len(in) > 0 && r.IntN(2) == 0 {
			least := slices.Index(in, slices.Min(in))
			if got := q.Pop(); got.Distance != in[least] || int64(got.Vertex) != got.Distance%7 {
				t.Fatalf("%+v, want distance %d", got, in[least])
			}
			in = slices.Delete(in, least, least+1)
			continue
		}
		d := r.Int64N(50)
		q.Push(d, uint32(d%7))
		in = append(in, d)
	}
	if len(q) != len(in) {
		t.Errorf("%d left, want %d", len(q), len(in))
	}
}
