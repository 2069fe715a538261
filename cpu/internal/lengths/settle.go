package lengths

import (
	"context"
	"math"
	"math/bits"

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
	s.queue.reset()
	s.queue.push(0, source)
	for {
		at, more := s.queue.pop(s.distance)
		if !more {
			return nil
		}
		if len(s.order)%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.order = append(s.order, at.vertex)
		first, end := g.Offsets[at.vertex], g.Offsets[at.vertex+1]
		lengths := g.Lengths[first:end]
		for i, v := range g.Targets[first:end] {
			if d := at.distance + lengths[i]; d < s.distance[v] && d <= limit {
				s.distance[v] = d
				s.queue.push(d, v)
			}
		}
	}
}

// checkEvery is how many vertices pass between two looks at the context.
const checkEvery = 1 << 12

// waiting is a vertex in the queue, and the distance that it was put there with.
type waiting struct {
	distance int64
	vertex   uint32
}

// radixHeap is a queue whose smallest distance never falls. Bucket i holds
// distances that differ from the last one popped in bit i-1 and in none above,
// bucket 0 those that are equal. A vertex that comes nearer is put in again; the
// entry left behind is known by its distance.
type radixHeap struct {
	last    int64
	filled  uint64 // a bit for every bucket that may hold something
	buckets [64][]waiting
}

func (q *radixHeap) reset() {
	for i := range q.buckets {
		q.buckets[i] = q.buckets[i][:0]
	}
	q.last, q.filled = 0, 0
}

func (q *radixHeap) push(distance int64, v uint32) {
	i := bits.Len64(uint64(distance ^ q.last))
	q.buckets[i] = append(q.buckets[i], waiting{distance, v})
	q.filled |= 1 << i
}

// pop gives a vertex at the smallest distance, if there is one. The distances are
// those at hand.
func (q *radixHeap) pop(distance []int64) (waiting, bool) {
	for {
		for bucket := q.buckets[0]; len(bucket) > 0; {
			at := bucket[len(bucket)-1]
			bucket = bucket[:len(bucket)-1]
			q.buckets[0] = bucket
			if at.distance == distance[at.vertex] {
				return at, true
			}
		}
		if q.filled &^= 1; q.filled == 0 {
			return waiting{}, false
		}
		i := bits.TrailingZeros64(q.filled)
		q.filled &^= 1 << i
		bucket := q.buckets[i]
		q.buckets[i] = bucket[:0]
		nearest, kept := int64(unreached), 0
		for _, at := range bucket {
			if at.distance == distance[at.vertex] {
				bucket[kept] = at
				kept++
				nearest = min(nearest, at.distance)
			}
		}
		if kept > 0 {
			q.last = nearest
		}
		for _, at := range bucket[:kept] {
			q.push(at.distance, at.vertex) // to a bucket before i
		}
	}
}
