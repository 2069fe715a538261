package cpu

import (
	"math/bits"
	"slices"
)

// lineFrame is what line kernels see of a span: its entries and rows that have lanes in
// a line, and nothing else. All offsets are bytes, from the line of vertex 0 on.
//
// Of the rows listed for a span, a third has no lanes in a line that is asked for. To
// leave them out by a branch would be mispredicted, so they are left out before, eight
// at a time.
type lineFrame struct {
	rowAt   []uint32 // by row that has lanes: its offset
	rowMask []uint32 // and its lanes
	kept    []uint8  // by eight of the rows listed: a bit for each that has lanes
	before  []uint32 // likewise: how many have lanes of all rows before

	entryAt     []uint32 // by entry that has lanes: its vertex's offset
	entryMask   []uint32 // its lanes
	entryEnd    []uint32 // where its rows end among those listed for the span
	entryNumber []uint32 // its number, on the way back
}

// room makes room for so many rows and entries, and for what kernels read and write
// beyond.
func (f *lineFrame) room(rows, entries int) {
	const more = listedAhead + 8
	f.rowAt, f.rowMask = resize(f.rowAt, rows+more), resize(f.rowMask, rows+more)
	f.kept, f.before = resize(f.kept, rows/8+2), resize(f.before, rows/8+2)
	f.entryAt, f.entryMask, f.entryEnd = resize(f.entryAt, entries+more), resize(f.entryMask, entries+more), resize(f.entryEnd, entries+more)
	f.entryNumber = resize(f.entryNumber, entries+more)
}

// links are entries whose numbers are to be worked out.
type links struct {
	vertex []uint32
	mask   []uint64
	end    []uint32 // where their rows end, counted from the first row of the span
	number []uint32 // which entries they are, on the way back
}

// room makes room for so many more, and says how many there are.
func (l *links) room(more int) (count int) {
	count = len(l.vertex)
	l.vertex = slices.Grow(l.vertex, more)[:count+more]
	l.mask = slices.Grow(l.mask, more)[:count+more]
	l.end = slices.Grow(l.end, more)[:count+more]
	l.number = slices.Grow(l.number, more)[:count+more]
	return count
}

// cut leaves so many.
func (l *links) cut(count int) { *l = l.slice(0, count) }

func (l *links) reserve(n int) {
	l.vertex, l.mask, l.end, l.number = reserve(l.vertex, n), reserve(l.mask, n), reserve(l.end, n), reserve(l.number, n)
}

// slice is some of the links.
func (l *links) slice(first, end int) links {
	return links{l.vertex[first:end], l.mask[first:end], l.end[first:end], l.number[first:end]}
}

// lineKernels are the inner loops of byLines. forward, backward and last work on the
// entries of the frame's line, so many, in a line of eight lanes and its rows. They do what
// kernels do once rows are listed, in the lanes of the line.
//
// All sets give the same bits, as those do.
type lineKernels struct {
	forward  func(f *frame, rows []float64, line, entries int)
	backward func(f *frame, rows []float64, line, entries int)
	// backwardKept is backward that adds to sums what that adds to scores.
	backwardKept func(f *frame, rows []float64, line, entries int)
	// last is backward for entries that have no rows: nothing but c is left to do.
	last func(f *frame, rows []float64, line, entries int)

	// Likewise backward and last for a block that has Draws: see kernels.backwardDrawn. No dead ends are left out.
	backwardDrawn func(f *frame, rows []float64, line, entries int)
	lastDrawn     func(f *frame, rows []float64, line, entries int)

	// listOut finds out which lanes of mask[i] reach vertex[i], for from <= i < to, and
	// lists the rows to add up, after so many that are listed; it stores seen and next,
	// and moves entries up to out as kernels.forward does, with their parts. It ends at
	// an entry when enough rows are listed.
	listOut func(f *frame, from, to, out, rows, enough int) (at, end, listed int)
	// listBack lists likewise what the entries add up on the way back, and marks them
	// in here.
	listBack func(f *frame, from, to, rows, enough int) (at, listed int)

	// keepRows has the frame's line hold those of the rows first..end-1 of the list that
	// have lanes in a line.
	keepRows func(f *frame, line, first, end int)
	// keepEntries has it hold those of the entries that have, and counts them.
	keepEntries func(f *frame, line int, entries *links) int

	// deadEnds works out the numbers of deadEnds[first:end] from those of their predecessors and
	// from near, and adds to more, got, reached and beyond.
	deadEnds func(f *frame, rows []float64, line, first, end int)
}

