package arrowio

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/tables"
)

// parquetKept is the schema node of a kept column, which may have nulls.
func parquetKept(c tables.KeptColumn) (schema.Node, error) {
	null := parquet.Repetitions.Optional
	switch typ := idtypes.Arrow(c.Type).(type) {
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
			return nil, faults.Advise(faults.Usage("column %q: type %s; decimal numbers of Parquet have 0 to %d digits after the point", c.Name, typ, precision), "write Arrow or text, or make it another type first")
		}
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.NewDecimalLogicalType(typ.GetPrecision(), typ.GetScale()), parquet.Types.FixedLenByteArray, idtypes.BitWidth(typ)/8, -1)
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
	if keeping.IsNested(idtypes.Arrow(c.Type)) {
		return schema.NewPrimitiveNodeLogical(c.Name, null, schema.JSONLogicalType{}, parquet.Types.ByteArray, -1, -1)
	}
	return parquetField(c.Name, keeping.Storage(idtypes.Arrow(c.Type)), null)
}

// parquetSchema is the output's schema in Parquet's types: nested values are text.
func parquetSchema(t *tables.Table) *arrow.Schema {
	s := schemaOf(t)
	fields := s.Fields()
	for i, field := range fields {
		if keeping.IsNested(field.Type) {
			fields[i].Type = arrow.BinaryTypes.String
		}
	}
	metadata := s.Metadata()
	return arrow.NewSchema(fields, &metadata)
}

// writeKept writes some rows of a kept column.
func writeKept(t *tables.Table, chunk file.ColumnChunkWriter, c *keptColumn, first, rows int) error {
	there := make([]int16, rows) // 1: the row has a value
	var present []int
	for i := range rows {
		if v := t.Vertex(first + i); !c.isNull(v) {
			there[i] = 1
			present = append(present, v)
		}
	}
	factor, bits := int64(1), 64
	switch typ := c.typ.(type) {
	case *arrow.TimestampType:
		if typ.Unit == arrow.Second {
			factor = 1000 // Parquet's coarsest unit is milliseconds
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
				return faults.Advise(faults.Usage("column %q: %d seconds at vertex %s; Parquet stores milliseconds in %d bits", c.Name, seconds, t.Type.Format(t.IDs, v), bits), "write Arrow or text, or leave the row out")
			}
		}
	}
	word := func(i int) uint64 { return c.Keys.Ints[present[i]] }
	text := func(i int) []byte { return ids.Text(c.Keys, present[i]) }
	fixed := text
	switch c.typ.ID() {
	case arrow.FLOAT16:
		fixed = func(i int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(word(i))) }
	case arrow.DECIMAL128, arrow.DECIMAL256:
		fixed = func(i int) []byte {
			number := slices.Clone(text(i))
			keeping.Native(number)
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
