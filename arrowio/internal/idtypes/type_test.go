package idtypes

import (
	"errors"
	"testing"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// Every id type has a name that leads back to it.
func TestIDTypeText(t *testing.T) {
	values := []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, arrow.BinaryTypes.LargeString,
		arrow.BinaryTypes.Binary, arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.LargeBinary, &arrow.FixedSizeBinaryType{ByteWidth: 16},
	}
	for _, value := range values {
		for _, typ := range []arrow.DataType{value, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: value}} {
			text, err := Of(typ).MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			var again tables.IDType
			if err := again.UnmarshalText(text); err != nil || !arrow.TypeEqual(Arrow(again), typ) {
				t.Errorf("%s: %s, %v", text, again, err)
			}
		}
	}
	for _, text := range []string{"", "double", "int64 of ", "utf8 of int64", "int8 of float", "fixed_size_binary[x]", "fixed_size_binary[-1]", "fixed_size_binary[8] "} {
		var typ tables.IDType
		if err := typ.UnmarshalText([]byte(text)); !errors.Is(err, faults.ErrInput) {
			t.Errorf("%q: %s, %v", text, typ, err)
		}
	}
	if text, _ := (tables.IDType{}).MarshalText(); string(text) != "int64" {
		t.Errorf("the zero type is %s", text)
	}
}
