package lanes

import "math/bits"

// entryKernels are the inner loops of byEntries, for 64 lanes. They compute the numbers of kernels, to the
// same bits.
type entryKernels struct {
	// list is lineKernels.listOut.
	list func(f *frame, from, to, out, rows, enough int) (at, end, listed int)
	// count stores S of the entries from..to-1 in counts, or manyPaths if that is less, and adds to mass. The first
	// listed rows belong to entry from. count also raises most, and stores the entries of vertices in entryNext.
	count func(f *frame, from, to int)
	// back has the backward kernels, which take S from counts; rows hold c. It has no forward kernel.
	back kernels[float64]
}

// portableEntries returns the kernels that run on all processors, the twins of all others.
func portableEntries() *entryKernels {
	back := kernels[float64]{backward: backwardEntries, backwardDrawn: backwardDrawnEntries, backwardShares: backwardDrawnEntries, backwardFlows: backwardFlowsEntries}
	return &entryKernels{listOut, countEntries, back}
}

func countEntries(f *frame, from, to int) {
	for i := from; i < to; i++ {
		v, part := f.vertex[i], f.parts[i]
		var sum [MaxLanes]uint64
		for k, u := range f.list[part[0]:part[1]] {
			row := f.counts[int(f.entryHere[u])*MaxLanes:][:MaxLanes]
			for left := f.listMask[int(part[0])+k]; left != 0; left &= left - 1 { // other lanes are not needed
				lane := bits.TrailingZeros64(left)
				sum[lane] += uint64(row[lane])
			}
		}
		row, mu := f.counts[i*MaxLanes:][:MaxLanes], uint64(f.members(v))
		clear(row)
		for left := f.mask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = uint16(min(min(sum[lane], manyPaths)*mu, manyPaths))
			f.most[lane%16] = max(f.most[lane%16], row[lane])
			f.mass[lane] += uint32(f.weight[v])
		}
		f.entryNext[v] = uint32(i)
	}
}

func backwardEntries(f *frame, rows []float64, from, to int) {
	var sum [MaxLanes]float64
	for i := from; i < to; i++ {
		v, m := f.vertex[i], f.mask[i]
		count, _ := f.takePart(neighbours(f.offsets, f.targets, v), m, f.next)
		gather(f, rows, MaxLanes, count, &sum)
		mu, row := f.members(v), rows[int(v)*MaxLanes:][:MaxLanes]
		var score [8]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			s := f.paths(i, lane)
			d := float64(s * sum[lane])
			f.got[lane] += d
			score[lane%8] += float64(f.source[lane] * d) // the conversion keeps arm64 from fusing
			row[lane] = (f.weight[v]/s + sum[lane]) * mu
		}
		f.scores[v] += scoreSum(&score) / mu
		f.here[v] = m
	}
}

func backwardDrawnEntries(f *frame, rows []float64, from, to int) {
	var sum [MaxLanes]float64
	for i := from; i < to; i++ {
		v, m := f.vertex[i], f.mask[i]
		count, _ := f.takePart(neighbours(f.offsets, f.targets, v), m, f.next)
		gather(f, rows, MaxLanes, count, &sum)
		mu, row := f.members(v), rows[int(v)*MaxLanes:][:MaxLanes]
		var score, drawn, square [8]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			s := f.paths(i, lane)
			d := float64(float64(s*sum[lane]) * f.stretch[lane])
			f.got[lane] += d
			score[lane%8] += float64(f.source[lane] * d)
			x := float64(f.draws[lane] * d)
			drawn[lane%8] += x
			square[lane%8] += float64(x * d)
			row[lane] = (float64(f.weight[v]*f.share[lane])/s + sum[lane]) * mu
		}
		f.scores[v] += scoreSum(&score) / mu
		f.drawn[v] += scoreSum(&drawn) / mu
		f.squares[v] += scoreSum(&square) / mu / mu
		f.here[v] = m
	}
}

func backwardFlowsEntries(f *frame, rows []float64, from, to int) {
	for i := from; i < to; i++ {
		row := rows[int(f.vertex[i])*MaxLanes:][:MaxLanes]
		for left := f.mask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = f.paths(i, lane)
		}
		backwardFlows(f, rows, i, i+1)
	}
}
