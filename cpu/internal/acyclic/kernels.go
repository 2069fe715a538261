package acyclic

import (
	"math"
	"math/bits"
)

// kernels are the inner loops for one type of distances. Every set gives the same
// bits: sums run in the order of the arcs, nothing is fused, and the lanes of a score are
// added as in scoreSum.
type kernels struct {
	// forward completes the vertices from..to-1 of the list, in order, and offers their distances
	// and path counts to the ends of their arcs. Path counts have 16 bits. If frame.many is set,
	// they are float64, and vertices may have a multiplicity.
	forward func(f *frame, from, to int)
	// backward computes the dependencies of the vertices to-1..from of the list, and flows
	// if frame.sends is set.
	backward func(f *frame, from, to int)
	// backwardDrawn is backward for blocks with Draws.
	backwardDrawn func(f *frame, from, to int)
	// relax is forward without path counts. It also sets frame.met.
	relax func(f *frame, from, to int)
}

// portable returns the set that runs on all processors, the twin of all others. rows returns
// a frame's rows of distances.
func portable[D distance](rows func(f *frame) ([]D, D)) kernels {
	return kernels{
		forward: func(f *frame, from, to int) {
			d, far := rows(f)
			if f.many {
				forwardMany(f, d, far, from, to)
			} else {
				forward(f, d, far, from, to)
			}
		},
		backward:      func(f *frame, from, to int) { d, far := rows(f); backward(f, d, far, from, to) },
		backwardDrawn: func(f *frame, from, to int) { d, far := rows(f); backwardDrawn(f, d, far, from, to) },
		relax:         func(f *frame, from, to int) { d, far := rows(f); relax(f, d, far, from, to) },
	}
}

func shortRows(f *frame) ([]int16, int16)  { return f.short, farShort }
func narrowRows(f *frame) ([]int32, int32) { return f.narrow, farNarrow }
func wideRows(f *frame) ([]int64, int64)   { return f.wide, farWide }

// within marks distances beyond the limit as unreached, and returns the lanes that
// reach the vertex.
func within[D distance](row *[lanes]D, limit, far D) (reached uint32) {
	for lane, d := range row {
		if d > limit {
			row[lane] = far
			continue
		}
		reached |= 1 << lane
	}
	return reached
}

func forward[D distance](f *frame, rows []D, far D, from, to int) {
	for _, x := range f.list[from:to] {
		at := int(x) * lanes
		row, counts := (*[lanes]D)(rows[at:]), (*[lanes]uint16)(f.counts[at:])
		reached := within(row, D(f.limit), far)
		for lane, count := range counts {
			if count == fullCount {
				f.full |= reached & (1 << lane)
			}
		}
		first, end := f.offsets[x], f.offsets[x+1]
		lengths := f.lengths[first:end]
		for i, y := range f.targets[first:end] {
			other, theirs, length := (*[lanes]D)(rows[int(y)*lanes:]), (*[lanes]uint16)(f.counts[int(y)*lanes:]), D(lengths[i])
			for left := reached; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros32(left)
				offer, old := row[lane]+length, other[lane]
				less := uint32(int64(offer-old) >> 63) // all bits, or none
				some := uint32((int64(offer-old) - 1) >> 63)
				sum := uint32(theirs[lane])&^less + uint32(counts[lane])&some
				theirs[lane] = uint16(sum | -(sum >> 16))
				other[lane] = min(offer, old)
			}
		}
	}
}

func forwardMany[D distance](f *frame, rows []D, far D, from, to int) {
	for _, x := range f.list[from:to] {
		at := int(x) * lanes
		row, counts := (*[lanes]D)(rows[at:]), (*[lanes]float64)(f.rows[at:])
		reached := within(row, D(f.limit), far)
		if f.multiplicity != nil {
			for lane := range counts {
				if f.start[x]>>lane&1 == 0 {
					counts[lane] *= f.multiplicity[x]
				}
			}
		}
		for left := reached; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			f.most[lane] = max(f.most[lane], counts[lane])
		}
		first, end := f.offsets[x], f.offsets[x+1]
		lengths := f.lengths[first:end]
		for i, y := range f.targets[first:end] {
			other, theirs, length := (*[lanes]D)(rows[int(y)*lanes:]), (*[lanes]float64)(f.rows[int(y)*lanes:]), D(lengths[i])
			for left := reached; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros32(left)
				offer := row[lane] + length
				switch old := other[lane]; {
				case offer < old:
					other[lane], theirs[lane] = offer, counts[lane]
				case offer == old:
					theirs[lane] += counts[lane]
				}
			}
		}
	}
}

