package arrowio

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/tables"
)

// zeros is a record of int64 columns of zeros only.
func zeros(rows int, names ...string) arrow.Record {
	var fields []arrow.Field
	var columns []arrow.Array
	for _, name := range names {
		data := array.NewData(arrow.PrimitiveTypes.Int64, rows, []*memory.Buffer{nil, memory.NewBufferBytes(make([]byte, 8*rows))}, nil, 0, 0)
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64})
		columns = append(columns, array.NewInt64Data(data))
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), columns, int64(rows))
}

// zerosParquet is a file of the same columns.
func zerosParquet(t *testing.T, rows int, names []string, properties ...parquet.WriterProperty) []byte {
	t.Helper()
	var fields schema.FieldList
	for _, name := range names {
		fields = append(fields, schema.NewInt64Node(name, parquet.Repetitions.Required, -1))
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	properties = append(properties, parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageSize(1<<30), parquet.WithBatchSize(1<<30))
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
	group := w.AppendRowGroup()
	values := make([]int64, rows)
	for range names {
		column, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := column.(*file.Int64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A few thousand bytes that unpack to a hundred million are refused before all is
// unpacked. (Compressed text: TestDecompressionBomb.)
func TestColumnarBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while with the race detector; not with -short")
	}
	const rows = 6 << 20 // of two columns: more than faults.ExpansionFree
	edges, plain := zeros(rows, "src", "dst"), parquet.WithDictionaryDefault(false)
	for name, data := range map[string][]byte{
		"stream of zstd": streamOf([]arrow.Record{edges}, ipc.WithZstd()),
		"file of zstd":   fileOf([]arrow.Record{edges}, ipc.WithZstd()),
		"Parquet":        zerosParquet(t, 2*rows, []string{"src", "dst"}, plain),
	} {
		before := allocated()
		err := survive(t, name, data)
		if !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("%s of %d bytes: %v", name, len(data), err)
		}
		if grown := allocated() - before; grown > 256<<20 {
			t.Errorf("%s of %d bytes: allocated %d MiB", name, len(data), grown>>20)
		}
	}
	// Pieces that are harmless alone must not be gathered without end.
	small := zeros(1<<20, "vertex", "sum")
	for name, data := range map[string][]byte{
		"stream of zstd": streamOf(slices.Repeat([]arrow.Record{small}, 6), ipc.WithZstd()),
		"file of zstd":   fileOf(slices.Repeat([]arrow.Record{small}, 6), ipc.WithZstd()),
		"Parquet":        zerosParquet(t, rows, []string{"vertex", "sum"}),
	} {
		_, err := ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(data)})
		if !errors.Is(err, tables.ErrInput) {
			t.Errorf("table: %s of %d bytes: %v", name, len(data), err)
		}
		if _, err := ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(data), MaxExpansion: 1 << 30}); err != nil {
			t.Errorf("table: %s of %d bytes, with leave: %v", name, len(data), err)
		}
	}
}
