package change

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/nearest"
	"bcstage/internal/parallel"
)

// balls finds covers of the pairs of one edge that are smaller than its sides. Let uv be the edge, l its length, S the side of u,
// and T that of v. If a pair (s,t) uses uv, then s is in S and t in T, and (s,w) uses uv for every vertex w of a shortest path from v to t.
//
// The ball of radius r has the vertices of T that are nearer to v than r. Its rim are the vertices of T outside with a predecessor in the
// ball. A pair that uses uv and ends outside passes the rim, and so its source s has d(s,u) + l + d(v,w) = d(s,w) for a vertex w of
// the rim. These sources and the ball are a cover. Radius 0 has the cover S, a large one T. On a road network most pairs that use a
// street have an end near it, and a small ball is enough. The ball may be in S as well, with targets beyond.
type balls struct {
	longest int64   // edge
	budget  int     // arcs that searches may still follow
	sides   [2]side // of an edge

	far   []int64 // by vertex: its distance in a search; -1: not met
	met   []uint32
	queue nearest.Queue
}

// side is a side of an edge.
type side struct {
	along, back *csr.Graph // arcs lead from the edge to the side, and back
	order       []uint32   // its vertices, near ones first
	far         []int64    // by vertex: its distance from the edge; -1: of no side
	ends        []bool     // see smallerSides
	cover       Cover      // that its vertices join
}

// joining counts the vertices that would be new in the side's cover.
func (s *side) joining(vertices []uint32) (count int) {
	for _, v := range vertices {
		if (s.ends == nil || s.ends[v]) && !s.cover[v] {
			count++
		}
	}
	return count
}

func (s *side) join(vertices []uint32) {
	for _, v := range vertices {
		s.cover[v] = s.cover[v] || s.ends == nil || s.ends[v]
	}
}

func newBalls(g *csr.Graph, ends [2][]bool, from, to Cover, budget int) *balls {
	none := func() []int64 { return slices.Repeat([]int64{-1}, g.Vertices()) }
	b := &balls{longest: 1, budget: budget, far: none()}
	b.sides = [2]side{
		{along: g.Reverse(), back: g, far: none(), ends: ends[0], cover: from},
		{along: g, back: g.Reverse(), far: none(), ends: ends[1], cover: to},
	}
	for _, length := range g.Lengths {
		b.longest = max(b.longest, length)
	}
	return b
}

// search visits vertices by distance from one of them, until visit says no.
func (b *balls) search(ctx context.Context, g *csr.Graph, from uint32, visit func(v uint32, far int64) bool) error {
	defer func() {
		for _, v := range b.met {
			b.far[v] = -1
		}
		b.met, b.queue = b.met[:0], b.queue[:0]
	}()
	meet := func(v uint32, far int64) {
		if b.far[v] < 0 {
			b.met = append(b.met, v)
		}
		if b.far[v] = far; g.HasLengths() {
			b.queue.Push(far, v)
		}
	}
	meet(from, 0)
	for at := 0; at < len(b.met); at++ {
		if at%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := b.met[at] // by hops, in their order
		far := b.far[v]
		if g.HasLengths() {
			for {
				if len(b.queue) == 0 {
					return nil
				}
				next := b.queue.Pop()
				if v, far = next.Vertex, next.Distance; far == b.far[v] {
					break // else it came nearer since
				}
			}
		}
		if !visit(v, far) {
			return nil
		}
		b.budget -= int(g.Offsets[v+1] - g.Offsets[v])
		for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
			w, to := g.Targets[arc], far+1
			if g.HasLengths() {
				to = far + g.Lengths[arc]
			}
			if b.far[w] < 0 || to < b.far[w] {
				meet(w, to)
			}
		}
	}
	return nil
}

// find finds the vertices of a side. end is that of the edge, and lane is that of sides.nearer.
func (b *balls) find(ctx context.Context, s *side, of *sides, end uint32, lane int) error {
	for _, v := range s.order {
		s.far[v] = -1
	}
	s.order = s.order[:0]
	return b.search(ctx, s.along, end, func(v uint32, far int64) bool {
		if of.nearer[v]>>lane&1 > 0 {
			s.far[v] = far
			s.order = append(s.order, v)
		}
		return true
	})
}

// smallest adds the smallest cover it finds to those of the two sides of an edge.
func (b *balls) smallest(ctx context.Context, length int64) error {
	sides := &b.sides
	best := [2][]uint32{sides[0].order, nil}
	least := sides[0].joining(sides[0].order)
	if count := sides[1].joining(sides[1].order); count < least {
		best, least = [2][]uint32{nil, sides[1].order}, count
	}
	const growth = 4
	for size, ended := growth, [2]bool{}; ended != [2]bool{true, true}; size *= growth {
		for at := range sides {
			s := &sides[at]
			if ended[at] = ended[at] || size >= len(s.order) || b.budget < 0; ended[at] {
				continue
			}
			radius, first := s.far[s.order[size]], size
			for s.far[s.order[first-1]] == radius {
				first--
			}
			ball, other := s.order[:first], &sides[1-at]
			inside := s.joining(ball)
			if ended[at] = inside >= least; ended[at] {
				continue
			}
			rim := s.rim(ball, radius)
			if ended[at] = len(rim) > first+growth; ended[at] { // it is wider than balls of networks that have few ways, and grows
				continue
			}
			beyond, err := b.beyond(ctx, s, other, rim, length)
			if err != nil {
				return err
			}
			outside := other.joining(beyond)
			if inside+outside < least {
				least = inside + outside
				best[at], best[1-at] = ball, beyond
			}
			ended[at] = outside <= inside*(growth-1) // a larger ball alone is as large
		}
	}
	for at := range sides {
		sides[at].join(best[at])
	}
	return nil
}

// rim returns that of a ball.
func (s *side) rim(ball []uint32, radius int64) (rim []uint32) {
	met := map[uint32]bool{}
	for _, v := range ball {
		for arc := s.along.Offsets[v]; arc < s.along.Offsets[v+1]; arc++ {
			w, by := s.along.Targets[arc], int64(1)
			if s.along.HasLengths() {
				by = s.along.Lengths[arc]
			}
			if s.far[w] >= radius && s.far[w] == s.far[v]+by && !met[w] {
				met[w] = true
				rim = append(rim, w)
			}
		}
	}
	return rim
}

// beyond returns the vertices of the other side with a pair that uses the edge and passes a rim.
func (b *balls) beyond(ctx context.Context, s, other *side, rim []uint32, length int64) (list []uint32, err error) {
	is := map[uint32]bool{}
	for _, w := range rim {
		// The vertices that are sought are a tree's: with each, the next one on a path to the edge. They end where none was met for
		// longer than an edge.
		last := s.far[w] + length
		err := b.search(ctx, s.back, w, func(v uint32, far int64) bool {
			if other.far[v] >= 0 && far == other.far[v]+length+s.far[w] {
				last = far
				if !is[v] {
					is[v] = true
					list = append(list, v)
				}
			}
			return far <= last+b.longest
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
