package acyclic

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/pages"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// A knot is a strong component of several vertices (csr.Graph.EachKnot). Lanes disagree which of its vertices is nearer,
// so they are visited for some lanes at a time:
//
//	untie    finds the distances inside the knot, from those that lead into it, and the order of visits: a vertex is
//	         visited in the lanes in which all its predecessors have been. Lengths are positive, so every lane has one
//	visit    runs a kernel on a vertex as if the other lanes did not reach it
//	keep     gives the vertices the distances that untie has found
//	retrace  repeats the visits in reverse
//
// So every kernel sees each lane of a vertex once, when its predecessors are complete, as outside of knots.

// knotting is the state of searches in knots.
type knotting struct {
	knots    []uint32 // csr.Graph.Knots
	inner    frame    // arcs inside knots that lead forward
	moreCuts []int    // memory of cuts
	done     []uint32 // by vertex: lanes with visits; between knots all, so that none waits for a vertex beyond the limit
	visits   []visit
	untied   int // where those of the last knot begin
	untie    func(ctx context.Context, from, to int, counts bool) error
	visit    func(kernel func(f *frame, from, to int), x visit)
	keep     func(from, to int)
}

// visit is a visit to vertices from..to-1 of the list, in these lanes. If they are several, in all lanes.
type visit struct {
	from, to int
	lanes    uint32
}

const allLanes = 1<<lanes - 1

// largestKnot returns the number of vertices of the largest one.
func largestKnot(knots []uint32) (most int) {
	for v, first := range knots {
		if first > 0 {
			most = max(most, v+2-int(first))
		}
	}
	return most
}

// knotsOf returns the knots of the direction that ascends.
func knotsOf(b *preprocess.Block) []uint32 {
	if b.NearlyAscends() {
		return b.Graph.Knots()
	}
	return b.In.Knots()
}

// knotFrom returns the numbers first..end-1 of the knot that begins, in topological order, with vertex v; else none.
func knotFrom(knots []uint32, v int, descends bool) (first, end int) {
	if knots == nil || knots[v] == 0 {
		return 0, 0
	}
	first, end = int(knots[v])-1, v+1
	if !descends && first < v || descends && end < len(knots) && knots[end] == knots[v] {
		return 0, 0
	}
	for end < len(knots) && knots[end] == knots[v] {
		end++
	}
	return first, end
}

// knotted reports whether a place of the list is inside a knot.
func (s *Search) knotted(at int) bool { return s.knots != nil && s.knots[s.list[at]] > 0 }

// cutKnots cuts the list where knots begin and end, and nowhere inside.
func (s *Search) cutKnots() {
	if s.visits = s.visits[:0]; s.knots == nil || len(s.list) == 0 {
		return
	}
	cuts, old, last := append(s.moreCuts[:0], 0), s.cuts[1:], s.knots[s.list[0]]
	for i, x := range s.list {
		knot := s.knots[x]
		if knot != last || i == old[0] && knot == 0 {
			cuts = append(cuts, i)
		}
		if last = knot; i == old[0] {
			old = old[1:]
		}
	}
	s.moreCuts, s.cuts = s.cuts, append(cuts, len(s.list))
}

// prepareKnots finds the knots of a block.
func (s *Search) prepareKnots(b *preprocess.Block) {
	if s.knots = knotsOf(b); s.knots == nil {
		return
	}
	n, arcs := b.Vertices(), &s.inner.arcs
	s.done, s.met = slices.Repeat([]uint32{allLanes}, n), pages.Resize(s.met, n)
	arcs.offsets, arcs.targets, arcs.lengths = append(pages.Reserve(arcs.offsets, n+1), 0), arcs.targets[:0], arcs.lengths[:0]
	for x := range uint32(n) {
		for e := b.Offsets[x]; e < b.Offsets[x+1] && s.knots[x] > 0; e++ {
			if y := b.Targets[e]; s.knots[y] == s.knots[x] && (y > x) != s.descends {
				arcs.targets, arcs.lengths = append(arcs.targets, y), append(arcs.lengths, s.lengths[e])
			}
		}
		arcs.offsets = append(arcs.offsets, int64(len(arcs.targets)))
	}
}

