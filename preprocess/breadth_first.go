package preprocess

import (
	"context"
	"math/bits"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
	"bcstage/internal/parallel"
	"bcstage/internal/radix"
)

// A vertex's number in a search is below folded once it is final. Until then it is
// unmet or, while a level is searched, claimed plus the smallest parent that has
// claimed it so far.
const (
	folded  = csr.MaxVertices // not in the core: never to be numbered
	claimed = folded + 1
	unmet   = csr.None
)

// wideLevel is the number of directed edges of a level from which on several
// goroutines search it.
const wideLevel = 1 << 18

// numbering numbers the vertices of a core breadth first. The children of a vertex
// are in the order of their numbers in g, after those of smaller vertices. So each
// vertex's parent is its smallest neighbour, and the numbers do not depend on how
// a level is searched.
type numbering struct {
	graph   *csr.Graph
	threads int
	wide    int64    // wideLevel, or less in tests
	number  []uint32 // by graph vertex
	vertex  []uint32 // by number
	parent  []uint32 // by number; a root is its own parent
	depths  []int    // by component: distance of the farthest vertex from the root

	settled int   // vertices whose edges are no longer in unseen
	unseen  int64 // directed edges of the core's other vertices
}

// newNumbering makes one for the vertices of g that have a degree.
func newNumbering(g *csr.Graph, degree []uint32, threads int) *numbering {
	var vertices, arcs atomic.Int64
	s := &numbering{graph: g, threads: threads, wide: wideLevel, number: pages.Large[uint32](len(degree))}
	parallel.SpreadWhole(threads, len(degree), parallel.Interval, func(lo, hi int) {
		left, unseen := int64(0), int64(0)
		for v := lo; v < hi; v++ {
			if degree[v] == 0 {
				s.number[v] = folded
				continue
			}
			left++
			s.number[v] = unmet
			unseen += g.Offsets[v+1] - g.Offsets[v]
		}
		vertices.Add(left)
		arcs.Add(unseen)
	})
	s.unseen = arcs.Load()
	s.vertex, s.parent = make([]uint32, 0, vertices.Load()), make([]uint32, 0, vertices.Load())
	return s
}

// components numbers all vertices, one component after the other, each from its first
// vertex, and returns the numbers of these. The function search numbers the children of
// the vertices lo..hi-1: it is level or, in tests, one of its three ways.
func (s *numbering) components(ctx context.Context, search func(ctx context.Context, lo, hi int) error) (roots []uint32, err error) {
	for v := range s.number {
		if len(s.vertex) == cap(s.vertex) {
			break // all are numbered
		}
		if s.number[v] != unmet {
			continue
		}
		root := s.add(uint32(v), uint32(len(s.vertex)))
		roots = append(roots, uint32(root))
		depth := -1
		for lo, hi := root, root+1; lo < hi; lo, hi = hi, len(s.vertex) {
			if err := search(ctx, lo, hi); err != nil {
				return nil, err
			}
			depth++
		}
		s.depths = append(s.depths, depth)
	}
	return roots, nil
}

// add gives a graph vertex the next number.
func (s *numbering) add(v, parent uint32) int {
	number := len(s.vertex)
	s.number[v] = uint32(number)
	s.vertex = append(s.vertex, v)
	s.parent = append(s.parent, parent)
	return number
}

// level numbers the children of the vertices lo..hi-1. It searches from them or
// from the vertices without a number, whichever have fewer edges: S. Beamer, K.
// Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
func (s *numbering) level(ctx context.Context, lo, hi int) error {
	edges := int64(0)
	if hi-lo > 1 && int64(len(s.graph.Targets)) >= s.wide {
		edges = s.graph.ArcsOf(s.vertex[lo:hi], s.threads)
	}
	if edges < s.wide {
		return s.walk(ctx, lo, hi)
	}
	s.unseen -= s.graph.ArcsOf(s.vertex[s.settled:hi], s.threads)
	s.settled = hi
	if s.unseen+int64(s.graph.Vertices()) < edges {
		return s.pull(ctx, lo, hi)
	}
	return s.push(ctx, lo, hi)
}

// walk numbers the children one after the other.
func (s *numbering) walk(ctx context.Context, lo, hi int) error {
	for i := lo; i < hi; i++ {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, v := range s.graph.Neighbours(s.vertex[i]) {
			if s.number[v] == unmet {
				s.add(v, uint32(i))
			}
		}
	}
	return nil
}

// push has each vertex of the level claim its neighbours.
func (s *numbering) push(ctx context.Context, lo, hi int) error {
	found := make([][]uint32, s.threads)
	grain := min(max((hi-lo)/(4*s.threads), 1), 64) // hubs stand together
	err := parallel.Each(ctx, s.threads, (hi-lo+grain-1)/grain, func(worker, item int) {
		list := found[worker]
		first := lo + item*grain
		for i, u := range s.vertex[first:min(first+grain, hi)] {
			claim := claimed + uint32(first+i)
			for _, v := range s.graph.Neighbours(u) {
				for old := atomic.LoadUint32(&s.number[v]); old > claim; old = atomic.LoadUint32(&s.number[v]) {
					if atomic.CompareAndSwapUint32(&s.number[v], old, claim) {
						if old == unmet {
							list = append(list, v)
						}
						break
					}
				}
			}
		}
		found[worker] = list
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, lo, found)
}

// pull has each vertex without a number look for its smallest neighbour with
// one, which must be in the level.
func (s *numbering) pull(ctx context.Context, lo, _ int) error {
	found := make([][]uint32, s.threads)
	const grain = 1 << 12
	n := s.graph.Vertices()
	err := parallel.Each(ctx, s.threads, (n+grain-1)/grain, func(worker, item int) {
		list := found[worker]
		for v := item * grain; v < min((item+1)*grain, n); v++ {
			if s.number[v] != unmet {
				continue
			}
			parent := uint32(folded)
			for _, u := range s.graph.Neighbours(uint32(v)) {
				parent = min(parent, atomic.LoadUint32(&s.number[u]))
			}
			if parent < folded {
				atomic.StoreUint32(&s.number[v], claimed+parent)
				list = append(list, uint32(v))
			}
		}
		found[worker] = list
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, lo, found)
}

// settle numbers the vertices that have been claimed from a level, by parent and
// then by vertex.
func (s *numbering) settle(ctx context.Context, lo int, found [][]uint32) error {
	starts := make([]int, len(found)+1)
	for i, list := range found {
		starts[i+1] = starts[i] + len(list)
	}
	total := starts[len(found)]
	keys := make([]uint64, total)
	vertexBits := bits.Len(uint(s.graph.Vertices()))
	parallel.EachWhole(s.threads, len(found), func(_, i int) {
		for j, v := range found[i] {
			keys[starts[i]+j] = uint64(s.number[v]-claimed-uint32(lo))<<vertexBits | uint64(v)
		}
	})
	first := len(s.vertex)
	width := bits.Len(uint(first-lo)) + vertexBits
	keys, err := radix.SortApart(ctx, s.threads, keys, make([]uint64, total), width)
	if err != nil {
		return err
	}
	s.vertex, s.parent = s.vertex[:first+total], s.parent[:first+total]
	parallel.SpreadWhole(s.threads, total, 1<<14, func(from, to int) {
		for i := from; i < to; i++ {
			v := uint32(keys[i] & (1<<vertexBits - 1))
			s.number[v], s.vertex[first+i], s.parent[first+i] = uint32(first+i), v, uint32(keys[i]>>vertexBits)+uint32(lo)
		}
	})
	return nil
}
