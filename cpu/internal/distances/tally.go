package distances

import (
	"math/bits"

	"bcstage/internal/engine"
)

// tally counts, by source, the rows that have its bit. Words of bits hold the lowest digits of 64 counts,
// one word per digit. The bits of a row are added to 64 counts at once; only carries from the last digit are
// added one by one.
type tally struct {
	digits [engine.DistanceLanes / 64][digits]uint64
	rest   [engine.DistanceLanes]uint64
}

// digits is the number of digits in words: 64 sources then have two carries per row at most, on average.
const digits = 5

// add counts a row.
func (t *tally) add(r *row) {
	for i, carry := range r {
		word := &t.digits[i]
		for d := 0; d < digits && carry != 0; d++ {
			word[d], carry = word[d]^carry, word[d]&carry
		}
		for ; carry != 0; carry &= carry - 1 {
			t.rest[i*64+bits.TrailingZeros64(carry)] += 1 << digits
		}
	}
}

// take returns the count of a source, and resets it.
func (t *tally) take(lane int) uint64 {
	count, bit := t.rest[lane], lane%64
	t.rest[lane] = 0
	word := &t.digits[lane/64]
	for d := range word {
		count += word[d] >> bit & 1 << d
		word[d] &^= 1 << bit
	}
	return count
}
