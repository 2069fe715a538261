package lengths

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// unreached is the distance of what no path leads to.
const unreached = math.MaxInt64

// settler finds the vertices in order of their distance from a source.
type settler struct {
	distance []int64  // by vertex, or unreached
	order    []uint32 // vertices that are reached, the nearest first
	queue    radixHeap
}

// search leaves out what is farther than limit. The only error is the context's.
func (s *settler) search(ctx context.Context, g *preprocess.Graph, source uint32, limit int64) error {
	n := g.Vertices()
	s.distance, s.order = resize(s.distance, n), resize(s.order, n)[:0]
	for v := range s.distance {
		s.distance[v] = unreached
	}
	s.distance[source] = 0
	s.queue.reset(n)
	s.queue.push(0, source)
	for {
		v, more := s.queue.pop(s.distance)
		if !more {
			s.sortTies()
			return nil
		}
		if len(s.order)%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.order = append(s.order, v)
		near, first, end := s.distance[v], g.Offsets[v], g.Offsets[v+1]
		lengths := g.Lengths[first:end]
		for i, u := range g.Targets[first:end] {
			old, d := s.distance[u], near+lengths[i]
			if d >= old || d > limit {
				continue
			}
			if old != unreached {
				s.queue.drop(old, u)
			}
			s.distance[u] = d
			s.queue.push(d, u)
		}
	}
}

// sortTies orders vertices at equal distances by their numbers, whatever the queue's
// way with them, so that ranks do not depend on what lengths are multiples of.
func (s *settler) sortTies() {
	for first := 0; first < len(s.order); {
		end := first + 1
		for end < len(s.order) && s.distance[s.order[end]] == s.distance[s.order[first]] {
			end++
		}
		slices.Sort(s.order[first:end])
		first = end
	}
}

// checkEvery is how many vertices pass between two looks at the context.
const checkEvery = 1 << 12

// radixHeap is a queue of vertices whose smallest distance never falls. Bucket i
// holds those whose distance differs from the last one taken in bit i-1 and in none
// above, bucket 0 those that are equal. Buckets are lists, so that a vertex that comes
// nearer leaves its old one.
type radixHeap struct {
	last         int64
	filled       uint64 // a bit for every bucket that holds something
	first        [64]uint32
	next, before []uint32 // by vertex: in its bucket
}

// nobody is before the first of a bucket, and after the last.
const nobody = math.MaxUint32

func (q *radixHeap) reset(n int) {
	q.next, q.before = resize(q.next, n), resize(q.before, n)
	q.last, q.filled = 0, 0
	for i := range q.first {
		q.first[i] = nobody
	}
}

func (q *radixHeap) bucket(distance int64) int { return bits.Len64(uint64(distance ^ q.last)) }

// push a vertex that is in no bucket.
func (q *radixHeap) push(distance int64, v uint32) {
	i := q.bucket(distance)
	first := q.first[i]
	if first != nobody {
		q.before[first] = v
	}
	q.next[v], q.before[v], q.first[i] = first, nobody, v
	q.filled |= 1 << i
}

// drop the vertex, whose distance has been this.
func (q *radixHeap) drop(distance int64, v uint32) {
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

// pop takes a vertex at the smallest distance, if there is one.
func (q *radixHeap) pop(distance []int64) (v uint32, more bool) {
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
			q.push(distance[v], v) // to a bucket before i
		}
	}
	v = q.first[0]
	q.drop(q.last, v)
	return v, true
}
