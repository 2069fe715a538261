// Package radix sorts keys digit by digit. It also has a queue of vertices by distance, for searches whose arcs
// have lengths: R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster algorithms for the shortest path
// problem", JACM 37 (1990). Memory: 8 bytes per vertex. A vertex is moved at most log C times, C being the
// largest distance between two in the queue.
package radix

import (
	"math"
	"math/bits"
)

// Queue is a queue of vertices whose smallest distance never falls. Bucket i holds the vertices whose distance
// differs from the last one taken in bit i-1 and in none above; in bucket 0 both are equal. Buckets are lists,
// so that a vertex that comes nearer can leave its old one.
type Queue struct {
	last         int64
	filled       uint64 // a bit for every bucket that is not empty
	first        [64]uint32
	next, before []uint32 // by vertex: neighbours in its bucket
}

// nobody stands before the first of a bucket, and after the last.
const nobody = math.MaxUint32

// Reset empties the queue and makes room for n vertices.
func (q *Queue) Reset(n int) {
	if n > cap(q.next) {
		q.next, q.before = make([]uint32, n), make([]uint32, n)
	}
	q.next, q.before = q.next[:n], q.before[:n]
	q.last, q.filled = 0, 0
	for i := range q.first {
		q.first[i] = nobody
	}
}

func (q *Queue) bucket(distance int64) int { return bits.Len64(uint64(distance ^ q.last)) }

// Push adds a vertex that is not in the queue and no nearer than the last one taken.
func (q *Queue) Push(distance int64, v uint32) {
	i := q.bucket(distance)
	first := q.first[i]
	if first != nobody {
		q.before[first] = v
	}
	q.next[v], q.before[v], q.first[i] = first, nobody, v
	q.filled |= 1 << i
}

// Drop removes a vertex, which was pushed with this distance.
func (q *Queue) Drop(distance int64, v uint32) {
	next, before := q.next[v], q.before[v]
	if next != nobody {
		q.before[next] = before
	}
	if before != nobody {
		q.next[before] = next
		return
	}
	i := q.bucket(distance)
	if q.first[i] = next; next == nobody {
		q.filled &^= 1 << i
	}
}

// Pop takes a vertex at the smallest distance, if there is one. distance is, by vertex, the distance with which
// it was pushed.
func (q *Queue) Pop(distance []int64) (v uint32, more bool) {
	if q.filled == 0 {
		return 0, false
	}
	if i := bits.TrailingZeros64(q.filled); i > 0 {
		v = q.first[i]
		q.last = distance[v]
		for u := q.next[v]; u != nobody; u = q.next[u] {
			q.last = min(q.last, distance[u])
		}
		q.first[i], q.filled = nobody, q.filled&^(1<<i)
		for next := v; v != nobody; v = next {
			next = q.next[v]
			q.Push(distance[v], v) // to a bucket before i
		}
	}
	v = q.first[0]
	q.Drop(q.last, v)
	return v, true
}
