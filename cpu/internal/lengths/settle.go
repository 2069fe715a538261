package lengths

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
	"bcstage/internal/radix"
)

// unreached is the distance of vertices that no path reaches.
const unreached = math.MaxInt64

// settler finds the vertices in order of their distance from a source.
type settler struct {
	distance []int64  // by vertex, or unreached
	order    []uint32 // reached vertices, the nearest first
	queue    radix.Queue
	keys     []uint64 // of arrange: a distance and a vertex each, and room to sort them
}

// search finds the vertices within limit. The only error is the context's.
func (s *settler) search(ctx context.Context, g *csr.Graph, source uint32, limit int64) error {
	n := g.Vertices()
	s.distance, s.order = pages.Resize(s.distance, n), pages.Resize(s.order, n)[:0]
	for v := range s.distance {
		s.distance[v] = unreached
	}
	s.distance[source] = 0
	s.queue.Reset(n)
	s.queue.Push(0, source)
	for {
		v, more, err := s.next(ctx)
		if !more {
			return err
		}
		near, first, end := s.distance[v], g.Offsets[v], g.Offsets[v+1]
		lengths := g.Lengths[first:end]
		for i, u := range g.Targets[first:end] {
			old, d := s.distance[u], near+lengths[i]
			if d >= old || d > limit {
				continue
			}
			if old != unreached {
				s.queue.Drop(old, u)
			}
			s.distance[u] = d
			s.queue.Push(d, u)
		}
	}
}

// arrange orders all vertices by the present distances. The only error is the context's.
func (s *settler) arrange(ctx context.Context) error {
	n := len(s.distance)
	shift, far := bits.Len(uint(n)), int64(0)
	s.keys = pages.Resize(s.keys, 2*n)
	for v, d := range s.distance {
		s.keys[v] = uint64(d)<<shift | uint64(v)
		far |= d
	}
	if width := bits.Len64(uint64(far)) + shift; width <= 64 {
		for i, key := range radix.Sort(ctx, s.keys[:n], s.keys[n:], width) {
			s.order[i] = uint32(key & (1<<shift - 1))
		}
		return ctx.Err()
	}
	s.queue.Reset(len(s.distance))
	for v, d := range s.distance {
		s.queue.Push(d, uint32(v))
	}
	s.order = s.order[:0]
	for {
		if _, more, err := s.next(ctx); !more {
			return err
		}
	}
}

// next moves the nearest vertex from the queue to order. It returns more = false when the queue is empty. The only error
// is the context's.
func (s *settler) next(ctx context.Context) (v uint32, more bool, err error) {
	if v, more = s.queue.Pop(s.distance); !more {
		s.sortTies()
		return 0, false, nil
	}
	if len(s.order)%checkEvery == 0 && ctx.Err() != nil {
		return 0, false, ctx.Err()
	}
	s.order = append(s.order, v)
	return v, true, nil
}

// sortTies sorts vertices at equal distances by number. Their order in the queue
// depends on the unit of lengths, on which ranks must not depend.
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

// checkEvery is the number of vertices between two looks at the context.
const checkEvery = 1 << 12
