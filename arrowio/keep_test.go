package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// keptTable has six vertices. The first four have kept values; the second of each column is
// null.
func keptTable() tables.Table {
	words := func(list ...uint64) tables.KeptValues {
		return tables.KeptValues{Keys: tables.Keys{Ints: list}, Null: []bool{false, true, false, false}}
	}
	texts := func(list ...string) tables.KeptValues {
		k := tables.KeptValues{Keys: tables.Keys{Offsets: []int64{0}}, Null: []bool{false, true, false, false}}
		for _, text := range list {
			k.Keys.Bytes = append(k.Keys.Bytes, text...)
			k.Keys.Offsets = append(k.Keys.Offsets, int64(len(k.Keys.Bytes)))
		}
		return k
	}
	minus := ^uint64(0)
	number := func(words ...uint64) string { // lowest word first
		var bytes []byte
		for _, word := range words {
			bytes = binary.NativeEndian.AppendUint64(bytes, word)
		}
		return string(bytes)
	}
	berlin := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Europe/Berlin"}
	column := func(name string, typ arrow.DataType, values tables.KeptValues) tables.KeptColumn {
		return tables.KeptColumn{Name: name, Type: idtypes.Of(typ), KeptValues: values}
	}
	return tables.Table{
		IDs:  tables.Keys{Ints: []uint64{7, 5, 3, 1, 2, 4}},
		Type: tables.Int64IDs(),
		Kept: []tables.KeptColumn{
			column("int8", arrow.PrimitiveTypes.Int8, words(minus, 0, 127, 3)),
			column("int32", arrow.PrimitiveTypes.Int32, words(minus, 0, math.MaxInt32, 3)),
			column("uint64", arrow.PrimitiveTypes.Uint64, words(minus, 0, 2, 3)),
			column("float32", arrow.PrimitiveTypes.Float32, words(uint64(math.Float32bits(0.1)), 0, uint64(math.Float32bits(-2)), 0)),
			column("float64", arrow.PrimitiveTypes.Float64, words(math.Float64bits(math.NaN()), 0, math.Float64bits(-2.5), 0)),
			column("date", arrow.FixedWidthTypes.Date32, words(1, 0, minus, 20000)),
			column("time", &arrow.TimestampType{Unit: arrow.Millisecond}, words(1, 0, minus, 1e12)),
			column("zone", berlin, words(1, 0, minus, 1e15)),
			column("text", arrow.BinaryTypes.String, texts("a,b", "", "", "ü")),
			column("large", arrow.BinaryTypes.LargeString, texts("a", "", "", "c")),
			column("view", arrow.BinaryTypes.StringView, texts("a", "", "longer than a view holds", "c")),
			column("bytes", arrow.BinaryTypes.Binary, texts("\x00\xff", "", "", "c")),
			column("fixed", &arrow.FixedSizeBinaryType{ByteWidth: 2}, texts("ab", "\x00\x00", "cd", "ef")),
			column("truth", arrow.FixedWidthTypes.Boolean, words(1, 0, 0, 1)),
			column("half", arrow.FixedWidthTypes.Float16, words(uint64(float16.New(0.5).Uint16()), 0, uint64(float16.New(-2).Uint16()), 0)),
			column("day", arrow.FixedWidthTypes.Time32ms, words(1, 0, 86399999, 3_600_000)),
			column("fine", arrow.FixedWidthTypes.Time64ns, words(1, 0, 86399999999999, 3_600_000_000_000)),
			column("span", arrow.FixedWidthTypes.Duration_us, words(minus, 0, 1<<60, 3)),
			column("price", &arrow.Decimal128Type{Precision: 20, Scale: 2}, texts(number(minus, minus), number(0, 0), number(12345, 0), number(minus>>1, 1))),
			column("wide", &arrow.Decimal256Type{Precision: 60, Scale: 3}, texts(number(minus-1, minus, minus, minus), number(0, 0, 0, 0), number(7, 0, 0, 0), number(0, 0, 1, 0))),
			column("uuid", idtypes.UUID(), texts(strings.Repeat("u", 16), strings.Repeat("\x00", 16), strings.Repeat("v", 16), strings.Repeat("w", 16))),
		},
		Columns: []tables.Column{{Name: tables.ScoreColumn, Values: tables.Floats{1, 2, 3, 4, 5, 6}}},
	}
}

