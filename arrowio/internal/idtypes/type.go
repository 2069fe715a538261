// Package idtypes knows the types of ids: which Arrow types are ids, how ids are written as
// text, and which type the ids of several inputs have in common.
//
// Flow: a reader adds each column's type to a Merged, and tells it which signs it saw;
// Merged.Result is the type of the output's column. UUIDs are a type of their own.
//
// Complexity: constant, but for text, which is linear in an id's length. Nothing is owned.
package idtypes

import (
	"fmt"
	"strconv"

	"bcstage/arrowio/internal/ids"

	"github.com/apache/arrow/go/v17/arrow"
)

// Type is the Arrow type of the id column; the output column has the
// input's. The zero value is int64.
type Type struct{ arrow arrow.DataType }

// Arrow is the Arrow type, int64 for the zero value.
func Arrow(t Type) arrow.DataType {
	if t.arrow == nil {
		return arrow.PrimitiveTypes.Int64
	}
	return t.arrow
}

// Of is the type of ids that a type of Arrow is.
func Of(typ arrow.DataType) Type { return Type{typ} }

// Parts are the type of a dictionary's index, nil if typ is no dictionary, and
// the type of the ids themselves.
func Parts(typ arrow.DataType) (index, value arrow.DataType) {
	if dict, ok := typ.(*arrow.DictionaryType); ok {
		return dict.IndexType, dict.ValueType
	}
	return nil, typ
}

// String names the type as Arrow does.
func (t Type) String() string { return Arrow(t).String() }

// IsInteger tells whether Keys of this type hold Ints, not Bytes.
func (t Type) IsInteger() bool {
	_, value := Parts(Arrow(t))
	return arrow.IsInteger(value.ID())
}

func IsText(value arrow.DataType) bool {
	rank := StringRank(value)
	return 0 < rank && rank < StringRank(arrow.BinaryTypes.Binary)
}

// AppendFormat appends id i in text: integers in decimal, strings as they are,
// UUIDs as 8-4-4-4-12 hexadecimal digits in lower case, and binary with the
// backslash and every byte that is not printable ASCII written \xHH,
// so that different ids never look the same.
func (t Type) AppendFormat(text []byte, keys ids.Keys, i int) []byte {
	_, value := Parts(Arrow(t))
	switch {
	case arrow.IsUnsignedInteger(value.ID()):
		return strconv.AppendUint(text, keys.Ints[i], 10)
	case arrow.IsSignedInteger(value.ID()):
		return strconv.AppendInt(text, int64(keys.Ints[i]), 10)
	}
	id := keys.Bytes[keys.Offsets[i]:keys.Offsets[i+1]]
	switch {
	case IsText(value):
		return append(text, id...)
	case IsUUID(value) && len(id) == UuidBytes:
		return appendUUID(text, id)
	}
	for _, b := range id {
		if b < ' ' || b > '~' || b == '\\' {
			text = fmt.Appendf(text, `\x%02X`, b)
		} else {
			text = append(text, b)
		}
	}
	return text
}

// Format is AppendFormat as a string.
func (t Type) Format(keys ids.Keys, i int) string { return string(t.AppendFormat(nil, keys, i)) }

// KindWithin is Kind, for dictionaries too.
func KindWithin(typ arrow.DataType) string {
	_, value := Parts(typ)
	return Kind(value)
}

// Spelt is a column of ids as text.
func Spelt(t Type, keys ids.Keys) ids.Keys {
	out := ids.Keys{Offsets: make([]int64, 1, keys.Len()+1)}
	for row := range keys.Len() {
		out.Bytes = t.AppendFormat(out.Bytes, keys, row)
		out.Offsets = append(out.Offsets, int64(len(out.Bytes)))
	}
	return out
}
