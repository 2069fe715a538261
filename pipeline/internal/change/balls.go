package change

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/nearest"
	"bcstage/internal/parallel"
)

// balls finds covers of the pairs of one edge that are smaller than its sides. Let uv be the edge, l its length, S the side of u,
// and T that of v. If a pair (s,t) uses uv, then s is in S and t in T, and (s,w) uses uv for every vertex w of a shortest path from v to t.
//
// A ball is a part of T around v. Its rim are the vertices of T outside with a predecessor in the ball. A pair that uses uv and ends
// outside passes the rim, and so its source s has d(s,u) + l + d(v,w) = d(s,w) for a vertex w of the rim. These sources and the ball are a
// cover. The empty ball has the cover S, a large one T.
//
// The best ball has the vertices at which many pairs end. Searches from some vertices of S, near ones and far ones, count these. On a road
// network a ball follows main streets, and in a social graph it has few vertices. The ball may be in S as well, with targets beyond.
type balls struct {
	longest int64   // edge
	cutoff  int64   // of paths that count
	budget  int     // arcs that searches may still follow
	sides   [2]side // of an edge
	lanes   *lanes  // of a graph without lengths

	far   []int64 // by vertex: its distance in a search; -1: not met
	met   []uint32
	queue nearest.Queue
}

// side is a side of an edge.
type side struct {
	along, back *csr.Graph // arcs lead from the edge to the side, and back
	order       []uint32   // its vertices, near ones first
	far         []int64    // by vertex: its distance from the edge; -1: of no side
	passed      []uint32   // by vertex: how many sampled vertices of the other side have a pair with it that uses the edge
	ends        []bool     // see smallerSides
	cover       Cover      // that its vertices join
}

// joins reports whether a vertex would be new in the side's cover.
func (s *side) joins(v uint32) bool { return (s.ends == nil || s.ends[v]) && !s.cover[v] }

// joining are the vertices of a list that would be new in the side's cover.
func (s *side) joining(vertices []uint32) (list []uint32) {
	for _, v := range vertices {
		if s.joins(v) {
			list = append(list, v)
		}
	}
	return list
}

func newBalls(q seeking, from, to Cover) *balls {
	g, ends := q.g, q.ends
	none := func() []int64 { return slices.Repeat([]int64{-1}, g.Vertices()) }
	b := &balls{longest: 1, cutoff: cmp.Or(q.cutoff, math.MaxInt64), budget: q.budget, far: none()}
	b.sides = [2]side{
		{along: g.Reverse(), back: g, ends: ends[0], cover: from},
		{along: g, back: g.Reverse(), ends: ends[1], cover: to},
	}
	for at := range b.sides {
		b.sides[at].far, b.sides[at].passed = none(), make([]uint32, g.Vertices())
	}
	if !g.HasLengths() {
		b.lanes = newLanes(g.Vertices())
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
			w, to := g.Targets[arc], far+g.ArcLength(arc)
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
		return far < b.cutoff
	})
}