// untie finds the distances inside the knot whose vertices are list[from:to]. If paths are counted, it appends the
// visits, and the distances go to inside until keep. The only error is the context's.
func untie[D distance](ctx context.Context, s *Search, rows, inside []D, far D, from, to int, counts bool) error {
	for i, x := range s.list[from:to] {
		copy(inside[i*lanes:][:lanes], rows[int(x)*lanes:])
	}
	f := &s.inner
	f.short, f.narrow, f.wide, f.isNarrow, f.limit, f.list, f.met = s.short, s.narrow, s.wide, s.isNarrow, s.limit, s.list, s.met
	for again := true; again; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.kernels.relax(f, from, to)
		again = false
		for _, x := range s.list[from:to] {
			e, step := s.offsets[x], int64(1)
			if s.descends {
				e, step = s.offsets[x+1]-1, -1
			}
			for ; e >= s.offsets[x] && e < s.offsets[x+1] && (s.targets[e] < x) != s.descends; e += step { // targets ascend
				near, other := (*[lanes]D)(rows[int(x)*lanes:]), (*[lanes]D)(rows[int(s.targets[e])*lanes:])
				again = offer(near, other, D(s.lengths[e]), D(s.limit), far) || again
			}
		}
	}
	if !counts {
		return nil
	}
	if err := orderVisits(ctx, s, rows, from, to); err != nil {
		return err
	}
	for i, x := range s.list[from:to] {
		final, first := (*[lanes]D)(rows[int(x)*lanes:]), (*[lanes]D)(inside[i*lanes:])
		*final, *first = *first, *final
	}
	return nil
}

// offer offers a row plus length to another row. It reports whether some lane is nearer now, and within the limit.
func offer[D distance](row, other *[lanes]D, length, limit, far D) bool {
	better := D(0)
	if limit == far-1 { // no sum of a reached lane is beyond
		for lane, d := range row {
			near := min(other[lane], d+length)
			better |= other[lane] - near
			other[lane] = near
		}
		return better != 0
	}
	for lane, d := range row {
		if near := d + length; near <= limit && near < other[lane] {
			other[lane], better = near, 1
		}
	}
	return better != 0
}

// orderVisits appends the visits of a knot: each vertex in the lanes in which its predecessors come before. Lanes that do
// not reach it are visited with the first others.
func orderVisits[D distance](ctx context.Context, s *Search, rows []D, from, to int) error {
	in := s.block.In
	for _, x := range s.list[from:to] {
		s.done[x] = 0
	}
	for again := true; again; {
		again = false
		for i, x := range s.list[from:to] {
			if i%parallel.Interval == 0 && ctx.Err() != nil {
				for _, x := range s.list[from:to] {
					s.done[x] = allLanes
				}
				return ctx.Err()
			}
			done, reached, waits := s.done[x], s.met[x], uint32(0)
			if done == allLanes {
				continue
			}
			for e := in.Offsets[x]; e < in.Offsets[x+1]; e++ {
				u := in.Targets[e]
				if s.knots[u] != s.knots[x] {
					continue
				}
				length := D(in.ArcLength(e))
				for left := reached & s.met[u] &^ (s.done[u] | done | waits); left != 0; left &= left - 1 {
					lane := bits.TrailingZeros32(left)
					if rows[int(u)*lanes+lane]+length == rows[int(x)*lanes+lane] {
						waits |= 1 << lane
					}
				}
			}
			again = again || waits != 0
			ready := ^(done | waits)
			if ready&reached == 0 && reached&^done != 0 {
				continue
			}
			s.done[x] |= ready
			at := from + i
			if last := len(s.visits) - 1; ready == allLanes && last >= s.untied && s.visits[last].to == at && s.visits[last].lanes == allLanes {
				s.visits[last].to++
			} else {
				s.visits = append(s.visits, visit{at, at + 1, ready})
			}
		}
	}
	return nil
}

// visitVertex runs a kernel on a visit's vertices, in the visit's lanes alone.
func visitVertex[D distance](s *Search, rows []D, far D, kernel func(f *frame, from, to int), x visit) {
	if x.lanes == allLanes {
		kernel(&s.frame, x.from, x.to)
		return
	}
	at := int(s.list[x.from]) * lanes
	row, numbers := (*[lanes]D)(rows[at:]), (*[lanes]float64)(s.rows[at:])
	distances, kept := *row, *numbers
	for left := ^x.lanes; left != 0; left &= left - 1 {
		row[bits.TrailingZeros32(left)] = far
	}
	kernel(&s.frame, x.from, x.to)
	for left := ^x.lanes; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros32(left)
		row[lane], numbers[lane] = distances[lane], kept[lane]
	}
}

// keep gives the vertices the distances that untie has found. Of those beyond the limit, visits leave some in rows.
func keep[D distance](s *Search, rows, inside []D, from, to int) {
	for i, x := range s.list[from:to] {
		copy(rows[int(x)*lanes:][:lanes], inside[i*lanes:])
	}
}

// retrace repeats the visits to the knot that begins at list[from], in reverse.
func (s *Search) retrace(kernel func(f *frame, from, to int), from int) {
	for i, x := range slices.Backward(s.visits) {
		if x.from < from {
			break
		}
		s.visit(kernel, x)
		s.visits = s.visits[:i]
	}
}
