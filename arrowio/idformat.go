package arrowio

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// IDType is the Arrow type of the id column; the output column has the
// input's. The zero value is int64.
type IDType struct{ arrow arrow.DataType }

// Int64IDs, Uint64IDs and StringIDs are the id types of Go callers and of text.
func Int64IDs() IDType  { return idTypeOf(arrow.PrimitiveTypes.Int64) }
func Uint64IDs() IDType { return idTypeOf(arrow.PrimitiveTypes.Uint64) }
func StringIDs() IDType { return idTypeOf(arrow.BinaryTypes.String) }

// arrowOf is the Arrow type, int64 for the zero value.
func arrowOf(t IDType) arrow.DataType {
	if t.arrow == nil {
		return arrow.PrimitiveTypes.Int64
	}
	return t.arrow
}

// idTypeOf is the type of ids that a type of Arrow is.
func idTypeOf(typ arrow.DataType) IDType { return IDType{typ} }

// partsOf are the type of a dictionary's index, nil if typ is no dictionary, and
// the type of the ids themselves.
func partsOf(typ arrow.DataType) (index, value arrow.DataType) {
	if dict, ok := typ.(*arrow.DictionaryType); ok {
		return dict.IndexType, dict.ValueType
	}
	return nil, typ
}

// String names the type as Arrow does.
func (t IDType) String() string { return arrowOf(t).String() }

// IsInteger tells whether Keys of this type hold Ints, not Bytes.
func (t IDType) IsInteger() bool {
	_, value := partsOf(arrowOf(t))
	return arrow.IsInteger(value.ID())
}

func isText(value arrow.DataType) bool {
	rank := stringRank(value)
	return 0 < rank && rank < stringRank(arrow.BinaryTypes.Binary)
}

// AppendFormat appends id i in text: integers in decimal, strings as they are,
// UUIDs as 8-4-4-4-12 hexadecimal digits in lower case, and binary with the
// backslash and every byte that is not printable ASCII written \xHH,
// so that different ids never look the same.
func (t IDType) AppendFormat(text []byte, keys Keys, i int) []byte {
	_, value := partsOf(arrowOf(t))
	switch {
	case arrow.IsUnsignedInteger(value.ID()):
		return strconv.AppendUint(text, keys.Ints[i], 10)
	case arrow.IsSignedInteger(value.ID()):
		return strconv.AppendInt(text, int64(keys.Ints[i]), 10)
	}
	id := keys.Bytes[keys.Offsets[i]:keys.Offsets[i+1]]
	switch {
	case isText(value):
		return append(text, id...)
	case isUUID(value) && len(id) == uuidBytes:
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
func (t IDType) Format(keys Keys, i int) string { return string(t.AppendFormat(nil, keys, i)) }

// kindWithin is kindOf, for dictionaries too.
func kindWithin(typ arrow.DataType) string {
	_, value := partsOf(typ)
	return kindOf(value)
}

// spelt is a column of ids as text.
func spelt(t IDType, keys Keys) Keys {
	out := Keys{Offsets: make([]int64, 1, keys.Len()+1)}
	for row := range keys.Len() {
		out.Bytes = t.AppendFormat(out.Bytes, keys, row)
		out.Offsets = append(out.Offsets, int64(len(out.Bytes)))
	}
	return out
}
