// Package idtypes knows Arrow's types of ids: which of its types are ids, and the common type
// of several inputs.
//
// Flow: a reader adds each column's type to a Merged, and reports the signs it saw;
// Merged.Result is the type of the output's column. UUIDs are a type of their own.
//
// Complexity: constant, except text, which is linear in an id's length. Nothing is owned.
package idtypes

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/tables"
)

// Arrow is the Arrow type, int64 for the zero value.
func Arrow(t tables.IDType) arrow.DataType {
	if other, ok := t.Other().(arrow.DataType); ok {
		return other
	}
	text, _ := t.MarshalText() // always works
	index, value, dictionary := strings.Cut(string(text), " of ")
	if !dictionary {
		return named(index)
	}
	return &arrow.DictionaryType{IndexType: named(index), ValueType: named(value)}
}

// Of is the type of ids for a type of Arrow.
func Of(typ arrow.DataType) tables.IDType {
	index, value := Parts(typ)
	text := value.String()
	if index != nil {
		text = index.String() + " of " + text
	}
	var t tables.IDType
	if err := t.UnmarshalText([]byte(text)); err != nil || !arrow.TypeEqual(Arrow(t), typ) {
		t.SetOther(text, typ)
	}
	return t
}

// named is the type of ids with Arrow's name.
func named(name string) arrow.DataType {
	for _, typ := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, arrow.BinaryTypes.LargeString,
		arrow.BinaryTypes.Binary, arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.LargeBinary, UUID(),
	} {
		if typ.String() == name {
			return typ
		}
	}
	var fixed arrow.FixedSizeBinaryType
	_, _ = fmt.Sscanf(name, "fixed_size_binary[%d]", &fixed.ByteWidth) // the only other name of an IDType
	return &fixed
}

// Parts are the type of a dictionary's index, nil if typ is not a dictionary, and the type of
// the ids themselves.
func Parts(typ arrow.DataType) (index, value arrow.DataType) {
	if dict, ok := typ.(*arrow.DictionaryType); ok {
		return dict.IndexType, dict.ValueType
	}
	return nil, typ
}

func IsText(value arrow.DataType) bool {
	rank := StringRank(value)
	return 0 < rank && rank < StringRank(arrow.BinaryTypes.Binary)
}

// KindWithin is Kind, for dictionaries too.
func KindWithin(typ arrow.DataType) string {
	_, value := Parts(typ)
	return Kind(value)
}

// Spelt is a column of ids as text.
func Spelt(t tables.IDType, keys tables.Keys) tables.Keys {
	out := tables.Keys{Offsets: make([]int64, 1, keys.Len()+1)}
	for row := range keys.Len() {
		out.Bytes = t.AppendFormat(out.Bytes, keys, row)
		out.Offsets = append(out.Offsets, int64(len(out.Bytes)))
	}
	return out
}
