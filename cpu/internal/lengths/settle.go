package lengths

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/cpu/pages"
	"bcstage/internal/csr"
	"bcstage/internal/radix"
)

// unreached is the distance of what no path leads to.
const unreached = math.MaxInt64

// settler finds the vertices in order of their distance from a source.
type settler struct {
	distance []int64  // by vertex, or unreached
	order    []uint32 // vertices that are reached, the nearest first
	queue    radix.Queue
}

// search leaves out what is farther than limit. The only error is the context's.
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

// arrange puts all vertices in the order of the distances that there are. The only error is the context's.
func (s *settler) arrange(ctx context.Context) error {
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

// next takes the nearest vertex from the queue and puts it in order, until there is none. The only error is the context's.
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
