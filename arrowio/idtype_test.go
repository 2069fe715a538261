package arrowio

import (
	"errors"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

func TestMergeIDTypes(t *testing.T) {
	types := map[string]arrow.DataType{
		"i8": arrow.PrimitiveTypes.Int8, "i16": arrow.PrimitiveTypes.Int16, "i32": arrow.PrimitiveTypes.Int32, "i64": arrow.PrimitiveTypes.Int64,
		"u8": arrow.PrimitiveTypes.Uint8, "u16": arrow.PrimitiveTypes.Uint16, "u32": arrow.PrimitiveTypes.Uint32, "u64": arrow.PrimitiveTypes.Uint64,
		"s": arrow.BinaryTypes.String, "ls": arrow.BinaryTypes.LargeString, "sv": arrow.BinaryTypes.StringView,
		"b": arrow.BinaryTypes.Binary, "lb": arrow.BinaryTypes.LargeBinary, "bv": arrow.BinaryTypes.BinaryView,
		"f16": fixedSize(16), "id": idtypes.UUID(),
		"f": arrow.PrimitiveTypes.Float64, "bool": arrow.FixedWidthTypes.Boolean,
	}
	for _, test := range []struct {
		types string // in order; "+" notes a large id, "-" a negative one
		want  string
	}{
		{"", "int64"},
		{"i8 i8", "int8"},
		{"i8 i32 i16", "int32"},
		{"u8 u16", "uint16"},
		{"u64", "uint64"},
		{"u64 +", "uint64"},
		{"i64 - i8", "int64"},
		{"i8 u8", "int64"},
		{"i32 u64", "int64"},
		{"i32 u64 +", "uint64"},
		{"i32 - u64", "int64"},
		{"i32 - u64 +", "error"},
		{"u64 + i32 -", "error"},
		{"s s", "utf8"},
		{"s ls", "large_utf8"},
		{"sv s", "string_view"},
		{"sv ls", "large_utf8"},
		{"s b", "binary"},
		{"b lb", "large_binary"},
		{"lb s", "large_binary"},
		{"ls b", "large_binary"},
		{"bv ls", "large_binary"},
		{"i8 s", "error"},
		{"s i8", "error"},
		{"ls u64", "error"},
		{"id id", "uuid"},
		{"id s", "error"},
		{"s id", "error"},
		{"b id", "error"},
		{"id lb", "error"},
		{"id f16", "error"},
		{"f16 id", "error"},
		{"i8 id", "error"},
		{"id u64", "error"},
		{"f", "error"},
		{"bool", "error"},
	} {
		var merged idtypes.Merged
		var err error
		for i, word := range strings.Fields(test.types) {
			name := "file " + string(rune('1'+i))
			var e error
			switch word {
			case "+", "-":
				e = merged.Sees(name, word == "-", word == "+")
			default:
				e = merged.Add(name, types[word])
			}
			err = errors.Join(err, e)
		}
		got := merged.Result().String()
		if err != nil {
			got = "error"
			if !errors.Is(err, tables.ErrInput) {
				t.Errorf("%s: %v", test.types, err)
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.types, got, test.want)
		}
	}
}

func TestMergeTextIDs(t *testing.T) {
	for _, test := range []struct {
		a, b, edges, ids string
		says             string // after the second file's name
	}{
		{a: "1 2\n", b: "3 -4\n", edges: "1>2 3>-4", ids: "int64"},
		{a: "1 2\n", b: "3 9223372036854775808\n", edges: "1>2 3>9223372036854775808", ids: "uint64"},
		{a: "a b\n", b: "x\ty z\ny z\tx\n", edges: "a>b x>y z y z>x", ids: "utf8"},
		{a: "-1 2\n", b: "3 9223372036854775808\n", says: "ids above 9223372036854775807, but A has negative ones: no common type"},
		{a: "3 9223372036854775808\n", b: "-1 2\n", says: "negative ids, but A has ids above 9223372036854775807: no common type"},
		{a: "1 2\n", b: "a b\n", says: "ids are strings, but those of A are integers; Options.IDs \"string\" reads all ids as strings"},
		{a: "a b\n", b: "1 2\n", says: "ids are integers, but those of A are strings; Options.IDs \"string\" reads all ids as strings"},
		{a: "src,dst\n", b: "a b\n", edges: "a>b", ids: "utf8"},
		{a: "a b\n", b: "p edge 2 1\ne 1 2\n", says: "ids are integers, but those of A are strings; Options.IDs \"string\" reads all ids as strings"},
	} {
		a, b := writeFile(t, "a", test.a), writeFile(t, "b", test.b)
		got, err := readAll(t.Context(), tables.Options{Paths: []string{a, b}})
		if test.says != "" {
			checkError(t, err, tables.ErrInput, "arrowio: "+b+": "+strings.ReplaceAll(test.says, "A", a))
			continue
		}
		if err != nil || got.edges() != test.edges || got.IDs.String() != test.ids {
			t.Errorf("%q and %q: %s of %s, %v", test.a, test.b, got.edges(), got.IDs, err)
		}
	}
}
