package arrowio

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Lists, maps and structs pass from Arrow to Arrow unchanged, and elsewhere as JSON.
func TestNestedColumnsPassThrough(t *testing.T) {
	list := arrow.ListOf(arrow.PrimitiveTypes.Int64)
	nested := arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		arrow.Field{Name: "of", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true})
	fields := []arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "list", Type: list, Nullable: true},
		{Name: "large", Type: arrow.LargeListOf(arrow.FixedWidthTypes.Boolean), Nullable: true},
		{Name: "pair", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Uint8), Nullable: true},
		{Name: "nested", Type: nested, Nullable: true},
		{Name: "map", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32), Nullable: true},
		{Name: "times", Type: arrow.ListOf(&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}), Nullable: true},
		{Name: "prices", Type: arrow.ListOf(&arrow.Decimal128Type{Precision: 38, Scale: 3}), Nullable: true},
	}
	schema := arrow.NewSchema(fields, nil)
	rows := `[
		{"id": 2, "list": [9007199254740993, null, -1], "large": [true, null, false], "pair": [1, 255], "nested": {"x": 0.1, "of": ["a,b", null]}, "map": [{"key": "k", "value": 7}], "times": ["2020-01-01T00:00:00.123456789Z"], "prices": ["123456789012345678901234567890.125"]},
		{"id": 1, "list": null, "large": null, "pair": null, "nested": null, "map": null, "times": null, "prices": null},
		{"id": 5, "list": [], "large": [], "pair": [0, 0], "nested": {"x": null, "of": null}, "map": [], "times": [], "prices": [null, "-0.001"]}]`
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(rows), array.WithUseNumber())
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(schema))
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "vertices.arrow")
	if err := os.WriteFile(path, stream.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, field := range fields[1:] {
		names = append(names, field.Name)
	}
	vertices, columns, err := readKept(t, path, names, "")
	if err != nil {
		t.Fatal(err)
	}
	table := tables.Table{IDs: tables.Keys{Ints: append(vertices, 6)}, Type: tables.Int64IDs(), Kept: columns, Order: []uint32{3, 2, 1, 0},
		Columns: []tables.Column{{Name: tables.ScoreColumn, Values: tables.Floats{1, 2, 3, 4}}}}
	err = eachRecord(t.Context(), &table, memory.DefaultAllocator, schemaOf(&table), func(got arrow.Record) error {
		for i, name := range names {
			column := got.Column(1 + i)
			if !arrow.TypeEqual(column.DataType(), fields[1+i].Type) || !column.IsNull(0) {
				t.Errorf("%s: %s, %v", name, column.DataType(), column)
			}
			for row := range 3 {
				if want := array.NewSlice(record.Column(1+i), int64(row), int64(row+1)); !array.Equal(array.NewSlice(column, int64(3-row), int64(4-row)), want) {
					t.Errorf("%s, row %d: %v, want %v", name, row, column, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[tables.Format]string{
		tables.FormatCSV: `"{""of"":[""a,b"",null],""x"":0.1}"`,
		FormatJSONL:      `"list":[9007199254740993,null,-1],`,
	} {
		var out bytes.Buffer
		if err := Write(t.Context(), &out, format, table); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v; want %s in\n%s", format, err, want, out.String())
		}
	}
	var out bytes.Buffer
	if err := Write(t.Context(), &out, tables.FormatParquet, table); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, columns, err = readKept(t, path, names[:1], ""); err != nil || columns[0].Type.String() != "utf8" || string(ids.Text(columns[0].Keys, 3)) != "[9007199254740993,null,-1]" {
		t.Errorf("from Parquet: %v, %v", columns, err)
	}
}
