package arrowio

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/parquetpages"
)

// keptType is the type of a column to keep, and how it is stored.
func (c *parquetColumns) keptType(i int) (arrow.DataType, parquetpages.Layout, error) {
	if typ, layout, err := c.idType(i); err == nil {
		return typ, layout, nil
	}
	if layout, ok := c.float64Layout(i); ok {
		return arrow.PrimitiveTypes.Float64, layout, nil
	}
	if c.leaves[i] < 0 || c.schema.Column(c.leaves[i]).MaxRepetitionLevel() > 0 {
		return nil, parquetpages.Layout{}, rejected("of a nested or repeated type, which cannot be kept; want %s", keptTypes)
	}
	column := c.schema.Column(c.leaves[i])
	optional := column.MaxDefinitionLevel() > 0
	word := parquetpages.Layout{Integers: true, Bytes: 4, Bits: 32, Signed: true, Optional: optional}
	switch logical := column.LogicalType().(type) {
	case schema.DateLogicalType:
		return arrow.FixedWidthTypes.Date32, word, nil
	case *schema.TimestampLogicalType:
		return c.timestamp(i, logical), parquetpages.Layout{Integers: true, Bytes: 8, Bits: 64, Signed: true, Optional: optional}, nil
	}
	if column.PhysicalType() == parquet.Types.Float {
		word.Signed = false
		return arrow.PrimitiveTypes.Float32, word, nil
	}
	return nil, word, rejected("stored as %s %s, which cannot be kept; want %s", column.PhysicalType(), column.LogicalType(), keptTypes)
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
		if c.origin != nil && c.origin.NumFields() == len(c.names) && c.origin.Field(i).Name == c.names[i] {
			if origin, ok := c.origin.Field(i).Type.(*arrow.TimestampType); ok && origin.TimeZone != "" {
				typ.TimeZone = origin.TimeZone
			}
		}
	}
	return typ
}

// parquetKept is a kept column, which may have nulls.
func parquetKept(c KeptColumn) (schema.Node, error) {
	null := parquet.Repetitions.Optional
	switch typ := c.Type.dataType().(type) {
	case *arrow.Float32Type:
		return schema.NewFloat32Node(c.Name, null, -1), nil
	case *arrow.Float64Type:
		return schema.NewFloat64Node(c.Name, null, -1), nil
	case *arrow.Date32Type:
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.DateLogicalType{}, parquet.Types.Int32, -1, -1)
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
	return parquetField(c.Name, keptStorage(c.Type.dataType()), null)
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
	factor := int64(1)
	if typ, ok := c.typ.(*arrow.TimestampType); ok && typ.Unit == arrow.Second {
		factor = 1000 // Parquet's coarsest are milliseconds
		for _, v := range present {
			if seconds := int64(c.Keys.Ints[v]); seconds*factor/factor != seconds {
				return usage("column %q: the milliseconds of %d seconds are more than 64 bits", c.Name, seconds)
			}
		}
	}
	word := func(i int) uint64 { return c.Keys.Ints[present[i]] }
	text := func(i int) []byte { return c.Keys.text(present[i]) }
	n := len(present)
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) int64 { return int64(word(i)) * factor })
	case *file.Int32ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) int32 { return int32(word(i)) })
	case *file.Float64ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) float64 { return math.Float64frombits(word(i)) })
	case *file.Float32ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) float32 { return math.Float32frombits(uint32(word(i))) })
	case *file.ByteArrayColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) parquet.ByteArray { return text(i) })
	case *file.FixedLenByteArrayColumnChunkWriter:
		return writeValues(chunk.WriteBatch, n, there, func(i int) parquet.FixedLenByteArray { return text(i) })
	}
	return usage("column %q of type %s in Parquet", c.Name, c.Type)
}
