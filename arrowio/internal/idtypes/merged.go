package idtypes

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"
)

// Merged merges the types of all id columns of one read into the type of the
// output column. Integers widen to the widest. Where signed and unsigned meet
// (text counts as both), the values decide between int64 and uint64. Strings
// widen to the widest. Integers, strings and UUIDs do not mix: the same UUID as
// bytes and as text would be two vertices. The result is a dictionary if every
// column is one.
type Merged struct {
	input            string         // the first input with ids
	kind             string         // of its ids, from Kind; empty: none seen
	index            arrow.DataType // widest dictionary index seen; nil: none
	plain            bool           // some column is not a dictionary
	strings          arrow.DataType // widest string or binary type, or uuidType; nil: neither seen
	signed, unsigned int            // widest integers seen, in bits; 0: none
	negative, large  string         // an input with an id below 0, and one with an id above the largest int64
	Decimal          bool           // integers are sent as their decimal text (IDsString)
}

// Add merges the type of one column of an input.
func (t *Merged) Add(input string, typ arrow.DataType) error {
	if t.Decimals(typ) {
		typ = arrow.BinaryTypes.String
	}
	if d, ok := typ.(*arrow.DictionaryType); ok {
		typ = d.ValueType
		if t.index == nil || BitWidth(d.IndexType) > BitWidth(t.index) {
			t.index = d.IndexType
		}
	} else {
		t.plain = true
	}
	kind := Kind(typ)
	switch {
	case kind == "":
		return faults.Rejected("ids of type %s; want integers, strings or UUIDs", typ)
	case t.kind != "" && t.kind != kind:
		return t.mixed(kind)
	}
	t.kind = kind
	switch {
	case arrow.IsSignedInteger(typ.ID()):
		t.signed = max(t.signed, BitWidth(typ))
	case arrow.IsUnsignedInteger(typ.ID()):
		t.unsigned = max(t.unsigned, BitWidth(typ))
	default:
		t.strings = widerString(t.strings, typ)
	}
	if t.input == "" {
		t.input = input
	}
	return nil
}

// Decimals says whether ids of a type are sent as their decimal text.
func (t *Merged) Decimals(typ arrow.DataType) bool {
	_, value := Parts(typ)
	return t.Decimal && Kind(value) == Integers
}

// AddText merges an integer column of a text input: its values decide whether it
// is signed.
func (t *Merged) AddText(input string) error {
	if err := t.Add(input, arrow.PrimitiveTypes.Int64); err != nil {
		return err
	}
	return t.Add(input, arrow.PrimitiveTypes.Uint64)
}

// Kinds of ids.
const (
	Integers = "integers"
	Strings  = "strings"
	UUIDs    = "UUIDs"
)

// Kind is the kind of an id type; kinds never mix. "": not an id.
func Kind(typ arrow.DataType) string {
	switch {
	case arrow.IsInteger(typ.ID()):
		return Integers
	case IsUUID(typ):
		return UUIDs
	case StringRank(typ) > 0:
		return Strings
	}
	return ""
}

// AllStrings is the advice if ids of one column, or of two, have unlike types.
const AllStrings = `Options.IDs "string" reads all ids as strings`

// mixed is the error of ids of another kind than earlier ones.
func (t *Merged) mixed(kind string) error {
	advice := AllStrings
	switch {
	case kind == UUIDs && t.kind == Strings, kind == Strings && t.kind == UUIDs:
		advice = "write both as UUIDs or both as text, for example CAST(id AS VARCHAR)"
	case kind == UUIDs, t.kind == UUIDs:
		advice = "they have no common type"
	}
	return faults.Advise(faults.Rejected("ids are %s, but those of %s are %s", kind, t.input, t.kind), "%s", advice)
}

// Sees notes whether an input holds negative ids, and ids above the largest
// int64: no integer type holds both.
func (t *Merged) Sees(input string, negative, large bool) error {
	if negative && t.negative == "" {
		t.negative = input
	}
	if large && t.large == "" {
		t.large = input
	}
	switch {
	case t.negative == "" || t.large == "":
		return nil
	case negative && large:
		return faults.Rejected("negative ids and ids above 9223372036854775807 fit no common type")
	case negative:
		return faults.Rejected("negative ids, but %s has ids above 9223372036854775807: no common type", t.large)
	}
	return faults.Rejected("ids above 9223372036854775807, but %s has negative ones: no common type", t.negative)
}

// Result is the merged type, the zero type if there was no id column.
func (t *Merged) Result() tables.IDType {
	var value arrow.DataType
	switch {
	case t.strings != nil:
		value = t.strings
	case t.signed == 0 && t.unsigned == 0:
		return tables.IDType{}
	case t.unsigned == 0:
		value = Integer(t.signed, true)
	case t.signed == 0:
		value = Integer(t.unsigned, false)
	case t.large != "":
		value = arrow.PrimitiveTypes.Uint64
	default:
		value = arrow.PrimitiveTypes.Int64
	}
	if t.index == nil || t.plain {
		return Of(value)
	}
	return Of(&arrow.DictionaryType{IndexType: t.index, ValueType: value})
}

func BitWidth(integer arrow.DataType) int { return integer.(arrow.FixedWidthDataType).BitWidth() }

// Integer is the integer type of 8, 16, 32 or else 64 bits.
func Integer(bits int, signed bool) arrow.DataType {
	p, size := arrow.PrimitiveTypes, slices.Index([]int{8, 16, 32, bits}, bits)
	if signed {
		return [...]arrow.DataType{p.Int8, p.Int16, p.Int32, p.Int64}[size]
	}
	return [...]arrow.DataType{p.Uint8, p.Uint16, p.Uint32, p.Uint64}[size]
}

// StringRank orders the string types by width, text before binary; 0: not a
// string.
func StringRank(typ arrow.DataType) int {
	switch typ.ID() {
	case arrow.STRING:
		return 1
	case arrow.STRING_VIEW:
		return 2
	case arrow.LARGE_STRING:
		return 3
	case arrow.BINARY, arrow.FIXED_SIZE_BINARY:
		return 4
	case arrow.BINARY_VIEW:
		return 5
	case arrow.LARGE_BINARY:
		return 6
	}
	return 0
}

// widerString is a type that holds both a and b: all text is binary too, but not
// the reverse. a may be nil.
func widerString(a, b arrow.DataType) arrow.DataType {
	if a == nil || arrow.TypeEqual(a, b) {
		return b
	}
	low, high := a, b
	if StringRank(low) > StringRank(high) {
		low, high = high, low
	}
	if high.ID() == arrow.FIXED_SIZE_BINARY {
		high = arrow.BinaryTypes.Binary
	}
	if low.ID() == arrow.LARGE_STRING && high.ID() != arrow.LARGE_STRING {
		return arrow.BinaryTypes.LargeBinary
	}
	return high
}
