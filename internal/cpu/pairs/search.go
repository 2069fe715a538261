package pairs

import (
	"context"
	"slices"
)

// search finds one path per pair. It belongs to one goroutine.
type search struct {
	*Sampler
	sides   [2]side       // from the source and from the target
	lengths *lengthSearch // used instead where arcs have lengths
	counts  Counts        // without Inner
	inner   []uint32      // vertices inside paths, and edges of these, that are not in any Counts yet
	path    []uint32      // room for a path, where edges are counted
	differs differs       // for differences

	// The arcs from the last level of one side to that of the other: by the number in its
	// level of the vertex that they leave, and the vertex that they lead to.
	leave  []uint32
	lead   []uint32
	sorted []uint32 // the last level of one side, sorted, where needed
}

func newSearch(s *Sampler) *search {
	if s.block.HasLengths() {
		return &search{Sampler: s, lengths: newLengthSearch(s.block)}
	}
	forward, reverse := &s.block.Graph, s.block.Reverse()
	return &search{
		Sampler: s,
		sides:   [2]side{newSide(forward, reverse, s.block.Multiplicity), newSide(reverse, forward, s.block.Multiplicity)},
	}
}

// full reports whether there is enough to add up.
func (x *search) full() bool { return len(x.inner)+len(x.differs.list) > 1<<16 }

// hand adds the counts to the total of all threads, and resets them.
func (x *search) hand(total *Counts) {
	for _, v := range x.inner {
		total.Inner[v]++
	}
	x.differs.hand(total)
	total.Add(x.counts)
	x.inner, x.counts = x.inner[:0], Counts{}
}

// draw draws a pair and counts the vertices inside one of its shortest paths.
func (x *search) draw(ctx context.Context, r random) {
	x.counts.Draws++
	if x.twin != nil {
		if source, target := x.pair(&r); source != target {
			x.differ(source, target)
		}
		return
	}
	source, target, counts := x.drawEnds(&r)
	if !counts {
		return
	}
	if x.lengths != nil {
		x.drawByLength(ctx, source, target, &r)
	} else if near, far := x.join(source, target, &r); near != nil {
		if x.accepts(int64(near.depth()+far.depth()+1), &r) {
			x.count(source, target, near, far, &r)
		}
	}
}

// accepts reports whether a pair counts whose ends have that distance: with a Decay by chance, so that counts stay whole.
func (x *search) accepts(distance int64, r *random) bool {
	d := x.block.Decay
	return d == nil || d.Counts(distance, r.share())
}

// drawEnds draws the ends of a pair. Not all that are drawn count.
func (x *search) drawEnds(r *random) (source, target uint32, counts bool) {
	if x.block.HasTrips() {
		row, _ := x.from.draw(r)
		w := x.block.Waived[row]
		return w.Source, w.Target, true
	}
	source, _ = x.from.draw(r)
	target, unit := x.to.draw(r)
	return source, target, source != target && !x.waived(source, target, float64(unit), r)
}

// join searches from both ends until some arcs lead from the last level of one side, near, to that of the other; nil:
// there is no path. It lists one of these arcs, by the number of paths over it, or all. Without r it lists all.
func (x *search) join(source, target uint32, r *random) (near, far *side) {
	x.sides[0].start(source)
	x.sides[1].start(target)
	// The distance always exceeds the levels of both sides together: no vertex found from
	// one side has been found from the other.
	for {
		near, far = &x.sides[0], &x.sides[1]
		if far.arcs < near.arcs {
			near, far = far, near
		}
		if c := x.block.Cutoff; c > 0 && near.depth()+far.depth() >= c {
			return nil, nil // the next level is too far
		}
		if r != nil && x.guess(near, far, r) || x.meet(near, far) {
			return near, far
		}
		if near.advance() == 0 {
			return nil, nil // no path
		}
	}
}

// waived reports whether a unit of a target's mass, counted from 0, is waived in the
// searches from a source: a random place in the unit is below the waived mass.
func (x *search) waived(source, target uint32, unit float64, r *random) bool {
	mass := 0.0
	for _, w := range x.block.WaivedBy(source) {
		if w.Target == target {
			mass += w.Mass
		}
	}
	return mass > unit && mass > unit+r.share()
}

