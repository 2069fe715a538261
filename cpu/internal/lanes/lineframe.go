package lanes

import (
	"slices"

	"bcstage/internal/pages"
)

// lineFrame is the part of a span that line kernels see: only the entries and rows with lanes in
// the line. All offsets are bytes, from the line of vertex 0 on.
//
// A third of the rows listed for a span has no lanes in a given line. A branch that skips
// them would be mispredicted, so they are removed beforehand, eight
// at a time. The remaining rows are added up whole: from and to hold the numbers of the
// lanes that have a vertex in one level, and 0 in its other lanes.
type lineFrame struct {
	before []uint32 // by listed row, and at their end: number of rows before it that have lanes
	rowAt  []uint32 // by row that has lanes: its offset, and firstRow if it is the first of an entry

	entryAt     []uint32 // by entry that has lanes: its vertex's offset
	entryMask   []uint32 // its lanes
	entryEnd    []uint32 // where its rows end
	entryNumber []uint32 // its number, on the backward pass

	// By vertex, lane: from has the numbers of the rows' level, to those of the entries' level, which
	// entries overwrite. The row of a source may hold other lanes' numbers of a level two, four, ... farther
	// from the entries. No entry has these lanes, or the vertex would be nearer.
	from, to []float64
	stays    []float64 // rows that store c by vertex, too, in place of S; nil: none

	begun uint32 // number of rows before the first entry's

	sumMemory, rowSums []float64 // by entry that has rows, lane: their sum
}

// firstRow is a bit that is 0 in all offsets.
const firstRow = cacheLine / 2

// markFirst marks the first rows of so many entries.
func (f *lineFrame) markFirst(entries int) {
	first := uint32(0)
	for _, end := range f.entryEnd[:entries] {
		f.rowAt[first] |= firstRow // of the next entry, if this one has no rows; or behind the last row
		first = end
	}
}

// room makes room for so many rows and entries, and lineBeyond more.
func (f *lineFrame) room(rows, entries int) {
	f.rowAt = pages.Resize(f.rowAt, rows+lineBeyond)
	f.entryAt, f.entryMask, f.entryEnd = pages.Resize(f.entryAt, entries+lineBeyond), pages.Resize(f.entryMask, entries+lineBeyond), pages.Resize(f.entryEnd, entries+lineBeyond)
	f.entryNumber = pages.Resize(f.entryNumber, entries+lineBeyond)
}

// roomBefore makes room for so many listed rows.
func (f *lineFrame) roomBefore(rows int) { f.before = pages.Resize(f.before, rows+lineBeyond) }

// lineBeyond is how many numbers kernels read and write beyond the end of a list.
const lineBeyond = listedAhead + 8

// links are entries whose numbers are to be computed.
type links struct {
	vertex []uint32
	mask   []uint64
	end    []uint32 // where their rows end, counted from the first row of the span
	number []uint32 // their numbers among all entries, on the backward pass
}

// room makes room for more links, and returns the number before.
func (l *links) room(more int) (count int) {
	count = len(l.vertex)
	l.vertex = slices.Grow(l.vertex, more)[:count+more]
	l.mask = slices.Grow(l.mask, more)[:count+more]
	l.end = slices.Grow(l.end, more)[:count+more]
	l.number = slices.Grow(l.number, more)[:count+more]
	return count
}

// cut keeps the first count links.
func (l *links) cut(count int) { *l = l.slice(0, count) }

func (l *links) reserve(n int) {
	l.vertex, l.mask, l.end, l.number = pages.Reserve(l.vertex, n), pages.Reserve(l.mask, n), pages.Reserve(l.end, n), pages.Reserve(l.number, n)
}

// slice returns the links first..end-1.
func (l *links) slice(first, end int) links {
	return links{l.vertex[first:end], l.mask[first:end], l.end[first:end], l.number[first:end]}
}

// entry returns the vertex of an entry, its row, and its cleared row in to.
func (f *lineFrame) entry(i int, rows []float64) (v uint32, row, to []float64) {
	v = f.entryAt[i] / cacheLine
	row, to = rows[lineLanes*int(v):][:lineLanes], f.to[lineLanes*int(v):][:lineLanes]
	clear(to)
	return v, row, to
}

// sum returns the sum of the rows first..end-1: the next of sums, or 0 without rows.
func (f *lineFrame) sum(first, end uint32, sums *[]float64) (sum [lineLanes]float64) {
	if first < end {
		sum = [lineLanes]float64((*sums)[:lineLanes])
		*sums = (*sums)[lineLanes:]
	}
	return sum
}
