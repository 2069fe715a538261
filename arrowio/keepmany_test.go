package arrowio

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// In a record of several batches every row has its own values, and the value under a null is
// not another row's.
func TestKeptColumnsOfManyRows(t *testing.T) {
	const rows = 2*columnar.BatchRows + 3*writeRows + 7
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "truth", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	isNull := func(row int) bool { return row/writeRows%2 == 1 }
	list := b.Field(2).(*array.ListBuilder)
	for row := range rows {
		b.Field(0).(*array.Int64Builder).Append(int64(row))
		if isNull(row) {
			b.Field(1).AppendNull()
			list.AppendNull()
			continue
		}
		b.Field(1).(*array.BooleanBuilder).Append(row%3 > 0)
		list.Append(true)
		list.ValueBuilder().(*array.Int64Builder).Append(int64(row))
	}
	record := b.NewRecord()
	defer record.Release()
	path := filepath.Join(t.TempDir(), "vertices.arrow")
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	vertices, columns, err := readKept(t, path, []string{"truth", "list"}, "")
	if err != nil || len(vertices) != rows {
		t.Fatalf("%d rows, %v", len(vertices), err)
	}
	out.Reset()
	table := tables.Table{IDs: tables.Keys{Ints: vertices}, Type: tables.Int64IDs(), Kept: columns}
	if err := Write(t.Context(), &out, tables.FormatArrow, table); err != nil {
		t.Fatal(err)
	}
	read, err := ipc.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Release()
	row := 0
	for read.Next() {
		got := read.Record()
		truth := got.Column(1).(*array.Boolean)
		for i := range int(got.NumRows()) {
			want, wantList, bit := fmt.Sprint(row%3 > 0), fmt.Sprintf("[%d]", row), row%3 > 0
			if isNull(row) {
				want, wantList, bit = array.NullValueStr, array.NullValueStr, false
			}
			bits := truth.Data().Buffers()[1].Bytes()
			if truth.ValueStr(i) != want || got.Column(2).ValueStr(i) != wantList || bitutil.BitIsSet(bits, i) != bit {
				t.Fatalf("row %d: %s, %s, bit %v", row, truth.ValueStr(i), got.Column(2).ValueStr(i), bitutil.BitIsSet(bits, i))
			}
			row++
		}
	}
	if row != rows || read.Err() != nil {
		t.Errorf("%d rows, %v", row, read.Err())
	}
}
