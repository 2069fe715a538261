// Package ids holds vertex ids: Keys, for batches and tables, and Column, for a
// columnar input before it becomes a batch: decoders append to it and the null policy
// removes rows.
package ids

import (
	"strconv"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/budget"
)

const (
	// BatchRows is the number of rows of a columnar input in one batch, and so the
	// most that a column holds.
	BatchRows = 64 << 10

	// MaxBytes is how much text a column may hold beyond the text of the input
	// itself. Views and dictionaries repeat the same bytes, so a small input could
	// ask for a lot of memory.
	MaxBytes = 256 << 20
)

// TooMuchText is the error of a column that exceeds MaxBytes.
func TooMuchText() error {
	return faults.Rejected("ids of more than %d MiB in %d rows", MaxBytes>>20, BatchRows)
}

// Column is ids in the form of Keys, some of them null: Ints (sign- or zero-extended
// to 64 bits), or else Bytes with Offsets, one more than rows. Offsets is nil for
// integers.
type Column struct {
	Ints    []uint64
	Bytes   []byte
	Offsets []int64
	Null    []bool // by row; empty: no row is null. The id of a null row means nothing.

	Charge budget.Charge // memory of the column
}

// copies is the charge for a byte of text: itself, and the copy that a batch's
// receiver makes of a new id.
const copies = 2

// Room makes room for more bytes of text and more rows. It charges memory first: if
// there is none, it panics for faults.Recover.
func (c *Column) Room(text, rows int) {
	if c.Offsets == nil {
		c.Ints = roomFor(c, c.Ints, rows, 8)
		return
	}
	c.Bytes = roomFor(c, c.Bytes, text, copies)
	c.Offsets = roomFor(c, c.Offsets, rows, 8)
}

// roomFor is a slice of c with room for `more` elements, each charged `each` bytes.
func roomFor[E any](c *Column, s []E, more, each int) []E {
	need := len(s) + more
	if need <= cap(s) {
		return s
	}
	room := max(need, cap(s)+cap(s)/4)
	if err := c.Charge.Take(int64(room * each)); err != nil {
		panic(faults.Stop{Err: err})
	}
	grown := make([]E, len(s), room)
	copy(grown, s)
	c.Charge.Waste(int64(cap(s) * each))
	return grown
}

// Held is the column's charge in bytes.
func (c *Column) Held() int64 {
	return int64(cap(c.Ints)+cap(c.Offsets))*8 + copies*int64(cap(c.Bytes)) + int64(cap(c.Null))
}

// Len is the number of rows.
func (c *Column) Len() int {
	if c.Offsets != nil {
		return len(c.Offsets) - 1
	}
	return len(c.Ints)
}

// Reset empties the column and keeps its memory.
func (c *Column) Reset(integers bool) {
	c.Ints, c.Bytes, c.Null = c.Ints[:0], c.Bytes[:0], c.Null[:0]
	if integers {
		c.Offsets = nil
	} else {
		c.Offsets = append(roomFor(c, c.Offsets[:0], 1, 8), 0)
	}
}

// Grow makes room for n more integers, which it returns to be filled.
func (c *Column) Grow(n int) []uint64 {
	have := len(c.Ints)
	c.Ints = roomFor(c, c.Ints, n, 8)[:have+n]
	return c.Ints[have:]
}

// short is the number of bytes moved at once for a string of at most that length: a
// fixed number takes two instructions, any other a call.
const short = 16

// AppendText appends one string. Before many of them, call Room.
func (c *Column) AppendText(text []byte) {
	if len(c.Bytes)+len(text) > cap(c.Bytes) || len(c.Offsets) == cap(c.Offsets) {
		c.Room(len(text)+cap(c.Bytes)/4, 1+cap(c.Offsets)/4)
	}
	if have := len(c.Bytes); len(text) <= short && cap(text) >= short && cap(c.Bytes)-have >= short {
		copy(c.Bytes[have:have+short], text[:short])
		c.Bytes = c.Bytes[:have+len(text)]
	} else {
		c.Bytes = append(c.Bytes, text...)
	}
	c.Offsets = append(c.Offsets, int64(len(c.Bytes)))
}

// SetNull marks a row of a column that will have `rows` rows.
func (c *Column) SetNull(row, rows int) {
	if len(c.Null) == 0 {
		c.Null = roomFor(c, c.Null, rows, 1)[:rows]
		clear(c.Null)
	}
	c.Null[row] = true
}

// Spread moves the last present values apart, into their rows of [have, have+n); the
// null rows between them are empty.
func (c *Column) Spread(have, n, present int) {
	if c.Offsets == nil {
		c.Grow(n - present)
		for row, value := have+n-1, have+present; row >= have; row-- {
			if c.Null[row] {
				c.Ints[row] = 0
			} else {
				value--
				c.Ints[row] = c.Ints[value]
			}
		}
		return
	}
	c.Room(0, n-present)
	c.Offsets = c.Offsets[:have+n+1]
	for row, end := have+n-1, have+present; row >= have; row-- {
		c.Offsets[row+1] = c.Offsets[end]
		if !c.Null[row] {
			end--
		}
	}
}

// Keep moves the rows that are not dropped together and returns their number.
func (c *Column) Keep(drop []bool) (kept int) {
	if c.Offsets == nil {
		for row, id := range c.Ints {
			if !drop[row] {
				c.Ints[kept] = id
				kept++
			}
		}
		c.Ints = c.Ints[:kept]
		return kept
	}
	text := c.Bytes[:0]
	start := c.Offsets[0]
	for row, end := range c.Offsets[1:] {
		if !drop[row] {
			text = append(text, c.Bytes[start:end]...)
			kept++
			c.Offsets[kept] = int64(len(text))
		}
		start = end
	}
	c.Bytes, c.Offsets = text, c.Offsets[:kept+1]
	return kept
}

// Decimal turns integers into their decimal text; the nulls must be gone.
func (c *Column) Decimal(signed bool) {
	c.Bytes, c.Offsets = c.Bytes[:0], append(c.Offsets[:0], 0)
	for _, id := range c.Ints {
		if signed {
			c.Bytes = strconv.AppendInt(c.Bytes, int64(id), 10)
		} else {
			c.Bytes = strconv.AppendUint(c.Bytes, id, 10)
		}
		c.Offsets = append(c.Offsets, int64(len(c.Bytes)))
	}
	c.Ints = c.Ints[:0]
}
