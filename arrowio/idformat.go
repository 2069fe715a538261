package arrowio

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// Int64IDs, Uint64IDs and StringIDs are the id types of Go callers and of text.
func Int64IDs() IDType  { return IDType{arrow.PrimitiveTypes.Int64} }
func Uint64IDs() IDType { return IDType{arrow.PrimitiveTypes.Uint64} }
func StringIDs() IDType { return IDType{arrow.BinaryTypes.String} }

// dataType is the Arrow type, int64 for the zero value.
func (t IDType) dataType() arrow.DataType {
	if t.arrow == nil {
		return arrow.PrimitiveTypes.Int64
	}
	return t.arrow
}

// parts are the type of a dictionary's index, nil if t is no dictionary, and
// the type of the ids themselves.
func (t IDType) parts() (index, value arrow.DataType) {
	if dict, ok := t.arrow.(*arrow.DictionaryType); ok {
		return dict.IndexType, dict.ValueType
	}
	return nil, t.dataType()
}

// String names the type as Arrow does.
func (t IDType) String() string { return t.dataType().String() }

// IsInteger tells whether Keys of this type hold Ints, not Bytes.
func (t IDType) IsInteger() bool {
	_, value := t.parts()
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
	_, value := t.parts()
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
