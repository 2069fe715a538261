package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"bcstage/arrowio/tables"
)

// recordsBack are the rows of a written table by pair, read with Arrow, as text.
func recordsBack(t *testing.T, format tables.Format, data []byte) (rows []string) {
	t.Helper()
	add := func(record arrow.Record) {
		for i := range int(record.NumRows()) {
			var fields []string
			for _, column := range record.Columns() {
				fields = append(fields, column.ValueStr(i))
			}
			rows = append(rows, strings.Join(fields, " "))
		}
	}
	switch format {
	case tables.FormatArrow:
		reader, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Release()
		for reader.Next() {
			add(reader.Record())
		}
		if reader.Err() != nil {
			t.Fatal(reader.Err())
		}
	case FormatArrowFile:
		reader, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		for i := range reader.NumRecords() {
			record, err := reader.Record(i)
			if err != nil {
				t.Fatal(err)
			}
			add(record)
		}
	case tables.FormatParquet:
		reader, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for g := range reader.NumRowGroups() {
			group := reader.RowGroup(g)
			lines := make([][]string, group.NumRows())
			for c := range group.NumColumns() {
				column, err := group.Column(c)
				if err != nil {
					t.Fatal(err)
				}
				switch column := column.(type) {
				case *file.ByteArrayColumnChunkReader:
					values := make([]parquet.ByteArray, len(lines))
					column.ReadBatch(int64(len(lines)), values, nil, nil)
					for i, value := range values {
						lines[i] = append(lines[i], string(value))
					}
				case *file.Int64ColumnChunkReader:
					values := make([]int64, len(lines))
					column.ReadBatch(int64(len(lines)), values, nil, nil)
					for i, value := range values {
						lines[i] = append(lines[i], fmt.Sprint(value))
					}
				}
			}
			for _, fields := range lines {
				rows = append(rows, strings.Join(fields, " "))
			}
		}
	case tables.FormatCSV:
		lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
		if lines[0] != "g,u,v,far" {
			t.Errorf("header %s", lines[0])
		}
		for _, line := range lines[1:] {
			rows = append(rows, strings.ReplaceAll(line, ",", " "))
		}
	case FormatJSONL:
		for line := range strings.Lines(string(data)) {
			line = strings.NewReplacer(`"g":"`, "", `","u":"`, " ", `","v":"`, " ", `","far":`, " ", "}\n", "", "{", "").Replace(line)
			rows = append(rows, line)
		}
	}
	return rows
}

// A table by pair, of several graphs, in parts; some parts have no rows.
func TestWriteParts(t *testing.T) {
	for _, dt := range []arrow.DataType{arrow.BinaryTypes.String, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}} {
		whole := scoreTable(dt, "a", "b", "c", "a2")
		whole.By = []tables.KeyColumn{{Name: "g", Type: tables.StringIDs(), Keys: tables.Keys{Bytes: []byte("xy"), Offsets: []int64{0, 1, 2}}}}
		whole.Graph = []uint32{0, 0, 1, 1}
		var want []string
		part := func(pairs ...[2]uint32) tables.Table {
			p := whole
			p.Pairs = &tables.Pairs{Names: [2]string{"u", "v"}}
			far := tables.Ints{}
			for _, pair := range pairs {
				p.Pairs.Ends[0], p.Pairs.Ends[1] = append(p.Pairs.Ends[0], pair[0]), append(p.Pairs.Ends[1], pair[1])
				far = append(far, int64(len(want)))
				want = append(want, fmt.Sprintf("%c %s %s %d", "xxyy"[pair[0]], whole.Type.Format(whole.IDs, int(pair[0])), whole.Type.Format(whole.IDs, int(pair[1])), len(want)))
			}
			p.Columns = []tables.Column{{Name: "far", Values: far}}
			return p
		}
		parts := []tables.Table{part(), part([2]uint32{0, 1}, [2]uint32{1, 0}, [2]uint32{0, 0}), part(), part([2]uint32{3, 2}, [2]uint32{2, 3}, [2]uint32{3, 3})}
		for _, format := range TableFormats() {
			var out bytes.Buffer
			err := WriteParts(t.Context(), &out, format, func(yield func(tables.Table, error) bool) {
				for _, p := range parts {
					if !yield(p, nil) {
						return
					}
				}
			})
			if rows := recordsBack(t, format, out.Bytes()); err != nil || !slices.Equal(rows, want) {
				t.Errorf("%s, %s: %q, %v; want %q", dt, format, rows, err, want)
			}
			broken := errors.New("broken")
			err = WriteParts(t.Context(), &out, format, func(yield func(tables.Table, error) bool) {
				if yield(parts[1], nil) {
					yield(tables.Table{}, broken)
				}
			})
			if !errors.Is(err, broken) {
				t.Errorf("%s: %v, want the error of the parts", format, err)
			}
		}
		parts[1].Pairs.Ends[0][2] = 4
		if err := Write(t.Context(), &bytes.Buffer{}, tables.FormatCSV, parts[1]); !errors.Is(err, tables.ErrUsage) {
			t.Errorf("vertex out of range: %v", err)
		}
		parts[1].Pairs.Ends[0] = parts[1].Pairs.Ends[0][:2]
		if err := Write(t.Context(), &bytes.Buffer{}, tables.FormatCSV, parts[1]); !errors.Is(err, tables.ErrUsage) {
			t.Errorf("ends of unequal number: %v", err)
		}
	}
	if err := WriteParts(t.Context(), &bytes.Buffer{}, tables.FormatCSV, func(func(tables.Table, error) bool) {}); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("no parts: %v", err)
	}
}
