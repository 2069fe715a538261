// Package keeping has the columns of a vertex table that go through to the output
// (arrowio.Options.Keep): which types can be kept, and as what they are held in between.
//
// Flow: a column of Arrow is Stored as an array of its Storage, ids of which make Values;
// who writes it makes an array of the type again.
//
// Ownership: Values own their memory, and Append copies. Complexity: linear in the rows.
package keeping

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Values are rows of a column that is kept: see arrowio.KeptValues.
type Values struct {
	Keys ids.Keys
	Null []bool // by row; empty: none is null. The value of a null row means nothing.
}

// Append appends rows of another, but for those that are skipped; nil: all of them.
func (k *Values) Append(more Values, skip []bool) {
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

// roomWith is the room of a slice that has grown for more elements.
func roomWith[E any](s []E, more int) int {
	if len(s)+more <= cap(s) {
		return cap(s)
	}
	return max(len(s)+more, cap(s)+cap(s)/4)
}

// Held is the memory of a column in a table of so many vertices, while it is written,
// once more rows have been appended. That is no less than while it grows.
func (k *Values) Held(vertices int, more Values) int64 {
	rows := int64(roomWith(k.Keys.Ints, len(more.Keys.Ints))+roomWith(k.Keys.Offsets, more.Keys.Len()))*8 + int64(roomWith(k.Keys.Bytes, len(more.Keys.Bytes))) // and a copy
	return 2*rows + 2*int64(roomWith(k.Null, more.Keys.Len())) + 4*int64(vertices)
}

// TypeOf is the type that a column of the vertex table has in the output.
func TypeOf(typ arrow.DataType) (arrow.DataType, error) {
	storage := Storage(typ)
	if storage == nil {
		return nil, faults.Rejected("of type %s, which cannot be kept; want %s", typ, Types)
	}
	if typ.ID() == arrow.DICTIONARY {
		return storage, nil
	}
	return typ, nil
}

// Retyped is an array of the same buffers, but for the bitmap of nulls if one is given.
func Retyped(values arrow.Array, typ arrow.DataType, nulls *memory.Buffer, count int) arrow.Array {
	of := values.Data()
	buffers := slices.Clone(of.Buffers())
	if nulls == nil {
		count = of.NullN()
	} else {
		buffers[0] = nulls
	}
	data := array.NewData(typ, of.Len(), buffers, nil, count, of.Offset())
	defer data.Release()
	return array.MakeFromData(data)
}

// Pick has the values of some rows; those after the last are null.
func Pick(v Values, picked []uint32) Values {
	count := v.Keys.Len()
	if count == 0 {
		return Values{}
	}
	rows, null := make([]uint32, len(picked)), make([]bool, len(picked))
	for i, row := range picked {
		if int(row) < count {
			rows[i], null[i] = row, len(v.Null) > 0 && v.Null[row]
		} else {
			null[i] = true // of whichever value
		}
	}
	return Values{Keys: ids.Pick(v.Keys, rows), Null: null}
}
