package pairs

import "slices"

// search finds one path per pair. It belongs to one goroutine.
type search struct {
	*Sampler
	sides  [2]side  // from the source and from the target
	counts Counts   // without Inner
	inner  []uint32 // vertices inside of paths, which are not in any Counts yet

	// What the last level of one side has in common with the other's: arcs, as the
	// place of the vertex that they leave and the vertex that they lead to.
	leave  []uint32
	lead   []uint32
	sorted []uint32 // the last level of one side, where that was needed
}

func newSearch(s *Sampler) *search {
	forward, reverse := &s.block.Graph, s.block.Reverse()
	return &search{
		Sampler: s,
		sides:   [2]side{newSide(forward, reverse, s.block.Multiplicity), newSide(reverse, forward, s.block.Multiplicity)},
	}
}

// full tells whether there is enough to hand on.
func (x *search) full() bool { return len(x.inner) > 1<<16 }

// hand adds what was found to what all threads have, and begins anew.
func (x *search) hand(total *Counts) {
	for _, v := range x.inner {
		total.Inner[v]++
	}
	total.Add(x.counts)
	x.inner, x.counts = x.inner[:0], Counts{}
}

// draw draws a pair and counts the vertices inside one of its shortest paths.
func (x *search) draw(r random) {
	x.counts.Draws++
	source, _ := x.from.draw(&r)
	target, unit := x.to.draw(&r)
	if source == target || x.waived(source, target, float64(unit), &r) {
		return
	}
	x.sides[0].start(source)
	x.sides[1].start(target)
	// The distance is more than the levels of both sides together, always: what either
	// has found, the other has not.
	for {
		near, far := &x.sides[0], &x.sides[1]
		if far.arcs < near.arcs {
			near, far = far, near
		}
		if c := x.block.Cutoff; c > 0 && near.depth()+far.depth() >= c {
			return // the next level is too far
		}
		if x.meet(near, far) {
			x.count(near, far, &r)
			return
		}
		if near.advance() == 0 {
			return // no path
		}
	}
}

// waived tells whether a unit of a target's mass, counted from 0, does not count in
// the searches from a source: some place in the unit is below the mass that does not.
func (x *search) waived(source, target uint32, unit float64, r *random) bool {
	mass := 0.0
	for _, w := range x.block.WaivedBy(source) {
		if w.Target == target {
			mass += w.Mass
		}
	}
	return mass > unit && mass > unit+r.share()
}

// meet lists the arcs from the last level of one side into the other, which lead to
// its last level, and tells whether there are any.
func (x *search) meet(near, far *side) bool {
	x.leave, x.lead, x.sorted = x.leave[:0], x.lead[:0], x.sorted[:0]
	offsets, targets, seen := near.along.Offsets, near.along.Targets, far.seen
	from, to := near.level(near.depth())
	first, end := far.level(far.depth())
	many := (end - first) * perSearch
	for p := from; p < to; p++ {
		u := near.order[p]
		row := targets[offsets[u]:offsets[u+1]]
		if len(row) > many {
			if len(x.sorted) == 0 {
				x.sorted = append(x.sorted, far.order[first:end]...)
				slices.Sort(x.sorted)
			}
			x.find(uint32(p), row)
			continue
		}
		x.counts.Arcs += int64(len(row))
		for _, v := range row {
			if seen[v>>6]>>(v&63)&1 != 0 {
				x.leave, x.lead = append(x.leave, uint32(p)), append(x.lead, v)
			}
		}
	}
	return len(x.lead) > 0
}

// perSearch is how many neighbours of a vertex are looked at in the time that one of
// them is searched for: on R-MAT graphs 16 to 64 make little difference.
const perSearch = 32

// find lists the arcs to the other side from a vertex with so many more neighbours than
// the other's last level has vertices that these are searched for among them, by steps
// that double.
func (x *search) find(p uint32, row []uint32) {
	at, steps := 0, 0 // all before are less
	for _, v := range x.sorted {
		low, step := at, 1
		for at < len(row) && row[at] < v {
			low, at = at+1, at+step
			step *= 2
			steps++
		}
		high := min(at, len(row))
		for low < high {
			middle := int(uint(low+high) >> 1)
			if row[middle] < v {
				low = middle + 1
			} else {
				high = middle
			}
			steps++
		}
		if at = low; at < len(row) && row[at] == v {
			x.leave, x.lead = append(x.leave, p), append(x.lead, v)
		}
	}
	x.counts.Arcs += int64(steps)
}

// count draws one of the arcs by the number of paths over it, then the rest of the
// path on both sides.
func (x *search) count(near, far *side, r *random) {
	total := 0.0
	for i, v := range x.lead {
		total += near.paths[x.leave[i]] * far.paths[far.place[v]]
	}
	left, chosen := total*r.share(), 0
	for i, v := range x.lead {
		chosen = i
		left -= near.paths[x.leave[i]] * far.paths[far.place[v]]
		if left < 0 {
			break
		}
	}
	x.follow(near, int(x.leave[chosen]), r)
	x.follow(far, int(far.place[x.lead[chosen]]), r)
	length := int64(near.depth() + far.depth())
	x.counts.Paths++
	x.counts.Length += length
	x.counts.Squares += length * length
}

// follow counts the vertex at place p of the last level and those between it and the
// end of its side.
func (x *search) follow(s *side, p int, r *random) {
	for l := s.depth(); l > 0; l-- {
		x.inner = append(x.inner, s.order[p])
		if l > 1 {
			p = s.before(p, l, r)
		}
	}
}
