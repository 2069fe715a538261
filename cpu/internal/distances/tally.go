package distances

import (
	"math/bits"

	"bcstage/preprocess"
)

// tally counts, by source, in how many rows its bit was. The lowest digits of 64 counts are words of bits, to
// which a row's bits are added as to binary numbers, all at once; only what passes them is added one by
// one.
type tally struct {
	digits [preprocess.DistanceLanes / 64][digits]uint64
	rest   [preprocess.DistanceLanes]uint64
}

// digits are as many that what passes them, of 64 sources in a word, is two in each row at most.
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

// take gives the count of a source, and begins it afresh.
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
