package building

import (
	"bytes"

	"bcstage/internal/parallel"
)

// missesApart is the least number of misses for several goroutines.
const missesApart = 1 << 10

// newcomer is a string that a round missed. The newcomers of a round are in the order
// of its rows.
type newcomer struct {
	id     []byte
	out    *uint32 // where to write its number
	first  uint32  // the first newcomer with this id
	number uint32  // of a first one
}

// insertTogether inserts in four steps. The numbers depend on which newcomers are the
// first with their ids, and only inserting finds that out.
//
//  1. List the newcomers, goroutines taking parts of the round.
//  2. Insert them, goroutines taking tables, in the order of the list: the first with
//     an id gets the place in the list for a number, behind all numbers so far.
//  3. Go through the list and give the first ones their numbers.
//  4. Write the numbers to the columns, and the first ones' strings to the text, in
//     pieces; and put the numbers into the tables, goroutines taking tables again.
func (t *stringTable) insertTogether(threads int, parts [][2]side) {
	starts := missesBefore(parts)
	count := starts[len(parts)]
	t.fresh, t.hashes = withRoom(t.fresh[:0], count)[:count], withRoom(t.hashes[:0], count)[:count]
	parallel.EachWhole(threads, len(parts), func(_, i int) {
		at := starts[i]
		eachMiss(&parts[i], func(s *side, m miss) {
			t.fresh[at] = newcomer{id: s.keys.at(m.row), out: &s.out[m.row]}
			t.hashes[at] = m.hash
			at++
		})
	})
	known := uint32(t.count())
	shares := min(threads, len(t.shards))
	parallel.EachWhole(threads, shares, func(_, share int) { t.meet(known, share, shares) })
	t.numberFresh(known)
	parallel.SpreadWhole(threads, len(t.fresh), missesApart, t.tellFresh)
	parallel.EachWhole(threads, shares, func(_, share int) { t.settle(known, share, shares) })
	clear(t.fresh) // it refers to the caller's columns
}

// missesBefore counts, for each part and for their end, the misses before it.
func missesBefore(parts [][2]side) []int {
	starts := make([]int, len(parts)+1)
	for i := range parts {
		starts[i+1] = starts[i] + len(parts[i][0].misses) + len(parts[i][1].misses)
	}
	return starts
}

// worthIt also requires tables made for many goroutines.
func (t *stringTable) worthIt(threads, missed int) bool {
	return threads > 1 && t.bits > 0 && missed >= missesApart
}

// own calls f for the newcomers of a goroutine's tables, in order.
func (t *stringTable) own(share, shares int, f func(i int, hash uint32, s *slots)) {
	for i, hash := range t.hashes {
		if shard := int(uint64(hash) << (t.bits & 63) >> 32); shard*shares>>t.bits == share {
			f(i, hash, &t.shards[shard])
		}
	}
}

// meet is step 2. No newcomer has an id known before the round.
func (t *stringTable) meet(known uint32, share, shares int) {
	t.own(share, shares, func(i int, hash uint32, s *slots) {
		n := &t.fresh[i]
		at := s.home(hash)
		for ; s.slot[at] != 0; at = s.after(at) {
			other := uint32(s.slot[at]) - 1
			if uint32(s.slot[at]>>32) == hash && other >= known && bytes.Equal(t.fresh[other-known].id, n.id) {
				n.first = other - known
				return
			}
		}
		n.first = uint32(i)
		s.add(at, hash, known+uint32(i))
	})
}

// numberFresh is step 3, and makes room for the strings.
func (t *stringTable) numberFresh(known uint32) {
	end := int64(len(t.text))
	for i := range t.fresh {
		n := &t.fresh[i]
		if n.first == uint32(i) {
			n.number = uint32(t.count())
			end += int64(len(n.id))
			t.offsets = append(withRoom(t.offsets, 1), end)
		}
	}
	t.text = withRoom(t.text, int(end)-len(t.text))[:end]
}

// tellFresh is the first half of step 4.
func (t *stringTable) tellFresh(lo, hi int) {
	for i := lo; i < hi; i++ {
		n := &t.fresh[i]
		number := t.fresh[n.first].number
		*n.out = number
		if n.first == uint32(i) {
			copy(t.text[t.offsets[number]:], n.id)
		}
	}
}

// settle is the second half of step 4.
func (t *stringTable) settle(known uint32, share, shares int) {
	t.own(share, shares, func(i int, hash uint32, s *slots) {
		n := &t.fresh[i]
		if n.first != uint32(i) {
			return
		}
		at := s.home(hash)
		for uint32(s.slot[at])-1 != known+uint32(i) {
			at = s.after(at)
		}
		s.slot[at] = uint64(hash)<<32 | uint64(n.number+1)
	})
}
