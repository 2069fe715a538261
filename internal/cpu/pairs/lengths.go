package pairs

import (
	"context"
	"math"

	"bcstage/internal/csr"
	"bcstage/internal/nearest"
	"bcstage/preprocess"
)

// lengthSearch finds paths of pairs whose arcs have lengths. It is Dijkstra's search from both ends, continued
// from the side that has looked at fewer arcs.
//
// Let a and b be the least distances not settled yet on the two sides. Let d be the least length of a path over
// an arc from a vertex settled on one side to one settled on the other. The search stops when a + b > d. Then d
// is the distance, and every shortest path is known whole. Let t = min(a, d). A shortest path has exactly one
// arc from a vertex nearer than t to the source to one that is not. The former is nearer than a, and the latter
// at most d - t < b from the target. So both are settled, their path counts are final, and the arc has been
// listed. One of these arcs is drawn by the number of paths over it, then the rest of the path on both sides.
// Lengths are whole numbers above 0, so equality is exact.
//
//	T. Nicholson, "Finding the shortest route between two points in a network", 1966
type lengthSearch struct {
	sides [2]lengthSide // from the source and from the target
	meets []meeting     // arcs from a vertex settled from the source to one settled from the target, on paths as long as best
	best  int64
	among []pathCount // room, for choices
	found []uint32    // room, likewise
}

type meeting struct{ from, to uint32 }

// lengthSide is the search from one end of a pair.
type lengthSide struct {
	along    *csr.Graph // arcs away from the end
	back     *csr.Graph // the same arcs towards it
	mu       []float64  // multiplicities; nil: all 1
	end      uint32
	distance []int64 // by vertex; unreached
	settled  []bool
	paths    []pathCount // by vertex: shortest paths from the end, each vertex counted by its multiplicity once it is settled
	touched  []uint32    // vertices that have a distance
	queue    nearest.Queue
	arcs     int64 // looked at
}

// interval is the number of vertices between two checks of the context.
const interval = 1 << 12

// unreached is larger than any path length.
const unreached = math.MaxInt64

func newLengthSearch(b *preprocess.Block) *lengthSearch {
	side := func(along, back *csr.Graph) lengthSide {
		n := along.Vertices()
		s := lengthSide{along: along, back: back, mu: b.Multiplicity, distance: make([]int64, n), settled: make([]bool, n), paths: make([]pathCount, n)}
		for v := range s.distance {
			s.distance[v] = unreached
		}
		return s
	}
	out, in := &b.Graph, b.Reverse()
	return &lengthSearch{sides: [2]lengthSide{side(out, in), side(in, out)}}
}

// drawByLength counts the vertices inside one of a pair's shortest paths, or none when ctx ends.
func (x *search) drawByLength(ctx context.Context, source, target uint32, r *random) {
	l := x.lengths
	s, t := &l.sides[0], &l.sides[1]
	l.meets, l.best = l.meets[:0], unreached
	s.start(source)
	t.start(target)
	l.settle(0)
	l.settle(1)
	for looks := 0; ; looks++ {
		if looks%interval == 0 && ctx.Err() != nil {
			return
		}
		a, b := s.next(), t.next()
		if a == unreached || b == unreached || a+b > l.best || x.block.Cutoff > 0 && a+b > int64(x.block.Cutoff) {
			break
		}
		side := 0
		if t.arcs < s.arcs {
			side = 1
		}
		l.settle(side)
	}
	x.counts.Arcs += s.arcs + t.arcs
	if l.best == unreached || x.block.Cutoff > 0 && l.best > int64(x.block.Cutoff) {
		return
	}
	if !x.accepts(l.best, r) {
		return
	}
	first := len(x.inner)
	middle := l.draw(min(s.next(), l.best), r)
	x.inner = l.follow(s, middle.from, x.inner, r)
	joint := len(x.inner)
	x.inner = l.follow(t, middle.to, x.inner, r)
	x.enter(source, target, x.inner[first:joint], x.inner[joint:])
}

