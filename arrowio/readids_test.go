package arrowio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"
)

// Lists of ids are read as text, from the first column.
func TestReadIDs(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"bare.txt":    {"007\n8\n", "007 8"},
		"header.csv":  {"node,kind\n7,x\n8,y\n", "7 8"},
		"named.csv":   {"id;kind\nb;x\na;y\n", "b a"},
		"other.csv":   {"x,id\n5,1\n6,2\n", "5 6"},
		"empty.txt":   {"", ""},
		"quoted.csv":  {"vertex\n\"a,b\"\n\"c d\"\n", "a,b c d"},
		"comment.txt": {"# people\n3\n", "3"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		var texts []string
		_, err := ReadIDs(t.Context(), tables.Options{Paths: []string{path}, Src: "u", Dst: "v", IDs: tables.IDsInt}, func(list tables.Keys) error {
			for i := range list.Len() {
				texts = append(texts, string(ids.Text(list, i)))
			}
			return nil
		})
		if got := strings.Join(texts, " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	none := func(tables.Keys) error { return nil }
	path := filepath.Join(t.TempDir(), "ids.txt")
	if err := os.WriteFile(path, []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadIDs(t.Context(), tables.Options{Paths: []string{path, path}}, none); !errors.Is(err, tables.ErrUsage) {
		t.Error(err)
	}
	if _, err := ReadIDs(t.Context(), tables.Options{Paths: []string{path + "x"}}, none); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	enough := errors.New("enough")
	if _, err := ReadIDs(t.Context(), tables.Options{Paths: []string{path}}, func(tables.Keys) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadIDs(ctx, tables.Options{Paths: []string{path}}, none); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Options.Nulls drops rows of trips with a null in any column that is read, in text and in Arrow, and counts them.
func TestReadTripsWithNulls(t *testing.T) {
	text := filepath.Join(t.TempDir(), "trips.csv")
	if err := os.WriteFile(text, []byte("city,to,from,people\nx,2,1,3\n,2,1,4\nx,2,,5\nx,,1,6\ny,7,9,\ny,7,9,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(path string, nulls tables.Nulls) (got []string, dropped int64, err error) {
		opts := tables.Options{Paths: []string{path}, Nulls: nulls, By: []string{"city"}}
		dropped, err = ReadTrips(t.Context(), opts, [3]string{"from", "to", "people"}, func(ends []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error {
			for row := range ends[0].Len() {
				line := ""
				for _, column := range ends {
					line += string(ids.Text(column, row)) + " "
				}
				got = append(got, line+of.Type.Format(trips.Keys, row))
			}
			return nil
		})
		return got, dropped, err
	}
	columns := filepath.Join(t.TempDir(), "trips.arrows")
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "from", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "to", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "people", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil), strings.NewReader(`[{"city":"x","to":2,"from":1,"people":3}, {"to":2,"from":1,"people":4}, {"city":"x","to":2,"people":5},
		{"city":"x","from":1,"people":6}, {"city":"y","to":7,"from":9}, {"city":"y","to":7,"from":9,"people":8}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	var stream bytes.Buffer
	if w := ipc.NewWriter(&stream, ipc.WithSchema(record.Schema())); errors.Join(w.Write(record), w.Close(), os.WriteFile(columns, stream.Bytes(), 0o600)) != nil {
		t.Fatal("no stream")
	}
	for _, path := range []string{text, columns} {
		got, dropped, err := read(path, tables.NullsDrop)
		if want := []string{"1 2 x 3", "9 7 y 8"}; err != nil || dropped != 4 || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %d dropped, %v, want %q", filepath.Ext(path), got, dropped, err, want)
		}
		if _, _, err := read(path, tables.NullsError); !errors.Is(err, tables.ErrInput) || Advice(err) == "" {
			t.Errorf("%s: error %v with advice %q", filepath.Ext(path), err, Advice(err))
		}
	}
}
