package arrowio

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/parquetpages"
)

// keptType is the type of a column to keep, and how it is stored.
func (c *parquetColumns) keptType(i int) (arrow.DataType, parquetpages.Layout, error) {
	if typ, layout, err := c.idType(i); err == nil {
		if origin := c.originOf(i); origin != nil && origin.ID() == arrow.DURATION && typ.ID() == arrow.INT64 {
			typ = origin // which Parquet does not know
		}
		return typ, layout, nil
	}
	if layout, ok := c.float64Layout(i); ok {
		return arrow.PrimitiveTypes.Float64, layout, nil
	}
	if c.leaves[i] < 0 || c.schema.Column(c.leaves[i]).MaxRepetitionLevel() > 0 {
		return nil, parquetpages.Layout{}, faults.Rejected("of a nested or repeated type, which cannot be kept; want %s", keptTypes)
	}
	column := c.schema.Column(c.leaves[i])
	optional := column.MaxDefinitionLevel() > 0
	word := parquetpages.Layout{Integers: true, Bytes: 4, Bits: 32, Signed: true, Optional: optional}
	long := parquetpages.Layout{Integers: true, Bytes: 8, Bits: 64, Signed: true, Optional: optional}
	switch logical := column.LogicalType().(type) {
	case schema.DateLogicalType:
		return arrow.FixedWidthTypes.Date32, word, nil
	case *schema.TimestampLogicalType:
		return c.timestamp(i, logical), long, nil
	case *schema.TimeLogicalType:
		switch logical.TimeUnit() {
		case schema.TimeUnitMillis:
			return arrow.FixedWidthTypes.Time32ms, word, nil
		case schema.TimeUnitMicros:
			return arrow.FixedWidthTypes.Time64us, long, nil
		case schema.TimeUnitNanos:
			return arrow.FixedWidthTypes.Time64ns, long, nil
		}
	case schema.Float16LogicalType:
		return arrow.FixedWidthTypes.Float16, parquetpages.Layout{Bytes: 2, Optional: optional}, nil
	case *schema.DecimalLogicalType:
		layout := parquetpages.Layout{Bytes: max(column.TypeLength(), 0), Optional: optional}
		switch column.PhysicalType() {
		case parquet.Types.Int32:
			layout = word
		case parquet.Types.Int64:
			layout = long
		}
		if logical.Precision() > decimal128.MaxPrecision {
			return &arrow.Decimal256Type{Precision: logical.Precision(), Scale: logical.Scale()}, layout, nil
		}
		return &arrow.Decimal128Type{Precision: logical.Precision(), Scale: logical.Scale()}, layout, nil
	}
	switch column.PhysicalType() {
	case parquet.Types.Float:
		word.Signed = false
		return arrow.PrimitiveTypes.Float32, word, nil
	case parquet.Types.Boolean:
		return arrow.FixedWidthTypes.Boolean, parquetpages.Layout{Integers: true, Bits: 1, Optional: optional}, nil
	}
	return nil, word, faults.Rejected("stored as %s %s, which cannot be kept; want %s", column.PhysicalType(), column.LogicalType(), keptTypes)
}

// timestamp is the Arrow type of a column; Parquet itself knows no zones beside UTC.
func (c *parquetColumns) timestamp(i int, logical *schema.TimestampLogicalType) arrow.DataType {
	typ := &arrow.TimestampType{Unit: arrow.Microsecond}
	switch logical.TimeUnit() {
	case schema.TimeUnitMillis:
		typ.Unit = arrow.Millisecond
	case schema.TimeUnitNanos:
		typ.Unit = arrow.Nanosecond
	}
	if logical.IsAdjustedToUTC() {
		typ.TimeZone = "UTC"
		if origin, ok := c.originOf(i).(*arrow.TimestampType); ok && origin.TimeZone != "" {
			typ.TimeZone = origin.TimeZone
		}
	}
	return typ
}

