package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

func readTableBytes(data []byte) (tables.Table, error) {
	return ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(data)})
}

// columnNames with their types.
func columnNames(t tables.Table) (names []string) {
	for _, c := range t.Columns {
		names = append(names, fmt.Sprintf("%s %T", c.Name, c.Values))
	}
	return names
}

func TestReadTable(t *testing.T) {
	for _, test := range idTypeTables {
		full := scoreTable(test.dt, uniqueIDs(test.rows)...)
		partial := full
		partial.Columns = full.Columns[1:]
		empty := scoreTable(test.dt)
		for _, table := range []tables.Table{full, partial, empty} {
			for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
				var out bytes.Buffer
				if err := Write(context.Background(), &out, format, table); err != nil {
					t.Fatal(err)
				}
				got, err := readTableBytes(out.Bytes())
				if err != nil {
					t.Fatalf("%s: %v", table.Type, err)
				}
				if !slices.Equal(columnNames(got), columnNames(table)) || !slices.Equal(got.Metadata, table.Metadata) || !arrow.TypeEqual(idtypes.Arrow(got.Type), idtypes.Arrow(table.Type)) {
					t.Errorf("%s, %s: %+v, want %+v", table.Type, format, got, table)
				}
				if !slices.Equal(writtenRows(got), writtenRows(table)) {
					t.Errorf("%s, %s: %v, want %v", table.Type, format, writtenRows(got), writtenRows(table))
				}
				for n := 0; n < out.Len(); n += 7 * testgraphs.OneIn {
					if _, err := readTableBytes(out.Bytes()[:n]); err == nil {
						t.Fatalf("%s, %s: cut after %d of %d bytes, no error", table.Type, format, n, out.Len())
					}
				}
			}
		}
	}
}

// In edge scores the ids are the second ends, and the first ends come before them.
func TestReadTableOfEdges(t *testing.T) {
	fields := []arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int64}, {Name: "dst", Type: arrow.PrimitiveTypes.Int64}, {Name: tables.EdgeScoreColumn, Type: arrow.PrimitiveTypes.Float64}}
	ids := func(values ...int64) arrow.Array {
		b := array.NewInt64Builder(memory.DefaultAllocator)
		b.AppendValues(values, nil)
		return b.NewArray()
	}
	scores := array.NewFloat64Builder(memory.DefaultAllocator)
	scores.AppendValues([]float64{3, 4, 5}, nil)
	got, err := readTableBytes(streamOf([]arrow.Record{array.NewRecord(arrow.NewSchema(fields, nil), []arrow.Array{ids(1, 1, 2), ids(2, 3, 3), scores.NewArray()}, 3)}))
	if err != nil {
		t.Fatal(err)
	}
	names, format := got.Names()
	var rows []string
	for row := range 3 {
		rows = append(rows, fmt.Sprintf("%s-%s %v", format(nil, 0, row), format(nil, 1, row), got.Floats(tables.EdgeScoreColumn)[row]))
	}
	if want := []string{"1-2 3", "1-3 4", "2-3 5"}; len(names) != 2 || names[0] != "src" || !slices.Equal(rows, want) {
		t.Errorf("%q: %q, want %q", names, rows, want)
	}
}

func TestReadTableRefuses(t *testing.T) {
	edges := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	if _, err := readTableBytes(streamOf([]arrow.Record{edges})); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "has no place in a table of vertices") {
		t.Error(err)
	}
	ids := edges.Column(0)
	for _, names := range [][2]string{{"vertex", "vertex"}, {"x", "x"}} {
		fields := []arrow.Field{{Name: names[0], Type: arrow.PrimitiveTypes.Int64}, {Name: names[1], Type: arrow.PrimitiveTypes.Int64}}
		record := array.NewRecord(arrow.NewSchema(fields, nil), []arrow.Array{ids, ids}, int64(ids.Len()))
		if _, err := readTableBytes(streamOf([]arrow.Record{record})); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "twice") {
			t.Error(err)
		}
	}
	if _, err := readTableBytes([]byte("vertex\n1\n")); !errors.Is(err, tables.ErrCorrupt) {
		t.Error(err)
	}
	if _, err := ReadTable(context.Background(), tables.Options{Paths: []string{"a", "b"}}); !errors.Is(err, tables.ErrUsage) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadTable(ctx, tables.Options{Stdin: bytes.NewReader(nil)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
