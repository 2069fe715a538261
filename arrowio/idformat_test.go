package arrowio

import (
	"errors"
	"math"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

func dictionaryOf(index, value arrow.DataType) arrow.DataType {
	return &arrow.DictionaryType{IndexType: index, ValueType: value}
}

func fixedSize(n int) arrow.DataType { return &arrow.FixedSizeBinaryType{ByteWidth: n} }

// Two columns of one table, or of two files.
func TestIDTypesOfArrowColumns(t *testing.T) {
	p, b := arrow.PrimitiveTypes, arrow.BinaryTypes
	for _, test := range []struct{ a, b, want arrow.DataType }{
		{p.Int8, p.Int8, p.Int8},
		{p.Int8, p.Int64, p.Int64},
		{p.Uint16, p.Uint8, p.Uint16},
		{p.Uint64, p.Int8, p.Int64},
		{b.String, b.LargeString, b.LargeString},
		{b.StringView, b.StringView, b.StringView},
		{b.StringView, b.Binary, b.Binary},
		{b.LargeString, b.Binary, b.LargeBinary},
		{fixedSize(4), fixedSize(4), fixedSize(4)},
		{fixedSize(4), fixedSize(5), b.Binary},
		{fixedSize(4), b.String, b.Binary},
		{fixedSize(4), b.LargeString, b.LargeBinary},
		{dictionaryOf(p.Int8, b.String), dictionaryOf(p.Int32, b.String), dictionaryOf(p.Int32, b.String)},
		{dictionaryOf(p.Uint8, p.Int8), dictionaryOf(p.Int32, p.Int16), dictionaryOf(p.Int32, p.Int16)},
		{dictionaryOf(p.Int8, b.String), b.LargeString, b.LargeString},
		{p.Int64, b.String, nil},
		{p.Int64, dictionaryOf(p.Int8, b.String), nil},
		{p.Int64, p.Float64, nil},
		{b.String, arrow.FixedWidthTypes.Boolean, nil},
		{p.Int8, arrow.Null, nil},
		{p.Int8, p.Date32, nil},
		{p.Int8, &arrow.Decimal128Type{Precision: 9}, nil},
		{p.Int8, arrow.ListOf(p.Int64), nil},
		{p.Int8, dictionaryOf(p.Int8, p.Float64), nil},
		{p.Int8, dictionaryOf(p.Int8, dictionaryOf(p.Int8, p.Int8)), nil},
	} {
		for _, pair := range [][2]arrow.DataType{{test.a, test.b}, {test.b, test.a}} {
			var types idtypes.Merged
			err := errors.Join(types.Add("x", pair[0]), types.Add("y", pair[1]))
			got := idtypes.Arrow(types.Result())
			switch {
			case test.want == nil && !errors.Is(err, tables.ErrInput):
				t.Errorf("%v + %v: %v, %v, want ErrInput", pair[0], pair[1], got, err)
			case test.want != nil && (err != nil || !arrow.TypeEqual(got, test.want)):
				t.Errorf("%v + %v: %v, %v, want %v", pair[0], pair[1], got, err, test.want)
			}
		}
	}
}

func TestIDTypeFormat(t *testing.T) {
	bytes := tables.Keys{Bytes: []byte("a\\\x00\xffé"), Offsets: []int64{0, 0, 6}}
	for _, test := range []struct {
		t    tables.IDType
		keys tables.Keys
		i    int
		want string
	}{
		{tables.IDType{}, tables.Keys{Ints: []uint64{math.MaxUint64}}, 0, "-1"},
		{tables.Uint64IDs(), tables.Keys{Ints: []uint64{math.MaxUint64}}, 0, "18446744073709551615"},
		{idtypes.Of(dictionaryOf(arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int8)), tables.Keys{Ints: []uint64{7, ^uint64(127)}}, 1, "-128"},
		{tables.StringIDs(), bytes, 0, ""},
		{idtypes.Of(arrow.BinaryTypes.StringView), bytes, 1, "a\\\x00\xffé"},
		{idtypes.Of(arrow.BinaryTypes.Binary), bytes, 1, `a\x5C\x00\xFF\xC3\xA9`},
		{idtypes.Of(fixedSize(6)), bytes, 1, `a\x5C\x00\xFF\xC3\xA9`},
	} {
		if got := test.t.Format(test.keys, test.i); got != test.want {
			t.Errorf("%v: %q, want %q", test.t, got, test.want)
		}
	}
	if got := (tables.IDType{}).String(); got != "int64" {
		t.Error("the zero type is", got)
	}
}