// originOf is the type that the writer had; nil: unknown.
func (c *parquetColumns) originOf(i int) arrow.DataType {
	if c.origin == nil || c.origin.NumFields() != len(c.names) || c.origin.Field(i).Name != c.names[i] {
		return nil
	}
	return c.origin.Field(i).Type
}

// converter makes what Parquet has of a column to keep that which its type is held as;
// nil: it is. Parquet has decimal numbers of any width with the highest byte first.
func (c *parquetColumns) converter(i int) func(KeptValues) (KeptValues, error) {
	typ, layout, err := c.keptType(i)
	switch {
	case err != nil:
		return nil
	case typ.ID() == arrow.FLOAT16:
		return func(k KeptValues) (KeptValues, error) {
			var bits []uint64
			for row := range k.Keys.Len() {
				half := uint16(0)
				if text := k.Keys.text(row); len(text) == 2 {
					half = binary.LittleEndian.Uint16(text)
				}
				bits = append(bits, uint64(half))
			}
			return KeptValues{Keys{Ints: bits}, k.Null}, nil
		}
	case typ.ID() != arrow.DECIMAL128 && typ.ID() != arrow.DECIMAL256:
		return nil
	}
	width := bitWidth(typ) / 8
	return func(k KeptValues) (KeptValues, error) {
		of := KeptValues{Keys{Offsets: []int64{0}}, k.Null}
		var word [8]byte
		for row := range k.Keys.Len() {
			number := word[:]
			if layout.Integers {
				binary.BigEndian.PutUint64(number, k.Keys.Ints[row])
			} else {
				number = k.Keys.text(row)
			}
			sign := byte(0)
			if len(number) > 0 && number[0] >= 0x80 {
				sign = 0xff
			}
			for i := range width {
				digit := sign
				if i < len(number) {
					digit = number[len(number)-1-i]
				}
				of.Keys.Bytes = append(of.Keys.Bytes, digit)
			}
			for _, beyond := range number[:max(len(number)-width, 0)] {
				if beyond != sign {
					return of, faults.Corrupt("row %d: a decimal number of %d bytes", row, len(number))
				}
			}
			native(of.Keys.Bytes[len(of.Keys.Bytes)-width:])
			of.Keys.Offsets = append(of.Keys.Offsets, int64(len(of.Keys.Bytes)))
		}
		return of, nil
	}
}

// native turns the bytes of a decimal number, lowest first, into the order of Arrow's
// buffers, or back.
func native(number []byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		slices.Reverse(number)
	}
}

// parquetKept is a kept column, which may have nulls.
func parquetKept(c KeptColumn) (schema.Node, error) {
	null := parquet.Repetitions.Optional
	switch typ := c.Type.dataType().(type) {
	case *arrow.Float32Type:
		return schema.NewFloat32Node(c.Name, null, -1), nil
	case *arrow.Float64Type:
		return schema.NewFloat64Node(c.Name, null, -1), nil
	case *arrow.BooleanType:
		return schema.NewBooleanNode(c.Name, null, -1), nil
	case *arrow.Float16Type:
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.Float16LogicalType{}, parquet.Types.FixedLenByteArray, 2, -1)
	case arrow.DecimalType:
		if scale, precision := typ.GetScale(), typ.GetPrecision(); scale < 0 || scale > precision {
			return nil, faults.Advise(faults.Usage("column %q: of type %s, and Parquet has decimal numbers with 0 to %d places behind the point only", c.Name, typ, precision), "write Arrow or text, or make it another type first")
		}
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewDecimalLogicalType(typ.GetPrecision(), typ.GetScale()), parquet.Types.FixedLenByteArray, bitWidth(typ)/8, -1)
	case *arrow.Date32Type:
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.DateLogicalType{}, parquet.Types.Int32, -1, -1)
	case *arrow.Date64Type: // days, in milliseconds
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewTimestampLogicalType(false, schema.TimeUnitMillis), parquet.Types.Int64, -1, -1)
	case *arrow.Time32Type:
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewTimeLogicalType(true, schema.TimeUnitMillis), parquet.Types.Int32, -1, -1)
	case *arrow.Time64Type:
		unit := schema.TimeUnitMicros
		if typ.Unit == arrow.Nanosecond {
			unit = schema.TimeUnitNanos
		}
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewTimeLogicalType(true, unit), parquet.Types.Int64, -1, -1)
	case *arrow.TimestampType:
		unit := schema.TimeUnitMicros
		switch typ.Unit {
		case arrow.Second, arrow.Millisecond:
			unit = schema.TimeUnitMillis
		case arrow.Nanosecond:
			unit = schema.TimeUnitNanos
		}
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewTimestampLogicalType(typ.TimeZone != "", unit), parquet.Types.Int64, -1, -1)
	}
	if isNested(c.Type.dataType()) {
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.JSONLogicalType{}, parquet.Types.ByteArray, -1, -1)
	}
	return parquetField(c.Name, keptStorage(c.Type.dataType()), null)
}

