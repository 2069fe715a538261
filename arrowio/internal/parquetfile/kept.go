package parquetfile

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/tables"
)

// KeptType is the type of a column to keep, and its storage.
func (c *Columns) KeptType(i int) (arrow.DataType, parquetpages.Layout, error) {
	if typ, layout, err := c.IDType(i); err == nil {
		if origin := c.originOf(i); origin != nil && origin.ID() == arrow.DURATION && typ.ID() == arrow.INT64 {
			typ = origin // unknown to Parquet
		}
		return typ, layout, nil
	}
	if layout, ok := c.Float64Layout(i); ok {
		return arrow.PrimitiveTypes.Float64, layout, nil
	}
	if c.leaves[i] < 0 || c.schema.Column(c.leaves[i]).MaxRepetitionLevel() > 0 {
		return nil, parquetpages.Layout{}, faults.Rejected("nested or repeated types cannot be kept; want %s", keeping.Types)
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
	return nil, word, faults.Rejected("type %s %s cannot be kept; want %s", column.PhysicalType(), column.LogicalType(), keeping.Types)
}

// timestamp is the Arrow type of a column; Parquet itself has no time zone but UTC.
func (c *Columns) timestamp(i int, logical *schema.TimestampLogicalType) arrow.DataType {
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

// originOf is the writer's type; nil: unknown.
func (c *Columns) originOf(i int) arrow.DataType {
	if c.origin == nil || c.origin.NumFields() != len(c.Names) || c.origin.Field(i).Name != c.Names[i] {
		return nil
	}
	return c.origin.Field(i).Type
}

// Converter converts a kept column from Parquet's storage to that of its type; nil: they
// are the same. Parquet has decimal numbers of any width, with the highest byte first.
func (c *Columns) Converter(i int) func(tables.KeptValues) (tables.KeptValues, error) {
	typ, layout, err := c.KeptType(i)
	switch {
	case err != nil:
		return nil
	case typ.ID() == arrow.FLOAT16:
		return func(k tables.KeptValues) (tables.KeptValues, error) {
			var bits []uint64
			for row := range k.Keys.Len() {
				half := uint16(0)
				if text := ids.Text(k.Keys, row); len(text) == 2 {
					half = binary.LittleEndian.Uint16(text)
				}
				bits = append(bits, uint64(half))
			}
			return tables.KeptValues{Keys: ids.Keys{Ints: bits}, Null: k.Null}, nil
		}
	case typ.ID() != arrow.DECIMAL128 && typ.ID() != arrow.DECIMAL256:
		return nil
	}
	width := idtypes.BitWidth(typ) / 8
	return func(k tables.KeptValues) (tables.KeptValues, error) {
		of := tables.KeptValues{Keys: ids.Keys{Offsets: []int64{0}}, Null: k.Null}
		var word [8]byte
		for row := range k.Keys.Len() {
			number := word[:]
			if layout.Integers {
				binary.BigEndian.PutUint64(number, k.Keys.Ints[row])
			} else {
				number = ids.Text(k.Keys, row)
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
			keeping.Native(of.Keys.Bytes[len(of.Keys.Bytes)-width:])
			of.Keys.Offsets = append(of.Keys.Offsets, int64(len(of.Keys.Bytes)))
		}
		return of, nil
	}
}
