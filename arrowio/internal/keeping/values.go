// Package keeping has the columns of a vertex table that go through to the output
// (tables.Options.Keep): which types can be kept, and as what they are held in between.
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
)

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
