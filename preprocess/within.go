package preprocess

import (
	"context"
	"math/bits"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// reachedWithin sums, by vertex, the masses of the other vertices at a distance of at most most, in arcs or in the unit
// of lengths. No mass is negative. The searches end there and count no paths. They are breadth-first from 64 vertices
// at once (M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 2014), and with lengths
// Dijkstra's from each. The only error is the context's.
func reachedWithin(ctx context.Context, g *csr.Graph, mass []int64, most int64, threads int) ([]int64, error) {
	from := verticesOf(mass)
	counts := make([][]int64, threads)
	of := func(worker int) []int64 {
		if counts[worker] == nil {
			counts[worker] = make([]int64, g.Vertices())
		}
		return counts[worker]
	}
	var err error
	if g.HasLengths() {
		err = eachBall(ctx, g, from, most, threads, func(worker, item int, ball *reacher) {
			counts := of(worker)
			for _, v := range ball.order[1:] { // the first is the source itself
				counts[v] += mass[from[item]]
			}
		})
	} else {
		searches := make([]withinSearch, threads)
		err = parallel.Each(ctx, threads, (len(from)+63)/64, func(worker, item int) {
			searches[worker].run(ctx, g, mass, from[64*item:min(64*item+64, len(from))], most, of(worker))
		})
	}
	sum := make([]int64, g.Vertices())
	for _, part := range counts {
		for v, count := range part {
			sum[v] += count
		}
	}
	return sum, err
}

// withinSearch keeps the memory of one thread.
type withinSearch struct {
	seen, here, next      []uint64 // by vertex: a bit for each source; zero between two runs, so that a run costs what it meets
	frontier, coming, met []uint32
}

func (s *withinSearch) run(ctx context.Context, g *csr.Graph, mass []int64, from []uint32, arcs int64, counts []int64) {
	if n := g.Vertices(); s.seen == nil {
		s.seen, s.here, s.next = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	}
	s.frontier, s.met = s.frontier[:0], append(s.met[:0], from...)
	for i, v := range from { // they differ
		s.seen[v], s.here[v] = 1<<i, 1<<i
		s.frontier = append(s.frontier, v)
	}
	for level := int64(0); level < arcs && len(s.frontier) > 0; level++ {
		s.coming = s.coming[:0]
		for i, u := range s.frontier {
			if i%parallel.Interval == parallel.Interval-1 && ctx.Err() != nil {
				return
			}
			for _, v := range g.Neighbours(u) {
				if fresh := s.here[u] &^ s.seen[v]; fresh != 0 {
					if s.next[v] == 0 {
						s.coming = append(s.coming, v)
					}
					s.next[v] |= fresh
				}
			}
		}
		for _, u := range s.frontier {
			s.here[u] = 0
		}
		for _, v := range s.coming {
			if s.seen[v] == 0 {
				s.met = append(s.met, v)
			}
			s.seen[v] |= s.next[v]
			for left := s.next[v]; left != 0; left &= left - 1 {
				counts[v] += mass[from[bits.TrailingZeros64(left)]]
			}
		}
		s.frontier, s.coming = s.coming, s.frontier
		s.here, s.next = s.next, s.here
	}
	for _, v := range s.frontier {
		s.here[v] = 0
	}
	for _, v := range s.met {
		s.seen[v] = 0
	}
}
