package parquetfile

import (
	"bytes"
	"context"
	"encoding/base64"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/parquetpages"
)

// ArrowSchemaKey is the key under which writers based on Arrow store its schema,
// a schema message in base64: Parquet itself has neither string_view nor
// dictionaries.
const ArrowSchemaKey = "ARROW:schema"

// Columns are the top-level fields of a Parquet schema.
type Columns struct {
	schema *schema.Schema
	Names  []string
	leaves []int         // position among the leaves; -1 for a group
	origin *arrow.Schema // the writer's schema; nil: unknown
}

func TopLevel(ctx context.Context, footer *metadata.FileMetaData) (c *Columns, err error) {
	defer faults.Recover(&err)
	c = &Columns{schema: footer.Schema, origin: OriginalSchema(ctx, footer)}
	root := footer.Schema.Root()
	for i := range root.NumFields() {
		field := root.Field(i)
		leaf := -1
		if _, primitive := field.(*schema.PrimitiveNode); primitive {
			leaf = footer.Schema.ColumnIndexByNode(field)
		}
		c.Names = append(c.Names, field.Name())
		c.leaves = append(c.leaves, leaf)
	}
	return c, nil
}

// OriginalSchema is the writer's Arrow schema; nil if it is absent or
// unreadable.
func OriginalSchema(ctx context.Context, footer *metadata.FileMetaData) *arrow.Schema {
	text := footer.KeyValueMetadata().FindValue(ArrowSchemaKey)
	if text == nil {
		return nil
	}
	message, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		return nil
	}
	m := ipccheck.NewMessages(ctx, ipccheck.NewStream(ctx, bytes.NewReader(message)), memory.DefaultAllocator, faults.DefaultExpansion, nil)
	reader, err := ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(m.Allocator()))
	if err != nil {
		return nil
	}
	defer reader.Release()
	return reader.Schema()
}

// IDType is the Arrow type of a column and the storage of its ids, or ErrInput
// if it holds none.
func (c *Columns) IDType(i int) (arrow.DataType, parquetpages.Layout, error) {
	if c.leaves[i] < 0 {
		return nil, parquetpages.Layout{}, faults.Rejected("ids of a nested type; want integers, strings or UUIDs")
	}
	column := c.schema.Column(c.leaves[i])
	if column.MaxRepetitionLevel() > 0 {
		return nil, parquetpages.Layout{}, faults.Rejected("ids of a repeated type; want integers, strings or UUIDs")
	}
	typ, layout := storedType(column)
	if typ == nil {
		name := column.PhysicalType().String()
		if logical := column.LogicalType(); logical != nil && !logical.IsNone() {
			name = logical.String()
		}
		return nil, parquetpages.Layout{}, faults.Rejected("ids of type %s; want integers, strings or UUIDs", name)
	}
	layout.Optional = column.MaxDefinitionLevel() > 0
	return c.asOrigin(i, typ), layout, nil
}

// storedType is the Arrow type for a leaf column's Parquet type, nil if it
// cannot be an id.
func storedType(column *schema.Column) (arrow.DataType, parquetpages.Layout) {
	logical := column.LogicalType()
	bare := logical == nil || logical.IsNone()
	switch column.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		layout := parquetpages.Layout{Integers: true, Bytes: 4, Bits: 32, Signed: true}
		if column.PhysicalType() == parquet.Types.Int64 {
			layout.Bytes, layout.Bits = 8, 64
		}
		if integer, ok := logical.(*schema.IntLogicalType); ok {
			layout.Bits, layout.Signed = int(integer.BitWidth()), integer.IsSigned()
		} else if !bare {
			return nil, layout
		}
		if layout.Bits > 8*layout.Bytes || (layout.Bytes == 8 && layout.Bits < 64) {
			return nil, layout
		}
		return idtypes.Integer(layout.Bits, layout.Signed), layout
	case parquet.Types.ByteArray:
		switch logical.(type) {
		case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
			return arrow.BinaryTypes.String, parquetpages.Layout{}
		}
		if bare {
			return arrow.BinaryTypes.Binary, parquetpages.Layout{}
		}
	case parquet.Types.FixedLenByteArray:
		width := column.TypeLength()
		if _, ok := logical.(schema.UUIDLogicalType); ok && width == ids.UUIDBytes {
			return idtypes.UUID(), parquetpages.Layout{Bytes: width}
		}
		if bare && width > 0 {
			return &arrow.FixedSizeBinaryType{ByteWidth: width}, parquetpages.Layout{Bytes: width}
		}
	}
	return nil, parquetpages.Layout{}
}

