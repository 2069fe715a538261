package building

import (
	"sync/atomic"

	"bcstage/internal/parallel"
)

func (t *intTable) worthIt(threads, missed int) bool { return threads > 1 && missed >= missesApart }

// insertTogether inserts in four steps, in each of which goroutines take parts of the round. The misses claim places of
// the array, or slots of the hash table, with numbers that no id has yet, in the order of the rows.
//
//  1. Claim the places. The smallest claim of a place stays, which is that of the first row with the id.
//  2. Count the claims that stayed: the new ids, part by part.
//  3. Number the new ids, in that order, and keep the numbers by claim.
//  4. Write the numbers to the columns and, as nobody needs claims any more, to the places.
func (t *intTable) insertTogether(threads int, parts [][2]side) {
	starts := missesBefore(parts)
	c := claiming{table: t, parts: parts, starts: starts, known: uint32(t.numbers)}
	c.numbers = make([]uint32, starts[len(parts)])
	if t.hashing() {
		t.slots.reserve(len(c.numbers))
		c.ids, c.places = make([]uint64, len(c.numbers)), make([]uint64, len(c.numbers))
		parallel.EachWhole(threads, len(parts), c.note)
	}
	parallel.EachWhole(threads, len(parts), c.claim)
	next := make([]uint32, len(parts)+1)
	parallel.EachWhole(threads, len(parts), func(_, part int) { next[part+1] = c.count(part) })
	for i := range parts {
		next[i+1] += next[i]
	}
	fresh := int(next[len(parts)])
	if t.numbers += fresh; t.hashing() {
		t.slots.used += fresh
		t.list = withRoom(t.list, fresh)[:t.numbers]
	}
	parallel.EachWhole(threads, len(parts), func(_, part int) { c.number(part, c.known+next[part]) })
	parallel.EachWhole(threads, len(parts), c.tell)
	parallel.EachWhole(threads, len(parts), c.settle)
}

// claiming is a round of insertTogether.
type claiming struct {
	table   *intTable
	parts   [][2]side
	starts  []int    // misses before each part
	known   uint32   // numbers before the round: claims are above
	numbers []uint32 // by claim that stayed, from known+1 on
	ids     []uint64 // by claim, while hashing: the id
	places  []uint64 // likewise: its slot
}

// each calls f for the misses of a part, with their places and claims.
func (c *claiming) each(part int, f func(s *side, m miss, place uint64, claim uint32)) {
	claim := c.known + uint32(c.starts[part])
	eachMiss(&c.parts[part], func(s *side, m miss) {
		claim++
		place := s.keys.Ints[m.row] - c.table.base
		if c.places != nil {
			place = c.places[claim-c.known-1]
		}
		f(s, m, place, claim)
	})
}

// at returns the claim, or the number, of a place; 0: none.
func (c *claiming) at(place uint64) uint32 {
	if c.places != nil {
		return uint32(atomic.LoadUint64(&c.table.slots.slot[place]))
	}
	return atomic.LoadUint32(&c.table.direct[place])
}

// change is a compare and swap.
func (c *claiming) change(place uint64, old, now uint32) bool {
	if c.places == nil {
		return atomic.CompareAndSwapUint32(&c.table.direct[place], old, now)
	}
	slot := &c.table.slots.slot[place] // whose hash stays
	hash := atomic.LoadUint64(slot) >> 32 << 32
	return atomic.CompareAndSwapUint64(slot, hash|uint64(old), hash|uint64(now))
}

// note lists the ids, which other parts compare.
func (c *claiming) note(_, part int) {
	c.each(part, func(s *side, m miss, _ uint64, claim uint32) { c.ids[claim-c.known-1] = s.keys.Ints[m.row] })
}

// slotFor finds the slot of a claim's id, or takes a free one.
func (c *claiming) slotFor(claim uint32) uint64 {
	id, s := c.ids[claim-c.known-1], &c.table.slots
	hash := c.table.hash(id)
	for at := s.home(hash); ; at = s.after(at) {
		slot := atomic.LoadUint64(&s.slot[at])
		if slot == 0 {
			if atomic.CompareAndSwapUint64(&s.slot[at], 0, uint64(hash)<<32|uint64(claim)) {
				return uint64(at)
			}
			slot = atomic.LoadUint64(&s.slot[at])
		}
		if other := uint32(slot); uint32(slot>>32) == hash && other > c.known && c.ids[other-c.known-1] == id {
			return uint64(at)
		}
	}
}

func (c *claiming) claim(_, part int) {
	c.each(part, func(_ *side, _ miss, place uint64, claim uint32) {
		if c.places != nil {
			place = c.slotFor(claim)
			c.places[claim-c.known-1] = place
		}
		for old := c.at(place); old == 0 || old > claim; old = c.at(place) {
			if c.change(place, old, claim) {
				return
			}
		}
	})
}

func (c *claiming) count(part int) (stayed uint32) {
	c.each(part, func(_ *side, _ miss, place uint64, claim uint32) {
		if c.at(place) == claim {
			stayed++
		}
	})
	return stayed
}

func (c *claiming) number(part int, next uint32) {
	c.each(part, func(_ *side, _ miss, place uint64, claim uint32) {
		if c.at(place) == claim {
			c.numbers[claim-c.known-1] = next
			if c.places != nil {
				c.table.list[next] = c.ids[claim-c.known-1]
			}
			next++
		}
	})
}

func (c *claiming) tell(_, part int) {
	c.each(part, func(s *side, m miss, place uint64, _ uint32) { s.out[m.row] = c.numbers[c.at(place)-c.known-1] })
}

// settle reads places of other parts' claims, too, some of which have their numbers already. These are below any claim
// of the same id that did not stay.
func (c *claiming) settle(_, part int) {
	c.each(part, func(_ *side, _ miss, place uint64, claim uint32) {
		if c.at(place) == claim {
			c.change(place, claim, c.numbers[claim-c.known-1]+1)
		}
	})
}
