package tables

import (
	"context"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/lengths"
)

// KeptColumn is a column of the vertex table that passes through to the output: see
// Options.Keep. It has a row for each of the first vertices, as many as the vertex table
// names; the others have nulls. In a table by pair it is a column of Options.EdgeKeep, with
// a row for each pair.
type KeptColumn struct {
	Name string
	Type IDType // see Options.Keep
	KeptValues
}

// Masses returns the column as decimal numbers of 0 or more: integers, float32, float64,
// decimals or text. Digits of 0 stand for 0. A null is 0 with NullsDrop, otherwise an error.
// The error is the context's, or an ErrInput that names the row, from 1.
func (c *KeptColumn) Masses(ctx context.Context, nulls Nulls) (Weights, error) {
	return lengths.Masses(ctx, c.Name, c.Type.String(), c.Keys, c.Null, nulls == NullsDrop)
}

// KeptValues are rows of a column of Options.Keep. Keys.Ints has integers and types stored
// as integers, floating-point numbers by their bits, and booleans as 0 and 1. Keys.Bytes
// has all else: decimal numbers in Arrow's form, nested values as JSON.
type KeptValues struct {
	Keys Keys
	Null []bool // by row; empty: none is null. The value of a null row means nothing.
}

// Append appends rows of another, except skipped ones; nil: all of them.
func (k *KeptValues) Append(more KeptValues, skip []bool) {
	if more.Keys.Offsets != nil && k.Keys.Offsets == nil {
		k.Keys.Offsets = []int64{0}
	}
	k.Keys.Ints = grown(k.Keys.Ints, len(more.Keys.Ints))
	k.Keys.Bytes = grown(k.Keys.Bytes, len(more.Keys.Bytes))
	if more.Keys.Offsets != nil {
		k.Keys.Offsets = grown(k.Keys.Offsets, more.Keys.Len())
	}
	k.Null = grown(k.Null, more.Keys.Len())
	for row := range more.Keys.Len() {
		if skip != nil && skip[row] {
			continue
		}
		if more.Keys.Offsets == nil {
			k.Keys.Ints = append(k.Keys.Ints, more.Keys.Ints[row])
		} else {
			k.Keys.Bytes = append(k.Keys.Bytes, ids.Text(more.Keys, row)...)
			k.Keys.Offsets = append(k.Keys.Offsets, int64(len(k.Keys.Bytes)))
		}
		k.Null = append(k.Null, len(more.Null) > 0 && more.Null[row])
	}
}

// grown is s with room for more elements, a quarter more than it had or just enough.
func grown[E any](s []E, more int) []E {
	if room := roomWith(s, more); room > cap(s) {
		return append(make([]E, 0, room), s...)
	}
	return s
}

// roomWith is the capacity of a slice grown for `more` elements.
func roomWith[E any](s []E, more int) int {
	if len(s)+more <= cap(s) {
		return cap(s)
	}
	return max(len(s)+more, cap(s)+cap(s)/4)
}

// Held is the memory of a column in a table of `vertices` vertices, in bytes, while it is
// written after `more` was appended. It is at least the memory while it grows.
func (k *KeptValues) Held(vertices int, more KeptValues) int64 {
	rows := int64(roomWith(k.Keys.Ints, len(more.Keys.Ints))+roomWith(k.Keys.Offsets, more.Keys.Len()))*8 + int64(roomWith(k.Keys.Bytes, len(more.Keys.Bytes))) // and a copy
	return 2*rows + 2*int64(roomWith(k.Null, more.Keys.Len())) + 4*int64(vertices)
}

// Pick is the values of some rows; rows after the last are null.
func (v KeptValues) Pick(picked []uint32) KeptValues {
	count := v.Keys.Len()
	if count == 0 {
		return KeptValues{}
	}
	rows, null := make([]uint32, len(picked)), make([]bool, len(picked))
	for i, row := range picked {
		if int(row) < count {
			rows[i], null[i] = row, len(v.Null) > 0 && v.Null[row]
		} else {
			null[i] = true // with any value
		}
	}
	return KeptValues{Keys: ids.Pick(v.Keys, rows), Null: null}
}
