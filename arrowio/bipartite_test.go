package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

func TestReadBipartite(t *testing.T) {
	two := tables.Options{Bipartite: true}
	for _, test := range []struct {
		name, vertices, text string
		opts                 tables.Options
		rows, ids, notes     string
		says                 string
	}{
		{name: "like", text: "1,2\n2,1\n", opts: two, rows: "1>2 2>1", ids: "int64"},
		{name: "unlike", text: "1,ann\n2,bob\n", opts: two, rows: "1>ann 2>bob", ids: "utf8",
			notes: `standard input: ids are integers in one column and strings in the other, such as "1" and "ann": all are read as strings`},
		{name: "unlike, not bipartite", text: "1,ann\n", says: "one id is an integer and one is not"},
		{name: "vertices", vertices: "id,side\n7,dst\n7,src\n", text: "1,2\n", opts: two, rows: "7 right 7 left 1>2", ids: "int64"},
		{name: "vertices without sides", vertices: "id,size\n7,dst\n", text: "1,2\n", opts: two, says: `no column "side"`},
		{name: "a third side", vertices: "id,side\n7,top\n", text: "1,2\n", opts: two, says: `line 2: column "side": "top"; want "src" or "dst"`},
		{name: "a third side below others", vertices: "id,side\n7,dst\n\n,src\n8,top\n", text: "1,2\n", opts: tables.Options{Bipartite: true, Nulls: tables.NullsDrop}, says: `line 5: column "side": "top"; want "src" or "dst"`},
		{name: "by side", text: "src,dst,side\n1,2,a\n", opts: tables.Options{Bipartite: true, By: []string{"side"}}, says: "the output has a column with one of these names"},
		{name: "a matrix", text: "%%MatrixMarket matrix coordinate pattern general\n1 3 2\n1 1\n1 3\n", opts: two,
			rows: "1 left 1 right 2 right 3 right 1>1 1>3", ids: "int64"},
		{name: "beyond a matrix", text: "%%MatrixMarket matrix coordinate pattern general\n1 3 1\n1 4\n", opts: two, says: "vertex 4 is not in 1 to 3"},
		{name: "beyond a matrix, the other way", text: "%%MatrixMarket matrix coordinate pattern general\n1 3 1\n2 1\n", opts: two, says: "vertex 2 is not in 1 to 1"},
		{name: "too large a matrix", text: "%%MatrixMarket matrix coordinate pattern general\n2147483647 1 0\n", opts: two, says: "2147483648 vertices; the limit is 2147483647"},
		{name: "DIMACS", text: "p edge 2 1\ne 1 2\n", opts: two, says: "one set of vertices"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := test.opts
			if test.vertices != "" {
				opts.Vertices = writeFile(t, "vertices.csv", test.vertices)
			}
			rows, summary, err := namedRows(func(edges chan<- tables.Batch) (tables.Summary, error) {
				opts.Stdin = strings.NewReader(test.text)
				return Read(context.Background(), opts, edges)
			})
			if test.says != "" {
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Fatalf("%v, want %s", err, test.says)
				}
				return
			}
			if got := strings.Join(rows, " "); err != nil || got != test.rows || summary.IDs.String() != test.ids || strings.Join(summary.Notes, "\n") != test.notes {
				t.Errorf("%q, %s, notes %q: %v", got, summary.IDs, summary.Notes, err)
			}
		})
	}
}

func TestReadBipartiteColumnar(t *testing.T) {
	uuid := "0123456789abcdef"
	for _, test := range []struct {
		src, dst  arrow.DataType
		from, to  string
		rows, ids string
	}{
		{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint16, "-1", "2", "-1>2", "int64"},
		{arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String, "-1", "x", "-1>x", "utf8"},
		{arrow.BinaryTypes.LargeString, arrow.PrimitiveTypes.Uint64, "x", "18446744073709551615", "x>18446744073709551615", "large_utf8"},
		{idtypes.UUID(), arrow.PrimitiveTypes.Int64, uuid, "5", "30313233-3435-3637-3839-616263646566>5", "utf8"},
		{dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String), arrow.PrimitiveTypes.Int64, "x", "5", "x>5", "utf8"},
	} {
		record := groupedRecord([]arrow.DataType{test.src, test.dst}, []string{"src", "dst"}, []string{test.from}, []string{test.to})
		rows, summary, err := namedRows(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return Read(context.Background(), tables.Options{Stdin: bytes.NewReader(streamOf([]arrow.Record{record})), Bipartite: true}, edges)
		})
		unlike := test.ids != "int64"
		if err != nil || fmt.Sprint(rows) != "["+test.rows+"]" || summary.IDs.String() != test.ids || (len(summary.Notes) == 1) != unlike {
			t.Errorf("%s, %s: %q of %s, notes %q: %v", test.src, test.dst, rows, summary.IDs, summary.Notes, err)
		}
	}
}
