package acyclic

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// A knot is a strong component of several vertices (csr.Knots). Lanes disagree which of its vertices is nearer,
// so they are visited for some lanes at a time:
//
//	untie    finds the distances inside the knot, from those that lead into it, and the order of visits: a vertex is
//	         visited in the lanes in which all its predecessors have been. Lengths are positive, so every lane has one
//	visit    runs a kernel on a vertex as if the other lanes did not reach it
//	keep     gives the vertices the distances that untie has found
//	retrace  repeats the visits in reverse
//
// Rows of distances have 32 bits, those of inside come after those of the vertices.
//
// So every kernel sees each lane of a vertex once, when its predecessors are complete, as outside of knots.

// knotting is the state of searches in knots.
type knotting struct {
	direction
	inner    frame    // arcs inside knots that lead forward
	moreCuts []int    // memory of cuts
	done     []uint32 // by vertex: lanes with visits; between knots all, so that none waits for a vertex beyond the limit
	visits   []visit
	untied   int // where those of the last knot begin
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

// direction says how the arcs of a block lead.
type direction struct {
	descends bool     // arcs lead to lower numbers
	knots    []uint32 // csr.Knots of what ascends
	inside   int      // arcs inside knots
}

// directionOf looks at the arcs of a block that ascends, or descends, or nearly.
func directionOf(b *preprocess.Block) (d direction) {
	up := &b.Graph
	if d.descends = !csr.NearlyAscends(up); d.descends {
		up = b.In
	}
	d.knots, d.inside = csr.Knots(up)
	return d
}

// knotFrom returns the numbers first..end-1 of the knot that begins, in topological order, with vertex v; else none.
func (d *direction) knotFrom(v int) (first, end int) {
	knots := d.knots
	if knots == nil || knots[v] == 0 {
		return 0, 0
	}
	first, end = int(knots[v])-1, v+1
	if !d.descends && first < v || d.descends && end < len(knots) && knots[end] == knots[v] {
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

// prepareKnots makes room for the knots of a block.
func (s *Search) prepareKnots(b *preprocess.Block) {
	if s.knots == nil {
		return
	}
	n, arcs, inner, at := b.Vertices(), s.direction.inside, &s.inner.arcs, 0
	s.done, s.met = slices.Repeat([]uint32{allLanes}, n), pages.Resize(s.met, n)
	inner.offsets, inner.targets, inner.lengths = pages.Resize(inner.offsets, n+1), pages.Resize(inner.targets, arcs), pages.Resize(inner.lengths, arcs)
	for x := range uint32(n) {
		inner.offsets[x] = int64(at)
		for e := b.Offsets[x]; e < b.Offsets[x+1] && s.knots[x] > 0; e++ {
			if y := b.Targets[e]; s.knots[y] == s.knots[x] && (y > x) != s.descends {
				inner.targets[at], inner.lengths[at] = y, s.lengths[e]
				at++
			}
		}
	}
	inner.offsets[n] = int64(at)
}

// untie finds the distances inside the knot whose vertices are list[from:to]. If paths are counted, it appends the
// visits, and the distances go to inside until keep. The only error is the context's.
func (s *Search) untie(ctx context.Context, from, to int, counts bool) error {
	rows, inside := s.narrow, s.narrow[len(s.knots)*lanes:]
	for i, x := range s.list[from:to] {
		copy(inside[i*lanes:][:lanes], rows[int(x)*lanes:])
	}
	f := &s.inner
	f.narrow, f.isNarrow, f.limit, f.list, f.met = s.narrow, true, s.limit, s.list, s.met
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
				near, other := (*[lanes]int32)(rows[int(x)*lanes:]), (*[lanes]int32)(rows[int(s.targets[e])*lanes:])
				again = offer(near, other, int32(s.lengths[e]), int32(s.limit)) || again
			}
		}
	}
	if !counts {
		return nil
	}
	if err := s.orderVisits(ctx, from, to); err != nil {
		return err
	}
	for i, x := range s.list[from:to] {
		final, first := (*[lanes]int32)(rows[int(x)*lanes:]), (*[lanes]int32)(inside[i*lanes:])
		*final, *first = *first, *final
	}
	return nil
}

// offer offers a row plus length to another row. It reports whether some lane is nearer now, and within the limit.
func offer(row, other *[lanes]int32, length, limit int32) bool {
	better := int32(0)
	for lane, d := range row {
		near := d + length
		near = min(other[lane], near|(limit-near)>>31&farNarrow) // no branch
		better |= other[lane] - near
		other[lane] = near
	}
	return better != 0
}

// orderVisits appends the visits of a knot: each vertex in the lanes in which its predecessors come before. Lanes that do
// not reach it are visited with the first others. The only error is the context's.
func (s *Search) orderVisits(ctx context.Context, from, to int) error {
	in, rows := s.block.In, s.narrow
	for _, x := range s.list[from:to] {
		s.done[x] = 0
	}
	for again := true; again; {
		if ctx.Err() != nil {
			for _, x := range s.list[from:to] {
				s.done[x] = allLanes
			}
			return ctx.Err()
		}
		again = false
		for i, x := range s.list[from:to] {
			done, reached, waits := s.done[x], s.met[x], uint32(0)
			if done == allLanes {
				continue
			}
			for e := in.Offsets[x]; e < in.Offsets[x+1]; e++ {
				u := in.Targets[e]
				if s.knots[u] != s.knots[x] {
					continue
				}
				length := int32(in.ArcLength(e))
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

// visit runs a kernel on a visit's vertices, in the visit's lanes alone.
func (s *Search) visit(kernel func(f *frame, from, to int), x visit) {
	if x.lanes == allLanes {
		kernel(&s.frame, x.from, x.to)
		return
	}
	at := int(s.list[x.from]) * lanes
	row, numbers := (*[lanes]int32)(s.narrow[at:]), (*[lanes]float64)(s.rows[at:])
	distances, kept := *row, *numbers
	for left := ^x.lanes; left != 0; left &= left - 1 {
		row[bits.TrailingZeros32(left)] = farNarrow
	}
	kernel(&s.frame, x.from, x.to)
	for left := ^x.lanes; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros32(left)
		row[lane], numbers[lane] = distances[lane], kept[lane]
	}
}

// keep gives the vertices the distances that untie has found. Of those beyond the limit, visits leave some in rows.
func (s *Search) keep(from, to int) {
	inside := s.narrow[len(s.knots)*lanes:]
	for i, x := range s.list[from:to] {
		copy(s.narrow[int(x)*lanes:][:lanes], inside[i*lanes:])
	}
}

// retrace repeats the visits to the knot that begins at list[from], in reverse.
func (s *Search) retrace(kernel func(f *frame, from, to int), from int) {
	for last := len(s.visits) - 1; last >= 0 && s.visits[last].from >= from; last-- {
		s.visit(kernel, s.visits[last])
		s.visits = s.visits[:last]
	}
}
