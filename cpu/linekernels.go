package cpu

import "math/bits"

// lineKernels are the inner loops of byLines over the entries picked, whose rows are
// listed as parts says, in a line of eight lanes and its rows. They do what kernels do
// once rows are listed, in the lanes of the line.
//
// All sets give the same bits, as those do.
type lineKernels struct {
	forward  func(f *frame, rows []float64, line int, picked []uint32)
	backward func(f *frame, rows []float64, line int, picked []uint32)
	// backwardKept is backward that adds to sums what that adds to scores.
	backwardKept func(f *frame, rows []float64, line int, picked []uint32)
	// last is backward for entries that have no rows: nothing but c is left to do.
	last func(f *frame, rows []float64, line int, picked []uint32)

	// listOut finds out which lanes of mask[i] reach vertex[i], for from <= i < to, and
	// lists the rows to add up, after so many that are listed; it stores seen and next,
	// and moves entries up to out as kernels.forward does, with their parts. It ends at
	// an entry when enough rows are listed.
	listOut func(f *frame, from, to, out, rows, enough int) (at, end, listed int)
	// listBack lists likewise what the entries add up on the way back, and marks them
	// in here.
	listBack func(f *frame, from, to, rows, enough int) (at, listed int)
	// pick picks those of the entries that have lanes in a line.
	pick func(f *frame, line int, entries, picked []uint32) int
}

// goLineKernels is the portable twin of every other.
func goLineKernels() lineKernels {
	return lineKernels{forwardLine, backwardLine, backwardLineKept, lastLine, listOut, listBack, pick}
}

func forwardLine(f *frame, rows []float64, line int, picked []uint32) {
	for _, i := range picked {
		v, m := f.vertex[i], lanesOf(f.mask[i], line)
		sum := f.addLine(rows, line, f.parts[i])
		mu, row, reached := f.members(v), rows[lineLanes*int(v):][:lineLanes], f.reached[lineLanes*line:][:lineLanes]
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = sum[lane] * mu
			reached[lane] += f.weight[v]
		}
	}
}

func backwardLine(f *frame, rows []float64, line int, picked []uint32) {
	for _, i := range picked {
		var score [lineLanes]float64
		f.dependLine(rows, line, i, &score)
		v := f.vertex[i]
		f.scores[v] += scoreSum(&score) / f.members(v)
	}
}

func backwardLineKept(f *frame, rows []float64, line int, picked []uint32) {
	for _, i := range picked {
		f.dependLine(rows, line, i, &f.sums[i])
	}
}

// dependLine computes D and c of an entry in the lanes of a line, and adds to the parts
// of its score.
func (f *frame) dependLine(rows []float64, line int, i uint32, score *[lineLanes]float64) {
	source, got := f.source[lineLanes*line:][:lineLanes], f.got[lineLanes*line:][:lineLanes]
	v, m := f.vertex[i], lanesOf(f.mask[i], line)
	sum := f.addLine(rows, line, f.parts[i])
	mu, row := f.members(v), rows[lineLanes*int(v):][:lineLanes]
	for left := m; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros64(left)
		d := float64(row[lane] * sum[lane]) // the conversion keeps arm64 from fusing
		got[lane] += d
		score[lane] += float64(source[lane] * d)
		row[lane] = (f.weight[v]/row[lane] + sum[lane]) * mu
	}
}

func lastLine(f *frame, rows []float64, line int, picked []uint32) {
	got := f.got[lineLanes*line:][:lineLanes]
	for _, i := range picked {
		v, m := f.vertex[i], lanesOf(f.mask[i], line)
		mu, row := f.members(v), rows[lineLanes*int(v):][:lineLanes]
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			got[lane] += float64(row[lane] * 0) // D: 0, or NaN where counts overflow
			row[lane] = f.weight[v] / row[lane] * mu
		}
	}
}

func listOut(f *frame, from, to, out, rows, enough int) (at, end, listed int) {
	for at = from; at < to && rows < enough; at++ {
		v, first := f.vertex[at], rows
		count, m := takePart(neighbours(f.inOffsets, f.inTargets, v), f.mask[at], f.here, f.list[rows:], f.listMask[rows:])
		if m == 0 {
			continue
		}
		rows += count
		f.seen[v] |= m
		f.next[v] = m
		f.vertex[out], f.mask[out], f.parts[out] = v, m, [2]uint32{uint32(first), uint32(rows)}
		out++
	}
	return at, out, rows
}

func listBack(f *frame, from, to, rows, enough int) (at, listed int) {
	for at = from; at < to && rows < enough; at++ {
		v, m, first := f.vertex[at], f.mask[at], rows
		count, _ := takePart(neighbours(f.offsets, f.targets, v), m, f.next, f.list[rows:], f.listMask[rows:])
		rows += count
		f.here[v], f.parts[at] = m, [2]uint32{uint32(first), uint32(rows)}
	}
	return at, rows
}

// pick has no branch on what it finds, which would be mispredicted.
func pick(f *frame, line int, entries, picked []uint32) (count int) {
	masks, shift := f.mask, line*lineLanes&63
	for _, i := range entries {
		picked[count] = i
		count += nonzero(uint64(uint8(masks[i] >> shift)))
	}
	return count
}

// members is the multiplicity of a vertex.
func (f *frame) members(v uint32) float64 {
	if f.multiplicity == nil {
		return 1
	}
	return f.multiplicity[v]
}

// lanesOf is the lanes of a line in a mask.
func lanesOf(m uint64, line int) uint64 { return m >> (line * lineLanes) & (1<<lineLanes - 1) }

// addLine adds up a line of the rows listed in a part.
func (f *frame) addLine(rows []float64, line int, part [2]uint32) (sum [lineLanes]float64) {
	masks := f.listMask[part[0]:part[1]]
	for k, u := range f.list[part[0]:part[1]] {
		row := rows[lineLanes*int(u):][:lineLanes]
		for left := lanesOf(masks[k], line); left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			sum[lane] += row[lane]
		}
	}
	return sum
}