// settle settles the nearest unsettled vertex of a side, and lists its arcs to vertices that the other has
// settled.
func (l *lengthSearch) settle(side int) {
	s, other := &l.sides[side], &l.sides[1-side]
	v := s.queue.Pop().Vertex
	s.settled[v] = true
	if s.mu != nil && v != s.end {
		s.paths[v] = s.paths[v].times(s.mu[v])
	}
	for e := s.along.Offsets[v]; e < s.along.Offsets[v+1]; e++ {
		u := s.along.Targets[e]
		d := s.distance[v] + s.along.Lengths[e]
		s.reach(u, d, s.paths[v])
		if !other.settled[u] {
			continue
		}
		if d += other.distance[u]; d > l.best {
			continue
		} else if d < l.best {
			l.best, l.meets = d, l.meets[:0]
		}
		if side == 0 {
			l.meets = append(l.meets, meeting{v, u})
		} else {
			l.meets = append(l.meets, meeting{u, v})
		}
	}
	s.arcs += s.along.Offsets[v+1] - s.along.Offsets[v]
}

// draw draws one of the arcs from a vertex nearer to the source than t to one that is not, by the number of
// paths over it.
func (l *lengthSearch) draw(t int64, r *random) meeting {
	s, o := &l.sides[0], &l.sides[1]
	l.among = l.among[:0]
	crossing := l.meets[:0]
	for _, m := range l.meets {
		if s.distance[m.from] < t && l.best-o.distance[m.to] >= t {
			crossing = append(crossing, m)
			l.among = append(l.among, s.paths[m.from].product(o.paths[m.to]))
		}
	}
	return crossing[pick(l.among, r)]
}

// follow lists a vertex and those between it and the end of its side, without the end.
func (l *lengthSearch) follow(s *lengthSide, v uint32, inner []uint32, r *random) []uint32 {
	for v != s.end {
		inner = append(inner, v)
		l.among, l.found = l.among[:0], l.found[:0]
		for e := s.back.Offsets[v]; e < s.back.Offsets[v+1]; e++ {
			if u := s.back.Targets[e]; s.settled[u] && s.distance[u]+s.back.Lengths[e] == s.distance[v] {
				l.found, l.among = append(l.found, u), append(l.among, s.paths[u])
			}
		}
		v = l.found[pick(l.among, r)]
	}
	return inner
}

func (s *lengthSide) start(v uint32) {
	for _, u := range s.touched {
		s.distance[u], s.settled[u] = unreached, false
	}
	s.touched, s.queue, s.end, s.arcs = s.touched[:0], s.queue[:0], v, 0
	s.reach(v, 0, pathCount{1, 0})
}

// reach adds paths of a length to a vertex.
func (s *lengthSide) reach(v uint32, d int64, paths pathCount) {
	switch {
	case d < s.distance[v]:
		if s.distance[v] == unreached {
			s.touched = append(s.touched, v)
		}
		s.distance[v], s.paths[v] = d, paths
		s.queue.Push(d, v)
	case d == s.distance[v]:
		s.paths[v] = s.paths[v].plus(paths)
	}
}

// next returns the least distance of an unsettled vertex.
func (s *lengthSide) next() int64 {
	for len(s.queue) > 0 {
		if top := s.queue[0]; !s.settled[top.Vertex] {
			return top.Distance
		}
		s.queue.Pop()
	}
	return unreached
}

// pathCount is share * 2^(countBits * scale), which has room for any number of paths.
type pathCount struct {
	share float64
	scale int32
}

const countBits = 400

func (c pathCount) plus(o pathCount) pathCount {
	if c.scale < o.scale {
		c, o = o, c
	}
	c.share += math.Ldexp(o.share, int(o.scale-c.scale)*countBits)
	return c.inRange()
}

func (c pathCount) times(x float64) pathCount { return pathCount{c.share * x, c.scale}.inRange() }

// product may have a share out of range: it must not be added to or multiplied.
func (c pathCount) product(o pathCount) pathCount {
	return pathCount{c.share * o.share, c.scale + o.scale}
}

func (c pathCount) inRange() pathCount {
	if c.share > largest {
		return pathCount{c.share * scale, c.scale + 1}
	}
	return c
}

// pick draws one of the counts in proportion, and returns its number.
func pick(counts []pathCount, r *random) (chosen int) {
	if len(counts) == 1 {
		return 0
	}
	most, total := counts[0].scale, 0.0
	for _, c := range counts {
		most = max(most, c.scale)
	}
	part := func(c pathCount) float64 { return math.Ldexp(c.share, int(c.scale-most)*countBits) }
	for _, c := range counts {
		total += part(c)
	}
	left := total * r.share()
	for i, c := range counts {
		if p := part(c); p > 0 {
			chosen = i
			if left -= p; left < 0 {
				break
			}
		}
	}
	return chosen
}
