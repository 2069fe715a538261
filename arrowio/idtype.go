package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
)

// idTypes merges the types of all id columns of one read into the type of the
// output column. Integers widen to the widest; where signed and unsigned meet
// (text counts as both), the values decide between int64 and uint64. Strings
// widen to the widest. Integers, strings and UUIDs do not meet: the same UUID as
// bytes and as text would be two vertices. The result is a dictionary if every
// column is one.
type idTypes struct {
	input            string         // the first input with ids
	kind             string         // of the ids there, as kindOf has it; empty: none seen
	index            arrow.DataType // widest dictionary index seen; nil: none
	plain            bool           // some column is no dictionary
	strings          arrow.DataType // widest string or binary type, or uuidType; nil: neither seen
	signed, unsigned int            // widest integers seen, in bits; 0: none
	negative, large  string         // an input with an id below 0, and one with an id above the largest int64
	decimal          bool           // integers are sent as their decimal text (IDsString)
}

// add merges the type of one column of an input.
func (t *idTypes) add(input string, typ arrow.DataType) error {
	if t.decimals(typ) {
		typ = arrow.BinaryTypes.String
	}
	if d, ok := typ.(*arrow.DictionaryType); ok {
		typ = d.ValueType
		if t.index == nil || bitWidth(d.IndexType) > bitWidth(t.index) {
			t.index = d.IndexType
		}
	} else {
		t.plain = true
	}
	kind := kindOf(typ)
	switch {
	case kind == "":
		return faults.Rejected("ids of type %s; want integers, strings or UUIDs", typ)
	case t.kind != "" && t.kind != kind:
		return t.mixed(kind)
	}
	t.kind = kind
	switch {
	case arrow.IsSignedInteger(typ.ID()):
		t.signed = max(t.signed, bitWidth(typ))
	case arrow.IsUnsignedInteger(typ.ID()):
		t.unsigned = max(t.unsigned, bitWidth(typ))
	default:
		t.strings = widerString(t.strings, typ)
	}
	if t.input == "" {
		t.input = input
	}
	return nil
}

// decimals tells whether ids of a type are sent as their decimal text.
func (t *idTypes) decimals(typ arrow.DataType) bool {
	_, value := partsOf(typ)
	return t.decimal && kindOf(value) == kindIntegers
}

// addText merges an integer column of a text input, which is as signed or
// unsigned as its values are.
func (t *idTypes) addText(input string) error {
	if err := t.add(input, arrow.PrimitiveTypes.Int64); err != nil {
		return err
	}
	return t.add(input, arrow.PrimitiveTypes.Uint64)
}

// Kinds of ids.
const (
	kindIntegers = "integers"
	kindStrings  = "strings"
	kindUUIDs    = "UUIDs"
)

// kindOf tells apart what never meets, "" for what is no id.
func kindOf(typ arrow.DataType) string {
	switch {
	case arrow.IsInteger(typ.ID()):
		return kindIntegers
	case isUUID(typ):
		return kindUUIDs
	case stringRank(typ) > 0:
		return kindStrings
	}
	return ""
}

// allStrings is the advice where ids of one column, or of two, are not alike.
const allStrings = `Options.IDs "string" reads all ids as strings`

// mixed is the error of ids of another kind than those before.
func (t *idTypes) mixed(kind string) error {
	advice := allStrings
	switch {
	case kind == kindUUIDs && t.kind == kindStrings, kind == kindStrings && t.kind == kindUUIDs:
		advice = "write both as UUIDs or both as text, for example CAST(id AS VARCHAR)"
	case kind == kindUUIDs, t.kind == kindUUIDs:
		advice = "they have no common type"
	}
	return faults.Advise(faults.Rejected("ids are %s, but those of %s are %s", kind, t.input, t.kind), "%s", advice)
}

// sees notes whether an input holds negative ids, and ids above the largest
// int64: no integer type takes both.
func (t *idTypes) sees(input string, negative, large bool) error {
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
		return faults.Rejected("negative ids, but those of %s pass 9223372036854775807: no common type", t.large)
	}
	return faults.Rejected("ids above 9223372036854775807, but %s has negative ones: no common type", t.negative)
}

// result is the merged type, the zero IDType if there was no id column.
func (t *idTypes) result() IDType {
	var value arrow.DataType
	switch {
	case t.strings != nil:
		value = t.strings
	case t.signed == 0 && t.unsigned == 0:
		return IDType{}
	case t.unsigned == 0:
		value = signedType(t.signed)
	case t.signed == 0:
		value = unsignedType(t.unsigned)
	case t.large != "":
		value = arrow.PrimitiveTypes.Uint64
	default:
		value = arrow.PrimitiveTypes.Int64
	}
	if t.index == nil || t.plain {
		return idTypeOf(value)
	}
	return idTypeOf(&arrow.DictionaryType{IndexType: t.index, ValueType: value})
}

func bitWidth(integer arrow.DataType) int { return integer.(arrow.FixedWidthDataType).BitWidth() }

func signedType(bits int) arrow.DataType {
	switch bits {
	case 8:
		return arrow.PrimitiveTypes.Int8
	case 16:
		return arrow.PrimitiveTypes.Int16
	case 32:
		return arrow.PrimitiveTypes.Int32
	}
	return arrow.PrimitiveTypes.Int64
}

func unsignedType(bits int) arrow.DataType {
	switch bits {
	case 8:
		return arrow.PrimitiveTypes.Uint8
	case 16:
		return arrow.PrimitiveTypes.Uint16
	case 32:
		return arrow.PrimitiveTypes.Uint32
	}
	return arrow.PrimitiveTypes.Uint64
}

// stringRank orders the string types by width, text before binary; 0 is none.
func stringRank(typ arrow.DataType) int {
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

// widerString is a type that holds what a and b hold: all text is binary too,
// but not the other way round. a may be nil.
func widerString(a, b arrow.DataType) arrow.DataType {
	if a == nil || arrow.TypeEqual(a, b) {
		return b
	}
	low, high := a, b
	if stringRank(low) > stringRank(high) {
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
