package lengths

import "math/bits"

// kernels are the inner loops. Every set gives the same bits: sums run in the order
// of the links, nothing is fused, and the lanes of a score are added as in
// scoreSum.
type kernels struct {
	name string
	// relaxShort, relaxNarrow and relaxWide offer the row of vertex x to its neighbours. They
	// list in changed the neighbours whose rows become smaller, and return their number.
	relaxShort, relaxNarrow, relaxWide func(f *frame, x uint32) int
	// linkNarrow and linkWide store the links before and after vertex x, from
	// the given places on, and return the places after the last.
	linkNarrow, linkWide func(f *frame, x uint32, before, after int) (int, int)
	// count computes S of rank r in the lanes in which all predecessors have theirs,
	// and returns these lanes.
	count func(f *frame, r int) uint16
	// depend computes c of rank r in the lanes in which all successors have theirs,
	// adds to scores and got, and returns these lanes.
	depend func(f *frame, r int) uint16
	// send stores in flowing, for every link after rank r, the flow over it.
	send func(f *frame, r int)
	// enter sends to the places of a chain that paths reach from one end alone. It finds the lanes with paths through the
	// chain, and whether paths reach some place from both ends.
	enter func(f *frame, c *crossing)
}

// portable returns the set that runs on all processors, the twin of all others.
func portable() kernels {
	return kernels{
		"go",
		relaxShort,
		func(f *frame, x uint32) int { return relax(f, f.narrow, x) },
		func(f *frame, x uint32) int { return relax(f, f.wide, x) },
		func(f *frame, x uint32, before, after int) (int, int) { return link(f, f.narrow, x, before, after) },
		func(f *frame, x uint32, before, after int) (int, int) { return link(f, f.wide, x, before, after) },
		count,
		depend,
		send,
		enter,
	}
}

func relax[D int32 | int64](f *frame, rows []D, x uint32) (changed int) {
	from := (*[lanes]D)(rows[int(x)*lanes:])
	first, end := f.out.offsets[x], f.out.offsets[x+1]
	lengths := f.out.lengths[first:end]
	for i, y := range f.out.targets[first:end] {
		row, length, some := (*[lanes]D)(rows[int(y)*lanes:]), D(lengths[i]), D(0)
		for lane, d := range from {
			offer := d + length
			some |= offer - row[lane] // negative if the offer is smaller
			row[lane] = min(row[lane], offer)
		}
		f.changed[changed] = y
		if some < 0 {
			changed++
		}
	}
	return changed
}

// relaxShort saturates sums at farShort.
func relaxShort(f *frame, x uint32) (changed int) {
	from := (*[shortLanes]int16)(f.short[int(x)*shortLanes:])
	first, end := f.out.offsets[x], f.out.offsets[x+1]
	lengths := f.out.lengths[first:end]
	for i, y := range f.out.targets[first:end] {
		row, length, some := (*[shortLanes]int16)(f.short[int(y)*shortLanes:]), int32(lengths[i]), int32(0)
		for lane, d := range from {
			offer, old := min(int32(d)+length, farShort), int32(row[lane])
			some |= offer - old // negative if the offer is smaller
			row[lane] = int16(min(old, offer))
		}
		f.changed[changed] = y
		if some < 0 {
			changed++
		}
	}
	return changed
}

func link[D int32 | int64](f *frame, rows []D, x uint32, before, after int) (int, int) {
	row := (*[lanes]D)(rows[int(x)*lanes:])
	first, end := f.in.offsets[x], f.in.offsets[x+1]
	lengths := f.in.lengths[first:end]
	for i, y := range f.in.targets[first:end] {
		other, length, mask := (*[lanes]D)(rows[int(y)*lanes:]), D(lengths[i]), uint16(0)
		for lane, d := range row {
			mask |= isZero(other[lane]+length-d) << lane
		}
		f.before.rank[before], f.before.mask[before] = f.rank[y], mask
		if mask != 0 {
			before++
		}
	}
	first, end = f.out.offsets[x], f.out.offsets[x+1]
	lengths = f.out.lengths[first:end]
	for i, y := range f.out.targets[first:end] {
		other, length, mask := (*[lanes]D)(rows[int(y)*lanes:]), D(lengths[i]), uint16(0)
		for lane, d := range row {
			mask |= isZero(d+length-other[lane]) << lane
		}
		f.after.rank[after], f.after.mask[after] = f.rank[y], mask
		if mask != 0 {
			after++
		}
	}
	return before, after
}