// pairs calls found for each vertex of the side to whose pair with a vertex of the list, of the side of, uses the edge. at is the place in
// the list. The vertices found are a tree's: with each, the next one on a path to the edge. They end where none was met for longer than an
// edge. ok says that the budget was enough.
func (b *balls) pairs(ctx context.Context, of, to *side, list []uint32, length int64, found func(at int, v uint32)) (ok bool, err error) {
	atOnce := 1
	if depth := max(of.far[of.order[len(of.order)-1]], to.far[to.order[len(to.order)-1]]); b.lanes != nil && depth < 32 {
		atOnce = 64 // else they hardly meet on the way
	}
	for first := 0; first < len(list); first += atOnce {
		if b.budget < 0 {
			return false, nil
		}
		some := list[first:min(first+atOnce, len(list))]
		last := int64(0)
		for _, v := range some {
			last = max(last, of.far[v]+length)
		}
		if atOnce == 1 {
			beyond := last
			err = b.search(ctx, of.back, some[0], func(v uint32, far int64) bool {
				if to.far[v] >= 0 && far == to.far[v]+beyond {
					last = far
					found(first, v)
				}
				return far <= last+b.longest
			})
		} else {
			at := make([]uint64, last) // lanes by distance from the edge
			for lane, v := range some {
				at[of.far[v]] |= 1 << lane
			}
			err = b.lanes.search(ctx, of.back, some, func(v uint32, level int64, fresh, _ uint64) {
				if i := level - length - to.far[v]; to.far[v] >= 0 && i >= 0 && i < int64(len(at)) {
					for hit := fresh & at[i]; hit != 0; hit &= hit - 1 {
						last = max(last, level)
						found(first+bits.TrailingZeros64(hit), v)
					}
				}
			}, func(level int64) bool { return level <= last+1 })
			b.budget -= b.lanes.arcs
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// sampled is what searches from some vertices of one side tell of balls in the other.
type sampled struct {
	in            int      // the side with the ball
	from          []uint32 // some of the others
	inner, others []uint32 // vertices that are of the ball, and those of the other side with a pair outside
	few           []int    // by vertex of these: of the vertices that it has a pair with, the fewest that pass one
	all           bool     // from has all others
	over          int      // the ball has the vertices that more than so many pass
	size          float64  // about, of the cover
}

// sample searches from so many of the others, which are spread over their list, and chooses a ball that has the vertices of another.
func (b *balls) sample(ctx context.Context, in int, inner, others []uint32, count int, length int64) (sampled, error) {
	side, other := &b.sides[in], &b.sides[1-in]
	count = min(count, len(others))
	s := sampled{in: in, inner: inner, others: others, size: math.Inf(1)}
	for i := range count {
		s.from = append(s.from, others[(2*i+1)*len(others)/(2*count)])
	}
	for _, v := range side.order {
		side.passed[v] = 0
	}
	met := make([][]uint32, count)
	enough, err := b.pairs(ctx, other, side, s.from, length, func(at int, v uint32) {
		side.passed[v]++
		met[at] = append(met[at], v)
	})
	if s.all = enough && count == len(others); err != nil || !enough {
		return s, err
	}
	for _, v := range inner {
		side.passed[v] = uint32(count)
	}
	by, outer := make([]int, count+1), make([]int, count+2) // vertices of either side by how many of the sample pass them, or few of them
	inside, outside := 0, 0
	for _, v := range side.joining(side.order) {
		by[side.passed[v]]++
		inside++
	}
	for _, list := range met {
		few := count + 1
		for _, v := range side.joining(list) {
			few = min(few, int(side.passed[v]))
		}
		if !s.all && few <= count {
			few-- // without itself
		}
		s.few = append(s.few, few)
		outer[few]++
	}
	for over := range count {
		inside -= by[over]
		outside += outer[over]
		size := float64(inside + outside)
		if !s.all {
			size = float64(inside) + float64(len(others))*float64(outside+1)/float64(count+1)
		}
		if size < s.size {
			s.over, s.size = over, size
		}
	}
	return s, nil
}

// smallest adds the smallest cover it finds to those of the two sides of an edge.
func (b *balls) smallest(ctx context.Context, length int64) error {
	var cover [2][]uint32
	small, least := 0, 0 // the smaller side, and how many of it are new in its cover: each of a sample stands for few
	for at := range b.sides {
		s := &b.sides[at]
		if joining := len(s.joining(s.order)); at == 0 || joining < least {
			small, least = at, joining
		}
	}
	cover[small] = b.sides[small].order
	for again := true; again; { // a sample of those beyond a ball is finer
		s, err := b.sample(ctx, 1-small, cover[1-small], b.sides[small].joining(cover[small]), min(max(least/64, 16), 32), length)
		if err != nil {
			return err
		}
		if s.size >= float64(least) {
			break
		}
		ball, beyond, err := b.around(ctx, &s, length)
		if err != nil {
			return err
		}
		size := len(b.sides[1-small].joining(ball)) + len(b.sides[small].joining(beyond))
		if size >= least {
			break
		}
		again = size < least-least/8
		least, cover[1-small], cover[small] = size, ball, beyond
	}
	for at := range b.sides {
		for _, v := range b.sides[at].joining(cover[at]) {
			b.sides[at].cover[v] = true
		}
	}
	return nil
}

// around returns the ball of a sample, and the vertices of the other side with a pair that uses the edge and passes the rim.
func (b *balls) around(ctx context.Context, s *sampled, length int64) (ball, beyond []uint32, err error) {
	side, other := &b.sides[s.in], &b.sides[1-s.in]
	ball, rim := side.ball(s.over)
	if !s.all && len(rim) > len(s.others)-len(s.from) { // those take no longer
		if *s, err = b.sample(ctx, s.in, s.inner, s.others, len(s.others), length); err != nil || !s.all {
			return side.order, other.order, err
		}
		ball, rim = side.ball(s.over)
	}
	if s.all {
		for i, few := range s.few {
			if few <= s.over {
				beyond = append(beyond, s.from[i])
			}
		}
		return ball, beyond, nil
	}
	for _, v := range other.order {
		other.passed[v] = 0
	}
	enough, err := b.pairs(ctx, side, other, rim, length, func(_ int, v uint32) {
		if other.passed[v]++; other.passed[v] == 1 {
			beyond = append(beyond, v)
		}
	})
	if !enough {
		ball, beyond = side.order, other.order // too many
	}
	return ball, beyond, err
}

// ball returns a ball and its rim. Vertices that would not be new in the cover are of the ball if they are next to it.
func (s *side) ball(over int) (ball, rim []uint32) {
	met := map[uint32]bool{}
	ball = append(ball, s.order[0])
	for at := 0; at < len(ball); at++ {
		v := ball[at]
		for arc := s.along.Offsets[v]; arc < s.along.Offsets[v+1]; arc++ {
			w := s.along.Targets[arc]
			if s.far[w] != s.far[v]+s.along.ArcLength(arc) || met[w] {
				continue
			}
			if met[w] = true; int(s.passed[w]) > over || !s.joins(w) {
				ball = append(ball, w)
			} else {
				rim = append(rim, w)
			}
		}
	}
	return ball, rim
}
