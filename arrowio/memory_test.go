package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	"bcstage/internal/budget"
)

// longTable has numbers in the named columns. Columns whose names begin with "text", and that
// of vertices, have long strings, different in each row.
func longTable(rows, length int, names ...string) arrow.Record {
	var fields []arrow.Field
	for _, name := range names {
		field := arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64}
		if strings.HasPrefix(name, "text") || name == tables.VertexColumn {
			field.Type = arrow.BinaryTypes.String
		}
		fields = append(fields, field)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for row := range rows {
		for i := range names {
			switch column := b.Field(i).(type) {
			case *array.Int64Builder:
				column.Append(int64(row + i))
			case *array.StringBuilder:
				column.Append(fmt.Sprintf("1.%0*d", length-2, row+1))
			}
		}
	}
	return b.NewRecord()
}

// inFormats is the table in each format.
func inFormats(t *testing.T, record arrow.Record) map[string][]byte {
	t.Helper()
	all := map[string][]byte{
		"stream":      streamOf([]arrow.Record{record}),
		"stream zstd": streamOf([]arrow.Record{record}, ipc.WithZstd()),
	}
	all["parquet"] = longParquet(t, record, parquet.WithDictionaryDefault(false))
	all["parquet dictionary"] = longParquet(t, record, parquet.WithDictionaryPageSizeLimit(1<<30))
	var text bytes.Buffer
	for i, field := range record.Schema().Fields() {
		fmt.Fprintf(&text, "%s%c", field.Name, ",\n"[min(i/(int(record.NumCols())-1), 1)])
	}
	for row := range int(record.NumRows()) {
		for i, column := range record.Columns() {
			fmt.Fprintf(&text, "%s%c", column.ValueStr(row), ",\n"[min(i/(int(record.NumCols())-1), 1)])
		}
	}
	all["csv"] = text.Bytes()
	return all
}

// longParquet is the table in one row group.
func longParquet(t *testing.T, record arrow.Record, properties ...parquet.WriterProperty) []byte {
	t.Helper()
	var fields schema.FieldList
	for _, field := range record.Schema().Fields() {
		node := schema.Node(schema.NewInt64Node(field.Name, parquet.Repetitions.Required, -1))
		if field.Type.ID() == arrow.STRING {
			node = schema.MustPrimitive(schema.NewPrimitiveNodeLogical(field.Name, parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
		}
		fields = append(fields, node)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	properties = append(properties, parquet.WithCompression(compress.Codecs.Zstd))
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
	group := w.AppendRowGroup()
	for _, column := range record.Columns() {
		to, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		switch column := column.(type) {
		case *array.Int64:
			_, err = to.(*file.Int64ColumnChunkWriter).WriteBatch(column.Int64Values(), nil, nil)
		case *array.String:
			texts := make([]parquet.ByteArray, column.Len())
			for row := range texts {
				texts[row] = []byte(column.Value(row))
			}
			_, err = to.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Readers take memory from the budget before they decode, whichever column has the long
// strings, in every format. Input that does not fit is refused, input that fits is read, and
// neither takes more than the limit and the free part.
func TestMemoryOfEveryColumn(t *testing.T) {
	const rows, length = 40, 500_000 // 20 MB, and more than is free
	for column, c := range map[string]struct {
		names []string
		opts  tables.Options
	}{
		"ids":      {[]string{"text_a", "text_b"}, tables.Options{Src: "text_a", Dst: "text_b", IDs: tables.IDsString}},
		"by":       {[]string{"src", "dst", "text"}, tables.Options{By: []string{"text"}}},
		"weight":   {[]string{"src", "dst", "text"}, tables.Options{Weight: "text"}},
		"vertices": {[]string{tables.VertexColumn, "other"}, tables.Options{Vertices: "vertices", IDs: tables.IDsString}},
		"keep":     {[]string{"id", "text"}, tables.Options{Vertices: "keep", Keep: []string{"text"}}},
		"list":     {[]string{"text", "other"}, tables.Options{Header: tables.HeaderYes}},
	} {
		if testing.Short() && column != "ids" && column != "keep" {
			continue // a minute under the race detector
		}
		record := longTable(rows, length, c.names...)
		for format, data := range inFormats(t, record) {
			for limit, threads := range map[int64]int{1 << 20: 1, 2 << 20: 16, 256 << 20: 16} {
				name := fmt.Sprintf("%s in %s, %d MiB, %d threads", column, format, limit>>20, threads)
				room := budget.New(limit)
				opts := c.opts
				opts.Budget, opts.Threads = room, threads
				err := readAndRelease(t, column == "list", data, opts)
				// Text is read in parts; of other formats a whole page or record must fit.
				fits := limit > 2<<20 || format == "csv"
				switch {
				case fits && err != nil:
					t.Errorf("%s: %v", name, err)
				case !fits && !errors.Is(err, budget.ErrMemory):
					t.Errorf("%s: error %v, want %v", name, err, budget.ErrMemory)
				case room.Peak() > limit+budget.Free:
					t.Errorf("%s: %d bytes at the peak, %d may be used", name, room.Peak(), limit+budget.Free)
				case fits && room.Peak() < length:
					t.Errorf("%s: %d bytes at the peak, less than one string", name, room.Peak())
				case fits && room.Out() != 0:
					t.Errorf("%s: %d bytes were not given back", name, room.Out())
				}
			}
		}
		record.Release()
	}
}

// readAndRelease reads a table, of ids or edges or, if opts.Vertices is set, beside one edge,
// and releases each batch.
func readAndRelease(t *testing.T, list bool, data []byte, opts tables.Options) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	opts.Paths = []string{path}
	if list {
		_, err := ReadIDs(t.Context(), opts, func(tables.Keys) error { return nil })
		return err
	}
	if opts.Vertices != "" {
		opts.Vertices, opts.Paths, opts.Stdin = path, []string{"-"}, strings.NewReader("1 2\n")
	}
	edges := make(chan tables.Batch, 8)
	failed := make(chan error, 1)
	go func() {
		_, err := Read(t.Context(), opts, edges)
		failed <- err
	}()
	for batch := range edges {
		batch.Release()
	}
	return <-failed
}