// parquetSchema is the output's schema as Parquet can hold it: nested values are text.
func (t *Table) parquetSchema() *arrow.Schema {
	s := t.schema()
	fields := s.Fields()
	for i, field := range fields {
		if isNested(field.Type) {
			fields[i].Type = arrow.BinaryTypes.String
		}
	}
	metadata := s.Metadata()
	return arrow.NewSchema(fields, &metadata)
}

// writeKept writes some rows of a kept column.
func (t *Table) writeKept(chunk file.ColumnChunkWriter, c *keptColumn, first, rows int) error {
	there := make([]int16, rows) // 1: the row has a value
	var present []int
	for i := range rows {
		if v := t.vertex(first + i); !c.isNull(v) {
			there[i] = 1
			present = append(present, v)
		}
	}
	factor, bits := int64(1), 64
	switch typ := c.typ.(type) {
	case *arrow.TimestampType:
		if typ.Unit == arrow.Second {
			factor = 1000 // Parquet's coarsest are milliseconds
		}
	case *arrow.Time32Type:
		if typ.Unit == arrow.Second {
			factor, bits = 1000, 32
		}
	}
	if factor > 1 {
		most := int64(1)<<(bits-1) - 1
		for _, v := range present {
			if seconds := int64(c.Keys.Ints[v]); seconds > most/factor || seconds < -most/factor {
				return faults.Advise(faults.Usage("column %q: %d seconds at vertex %s, and Parquet has milliseconds of %d bits", c.Name, seconds, t.Type.Format(t.IDs, v), bits), "write Arrow or text, or leave the row out")
			}
		}
	}
	word := func(i int) uint64 { return c.Keys.Ints[present[i]] }
	text := func(i int) []byte { return c.Keys.text(present[i]) }
	fixed := text
	switch c.typ.ID() {
	case arrow.FLOAT16:
		fixed = func(i int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(word(i))) }
	case arrow.DECIMAL128, arrow.DECIMAL256:
		fixed = func(i int) []byte {
			number := slices.Clone(text(i))
			native(number)
			slices.Reverse(number)
			return number
		}
	}
	n := len(present)
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) int64 { return int64(word(i)) * factor })
	case *file.Int32ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) int32 { return int32(word(i)) * int32(factor) })
	case *file.BooleanColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) bool { return word(i) != 0 })
	case *file.Float64ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) float64 { return math.Float64frombits(word(i)) })
	case *file.Float32ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) float32 { return math.Float32frombits(uint32(word(i))) })
	case *file.ByteArrayColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) parquet.ByteArray { return text(i) })
	case *file.FixedLenByteArrayColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) parquet.FixedLenByteArray { return fixed(i) })
	}
	return faults.Usage("column %q of type %s in Parquet", c.Name, c.Type)
}
