package preprocess

import (
	"context"
	"math/bits"
)

// reachedWithin counts, by vertex, those of the vertices listed, itself left out, that
// reach it by so many arcs or fewer: breadth-first searches from 64 at once, which
// end at that level and count no paths (M. Then et al., "The more the merrier:
// efficient multi-source graph traversal", VLDB 2014). The only error is the context's.
func (g *Graph) reachedWithin(ctx context.Context, from []uint32, arcs int64, threads int) ([]int64, error) {
	counts := make([][]int64, threads)
	searches := make([]withinSearch, threads)
	err := parallel(ctx, threads, (len(from)+63)/64, func(worker, item int) {
		if counts[worker] == nil {
			counts[worker] = make([]int64, g.Vertices())
		}
		searches[worker].run(ctx, g, from[64*item:min(64*item+64, len(from))], arcs, counts[worker])
	})
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
	seen, here, next []uint64 // by vertex: a bit for each source
	frontier, coming []uint32
}

func (s *withinSearch) run(ctx context.Context, g *Graph, from []uint32, arcs int64, counts []int64) {
	n := g.Vertices()
	s.seen, s.here, s.next = resized(s.seen, n), resized(s.here, n), resized(s.next, n)
	clear(s.seen)
	clear(s.here)
	clear(s.next)
	s.frontier = s.frontier[:0]
	for i, v := range from { // which differ
		s.seen[v], s.here[v] = 1<<i, 1<<i
		s.frontier = append(s.frontier, v)
	}
	for level := int64(0); level < arcs && len(s.frontier) > 0; level++ {
		s.coming = s.coming[:0]
		for i, u := range s.frontier {
			if i%interval == interval-1 && ctx.Err() != nil {
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
			s.seen[v] |= s.next[v]
			counts[v] += int64(bits.OnesCount64(s.next[v]))
		}
		s.frontier, s.coming = s.coming, s.frontier
		s.here, s.next = s.next, s.here
	}
}
