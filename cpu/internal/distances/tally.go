package distances

import (
	"math/bits"

	"bcstage/internal/engine"
)

// tally counts, by source, the rows that have its bit. Words of bits hold the lowest digits of 64 counts,
// one word per digit. Eight rows are added to 64 counts at once, by adders that save carries; only carries from
// the last digit are added one by one.
type tally struct {
	digits [engine.DistanceLanes / 64][digits]uint64
	rest   [engine.DistanceLanes]uint64
	some   row // sources with a rest
	rows   [tallied]row
	count  int // of rows that wait in rows
}

const (
	digits  = 8
	tallied = 64
)

// add counts a row.
func (t *tally) add(r *row) {
	t.rows[t.count] = *r
	if t.count++; t.count == tallied {
		t.flush()
	}
}

// flush counts the rows that wait.
func (t *tally) flush() {
	end := (t.count + 7) / 8 * 8
	clear(t.rows[t.count:end])
	t.count = 0
	for i := range t.digits {
		word := &t.digits[i]
		for first := 0; first < end; first += 8 {
			r := (*[8]row)(t.rows[first:])
			var twos, fours [4]uint64
			ones := word[0]
			for j := range twos {
				twos[j], ones = carried(ones, r[2*j][i], r[2*j+1][i])
			}
			word[0] = ones
			fours[0], word[1] = carried(word[1], twos[0], twos[1])
			fours[1], word[1] = carried(word[1], twos[2], twos[3])
			var carry uint64
			carry, word[2] = carried(word[2], fours[0], fours[1])
			for d := 3; d < digits && carry != 0; d++ {
				word[d], carry = word[d]^carry, word[d]&carry
			}
			t.some[i] |= carry
			for ; carry != 0; carry &= carry - 1 {
				t.rest[i*64+bits.TrailingZeros64(carry)] += 1 << digits
			}
		}
	}
}

// carried adds three bits, 64 times.
func carried(x, y, z uint64) (carry, sum uint64) {
	xy := x ^ y
	return x&y | xy&z, xy ^ z
}

// each calls found with the count of every source that has one, and resets all.
func (t *tally) each(found func(lane int, count uint64)) {
	t.flush()
	for i := range t.digits {
		word, left := &t.digits[i], t.some[i]
		for _, digit := range word {
			left |= digit
		}
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			count := t.rest[i*64+bit]
			for d, digit := range word {
				count += digit >> bit & 1 << d
			}
			t.rest[i*64+bit] = 0
			found(i*64+bit, count)
		}
		*word = [digits]uint64{}
	}
	t.some = row{}
}