// isZero returns 1 if d is 0, and 0 otherwise.
func isZero[D int32 | int64](d D) uint16 {
	if d == 0 {
		return 1
	}
	return 0
}

func count(f *frame, r int) uint16 {
	first, end := f.before.first[r], f.before.first[r+1]
	ranks, masks := f.before.rank[first:end], f.before.mask[first:end]
	some, late := f.start[r], uint16(0)
	for i, m := range masks {
		some |= m
		late |= m &^ f.counted[ranks[i]]
	}
	fresh := some &^ late &^ f.counted[r]
	if fresh == 0 {
		return 0
	}
	var sum [lanes]float64
	f.gather(ranks, masks, fresh, &sum)
	mu, weight := 1.0, f.weight[f.order[r]]
	if f.multiplicity != nil {
		mu = f.multiplicity[f.order[r]]
	}
	row := (*[lanes]float64)(f.rows[r*lanes:])
	for left := fresh; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		row[lane] = sum[lane] * mu
		if f.start[r]>>lane&1 != 0 {
			row[lane] = 1
		}
		f.reached[lane] += weight
		if row[lane] > f.most[lane] {
			f.most[lane] = row[lane]
		}
	}
	f.counted[r] |= fresh
	return fresh
}

// depend is also the kernel of blocks with Draws: it adds to their sums if drawn is
// not nil.
func depend(f *frame, r int) uint16 {
	first, end := f.after.first[r], f.after.first[r+1]
	ranks, masks := f.after.rank[first:end], f.after.mask[first:end]
	late := uint16(0)
	for i, m := range masks {
		late |= m &^ f.passed[ranks[i]]
	}
	fresh := f.counted[r] &^ late &^ f.passed[r]
	if fresh == 0 {
		return 0
	}
	var sum [lanes]float64
	f.gather(ranks, masks, fresh, &sum)
	v := f.order[r]
	mu, weight := 1.0, f.weight[v]
	if f.multiplicity != nil {
		mu = f.multiplicity[v]
	}
	var score, drawn, square [8]float64
	row, sown := (*[lanes]float64)(f.rows[r*lanes:]), (*[lanes]float64)(f.sown[int(uint64(r)&f.sownRows)*lanes:])
	for left := fresh; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		d := float64(row[lane] * sum[lane])
		if f.got[lane] = d; f.start[r]>>lane&1 == 0 {
			score[lane%8] += float64(f.source[lane] * d) // the conversion keeps arm64 from fusing
			x := float64(f.draws[lane] * d)
			drawn[lane%8] += x
			square[lane%8] += float64(x * d)
		}
		mass := weight + sown[lane]
		if f.shares != nil {
			mass = float64(weight * f.share(r, lane)) // the conversion keeps arm64 from fusing
			f.reached[lane] += mass
		}
		row[lane] = (mass/row[lane] + sum[lane]) * mu
	}
	f.scores[v] += scoreSum(&score) / mu
	if f.drawn != nil {
		f.drawn[v] += scoreSum(&drawn) / mu
		f.squares[v] += scoreSum(&square) / mu / mu
	}
	f.passed[r] |= fresh
	return fresh
}

// share returns the share of the target mass of rank r that counts in a lane.
func (f *frame) share(r, lane int) float64 {
	if f.start[r]>>lane&1 != 0 {
		return 0
	}
	return f.shares[f.narrow[int(f.order[r])*lanes+lane]]
}

func send(f *frame, r int) {
	first, end := f.after.first[r], f.after.first[r+1]
	ranks := f.after.rank[first:end]
	for i, m := range f.after.mask[first:end] {
		var flow [8]float64
		counts, row := (*[lanes]float64)(f.counts[r*lanes:]), (*[lanes]float64)(f.rows[int(ranks[i])*lanes:])
		for left := m & f.counted[r]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			flow[lane%8] += float64(float64(f.source[lane]*counts[lane]) * row[lane])
		}
		f.flowing[i] = scoreSum(&flow)
	}
}

// gather adds the rows of the links in their fresh lanes.
func (f *frame) gather(ranks []uint32, masks []uint16, fresh uint16, sum *[lanes]float64) {
	for i, m := range masks {
		row := (*[lanes]float64)(f.rows[int(ranks[i])*lanes:])
		for left := m & fresh; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			sum[lane] += row[lane]
		}
	}
	f.rowLoads += int64(len(ranks))
}

// scoreSum adds eight partial sums: lane i went to sum i%8.
func scoreSum(p *[8]float64) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}