// readKept reads a vertex table's kept columns, and one edge beside it.
func readKept(t *testing.T, path string, keep []string, nulls tables.Nulls) (vertices []uint64, columns []tables.KeptColumn, err error) {
	t.Helper()
	edges := make(chan tables.Batch)
	var summary tables.Summary
	failed := make(chan error, 1)
	go func() {
		var err error
		summary, err = Read(context.Background(), tables.Options{Stdin: strings.NewReader("src,dst\n1,2\n"), Format: tables.FormatCSV, Vertices: path, Keep: keep, Nulls: nulls}, edges)
		failed <- err
	}()
	values := make([]tables.KeptValues, len(keep))
	for batch := range edges {
		vertices = append(vertices, batch.Vertices.Ints...)
		for i, kept := range batch.Kept {
			values[i].Append(kept, nil)
		}
		batch.Release()
	}
	if err := <-failed; err != nil {
		return nil, nil, err
	}
	for i, c := range summary.Kept {
		columns = append(columns, tables.KeptColumn{Name: c.Name, Type: c.Type, KeptValues: values[i]})
	}
	return vertices, columns, nil
}

// sameKept compares rows, except the value of a null.
func sameKept(t *testing.T, got, want tables.KeptColumn, row, at int) {
	t.Helper()
	null := at < 0 || at >= want.Keys.Len() || want.Null[at]
	switch {
	case got.Null[row] != null:
		t.Errorf("column %q, row %d: null is %v", want.Name, row, got.Null[row])
	case null:
	case want.Keys.Offsets == nil && got.Keys.Ints[row] != want.Keys.Ints[at],
		want.Keys.Offsets != nil && !bytes.Equal(ids.Text(got.Keys, row), ids.Text(want.Keys, at)):
		t.Errorf("column %q, row %d: another value than in row %d", want.Name, row, at)
	}
}

