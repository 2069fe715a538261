package change

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
)

// Cover is a set of vertices of the union. It contains both copies of each vertex that both graphs have.
type Cover []bool

// Peeled is a graph whose vertices with one neighbour were removed until none was left.
type Peeled struct {
	order, into []uint32 // vertices in the order of removal, and the neighbour of each at that time; the vertex itself: the last of a tree
	place       []uint32 // by vertex: its place in order; csr.None: it was not removed
	today       int      // vertices of today's graph that were not removed
}

// Peel peels the union. The error is the context's.
func (d *Difference) Peel(ctx context.Context, union *csr.Graph) (*Peeled, error) {
	all := func(v, degree uint32) bool { return true }
	peeled, err := csr.Peel(ctx, union, all)
	if err != nil {
		return nil, err
	}
	p := &Peeled{order: peeled.Order, into: peeled.Into, place: slices.Repeat([]uint32{csr.None}, union.Vertices()), today: d.today.Vertices()}
	for at, v := range p.order {
		if p.place[v] = uint32(at); int(v) < d.today.Vertices() {
			p.today--
		}
	}
	return p, nil
}

// Branches returns the cover of the vertices that the changed edges cut off, if each edge hangs in a tree. left counts
// the edges that do not.
func (d *Difference) Branches(p *Peeled) (cover Cover, left int) {
	cover = make(Cover, len(d.twin))
	for _, e := range d.changed {
		u, v := e[0], e[1]
		if p.place[u] > p.place[v] { // csr.None is the largest
			u, v = v, u
		}
		if p.place[u] == csr.None || p.into[p.place[u]] != v {
			left++
			continue
		}
		cover[u] = true
	}
	if left > 0 {
		return nil, left
	}
	for at := len(p.order) - 1; at >= 0; at-- {
		if cover[p.into[at]] {
			cover[p.order[at]] = true
		}
	}
	d.close(cover)
	return cover, 0
}

// edgesAtOnce edges have two lanes each.
const edgesAtOnce = 32

// Sides returns the cover of the smaller sides of all changed edges. It returns nil if the cover has as many unpeeled
// vertices as today's graph: a whole run takes no more searches then. The error is the context's.
func (d *Difference) Sides(ctx context.Context, union *csr.Graph, p *Peeled) (Cover, error) {
	return smallerSides(ctx, union, d.changed, func(cover Cover) bool {
		d.close(cover)
		searches := 0
		for v, is := range cover {
			if is && p.place[v] == csr.None {
				searches++
			}
		}
		return searches < p.today || p.today == 0
	})
}

// smallerSides returns the cover of the smaller sides of some edges. small judges it after every edgesAtOnce edges, and may
// add vertices; the cover is nil once small says no. The error is the context's.
func smallerSides(ctx context.Context, g *csr.Graph, edges [][2]uint32, small func(Cover) bool) (Cover, error) {
	n := g.Vertices()
	cover := make(Cover, n)
	s := sides{graph: g, seen: make([]uint64, n), here: make([]uint64, n), next: make([]uint64, n), nearer: make([]uint64, n)}
	for some := range slices.Chunk(edges, edgesAtOnce) {
		if err := s.search(ctx, some); err != nil {
			return nil, err
		}
		if s.addSmaller(cover); !small(cover) {
			return nil, nil
		}
	}
	return cover, nil
}

// sides searches from both ends of some edges: edge i has the lanes 2i and 2i+1 of a word (M. Then et al., "The more the
// merrier: efficient multi-source graph traversal", VLDB 2014).
type sides struct {
	graph             *csr.Graph
	seen, here, next  []uint64 // by vertex and lane
	nearer            []uint64 // by vertex and lane: the vertex is nearer to this end of the edge than to the other
	met, level, later []uint32 // vertices seen, vertices of the level, and of the next
}

const firstEnds = 0x5555555555555555 // lanes 2i

func (s *sides) search(ctx context.Context, edges [][2]uint32) error {
	for _, v := range s.met {
		s.seen[v], s.nearer[v], s.here[v] = 0, 0, 0
	}
	s.met, s.level = s.met[:0], s.level[:0]
	for i, e := range edges {
		for end, v := range e {
			if s.next[v] == 0 {
				s.level = append(s.level, v)
			}
			s.next[v] |= 1 << (2*i + end)
		}
	}
	for len(s.level) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, v := range s.level { // the lanes that are new here
			fresh := s.next[v]
			if s.seen[v] == 0 {
				s.met = append(s.met, v)
			}
			other := (fresh&firstEnds)<<1 | fresh>>1&firstEnds // the lanes of the other ends
			before := s.seen[v]
			reached := (before&firstEnds)<<1 | before>>1&firstEnds
			s.nearer[v] |= fresh &^ other &^ reached
			s.seen[v] |= fresh
			s.here[v], s.next[v] = fresh, 0
		}
		s.later = s.later[:0]
		for _, u := range s.level {
			for _, v := range s.graph.Neighbours(u) {
				if fresh := s.here[u] &^ s.seen[v]; fresh != 0 {
					if s.next[v] == 0 {
						s.later = append(s.later, v)
					}
					s.next[v] |= fresh
				}
			}
		}
		s.level, s.later = s.later, s.level
	}
	return nil
}

// addSmaller adds the smaller side of each edge to the cover.
func (s *sides) addSmaller(cover Cover) {
	var sizes [64]int
	for _, v := range s.met {
		for left := s.nearer[v]; left != 0; left &= left - 1 {
			sizes[bits.TrailingZeros64(left)]++
		}
	}
	wanted := uint64(0)
	for i := 0; i < len(sizes); i += 2 {
		if sizes[i] <= sizes[i+1] {
			wanted |= 1 << i
		} else {
			wanted |= 1 << (i + 1)
		}
	}
	for _, v := range s.met {
		if s.nearer[v]&wanted != 0 {
			cover[v] = true
		}
	}
}