// meet lists the arcs from the last level of one side into the other, which lead to its
// last level, and reports whether there are any.
func (x *search) meet(near, far *side) bool {
	x.leave, x.lead, x.sorted = x.leave[:0], x.lead[:0], x.sorted[:0]
	from, others := near.last(), far.last()
	if len(from) > len(others) {
		far.lay()
	}
	for i, u := range from {
		row := near.along.Neighbours(u)
		if !far.laid || len(row) > 2*perStep*len(others) {
			looks := len(row)
			if !far.laid {
				looks += 2 * len(others)
			}
			if perStep*searchSteps(len(row), len(others)) < looks {
				others = x.inOrder(far)
				x.find(uint32(i), row, others)
				continue
			}
			far.lay()
		}
		x.counts.Arcs += int64(len(row))
		for _, v := range row {
			if far.seen[v>>6]&(1<<(v&63)) != 0 {
				x.leave, x.lead = append(x.leave, uint32(i)), append(x.lead, v)
			}
		}
	}
	return len(x.lead) > 0
}

// inOrder returns the last level of a side in the order of vertex numbers.
func (x *search) inOrder(s *side) []uint32 {
	if s.depth() < 2 {
		return s.last()
	}
	if len(x.sorted) == 0 {
		x.sorted = append(x.sorted, s.last()...)
		slices.Sort(x.sorted)
	}
	return x.sorted
}

// find lists the arcs from a vertex, number i of its level, to others. Both the others and
// its neighbours are sorted: the fewer are searched for among the more.
func (x *search) find(i uint32, row, others []uint32) {
	x.counts.Arcs += int64(searchSteps(len(row), len(others)))
	if len(row) < len(others) {
		row, others = others, row
	}
	eachIn(row, others, func(j int) {
		x.leave, x.lead = append(x.leave, i), append(x.lead, others[j])
	})
}

// count draws one of the arcs by the number of paths over it, then the rest of the path on
// both sides.
func (x *search) count(source, target uint32, near, far *side, r *random) {
	chosen := 0
	if len(x.lead) > 1 {
		total := 0.0
		for i, v := range x.lead {
			total += near.count(int(x.leave[i])) * far.count(far.number(v))
		}
		left := total * r.share()
		for i, v := range x.lead {
			chosen = i
			left -= near.count(int(x.leave[i])) * far.count(far.number(v))
			if left < 0 {
				break
			}
		}
	}
	first := len(x.inner)
	x.follow(near, int(x.leave[chosen]), r)
	middle := len(x.inner)
	x.follow(far, far.number(x.lead[chosen]), r)
	back, on := x.inner[first:middle], x.inner[middle:]
	if near == &x.sides[1] {
		back, on = on, back
	}
	x.enter(source, target, back, on)
}

// enter adds to the counts a path whose inner vertices are listed: back from the arc where the sides meet, without the
// source, and on from there, without the target.
func (x *search) enter(source, target uint32, back, on []uint32) {
	length := int64(len(back) + len(on))
	if x.block.HasFlows() {
		path := append(append(x.path[:0], source), back...)
		slices.Reverse(path[1:])
		path = append(append(path, on...), target)
		for i, u := range path[1:] {
			x.inner = append(x.inner, uint32(x.block.Vertices())+x.block.Number(path[i], u))
			length++
		}
		x.path = path
	}
	x.counts.Paths++
	x.counts.Length += length
	x.counts.Squares += length * length
}

// follow counts a vertex of the last level, by its number, and the vertices between it and
// the end of its side.
func (x *search) follow(s *side, i int, r *random) {
	l := s.depth()
	if l == 0 {
		return
	}
	x.inner = append(x.inner, s.last()[i])
	from, _ := s.level(l)
	for p := from + i; l > 1; l-- {
		p = s.before(p, l, r)
		x.inner = append(x.inner, s.order[p])
	}
}