func relax[D distance](f *frame, rows []D, far D, from, to int) {
	for _, x := range f.list[from:to] {
		row := (*[lanes]D)(rows[int(x)*lanes:])
		f.met[x] = within(row, D(f.limit), far)
		first, end := f.offsets[x], f.offsets[x+1]
		lengths := f.lengths[first:end]
		for i, y := range f.targets[first:end] {
			other, length := (*[lanes]D)(rows[int(y)*lanes:]), D(lengths[i])
			for lane, d := range row {
				other[lane] = min(other[lane], d+length)
			}
		}
	}
}

// pathCounts returns the path counts of a vertex as float64, in the row that backward replaces by c. So forward need not
// write it.
func (f *frame) pathCounts(x uint32) *[lanes]float64 {
	s := (*[lanes]float64)(f.rows[int(x)*lanes:])
	if !f.many {
		for lane, count := range (*[lanes]uint16)(f.counts[int(x)*lanes:]) {
			s[lane] = float64(count)
		}
	}
	return s
}

func backward[D distance](f *frame, rows []D, far D, from, to int) {
	for i := to - 1; i >= from; i-- {
		x := f.list[i]
		row, s := (*[lanes]D)(rows[int(x)*lanes:]), f.pathCounts(x)
		reached := within(row, far-1, far)
		var sum, sent [lanes]float64
		if f.sends {
			for lane := range sent {
				sent[lane] = f.source[lane] * s[lane]
			}
		}
		for e := f.offsets[x]; e < f.offsets[x+1]; e++ {
			y := int(f.targets[e])
			other, c, length := (*[lanes]D)(rows[y*lanes:]), (*[lanes]float64)(f.rows[y*lanes:]), D(f.lengths[e])
			var parts [8]float64
			for left := reached; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros32(left)
				share := ifZero(row[lane]+length-other[lane], c[lane])
				sum[lane] += share
				if f.sends {
					parts[lane%8] += float64(sent[lane] * share) // the conversion keeps arm64 from fusing
				}
			}
			if f.sends {
				flow := scoreSum(&parts)
				f.flows[f.arcFlow[e]] += flow
				f.flowGot += float64(flow * float64(f.lengths[e]))
			}
		}
		mu, weight := 1.0, f.weight[x]
		if f.multiplicity != nil {
			mu = f.multiplicity[x]
		}
		var score [8]float64
		for lane, distance := range row {
			if distance == far {
				s[lane] = 0
				continue
			}
			d := float64(s[lane] * sum[lane])
			if f.start[x]>>lane&1 != 0 {
				f.own[lane] = d
			} else {
				f.reached[lane] += weight
				f.away[lane] += float64(weight * float64(distance))
				f.got[lane] += d
				score[lane%8] += float64(f.source[lane] * d)
			}
			s[lane] = (weight/s[lane] + sum[lane]) * mu
		}
		f.scores[x] += scoreSum(&score) / mu
	}
}

func backwardDrawn[D distance](f *frame, rows []D, far D, from, to int) {
	for i := to - 1; i >= from; i-- {
		x := f.list[i]
		row, s := (*[lanes]D)(rows[int(x)*lanes:]), f.pathCounts(x)
		reached := within(row, far-1, far)
		var sum [lanes]float64
		for e := f.offsets[x]; e < f.offsets[x+1]; e++ {
			y := int(f.targets[e])
			other, c, length := (*[lanes]D)(rows[y*lanes:]), (*[lanes]float64)(f.rows[y*lanes:]), D(f.lengths[e])
			for left := reached; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros32(left)
				sum[lane] += ifZero(row[lane]+length-other[lane], c[lane])
			}
		}
		mu, weight := 1.0, f.weight[x]
		if f.multiplicity != nil {
			mu = f.multiplicity[x]
		}
		var score, drawn, squares [8]float64
		for lane, distance := range row {
			if distance == far {
				s[lane] = 0
				continue
			}
			mass, d := weight, float64(s[lane]*sum[lane])
			if f.start[x]>>lane&1 != 0 {
				f.own[lane] = d
			} else {
				f.reached[lane] += weight
				f.away[lane] += float64(weight * float64(distance))
				if f.linear {
					mass, d = weight*(1/float64(distance)), d*(2*float64(distance))
				}
				f.got[lane] += d
				score[lane%8] += float64(f.source[lane] * d)
				share := float64(f.draws[lane] * d)
				drawn[lane%8] += share
				squares[lane%8] += float64(share * d)
			}
			s[lane] = (mass/s[lane] + sum[lane]) * mu
		}
		f.scores[x] += scoreSum(&score) / mu
		f.drawn[x] += scoreSum(&drawn) / mu
		f.squares[x] += scoreSum(&squares) / mu / mu
	}
}

// ifZero returns x if d is 0, else 0, without a branch, which would be mispredicted.
func ifZero[D distance](d D, x float64) float64 {
	wide := int64(d)
	return math.Float64frombits(math.Float64bits(x) &^ uint64((wide|-wide)>>63))
}

// scoreSum adds eight partial sums: lane i went to sum i%8.
func scoreSum(p *[8]float64) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}