// A table with columns of other programs is accepted, unless numbers in it are missing.
func TestTableWithMore(t *testing.T) {
	read := func(format tables.Format, table tables.Table) (tables.Table, error) {
		var out bytes.Buffer
		if err := Write(t.Context(), &out, format, table); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "scores")
		foreign := bytes.ReplaceAll(out.Bytes(), []byte("bcstage:kept"), []byte("another:kept")) // no metadata lists the kept columns
		if err := os.WriteFile(path, foreign, 0o666); err != nil {
			t.Fatal(err)
		}
		return ReadTable(t.Context(), tables.Options{Paths: []string{path}})
	}
	for _, format := range []tables.Format{tables.FormatArrow, tables.FormatParquet} {
		table := keptTable()
		if _, err := read(format, table); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "float64": `) {
			t.Errorf("%s: %v, want columns of numbers without nulls", format, err)
		}
		table.Kept = slices.DeleteFunc(table.Kept, func(c tables.KeptColumn) bool {
			return slices.Contains([]string{"int8", "int32", "uint64", "float64", "truth", "span"}, c.Name)
		})
		back, err := read(format, table)
		if err != nil || len(back.Columns) != 1 || len(back.Kept) != len(table.Kept) {
			t.Fatalf("%s: %d columns and %d kept, %v", format, len(back.Columns), len(back.Kept), err)
		}
		for i, want := range table.Kept {
			if got := back.Kept[i]; got.Name != want.Name || got.Type.String() != want.Type.String() {
				t.Errorf("%s: column %q of type %s, want %q of %s", format, got.Name, got.Type, want.Name, want.Type)
			}
		}
	}
}

// Kept columns of a table that Write wrote keep type, values and nulls.
func TestKeptColumnsPassThrough(t *testing.T) {
	for _, order := range [][]uint32{nil, {5, 3, 1, 2}} {
		table := keptTable()
		table.Order = order
		var names []string
		for _, c := range table.Kept {
			names = append(names, c.Name)
		}
		for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
			var out bytes.Buffer
			if err := Write(context.Background(), &out, format, table); err != nil {
				t.Fatal(format, err)
			}
			path := filepath.Join(t.TempDir(), "vertices")
			if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			vertices, columns, err := readKept(t, path, names, "")
			if err != nil {
				t.Fatal(format, err)
			}
			if len(columns) != len(table.Kept) || len(vertices) != table.Rows() {
				t.Fatalf("%s: %d columns of %d rows", format, len(columns), len(vertices))
			}
			for i, want := range table.Kept {
				if got := columns[i]; got.Name != want.Name || !reflect.DeepEqual(got.Type.String(), want.Type.String()) {
					t.Errorf("%s: column %q of type %s; want %q of %s", format, got.Name, got.Type, want.Name, want.Type)
				}
				for row := range vertices {
					sameKept(t, columns[i], want, row, table.Vertex(row))
				}
			}
			back, err := ReadTable(context.Background(), tables.Options{Paths: []string{path}})
			if err != nil || len(back.Columns) != 1 || back.IDs.Len() != table.Rows() {
				t.Errorf("%s: read back: %d columns, %d rows, %v", format, len(back.Columns), back.IDs.Len(), err)
			}
			if len(back.Kept) != len(table.Kept) {
				t.Fatalf("%s: %d kept columns are read back", format, len(back.Kept))
			}
			for i, want := range table.Kept {
				if back.Kept[i].Type.String() != want.Type.String() {
					t.Errorf("%s: column %q read back of type %s, want %s", format, want.Name, back.Kept[i].Type, want.Type)
				}
				for row := range back.IDs.Len() {
					sameKept(t, back.Kept[i], want, row, table.Vertex(row))
				}
			}
		}
	}
}

func TestKeptColumnsAsText(t *testing.T) {
	for format, want := range map[tables.Format][]string{
		tables.FormatCSV: {
			`7,-1,-1,18446744073709551615,0.1,NaN,1970-01-02,1970-01-01T00:00:00.001,1970-01-01T01:00:00.000001+01:00,"a,b",a,a,\x00\xFF,ab,true,0.5,00:00:00.001,00:00:00.000000001,-1,-0.01,-0.002,75757575-7575-7575-7575-757575757575,1`,
			`5,,,,,,,,,,,,,,,,,,,,,,2`,
			`3,127,2147483647,2,-2,-2.5,1969-12-31,1969-12-31T23:59:59.999,1970-01-01T00:59:59.999999+01:00,"","",longer than a view holds,"",cd,false,-2,23:59:59.999,23:59:59.999999999,1152921504606846976,123.45,0.007,76767676-7676-7676-7676-767676767676,3`,
		},
		FormatJSONL: {
			`{"vertex":7,"int8":-1,"int32":-1,"uint64":18446744073709551615,"float32":0.1,"float64":null,"date":"1970-01-02","time":"1970-01-01T00:00:00.001","zone":"1970-01-01T01:00:00.000001+01:00","text":"a,b","large":"a","view":"a","bytes":"\\x00\\xFF","fixed":"ab","truth":true,"half":0.5,"day":"00:00:00.001","fine":"00:00:00.000000001","span":-1,"price":-0.01,"wide":-0.002,"uuid":"75757575-7575-7575-7575-757575757575","betweenness_centrality":1}`,
			`{"vertex":5,"int8":null,"int32":null,"uint64":null,"float32":null,"float64":null,"date":null,"time":null,"zone":null,"text":null,"large":null,"view":null,"bytes":null,"fixed":null,"truth":null,"half":null,"day":null,"fine":null,"span":null,"price":null,"wide":null,"uuid":null,"betweenness_centrality":2}`,
		},
	} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, keptTable()); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if format == tables.FormatCSV {
			lines = lines[1:]
		}
		for i, line := range want {
			if lines[i] != line {
				t.Errorf("%s: got  %s\nwant %s", format, lines[i], line)
			}
		}
	}
}

// Every array of records is released.
func TestKeptColumnsAreReleased(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	table := keptTable()
	rows := int64(0)
	err := eachRecord(context.Background(), &table, mem, schemaOf(&table), func(record arrow.Record) error {
		rows += record.NumRows()
		return nil
	})
	if err != nil || rows != 6 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// A dictionary becomes its values. Rows dropped by --nulls drop leave the nulls of the others in
// place. Other types are refused, and so is a struct with a name twice, since JSON would lose a
// value.
func TestKeptColumnsOfRecords(t *testing.T) {
	number := arrow.Field{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	fields := []arrow.Field{
		number,
		{Name: "word", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, Nullable: true},
		{Name: "months", Type: arrow.FixedWidthTypes.MonthInterval, Nullable: true},
		{Name: "list", Type: arrow.ListOf(arrow.FixedWidthTypes.MonthInterval), Nullable: true},
		{Name: "twins", Type: arrow.StructOf(number, number), Nullable: true},
	}
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for row, word := range []string{"a", "b", "", "a"} {
		if row == 1 {
			b.Field(0).AppendNull()
		} else {
			b.Field(0).(*array.Int64Builder).Append(int64(row))
		}
		if word == "" {
			b.Field(1).AppendNull()
		} else if err := b.Field(1).(*array.BinaryDictionaryBuilder).AppendString(word); err != nil {
			t.Fatal(err)
		}
		b.Field(2).AppendNull()
		b.Field(3).AppendNull()
		b.Field(4).AppendEmptyValue()
	}
	record := b.NewRecord()
	defer record.Release()
	path := filepath.Join(t.TempDir(), "vertices.arrow")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := ipc.NewWriter(f, ipc.WithSchema(schema))
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	vertices, columns, err := readKept(t, path, []string{"word"}, tables.NullsDrop)
	if err != nil {
		t.Fatal(err)
	}
	if c := columns[0]; !slices.Equal(vertices, []uint64{0, 2, 3}) || !slices.Equal(c.Null, []bool{false, true, false}) || string(ids.Text(c.Keys, 0)) != "a" || string(ids.Text(c.Keys, 2)) != "a" || c.Type.String() != "utf8" {
		t.Errorf("%v of vertices %v", c, vertices)
	}
	for _, name := range []string{"list", "months", "twins", "id", "none"} {
		if _, _, err := readKept(t, path, []string{name}, tables.NullsDrop); err == nil || !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("column %q is kept: %v", name, err)
		}
	}
}

// A table that contradicts itself is refused.
func TestKeptColumnsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*tables.Table){
		"name of scores":  func(t *tables.Table) { t.Kept[1].Name = tables.ScoreColumn },
		"name of ids":     func(t *tables.Table) { t.Kept[1].Name = tables.VertexColumn },
		"name twice":      func(t *tables.Table) { t.Kept[1].Name = t.Kept[0].Name },
		"type":            func(t *tables.Table) { t.Kept[0].Type = idtypes.Of(arrow.FixedWidthTypes.MonthInterval) },
		"rows":            func(t *tables.Table) { t.IDs.Ints, t.Columns[0].Values = t.IDs.Ints[:3], tables.Floats{1, 2, 3} },
		"nulls":           func(t *tables.Table) { t.Kept[0].Null = []bool{true} },
		"form":            func(t *tables.Table) { t.Kept[0].KeptValues = t.Kept[8].KeptValues },
		"more than pairs": func(t *tables.Table) { t.Pairs, t.Columns = &tables.Pairs{Names: [2]string{"a", "b"}}, nil },
	} {
		table := keptTable()
		change(&table)
		if err := Write(context.Background(), &bytes.Buffer{}, tables.FormatArrow, table); err == nil {
			t.Error(name)
		}
	}
}
