package keeping

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
)

// Storage is the id type in which a kept column is held; nil if the type cannot be kept.
// Arrays of both types have the same buffers, except booleans, which are held as 0 and 1,
// and nested values, as JSON. The storage of a dictionary is that of its values.
func Storage(typ arrow.DataType) arrow.DataType {
	switch typ.ID() {
	case arrow.BOOL:
		return arrow.PrimitiveTypes.Uint8
	case arrow.FLOAT16:
		return arrow.PrimitiveTypes.Uint16
	case arrow.FLOAT32:
		return arrow.PrimitiveTypes.Uint32
	case arrow.FLOAT64:
		return arrow.PrimitiveTypes.Uint64
	case arrow.DATE32, arrow.TIME32:
		return arrow.PrimitiveTypes.Int32
	case arrow.DATE64, arrow.TIME64, arrow.TIMESTAMP, arrow.DURATION:
		return arrow.PrimitiveTypes.Int64
	case arrow.DECIMAL128, arrow.DECIMAL256:
		return &arrow.FixedSizeBinaryType{ByteWidth: idtypes.BitWidth(typ) / 8}
	}
	if IsNested(typ) {
		return arrow.BinaryTypes.String
	}
	if _, value := idtypes.Parts(typ); idtypes.Kind(value) != "" {
		return value
	}
	return nil
}

// IsNested says whether values are lists, maps or structs of types that can be kept. In a
// struct names must differ, since JSON has one value for each.
func IsNested(typ arrow.DataType) bool {
	switch typ.ID() {
	case arrow.LIST, arrow.LARGE_LIST, arrow.FIXED_SIZE_LIST, arrow.MAP, arrow.STRUCT:
		names := make(map[string]bool)
		for _, field := range typ.(arrow.NestedType).Fields() {
			if field.Type.ID() == arrow.EXTENSION || Storage(field.Type) == nil || names[field.Name] {
				return false
			}
			names[field.Name] = true
		}
		return true
	}
	return false
}

const Types = "integers, floating-point and decimal numbers, booleans, strings, binary, UUIDs, dates, times, timestamps, durations, dictionaries of integers, strings and binary, or lists and maps of these, and structs of these with different names"

// Stored is an array of a kept column's storage that has these rows, from row `at` on. If
// it has to be built, it has no other rows.
func Stored(ctx context.Context, values arrow.Array, first, rows int) (as arrow.Array, at int, err error) {
	typ := values.DataType()
	storage := Storage(typ)
	switch {
	case storage == nil || typ.ID() == arrow.DICTIONARY:
		values.Retain()
		return values, first, nil
	case typ.ID() != arrow.BOOL && !IsNested(typ):
		return Retyped(values, storage, nil, 0), first, nil
	}
	defer faults.Recover(&err) // if buffers hold less than the array claims
	b := array.NewBuilder(memory.DefaultAllocator, storage)
	defer b.Release()
	for i := first; i < first+rows; i++ {
		if i%storedAtOnce == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if values.IsNull(i) {
			b.AppendNull()
			continue
		}
		switch values := values.(type) {
		case *array.Boolean:
			b.(*array.Uint8Builder).Append(map[bool]uint8{true: 1}[values.Value(i)])
		default:
			text, err := json.Marshal(values.GetOneForMarshal(i))
			if err != nil {
				return nil, 0, faults.Rejected("row %d: %w", i, err)
			}
			b.(*array.StringBuilder).Append(string(text))
		}
	}
	return b.NewArray(), 0, nil
}

// storedAtOnce is the number of rows between two checks of the context.
const storedAtOnce = 1 << 10

// Native converts a decimal number between lowest byte first and the order of Arrow's
// buffers, in either direction.
func Native(number []byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		slices.Reverse(number)
	}
}
