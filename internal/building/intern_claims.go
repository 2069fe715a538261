package building

import (
	"sync/atomic"

	"bcstage/internal/parallel"
)

// worthIt requires an array: a hash table takes ids one after the other.
func (t *intTable) worthIt(threads, missed int) bool {
	return threads > 1 && !t.hashing() && missed >= missesApart
}

// insertTogether inserts into the array in four steps, in each of which goroutines take parts of the round. The misses
// claim places of the array with numbers that no id has yet, in the order of the rows.
//
//  1. Claim the places. The smallest claim of a place stays, which is that of the first row with the id.
//  2. Count the claims that stayed: the new ids, part by part.
//  3. Number the new ids, in that order, and keep the numbers by claim.
//  4. Write the numbers to the columns and, as nobody needs claims any more, to the places.
func (t *intTable) insertTogether(threads int, parts [][2]side) {
	starts := missesBefore(parts)
	c := claiming{table: t, parts: parts, starts: starts, known: uint32(t.numbers)}
	c.numbers = make([]uint32, starts[len(parts)])
	parallel.EachWhole(threads, len(parts), c.claim)
	next := make([]uint32, len(parts)+1)
	parallel.EachWhole(threads, len(parts), func(_, part int) { next[part+1] = c.count(part) })
	for i := range parts {
		next[i+1] += next[i]
	}
	t.numbers += int(next[len(parts)])
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
}

// each calls f for the misses of a part, with their places and claims.
func (c *claiming) each(part int, f func(s *side, m miss, place *uint32, claim uint32)) {
	claim := c.known + uint32(c.starts[part])
	eachMiss(&c.parts[part], func(s *side, m miss) {
		claim++
		f(s, m, &c.table.direct[s.keys.Ints[m.row]-c.table.base], claim)
	})
}

func (c *claiming) claim(_, part int) {
	c.each(part, func(_ *side, _ miss, place *uint32, claim uint32) {
		for old := atomic.LoadUint32(place); old == 0 || old > claim; old = atomic.LoadUint32(place) {
			if atomic.CompareAndSwapUint32(place, old, claim) {
				return
			}
		}
	})
}

func (c *claiming) count(part int) (stayed uint32) {
	c.each(part, func(_ *side, _ miss, place *uint32, claim uint32) {
		if *place == claim {
			stayed++
		}
	})
	return stayed
}

func (c *claiming) number(part int, next uint32) {
	c.each(part, func(_ *side, _ miss, place *uint32, claim uint32) {
		if *place == claim {
			c.numbers[claim-c.known-1] = next
			next++
		}
	})
}

func (c *claiming) tell(_, part int) {
	c.each(part, func(s *side, m miss, place *uint32, _ uint32) { s.out[m.row] = c.numbers[*place-c.known-1] })
}

// settle reads places of other parts' claims, too, some of which have their numbers already. These are below any claim
// of the same id that did not stay.
func (c *claiming) settle(_, part int) {
	c.each(part, func(_ *side, _ miss, place *uint32, claim uint32) {
		if atomic.LoadUint32(place) == claim {
			atomic.StoreUint32(place, c.numbers[claim-c.known-1]+1)
		}
	})
}
