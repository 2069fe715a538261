package arrowio

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// writeParquet writes a table as required columns, compressed with zstd. Column chunks are pieces.
func writeParquet(ctx context.Context, w io.Writer, all parts) error {
	names := nameColumns(all.first)
	var fields schema.FieldList
	var repeated []parquet.WriterProperty
	for i := range names {
		_, value := idtypes.Parts(names[i].outputType())
		field, err := parquetField(names[i].Name, value, parquet.Repetitions.Required)
		if err != nil {
			return err
		}
		fields = append(fields, field)
		if of := names[i].Of; of != nil && !ascend(of) { // otherwise no id occurs twice
			repeated = append(repeated, parquet.WithDictionaryFor(names[i].Name, true))
		}
	}
	for _, column := range all.first.Kept {
		field, err := parquetKept(column)
		if err != nil {
			return err
		}
		fields = append(fields, field)
	}
	for _, column := range all.first.Columns {
		fields = append(fields, parquetColumn(column))
	}
	arrowSchema := parquetSchema(all.first)
	pairs := metadata.KeyValueMetadata{}
	for i, key := range arrowSchema.Metadata().Keys() {
		if err := pairs.Append(key, arrowSchema.Metadata().Values()[i]); err != nil {
			return err
		}
	}
	origin, err := encodedSchema(arrowSchema)
	if err == nil {
		err = pairs.Append(parquetfile.ArrowSchemaKey, origin)
	}
	if err != nil {
		return err
	}
	f, err := newParquetFile(w, all.threads, fields, pairs, repeated...)
	if err != nil {
		return err
	}
	if err := all.each(ctx, func(part *tables.Table, add func(parallel.Piece) error) error {
		columns := columnWriters(part)
		for first, total := 0, part.Rows(); first < total; first += groupRows(total) {
			if err := f.addRowGroup(columns, first, min(groupRows(total), total-first), add); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err // without a footer no reader accepts the file
	}
	return f.end()
}

// groupRows is the length of the row groups of so many rows, the last one apart. Column chunks are encoded side by side, so a
// table of nine groups would leave most of many threads idle.
func groupRows(total int) int {
	if total <= rowGroupRows {
		return rowGroupRows
	}
	pieces := (total/rowGroups + writeRows - 1) / writeRows
	return min(pieces*writeRows, rowGroupRows)
}

// ascend says whether each number is above the one before.
func ascend(of []uint32) bool {
	for i := 1; i < len(of); i++ {
		if of[i] <= of[i-1] {
			return false
		}
	}
	return true
}

// encodedSchema is a schema in Parquet's form. It repeats the metadata: if there
// is a schema, pyarrow looks for them only there.
func encodedSchema(s *arrow.Schema) (string, error) {
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(s))
	if err := w.Close(); err != nil {
		return "", err
	}
	message := bytes.TrimSuffix(stream.Bytes(), []byte(ipccheck.EndOfStream))
	return base64.StdEncoding.EncodeToString(message), nil
}

// parquetField is the schema node of a column of ids, of a type that is not a
// dictionary.
func parquetField(name string, typ arrow.DataType, repetition parquet.Repetition) (schema.Node, error) {
	var logical schema.LogicalType = schema.NoLogicalType{}
	physical, width := parquet.Types.ByteArray, -1
	switch {
	case arrow.IsInteger(typ.ID()):
		logical = schema.NewIntLogicalType(int8(idtypes.BitWidth(typ)), arrow.IsSignedInteger(typ.ID()))
		physical = parquet.Types.Int32
		if idtypes.BitWidth(typ) == 64 {
			physical = parquet.Types.Int64
		}
	case typ.ID() == arrow.FIXED_SIZE_BINARY:
		physical, width = parquet.Types.FixedLenByteArray, idtypes.BitWidth(typ)/8
		if idtypes.IsUUID(typ) {
			logical = schema.UUIDLogicalType{}
		}
	case idtypes.IsText(typ):
		logical = schema.StringLogicalType{}
	}
	return schema.NewPrimitiveNodeLogical(name, repetition, logical, physical, width, -1)
}

func parquetColumn(c tables.Column) schema.Node {
	switch c.Values.(type) {
	case tables.Floats:
		return schema.NewFloat64Node(c.Name, parquet.Repetitions.Required, -1)
	case tables.Bools:
		return schema.NewBooleanNode(c.Name, parquet.Repetitions.Required, -1)
	}
	return schema.NewInt64Node(c.Name, parquet.Repetitions.Required, -1)
}

// columnWriter writes some rows of a column.
type columnWriter func(chunk file.ColumnChunkWriter, first, rows int) error

// columnWriters are the columns of a table.
func columnWriters(t *tables.Table) (columns []columnWriter) {
	for _, c := range nameColumns(t) {
		columns = append(columns, func(chunk file.ColumnChunkWriter, first, rows int) error {
			return writeKeys(t, chunk, &c, first, rows)
		})
	}
	for _, c := range keptColumns(t) {
		columns = append(columns, func(chunk file.ColumnChunkWriter, first, rows int) error {
			return writeKept(t, chunk, &c, first, rows)
		})
	}
	for _, c := range t.Columns {
		columns = append(columns, func(chunk file.ColumnChunkWriter, first, rows int) error {
			switch values := c.Values.(type) {
			case tables.Floats:
				return writeValues(chunk.(*file.Float64ColumnChunkWriter).WriteBatch, rows, nil, func(i int) float64 { return values[t.Vertex(first+i)] })
			case tables.Ints:
				return writeValues(chunk.(*file.Int64ColumnChunkWriter).WriteBatch, rows, nil, func(i int) int64 { return values[t.Vertex(first+i)] })
			case tables.Bools:
				return writeValues(chunk.(*file.BooleanColumnChunkWriter).WriteBatch, rows, nil, func(i int) bool { return values[t.Vertex(first+i)] })
			}
			return faults.Usage("column %q of %T", c.Name, c.Values)
		})
	}
	return columns
}

// writeKeys writes some rows of a column that names vertices.
func writeKeys(t *tables.Table, chunk file.ColumnChunkWriter, c *nameColumn, first, rows int) error {
	_, typ := idtypes.Parts(c.outputType())
	key := func(i int) int { return c.Row(t.Vertex(first + i)) }
	text := func(i int) []byte { return ids.Text(c.Keys, key(i)) }
	switch chunk := chunk.(type) {
	case *file.Int64ColumnChunkWriter:
		return writeValues(chunk.WriteBatch, rows, nil, func(i int) int64 { return int64(c.Keys.Ints[key(i)]) })
	case *file.Int32ColumnChunkWriter:
		for i := range rows {
			if _, err := narrowed(typ, c.Keys.Ints[key(i)]); err != nil {
				return err
			}
		}
		return writeValues(chunk.WriteBatch, rows, nil, func(i int) int32 { return int32(c.Keys.Ints[key(i)]) })
	case *file.ByteArrayColumnChunkWriter:
		return writeValues(chunk.WriteBatch, rows, nil, func(i int) parquet.ByteArray { return text(i) })
	}
	width := idtypes.BitWidth(typ) / 8
	for i := range rows {
		if len(text(i)) != width {
			return faults.Usage("id of %d bytes in a column of type %s", len(text(i)), typ)
		}
	}
	return writeValues(chunk.(*file.FixedLenByteArrayColumnChunkWriter).WriteBatch, rows, nil, func(i int) parquet.FixedLenByteArray { return text(i) })
}

func writeValues[T any](write func(values []T, definitions, repetitions []int16) (int64, error), rows int, definitions []int16, value func(i int) T) error {
	values := make([]T, rows)
	for i := range values {
		values[i] = value(i)
	}
	_, err := write(values, definitions, nil)
	return err
}
