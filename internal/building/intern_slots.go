package building

import (
	"math/bits"

	"bcstage/internal/budget"
)

// slots is an open-addressing hash table, linearly probed, from 32-bit hashes to
// numbers. The ids are elsewhere, by number, and the caller compares them.
//
// The top bits of a hash say where its probes start. So slots are nearly in the
// order of the hashes, and the table grows in one sweep without reading an id.
type slots struct {
	slot  []uint64 // 0, or hash<<32 | number+1; a power of two long
	skip  int      // top bits that all hashes in this table have in common
	shift int      // probes for a hash start at hash>>shift, without the skipped bits
	used  int
}

const fewestSlots = 1 << 10

// newSlots returns a table with room for some numbers.
func newSlots(numbers int) slots { return slotsOf(max(2*numbers, fewestSlots), 0) }

// slotsOf returns a table of at least size slots, for hashes that have their top
// skip bits in common.
func slotsOf(size, skip int) slots {
	width := bits.Len(uint(size - 1))
	return slots{slot: make([]uint64, 1<<width), skip: skip, shift: 32 - width}
}

func (s *slots) home(hash uint32) int { return int(hash << (s.skip & 31) >> (s.shift & 31)) }

func (s *slots) after(at int) int { return (at + 1) & (len(s.slot) - 1) }

// add puts a number at the free slot at which the probes for its hash ended.
func (s *slots) add(at int, hash, number uint32) {
	s.slot[at] = uint64(hash)<<32 | uint64(number+1)
	s.used++
	s.reserve(0)
}

// reserve makes room for more numbers.
func (s *slots) reserve(more int) {
	for s.used+more > len(s.slot)/3*2 {
		s.grow()
	}
}

// append adds a number that is not there yet.
func (s *slots) append(hash, number uint32) {
	at := s.home(hash)
	for s.slot[at] != 0 {
		at = s.after(at)
	}
	s.add(at, hash, number)
}

// bytes is the memory of the table until more numbers are added. While it grows, it
// holds the old table and one of twice its size.
func (s *slots) bytes(more int) int64 {
	size := int64(len(s.slot))
	most := budget.Held(s.slot)
	for ; int64(s.used+more) > size/3*2; size *= 2 {
		most = 8 * 3 * size
	}
	return most
}

func (s *slots) grow() {
	old := s.slot
	*s = slotsOf(2*len(old), s.skip)
	for _, slot := range old {
		if slot != 0 {
			s.append(uint32(slot>>32), uint32(slot)-1)
		}
	}
}
