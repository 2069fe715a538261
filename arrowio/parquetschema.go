package arrowio

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
)

// arrowSchemaKey is where writers that come from Arrow keep its schema, a
// schema message in base64: Parquet tells neither string_view nor dictionaries.
const arrowSchemaKey = "ARROW:schema"

// parquetColumns are the fields at the top of a Parquet schema.
type parquetColumns struct {
	schema *schema.Schema
	names  []string
	leaves []int         // position among the leaves; -1 for a group
	origin *arrow.Schema // as the writer had it; nil: unknown
}

func topLevel(footer *metadata.FileMetaData) (c *parquetColumns, err error) {
	defer recoverCorrupt(&err)
	c = &parquetColumns{schema: footer.Schema, origin: originalSchema(footer)}
	root := footer.Schema.Root()
	for i := range root.NumFields() {
		field := root.Field(i)
		leaf := -1
		if _, primitive := field.(*schema.PrimitiveNode); primitive {
			leaf = footer.Schema.ColumnIndexByNode(field)
		}
		c.names = append(c.names, field.Name())
		c.leaves = append(c.leaves, leaf)
	}
	return c, nil
}

// originalSchema is nil if there is none that can be read.
func originalSchema(footer *metadata.FileMetaData) *arrow.Schema {
	text := footer.KeyValueMetadata().FindValue(arrowSchemaKey)
	if text == nil {
		return nil
	}
	message, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		return nil
	}
	ctx := context.Background()
	m := newMessages(ctx, &streamFrames{ctx: ctx, r: bytes.NewReader(message)}, memory.DefaultAllocator, DefaultMaxExpansion)
	reader, err := ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(m.mem))
	if err != nil {
		return nil
	}
	defer reader.Release()
	return reader.Schema()
}

// idType is the Arrow type of a column and how its ids are stored, or ErrInput
// if it holds none.
func (c *parquetColumns) idType(i int) (arrow.DataType, idLayout, error) {
	if c.leaves[i] < 0 {
		return nil, idLayout{}, rejected("ids of a nested type; want integers or strings")
	}
	column := c.schema.Column(c.leaves[i])
	if column.MaxRepetitionLevel() > 0 {
		return nil, idLayout{}, rejected("ids of a repeated type; want integers or strings")
	}
	typ, layout := storedType(column)
	if typ == nil {
		name := column.PhysicalType().String()
		if logical := column.LogicalType(); logical != nil && !logical.IsNone() {
			name = logical.String()
		}
		return nil, idLayout{}, rejected("ids of type %s; want integers or strings", name)
	}
	layout.optional = column.MaxDefinitionLevel() > 0
	return c.asOrigin(i, typ), layout, nil
}

// storedType is the Arrow type that a leaf column's Parquet type stands for,
// nil for what cannot be an id.
func storedType(column *schema.Column) (arrow.DataType, idLayout) {
	logical := column.LogicalType()
	bare := logical == nil || logical.IsNone()
	switch column.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		layout := idLayout{integers: true, bytes: 4, bits: 32, signed: true}
		if column.PhysicalType() == parquet.Types.Int64 {
			layout.bytes, layout.bits = 8, 64
		}
		if integer, ok := logical.(*schema.IntLogicalType); ok {
			layout.bits, layout.signed = int(integer.BitWidth()), integer.IsSigned()
		} else if !bare {
			return nil, layout
		}
		if layout.bits > 8*layout.bytes || (layout.bytes == 8 && layout.bits < 64) {
			return nil, layout
		}
		if layout.signed {
			return signedType(layout.bits), layout
		}
		return unsignedType(layout.bits), layout
	case parquet.Types.ByteArray:
		switch logical.(type) {
		case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
			return arrow.BinaryTypes.String, idLayout{}
		}
		if bare {
			return arrow.BinaryTypes.Binary, idLayout{}
		}
	case parquet.Types.FixedLenByteArray:
		width := column.TypeLength()
		if _, uuid := logical.(schema.UUIDLogicalType); (bare || uuid) && width > 0 {
			return &arrow.FixedSizeBinaryType{ByteWidth: width}, idLayout{bytes: width}
		}
	}
	return nil, idLayout{}
}

// asOrigin is the type that the writer had, where it only says more about the
// same ids: a wider layout of strings, or a dictionary.
func (c *parquetColumns) asOrigin(i int, typ arrow.DataType) arrow.DataType {
	if c.origin == nil || c.origin.NumFields() != len(c.names) || c.origin.Field(i).Name != c.names[i] {
		return typ
	}
	index, value := IDType{c.origin.Field(i).Type}.parts()
	switch {
	case arrow.TypeEqual(value, typ):
	case stringRank(value) > 0 && stringRank(typ) > 0 && isText(value) == isText(typ) && value.ID() != arrow.FIXED_SIZE_BINARY && typ.ID() != arrow.FIXED_SIZE_BINARY:
		typ = value
	default:
		return typ
	}
	if index == nil {
		return typ
	}
	return &arrow.DictionaryType{IndexType: index, ValueType: typ}
}
