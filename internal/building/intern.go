package building

import (
	"slices"
	"unsafe"

	"bcstage/internal/budget"
	"bcstage/internal/parallel"
)

// table numbers ids in the order in which they are inserted.
type table interface {
	// find writes the number of every id to out and appends a miss for each id
	// without one. It may run on several goroutines while nothing is inserted.
	find(keys Keys, out []uint32, misses []miss) []miss
	// expect announces ids that will be inserted in this round. prepare says that
	// all have been announced, and how many ids have been looked up so far.
	expect(keys Keys, misses []miss)
	prepare(looked int64)
	// insert returns the number of the id of a miss: the next one, unless the same
	// id was inserted after the miss.
	insert(keys Keys, m miss) uint32
	// ids returns the ids in the order of their numbers. They are the table's own.
	ids() Keys
	count() int
	// bytes is the most memory that the table takes until more ids are added,
	// growing and listing the ids included, and the memory of the list alone.
	bytes(more int) (most, listed int64)
}

// together is a table into which several goroutines can insert at once.
type together interface {
	// worthIt reports whether that is faster, for as many misses on as many
	// goroutines.
	worthIt(threads, missed int) bool
	// insertTogether inserts the misses of the parts of a round, and gives them the
	// numbers that insert would, miss by miss in the order of the rows.
	insertTogether(threads int, parts [][2]side)
}

// miss is a position in a column whose id had no number, and the id's hash.
type miss struct {
	row  int
	hash uint32
}

const (
	fewestRound = 1 << 13 // rows
	mostRound   = 1 << 15 // rows per goroutine
	partRows    = 1 << 12 // rows that are worth a goroutine
	partsEach   = 4       // parts per goroutine: one that starts late leaves its parts to the others
)

// interner turns columns of ids into columns of numbers, in rounds. Several
// goroutines look up parts of the rows in a table that does not change. Then the
// misses are inserted, in row order. So the numbers are those of a plain loop over
// the rows. In most graphs nearly every id has been seen before, and nearly all the
// time is spent in parallel. Where many are new, they are inserted in parallel, too.
type interner struct {
	table   table
	threads int
	size    int   // rows of the next round
	looked  int64 // ids looked up
	parts   [][2]side
}

// side is one column of a part of a round.
type side struct {
	keys   Keys
	out    []uint32
	misses []miss
}

// number writes the numbers of two columns of ids. New ids are numbered in the
// order src[0], dst[0], src[1], dst[1] and so on. dst may be empty.
func (in *interner) number(src, dst Keys, outSrc, outDst []uint32) {
	for from, rows := 0, src.Len(); from < rows; {
		to := min(from+max(in.size, fewestRound), rows)
		missed := in.round(src, dst, outSrc, outDst, from, to)
		// Where many ids are new, rounds are as short as is worth the goroutines: an insert then finds in cache the memory
		// that the look-up loaded.
		if missed > (to-from)/8 {
			in.size = in.threads * partRows
		} else {
			in.size = min(2*(to-from), in.threads*mostRound)
		}
		from = to
	}
}

// round returns the number of misses.
func (in *interner) round(src, dst Keys, outSrc, outDst []uint32, from, to int) int {
	parts := min(max((to-from)/partRows, 1), in.threads*partsEach)
	for len(in.parts) < parts {
		in.parts = append(in.parts, [2]side{})
	}
	size := (to - from + parts - 1) / parts
	parallel.EachWhole(in.threads, parts, func(_, i int) {
		part := &in.parts[i]
		first, end := min(from+i*size, to), min(from+(i+1)*size, to)
		part[0].look(in.table, src, outSrc, first, end)
		part[1].look(in.table, dst, outDst, min(first, dst.Len()), min(end, dst.Len()))
	})
	missed := 0
	for i := range in.parts[:parts] {
		for _, s := range in.parts[i] {
			in.table.expect(s.keys, s.misses)
			in.looked += int64(len(s.out))
			missed += len(s.misses)
		}
	}
	in.table.prepare(in.looked)
	if t, ok := in.table.(together); ok && t.worthIt(in.threads, missed) {
		t.insertTogether(in.threads, in.parts[:parts])
		return missed
	}
	for i := range in.parts[:parts] {
		in.insertMissed(&in.parts[i])
	}
	return missed
}

func (s *side) look(t table, keys Keys, out []uint32, from, to int) {
	s.keys, s.out = keys.slice(from, to), out[from:to]
	if s.misses == nil { // in the first round nearly all are misses
		s.misses = make([]miss, 0, min(to-from, partRows))
	}
	s.misses = t.find(s.keys, s.out, s.misses[:0])
}

func (in *interner) insertMissed(part *[2]side) {
	if t, ok := in.table.(*intTable); ok {
		for _, s := range part {
			t.load(s.keys.Ints, s.misses)
		}
	}
	eachMiss(part, func(s *side, m miss) { s.out[m.row] = in.table.insert(s.keys, m) })
}

// eachMiss calls f for the misses of a part, in row order, the source of a row
// first.
func eachMiss(part *[2]side, f func(s *side, m miss)) {
	src, dst := part[0].misses, part[1].misses
	for len(src)+len(dst) > 0 {
		if len(dst) == 0 || len(src) > 0 && src[0].row <= dst[0].row {
			f(&part[0], src[0])
			src = src[1:]
		} else {
			f(&part[1], dst[0])
			dst = dst[1:]
		}
	}
}

// count returns the number of distinct ids so far.
func (in *interner) count() int {
	if in.table == nil {
		return 0
	}
	return in.table.count()
}

// slice returns rows [from, to) of a column.
func (k Keys) slice(from, to int) Keys {
	if k.Offsets != nil {
		return Keys{Bytes: k.Bytes, Offsets: k.Offsets[from : to+1]}
	}
	return Keys{Ints: k.Ints[from:to]}
}

// sliced is slice of several columns.
func sliced(columns []Keys, from, to int) []Keys {
	var out []Keys
	for _, keys := range columns {
		out = append(out, keys.slice(from, to))
	}
	return out
}

// at returns the string in a row.
func (k Keys) at(row int) []byte { return k.Bytes[k.Offsets[row]:k.Offsets[row+1]] }

// withRoom makes room behind s. It doubles s, which leaves less garbage than
// append's growth by a quarter.
func withRoom[T any](s []T, more int) []T {
	if len(s)+more > cap(s) {
		s = slices.Grow(s, max(len(s), more))
	}
	return s
}

// heldWithRoom is the memory of s while withRoom makes room behind it.
func heldWithRoom[T any](s []T, more int) int64 {
	if len(s)+more <= cap(s) {
		return budget.Held(s)
	}
	var t T
	return budget.Held(s) + int64(len(s)+max(len(s), more))*int64(unsafe.Sizeof(t))
}