// goLineKernels is the portable twin of every other.
func goLineKernels() lineKernels {
	return lineKernels{forwardLine, backwardLine, backwardLineKept, lastLine, backwardLineDrawn, lastLineDrawn, listOut, listBack, keepRows, keepEntries, deadEndsLine}
}

func keepRows(f *frame, line, first, end int) {
	l, count := &f.line, 0
	for k := first; k < end; k++ {
		i := k - first
		if i%8 == 0 {
			l.kept[i/8], l.before[i/8] = 0, uint32(count)
		}
		m := lanesOf(f.listMask[k], line)
		l.rowAt[count], l.rowMask[count] = f.list[k]*cacheLine, uint32(m)
		l.kept[i/8] |= uint8(nonzero(m) << (i % 8))
		count += nonzero(m)
	}
	i := end - first // the end may be asked about, too
	if i%8 == 0 {
		l.kept[i/8], l.before[i/8] = 0, uint32(count)
	}
}

func keepEntries(f *frame, line int, entries *links) (count int) {
	l := &f.line
	for i, v := range entries.vertex {
		m := lanesOf(entries.mask[i], line)
		l.entryAt[count], l.entryMask[count], l.entryEnd[count], l.entryNumber[count] = v*cacheLine, uint32(m), entries.end[i], entries.number[i]
		count += nonzero(m)
	}
	return count
}

// keptBefore is how many of the rows listed for the span before the given one have lanes.
func (f *lineFrame) keptBefore(row uint32) uint32 {
	return f.before[row/8] + uint32(bits.OnesCount8(f.kept[row/8]&(1<<(row%8)-1)))
}

func forwardLine(f *frame, rows []float64, line, entries int) {
	reached, first := f.reached[lineLanes*line:][:lineLanes], uint32(0)
	for i := range entries {
		end := f.line.keptBefore(f.line.entryEnd[i])
		v, row := f.line.entry(i, rows)
		var sum [lineLanes]float64
		f.addLine(rows, first, end, &sum)
		mu := f.members(v)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			row[lane] = sum[lane] * mu
			reached[lane] += f.weight[v]
			if f.near != nil {
				f.near[lineLanes*int(v)+lane] |= f.level // it was 0
			}
		}
		first = end
	}
}

func backwardLine(f *frame, rows []float64, line, entries int) {
	first := uint32(0)
	for i := range entries {
		v, end, score := f.dependLine(rows, line, i, first)
		f.scores[v] += scoreSum(&score) / f.members(v)
		first = end
	}
}

func backwardLineKept(f *frame, rows []float64, line, entries int) {
	first := uint32(0)
	for i := range entries {
		_, end, score := f.dependLine(rows, line, i, first)
		for lane, x := range score {
			f.sums[f.line.entryNumber[i]][lane] += x
		}
		first = end
	}
}

// dependLine computes D and c of an entry in the lanes of a line, from its rows, which begin at the
// first, and gives its vertex, where the rows end, and what it adds to the score, in eight parts.
func (f *frame) dependLine(rows []float64, line, i int, first uint32) (v, end uint32, score [lineLanes]float64) {
	source, got := f.source[lineLanes*line:][:lineLanes], f.got[lineLanes*line:][:lineLanes]
	end = f.line.keptBefore(f.line.entryEnd[i])
	v, row := f.line.entry(i, rows)
	var sum [lineLanes]float64
	var more []float64
	if f.more != nil {
		more = f.more[lineLanes*int(v):][:lineLanes]
		copy(sum[:], more)
	}
	f.addLine(rows, first, end, &sum)
	mu := f.members(v)
	for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros32(left)
		d := float64(row[lane] * sum[lane]) // the conversion keeps arm64 from fusing
		got[lane] += d
		score[lane] = float64(source[lane] * d)
		row[lane] = (f.weight[v]/row[lane] + sum[lane]) * mu
		if more != nil {
			more[lane] = 0 // for the next batch
		}
	}
	return v, end, score
}

