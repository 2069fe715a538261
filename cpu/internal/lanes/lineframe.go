package lanes

import (
	"slices"

	"bcstage/internal/cpu/pages"
)

// lineFrame is what line kernels see of a span: its entries and rows that have lanes in
// a line, and nothing else. All offsets are bytes, from the line of vertex 0 on.
//
// Of the rows listed for a span, a third has no lanes in a line that is asked for. To
// leave them out by a branch would be mispredicted, so they are left out before, eight
// at a time. Rows that are left are added up whole: of a vertex, from and to hold the numbers of
// lanes that have it in one level, and 0 in the others.
type lineFrame struct {
	before []uint32 // by row listed, and the end of them: how many before it have lanes
	rowAt  []uint32 // by row that has lanes: its offset, and firstRow if it is the first of an entry

	entryAt     []uint32 // by entry that has lanes: its vertex's offset
	entryMask   []uint32 // its lanes
	entryEnd    []uint32 // where its rows end
	entryNumber []uint32 // its number, on the way back

	// By vertex, lane: the numbers of the level that rows are of, and of the level of the entries, which
	// an entry overwrites. A source's may hold other lanes' numbers of a level that is two, four, ... farther from
	// the entries: no entry has these lanes, or the vertex would be nearer.
	from, to []float64
	stays    []float64 // the rows where c is asked for by vertex, too, in place of S; nil: nowhere

	begun uint32 // how many rows come before those of the first entry

	sumMemory, rowSums []float64 // by entry that has rows, lane: their sum
}

// firstRow is a bit that no offset has.
const firstRow = cacheLine / 2

// markFirst marks the first rows of the first entries.
func (f *lineFrame) markFirst(entries int) {
	first := uint32(0)
	for _, end := range f.entryEnd[:entries] {
		f.rowAt[first] |= firstRow // if there are none, of the entry after; there may be one behind all
		first = end
	}
}

// room makes room for so many rows and entries, and for what kernels read and write
// beyond.
func (f *lineFrame) room(rows, entries int) {
	f.rowAt = pages.Resize(f.rowAt, rows+lineBeyond)
	f.entryAt, f.entryMask, f.entryEnd = pages.Resize(f.entryAt, entries+lineBeyond), pages.Resize(f.entryMask, entries+lineBeyond), pages.Resize(f.entryEnd, entries+lineBeyond)
	f.entryNumber = pages.Resize(f.entryNumber, entries+lineBeyond)
}

// roomBefore makes room for so many rows listed.
func (f *lineFrame) roomBefore(rows int) { f.before = pages.Resize(f.before, rows+lineBeyond) }

// lineBeyond is how many numbers kernels read and write beyond what is there.
const lineBeyond = listedAhead + 8

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
	l.vertex, l.mask, l.end, l.number = pages.Reserve(l.vertex, n), pages.Reserve(l.mask, n), pages.Reserve(l.end, n), pages.Reserve(l.number, n)
}

// slice is some of the links.
func (l *links) slice(first, end int) links {
	return links{l.vertex[first:end], l.mask[first:end], l.end[first:end], l.number[first:end]}
}

// entry is the vertex of an entry, its numbers, and room for those of its level, all 0.
func (f *lineFrame) entry(i int, rows []float64) (v uint32, row, to []float64) {
	v = f.entryAt[i] / cacheLine
	row, to = rows[lineLanes*int(v):][:lineLanes], f.to[lineLanes*int(v):][:lineLanes]
	clear(to)
	return v, row, to
}

// sum is that of the rows first..end-1: the next of sums, if there are any.
func (f *lineFrame) sum(first, end uint32, sums *[]float64) (sum [lineLanes]float64) {
	if first < end {
		sum = [lineLanes]float64((*sums)[:lineLanes])
		*sums = (*sums)[lineLanes:]
	}
	return sum
}
