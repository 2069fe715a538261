// Package keeping has the columns of a vertex table that pass through to the output
// (tables.Options.Keep). It knows the types that can be kept, and how they are held in
// between.
//
// Flow: a column of Arrow is Stored as an array of its Storage, whose ids make Values; the
// writer makes an array of the original type again.
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

// TypeOf is a vertex table column's type in the output.
func TypeOf(typ arrow.DataType) (arrow.DataType, error) {
	storage := Storage(typ)
	if storage == nil {
		return nil, faults.Rejected("type %s cannot be kept; want %s", typ, Types)
	}
	if typ.ID() == arrow.DICTIONARY {
		return storage, nil
	}
	return typ, nil
}

// Retyped is an array of another type with the same buffers; nulls, if given, replaces the
// bitmap.
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
