package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// strong holds the strongly connected components of a graph: sets of vertices that
// reach each other. Arcs between components run from higher numbers to lower ones.
type strong struct {
	of    []uint32 // by vertex: its component
	left  []uint32 // the vertices in the order in which the search left them
	count int
}

// reversed numbers the components such that arcs the other way round run from higher
// numbers to lower ones.
func (s strong) reversed() strong {
	back := strong{of: make([]uint32, len(s.of)), count: s.count}
	for v, of := range s.of {
		back.of[v] = uint32(s.count-1) - of
	}
	return back
}

// strongSearch finds strongly connected components and reuses its memory: there may be
// a million small blocks.
type strongSearch struct {
	of         []uint32 // by vertex: its component; none until it is known
	index, low []uint32 // by vertex: its place in the search, 0 before; the smallest place known to be on a path back
	next       []int64  // by vertex: the arc to look at next
	path       []uint32 // from the root of the search
	left       []uint32 // as in strong
	open       []uint32 // met, and in no component yet
	met        uint32
}

// find finds the components in one depth-first search, without recursion: R. Tarjan,
// "Depth-first search and linear graph algorithms", SIAM J. Computing 1, 1972.
// The result is the search's own until the next call. The only error is the context's.
func (s *strongSearch) find(ctx context.Context, g *csr.Graph) (strong, error) {
	n := g.Vertices()
	s.of = resized(s.of, n)
	if g.Ascends() {
		for v := range s.of {
			s.of[v] = uint32(n - 1 - v)
		}
		return strong{of: s.of, left: s.of, count: n}, ctx.Err()
	}
	s.index, s.low, s.next = resized(s.index, n), resized(s.low, n), resized(s.next, n)
	clear(s.index)
	for v := range n {
		s.of[v], s.next[v] = csr.None, g.Offsets[v]
	}
	s.met, s.path, s.open, s.left = 0, s.path[:0], s.open[:0], s.left[:0]
	steps := 0 // vertices entered, and left
	out := strong{of: s.of}
	for root := range uint32(n) {
		if s.index[root] == 0 {
			s.enter(root)
		}
	path:
		for len(s.path) > 0 {
			if steps++; steps%parallel.Interval == 0 && ctx.Err() != nil {
				return strong{}, ctx.Err()
			}
			v := s.path[len(s.path)-1]
			low, first := s.low[v], s.next[v]
			for at, u := range g.Targets[first:g.Offsets[v+1]] {
				if s.index[u] == 0 {
					s.next[v], s.low[v] = first+int64(at)+1, low
					s.enter(u)
					continue path
				} else if s.of[u] == csr.None {
					low = min(low, s.index[u])
				}
			}
			s.path, s.left = s.path[:len(s.path)-1], append(s.left, v)
			if len(s.path) > 0 {
				before := s.path[len(s.path)-1]
				s.low[before] = min(s.low[before], low)
			}
			if low == s.index[v] {
				s.close(v, uint32(out.count))
				out.count++
			}
		}
	}
	out.left = s.left
	return out, nil
}

func (s *strongSearch) enter(v uint32) {
	s.met++
	s.index[v], s.low[v] = s.met, s.met
	s.path, s.open = append(s.path, v), append(s.open, v)
}

// close makes a component of v and all vertices met after it that are still open.
func (s *strongSearch) close(v, number uint32) {
	for {
		u := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.of[u] = number
		if u == v {
			return
		}
	}
}

// resized returns s with n elements of any value.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
