package lanes

import "math/bits"

// lineKernels are the inner loops of byLines. forward, backward and last take the first
// entries of the frame's line, and the rows of one line of eight lanes, after addLine. They
// compute, in the lanes of the line, the numbers that kernels compute from summed rows.
//
// All sets give the same bits.
type lineKernels struct {
	forward func(f *frame, rows []float64, line, entries int)
	// backward adds to sums instead of scores, if the frame has sums, and to drawn and squares, if it has these: see
	// kernels.backwardDrawn.
	backward func(f *frame, rows []float64, line, entries int)
	// last is backward for entries without rows, with Draws or without: it only computes c.
	last func(f *frame, rows []float64, line, entries int)

	// backwardByEntry and lastByEntry are backward and last, in fewer instructions, without Draws: path counts are kept by
	// entry, and c is not stored in rows.
	backwardByEntry, lastByEntry func(f *frame, rows []float64, line, entries int)

	// listOut finds the lanes of mask[i] that reach vertex[i], for from <= i < to. It
	// lists the rows to add up, after the rows already listed, and stores seen and next.
	// It moves entries up to out as kernels.forward does, with their parts. It ends after
	// the entry that makes enough rows.
	listOut func(f *frame, from, to, out, rows, enough int) (at, end, listed int)
	// listBack lists likewise the rows that entries add up on the backward pass, and marks the entries
	// in here.
	listBack func(f *frame, from, to, rows, enough int) (at, listed int)

	// keepRows copies to the frame's line the listed rows that have lanes in a
	// line, and returns their number.
	keepRows func(f *frame, line, rows int) int
	// keepEntries copies likewise the entries that have lanes, and returns their number.
	keepEntries func(f *frame, line int, entries *links) int
	// addLine adds up so many rows, entry by entry, in rowSums.
	addLine func(f *frame, rows int)
}

// goLineKernels returns the Portable twins of all others.
func goLineKernels() lineKernels {
	return lineKernels{forwardLine, backwardLine, lastLine, backwardLine, lastLine, listOut, listBack, keepRows, keepEntries, addLine}
}

func keepRows(f *frame, line, rows int) (count int) {
	l := &f.line
	for k, v := range f.list[:rows] {
		l.before[k], l.rowAt[count] = uint32(count), v*cacheLine
		count += nonzero(lanesOf(f.listMask[k], line))
	}
	l.before[rows] = uint32(count)
	return count
}

func keepEntries(f *frame, line int, entries *links) (count int) {
	l := &f.line
	for i, v := range entries.vertex {
		m := lanesOf(entries.mask[i], line)
		l.entryAt[count], l.entryMask[count], l.entryEnd[count], l.entryNumber[count] = v*cacheLine, uint32(m), l.before[entries.end[i]], entries.number[i]
		count += nonzero(m)
	}
	return count
}

func forwardLine(f *frame, rows []float64, line, entries int) {
	reached, first := f.reached[lineLanes*line:][:lineLanes], uint32(0)
	sums := f.line.rowSums
	for i := range entries {
		end := f.line.entryEnd[i]
		v, row, to := f.line.entry(i, rows)
		sum := f.line.sum(first, end, &sums)
		mu := f.members(v)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			row[lane] = sum[lane] * mu
			to[lane] = row[lane]
			reached[lane] += f.weight[v]
		}
		first = end
	}
}

func backwardLine(f *frame, rows []float64, line, entries int) {
	at, first, sums := lineLanes*line, f.line.begun, f.line.rowSums
	source, got, draws := f.source[at:][:lineLanes], f.got[at:][:lineLanes], f.draws[at:][:lineLanes]
	share, stretch := f.share[at:][:lineLanes], f.stretch[at:][:lineLanes]
	for i := range entries {
		end := f.line.entryEnd[i]
		v, row, to := f.line.entry(i, rows)
		var score, drawn, square [lineLanes]float64
		sum := f.line.sum(first, end, &sums)
		mu, paths := f.members(v), f.linePaths(row, line, i)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane, mass := bits.TrailingZeros32(left), f.weight[v]
			d := float64(paths[lane] * sum[lane]) // the conversions keep arm64 from fusing
			if f.drawn != nil {
				d *= stretch[lane]
				mass *= share[lane]
				drawn[lane] = float64(draws[lane] * d)
				square[lane] = float64(drawn[lane] * d)
			}
			got[lane] += d
			score[lane] = float64(source[lane] * d)
			to[lane] = (mass/paths[lane] + sum[lane]) * mu
			if f.line.stays != nil {
				row[lane] = to[lane]
			}
		}
		if f.sums == nil {
			f.scores[v] += scoreSum(&score) / mu
		} else {
			for lane, x := range score {
				f.sums[f.line.entryNumber[i]][lane] += x
			}
		}
		if f.drawn != nil {
			f.drawn[v] += scoreSum(&drawn) / mu
			f.squares[v] += scoreSum(&square) / mu / mu
		}
		first = end
	}
}

func lastLine(f *frame, rows []float64, line, entries int) {
	got, share := f.got[lineLanes*line:][:lineLanes], f.share[lineLanes*line:][:lineLanes]
	for i := range entries {
		v, row, to := f.line.entry(i, rows)
		mu, paths := f.members(v), f.linePaths(row, line, i)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane, mass := bits.TrailingZeros32(left), f.weight[v]
			if f.drawn != nil {
				mass *= share[lane]
			}
			got[lane] += float64(paths[lane] * 0) // D: 0, or NaN where counts overflow
			to[lane] = mass / paths[lane] * mu
			if f.line.stays != nil {
				row[lane] = to[lane]
			}
		}
	}
}

// linePaths returns the path counts of an entry in the lanes of a line: from its row, or from counts if they are kept by
// entry.
func (f *frame) linePaths(row []float64, line, i int) (paths [lineLanes]float64) {
	if f.counts == nil {
		return [lineLanes]float64(row)
	}
	number := int(f.line.entryNumber[i])
	for lane := range paths {
		paths[lane] = f.paths(number, line*lineLanes+lane)
	}
	return paths
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

// members returns the multiplicity of a vertex.
func (f *frame) members(v uint32) float64 {
	if f.multiplicity == nil {
		return 1
	}
	return f.multiplicity[v]
}

// lanesOf returns the lanes of a line in a mask.
func lanesOf(m uint64, line int) uint64 { return m >> (line * lineLanes) & (1<<lineLanes - 1) }

func addLine(f *frame, rows int) {
	l, entry := &f.line, -1
	for _, at := range l.rowAt[:rows] {
		if at&firstRow != 0 {
			entry++
			clear(l.rowSums[lineLanes*entry:][:lineLanes])
		}
		sum := l.rowSums[lineLanes*entry:][:lineLanes]
		for lane, x := range l.from[at/cacheLine*lineLanes:][:lineLanes] {
			sum[lane] += x
		}
	}
}
