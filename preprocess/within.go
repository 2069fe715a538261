package preprocess

import (
	"context"
	"math"
	"math/bits"

	"bcstage/internal/csr"
	"bcstage/internal/nearest"
	"bcstage/internal/parallel"
)

// reachedWithin sums, by vertex, the masses of the other vertices at a distance of at most most, in arcs or in the unit
// of lengths. No mass is negative. The searches end there and count no paths. They are breadth-first from 64 vertices
// at once (M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 2014), and with lengths
// Dijkstra's from each. The only error is the context's.
func reachedWithin(ctx context.Context, g *csr.Graph, mass []int64, most int64, threads int) ([]int64, error) {
	from := verticesOf(mass)
	counts := make([][]int64, threads)
	searches := make([]withinSearch, threads)
	run := (*withinSearch).run
	if g.HasLengths() {
		run = (*withinSearch).runLengths
	}
	err := parallel.Each(ctx, threads, (len(from)+63)/64, func(worker, item int) {
		if counts[worker] == nil {
			counts[worker] = make([]int64, g.Vertices())
		}
		run(&searches[worker], ctx, g, mass, from[64*item:min(64*item+64, len(from))], most, counts[worker])
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
	seen, here, next      []uint64 // by vertex: a bit for each source; zero between two runs, so that a run costs what it meets
	frontier, coming, met []uint32

	distance []int64 // with lengths: by vertex; math.MaxInt64: not met by this source
	queue    nearest.Queue
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

// runLengths is run for arcs with lengths.
func (s *withinSearch) runLengths(ctx context.Context, g *csr.Graph, mass []int64, from []uint32, most int64, counts []int64) {
	if s.distance == nil {
		s.distance = make([]int64, g.Vertices())
		for v := range s.distance {
			s.distance[v] = math.MaxInt64
		}
	}
	for _, source := range from {
		s.distance[source] = 0
		s.queue.Push(0, source)
		met := append(s.coming[:0], source)
		for steps := 1; len(s.queue) > 0; steps++ {
			if steps%parallel.Interval == 0 && ctx.Err() != nil {
				return
			}
			at := s.queue.Pop()
			u := at.Vertex
			if at.Distance > s.distance[u] {
				continue // it has been met nearer since
			}
			for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
				v, d := g.Targets[e], at.Distance+g.Lengths[e]
				if d > most || d >= s.distance[v] {
					continue
				}
				if s.distance[v] == math.MaxInt64 {
					met = append(met, v)
				}
				s.distance[v] = d
				s.queue.Push(d, v)
			}
		}
		for _, v := range met {
			s.distance[v] = math.MaxInt64
			counts[v] += mass[source]
		}
		counts[source] -= mass[source] // itself
		s.coming = met
	}
}