// asOrigin is the writer's type, if it only says more about the same ids: a
// wider layout of strings, a dictionary, or that 16 bytes are a UUID.
func (c *Columns) asOrigin(i int, typ arrow.DataType) arrow.DataType {
	if c.origin == nil || c.origin.NumFields() != len(c.Names) || c.origin.Field(i).Name != c.Names[i] {
		return typ
	}
	origin := idtypes.OfField(c.origin.Field(i))
	index, value := idtypes.Parts(origin)
	switch {
	case idtypes.IsUUID(typ):
		return typ
	case idtypes.IsUUID(origin) && arrow.TypeEqual(idtypes.Storage(origin), typ):
		return origin
	case arrow.TypeEqual(value, typ):
	case idtypes.StringRank(value) > 0 && idtypes.StringRank(typ) > 0 && idtypes.IsText(value) == idtypes.IsText(typ) && value.ID() != arrow.FIXED_SIZE_BINARY && typ.ID() != arrow.FIXED_SIZE_BINARY:
		typ = value
	default:
		return typ
	}
	if index == nil {
		return typ
	}
	return &arrow.DictionaryType{IndexType: index, ValueType: typ}
}

// lengthType is the type of a Parquet column of lengths, and the storage of its
// values.
func (c *Columns) lengthType(i int) (lengths.Type, parquetpages.Layout, error) {
	none := parquetpages.Layout{}
	if c.leaves[i] < 0 {
		return lengths.Type{}, none, lengths.NoType("group")
	}
	column := c.schema.Column(c.leaves[i])
	if column.MaxRepetitionLevel() > 0 {
		return lengths.Type{}, none, lengths.NoType("list")
	}
	optional := column.MaxDefinitionLevel() > 0
	decimal, isDecimal := column.LogicalType().(*schema.DecimalLogicalType)
	layout := parquetpages.Layout{Integers: true, Bytes: 8, Bits: 64, Signed: true, Optional: optional}
	switch physical := column.PhysicalType(); {
	case physical == parquet.Types.Double:
		return lengths.Type{Kind: lengths.Float64}, layout, nil
	case physical == parquet.Types.Float:
		layout.Bytes, layout.Bits, layout.Signed = 4, 32, false
		return lengths.Type{Kind: lengths.Float32}, layout, nil
	case isDecimal:
		length := lengths.Type{Kind: lengths.Signed}
		switch physical {
		case parquet.Types.Int64:
		case parquet.Types.Int32:
			layout.Bytes, layout.Bits = 4, 32
		default:
			length = lengths.Type{Kind: lengths.Decimal, BigEndian: true}
			layout = parquetpages.Layout{Bytes: max(column.TypeLength(), 0), Optional: optional}
		}
		length, err := length.WithScale(decimal.Scale())
		return length, layout, err
	}
	typ, layout := storedType(column)
	if typ == nil {
		return lengths.Type{}, none, lengths.NoType(column.PhysicalType().String())
	}
	layout.Optional = optional
	_, value := idtypes.Parts(typ)
	length, err := lengths.TypeNamed(value.String())
	return length, layout, err
}

// IsBool says whether a column holds booleans.
func (c *Columns) IsBool(i int) bool {
	return c.leaves[i] >= 0 && c.schema.Column(c.leaves[i]).PhysicalType() == parquet.Types.Boolean
}

// Float64Layout is the storage of a column of float64, if it is one.
func (c *Columns) Float64Layout(i int) (parquetpages.Layout, bool) {
	if c.leaves[i] < 0 {
		return parquetpages.Layout{}, false
	}
	column := c.schema.Column(c.leaves[i])
	if column.PhysicalType() != parquet.Types.Double || column.MaxRepetitionLevel() > 0 {
		return parquetpages.Layout{}, false
	}
	return parquetpages.Layout{Integers: true, Bytes: 8, Bits: 64, Optional: column.MaxDefinitionLevel() > 0}, true
}
