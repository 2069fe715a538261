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
	// last is backward for entries that have no rows: nothing but c is left to do.
	last func(f *frame, rows []float64, line int, picked []uint32)
}

// goLineKernels is the portable twin of every other.
func goLineKernels() lineKernels {
	return lineKernels{forward: forwardLine, backward: backwardLine, last: lastLine}
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
	source, got := f.source[lineLanes*line:][:lineLanes], f.got[lineLanes*line:][:lineLanes]
	for _, i := range picked {
		v, m := f.vertex[i], lanesOf(f.mask[i], line)
		sum := f.addLine(rows, line, f.parts[i])
		mu, row := f.members(v), rows[lineLanes*int(v):][:lineLanes]
		var score [lineLanes]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			d := float64(row[lane] * sum[lane]) // the conversion keeps arm64 from fusing
			got[lane] += d
			score[lane] = float64(source[lane] * d)
			row[lane] = (f.weight[v]/row[lane] + sum[lane]) * mu
		}
		f.scores[v] += scoreSum(&score) / mu
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
