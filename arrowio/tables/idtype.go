package tables

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Keys is one column of vertex ids: Ints (64-bit patterns, sign- or
// zero-extended) or Bytes with Offsets (value i is Bytes[Offsets[i]:Offsets[i+1]],
// len(Offsets) = rows+1). Offsets is nil for integers.
type Keys = ids.Keys

// IDType is the Arrow type of the id column; the output column has the input's. The
// zero value is int64. Types are compared, named and parsed as text: String,
// MarshalText, UnmarshalText. Format and AppendFormat write an id of the type.
type IDType struct {
	text string // from MarshalText; "": int64
	form form
	of   fmt.Stringer // Arrow's type, if the text does not determine it
}

// form is the storage and text form of ids of a type.
type form uint8

const (
	signed form = iota
	unsigned
	text
	uuid
	binary
)

// Int64IDs, Uint64IDs and StringIDs are the id types of Go callers and of text.
func Int64IDs() IDType  { return IDType{text: "int64"} }
func Uint64IDs() IDType { return IDType{text: "uint64", form: unsigned} }
func StringIDs() IDType { return IDType{text: "utf8", form: text} }

// SetOther makes t the type of a kept column that no id has: its text, and an Arrow type
// with the details.
func (t *IDType) SetOther(text string, of fmt.Stringer) { *t = IDType{text, binary, of} }

// Other is SetOther's second argument; nil if the text determines the type.
func (t IDType) Other() fmt.Stringer { return t.of }

// formNamed is the form of ids of the type with Arrow's name.
func formNamed(name string) (form, bool) {
	switch name {
	case "int8", "int16", "int32", "int64":
		return signed, true
	case "uint8", "uint16", "uint32", "uint64":
		return unsigned, true
	case "utf8", "string_view", "large_utf8":
		return text, true
	case "uuid":
		return uuid, true
	case "binary", "binary_view", "large_binary":
		return binary, true
	}
	width, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "fixed_size_binary["), "]"))
	return binary, err == nil && width >= 0 && name == "fixed_size_binary["+strconv.Itoa(width)+"]"
}

// MarshalText names the type as Arrow does, and a dictionary as INDEX of VALUE.
func (t IDType) MarshalText() ([]byte, error) {
	if t.text == "" {
		return []byte("int64"), nil
	}
	return []byte(t.text), nil
}

// UnmarshalText reverses MarshalText; any other text is ErrInput.
func (t *IDType) UnmarshalText(text []byte) error {
	index, value, dictionary := strings.Cut(string(text), " of ")
	if !dictionary {
		value = index
	}
	form, ok := formNamed(value)
	if !ok {
		return faults.Rejected("ids of type %q", value)
	}
	if places, ok := formNamed(index); dictionary && (!ok || places > unsigned) {
		return faults.Rejected("ids of type %q", text)
	}
	*t = IDType{text: string(text), form: form}
	return nil
}

// String names the type as Arrow does.
func (t IDType) String() string {
	if t.of != nil {
		return t.of.String()
	}
	text, _ := t.MarshalText() // always works
	if index, value, dictionary := strings.Cut(string(text), " of "); dictionary {
		return fmt.Sprintf("dictionary<values=%s, indices=%s, ordered=false>", value, index)
	}
	return string(text)
}

// IsInteger says whether Keys of this type hold Ints, not Bytes.
func (t IDType) IsInteger() bool { return t.form <= unsigned }

// AppendFormat appends id i as text: integers in decimal, strings unchanged, UUIDs
// as 8-4-4-4-12 hexadecimal digits in lower case. In binary ids it writes the
// backslash and every byte that is not printable ASCII as \xHH, so that different
// ids never look the same.
func (t IDType) AppendFormat(out []byte, keys Keys, i int) []byte {
	switch t.form {
	case unsigned:
		return strconv.AppendUint(out, keys.Ints[i], 10)
	case signed:
		return strconv.AppendInt(out, int64(keys.Ints[i]), 10)
	}
	id := ids.Text(keys, i)
	switch {
	case t.form == text:
		return append(out, id...)
	case t.form == uuid && len(id) == ids.UUIDBytes:
		return appendUUID(out, id)
	}
	for _, b := range id {
		if b < ' ' || b > '~' || b == '\\' {
			out = fmt.Appendf(out, `\x%02X`, b)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// Format is AppendFormat as a string.
func (t IDType) Format(keys Keys, i int) string { return string(t.AppendFormat(nil, keys, i)) }

// appendUUID appends the text of a UUID.
func appendUUID(text, id []byte) []byte {
	for i, part := range [][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, part)
	}
	return text
}