func lastLine(f *frame, rows []float64, line, entries int) {
	got := f.got[lineLanes*line:][:lineLanes]
	for i := range entries {
		v, row := f.line.entry(i, rows)
		mu := f.members(v)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			got[lane] += float64(row[lane] * 0) // D: 0, or NaN where counts overflow
			row[lane] = f.weight[v] / row[lane] * mu
		}
	}
}

func backwardLineDrawn(f *frame, rows []float64, line, entries int) {
	at, first := lineLanes*line, uint32(0)
	source, got, draws := f.source[at:][:lineLanes], f.got[at:][:lineLanes], f.draws[at:][:lineLanes]
	share, stretch := f.share[at:][:lineLanes], f.stretch[at:][:lineLanes]
	for i := range entries {
		end := f.line.keptBefore(f.line.entryEnd[i])
		v, row := f.line.entry(i, rows)
		var sum, score, drawn, square [lineLanes]float64
		f.addLine(rows, first, end, &sum)
		mu := f.members(v)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			d := float64(float64(row[lane]*sum[lane]) * stretch[lane]) // the conversions keep arm64 from fusing
			got[lane] += d
			score[lane] = float64(source[lane] * d)
			drawn[lane] = float64(draws[lane] * d)
			square[lane] = float64(drawn[lane] * d)
			row[lane] = (float64(f.weight[v]*share[lane])/row[lane] + sum[lane]) * mu
		}
		f.scores[v] += scoreSum(&score) / mu
		f.drawn[v] += scoreSum(&drawn) / mu
		f.squares[v] += scoreSum(&square) / mu / mu
		first = end
	}
}

func lastLineDrawn(f *frame, rows []float64, line, entries int) {
	got, share := f.got[lineLanes*line:][:lineLanes], f.share[lineLanes*line:][:lineLanes]
	for i := range entries {
		v, row := f.line.entry(i, rows)
		mu := f.members(v)
		for left := f.line.entryMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			got[lane] += float64(row[lane] * 0) // as in lastLine
			row[lane] = float64(f.weight[v]*share[lane]) / row[lane] * mu
		}
	}
}

// entry is the vertex of an entry, and its numbers.
func (f *lineFrame) entry(i int, rows []float64) (v uint32, row []float64) {
	v = f.entryAt[i] / cacheLine
	return v, rows[lineLanes*int(v):][:lineLanes]
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

// members is the multiplicity of a vertex.
func (f *frame) members(v uint32) float64 {
	if f.multiplicity == nil {
		return 1
	}
	return f.multiplicity[v]
}

// lanesOf is the lanes of a line in a mask.
func lanesOf(m uint64, line int) uint64 { return m >> (line * lineLanes) & (1<<lineLanes - 1) }

// addLine adds up the rows first..end-1 of the frame's line.
func (f *frame) addLine(rows []float64, first, end uint32, sum *[lineLanes]float64) {
	for k := first; k < end; k++ {
		row := rows[f.line.rowAt[k]/8:][:lineLanes]
		for left := f.line.rowMask[k]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros32(left)
			sum[lane] += row[lane]
		}
	}
}

func deadEndsLine(f *frame, rows []float64, line, first, end int) {
	at := lineLanes * line
	got, reached, beyond := f.got[at:][:lineLanes], f.reached[at:][:lineLanes], f.beyond[at:][:lineLanes]
	for i, t := range f.deadEnds[first:end] {
		before := neighbours(f.deadEndOffsets, f.deadEndTargets, uint32(first+i))
		var nearest [lineLanes]uint16
		for lane := range nearest {
			nearest[lane] = noLevel
			for _, u := range before {
				nearest[lane] = max(nearest[lane], f.near[lineLanes*int(u)+lane])
			}
		}
		for lane, level := range nearest {
			if level == noLevel {
				continue
			}
			sum := 0.0
			for _, u := range before {
				if f.near[lineLanes*int(u)+lane] == level {
					sum += rows[lineLanes*int(u)+lane]
				}
			}
			sum *= f.members(t)
			got[lane] += float64(sum * 0) // D: 0, or NaN where counts overflow
			reached[lane] += f.weight[t]
			beyond[lane] += float64(f.weight[t] * float64(level))
			c := f.weight[t] / sum * f.members(t)
			for _, u := range before {
				if f.near[lineLanes*int(u)+lane] == level {
					f.more[lineLanes*int(u)+lane] += c
				}
			}
		}
	}
}
