package radix

import (
	"math/rand/v2"
	"testing"
)

// Pop takes the nearest vertex in the queue, whatever came nearer meanwhile.
func TestNearestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var q Queue
	for range 300 {
		n := 1 + r.IntN(40)
		most := int64(1) << r.IntN(61)
		distance, in := make([]int64, n), make([]bool, n)
		q.Reset(n)
		now := int64(0)
		for range 10 * n {
			v, d := uint32(r.IntN(n)), now+r.Int64N(most)/2
			switch {
			case r.IntN(3) == 0:
				least := int64(-1)
				for u := range in {
					if in[u] && (least < 0 || distance[u] < least) {
						least = distance[u]
					}
				}
				v, more := q.Pop(distance)
				if more != (least >= 0) || more && (!in[v] || distance[v] != least) {
					t.Fatalf("took %d, %t; want one at %d", v, more, least)
				}
				if more {
					in[v], now = false, least
				}
				if now > 1<<61 {
					return
				}
			case !in[v]:
				in[v], distance[v] = true, d
				q.Push(d, v)
			case d < distance[v]:
				q.Drop(distance[v], v)
				distance[v] = d
				q.Push(d, v)
			}
		}
	}
}
