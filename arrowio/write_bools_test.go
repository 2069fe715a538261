package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet/file"

	"bcstage/arrowio/tables"
)

// Booleans in every format equal the table's, in its order, across batches and row
// groups; ReadTable skips them.
func TestWriteBools(t *testing.T) {
	const n = 3*writeRows + 13
	table := tables.Table{Type: tables.Int64IDs()}
	values := make(tables.Bools, n)
	for v := range n {
		table.IDs.Ints = append(table.IDs.Ints, uint64(v))
		values[v] = v%3 == 0 || v%7 == 1
		table.Order = append(table.Order, uint32(n-1-v))
	}
	numbers := make(tables.Ints, n)
	for v := range numbers {
		numbers[v] = int64(v) * 3
	}
	table.Columns = []tables.Column{{Name: "in", Values: values}, {Name: "number", Values: numbers}}
	for _, order := range [][]uint32{nil, table.Order} {
		table.Order = order
		for _, format := range []tables.Format{tables.FormatArrow, tables.FormatParquet} {
			var out bytes.Buffer
			if err := Write(context.Background(), &out, format, table); err != nil {
				t.Fatal(err)
			}
			again, err := ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(out.Bytes())})
			if err != nil || len(again.Columns) != 1 || len(again.Ints("number")) != n {
				t.Fatalf("%s: %d columns, %v", format, len(again.Columns), err)
			}
			for row, got := range again.Ints("number") {
				if got != numbers[table.Vertex(row)] {
					t.Fatalf("%s: row %d: number %d", format, row, got)
				}
			}
			read := boolsOf(t, format, out.Bytes())
			if len(read) != n {
				t.Fatalf("%s: %d rows, want %d", format, len(read), n)
			}
			for row, got := range read {
				if got != values[table.Vertex(row)] {
					t.Fatalf("%s: row %d: %v", format, row, got)
				}
			}
		}
	}
}

// boolsOf reads the second column with Arrow.
func boolsOf(t *testing.T, format tables.Format, data []byte) (list []bool) {
	t.Helper()
	add := func(a arrow.Array) {
		for i := range a.Len() {
			list = append(list, a.(*array.Boolean).Value(i))
		}
	}
	if format == tables.FormatParquet {
		read, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for i := range read.NumRowGroups() {
			chunk, err := read.RowGroup(i).Column(1)
			if err != nil {
				t.Fatal(err)
			}
			values := make([]bool, read.RowGroup(i).NumRows())
			if _, _, err := chunk.(*file.BooleanColumnChunkReader).ReadBatch(int64(len(values)), values, nil, nil); err != nil {
				t.Fatal(err)
			}
			list = append(list, values...)
		}
		return list
	}
	read, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer read.Release()
	for read.Next() {
		add(read.Record().Column(1))
	}
	if err := read.Err(); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return list
}
