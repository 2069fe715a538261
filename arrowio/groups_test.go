package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// namedRows are the rows that a source sends, in full: the columns that name the
// graph, the side, and the ids.
func namedRows(source func(edges chan<- tables.Batch) (tables.Summary, error)) (rows []string, summary tables.Summary, err error) {
	edges := make(chan tables.Batch)
	done := make(chan struct{})
	go func() {
		defer close(done)
		summary, err = source(edges)
	}()
	type row struct {
		batch tables.Batch
		at    int
	}
	var all []row
	for batch := range edges {
		copied := tables.Batch{Vertices: cloned(batch.Vertices), Src: cloned(batch.Src), Dst: cloned(batch.Dst), Side: slices.Clone(batch.Side)}
		for _, column := range batch.By {
			copied.By = append(copied.By, cloned(column))
		}
		batch.Release()
		for i := range max(copied.Vertices.Len(), copied.Src.Len()) {
			all = append(all, row{copied, i})
		}
	}
	<-done
	for _, r := range all {
		text := ""
		for i, column := range r.batch.By {
			text += summary.By[i].Type.Format(column, r.at) + ":"
		}
		switch {
		case r.batch.Src.Len() > 0:
			text += summary.IDs.Format(r.batch.Src, r.at) + ">" + summary.IDs.Format(r.batch.Dst, r.at)
		case r.batch.Side != nil:
			text += summary.IDs.Format(r.batch.Vertices, r.at) + []string{" left", " right"}[r.batch.Side[r.at]]
		default:
			text += summary.IDs.Format(r.batch.Vertices, r.at)
		}
		rows = append(rows, text)
	}
	return rows, summary, err
}

func cloned(k tables.Keys) tables.Keys {
	return tables.Keys{Ints: slices.Clone(k.Ints), Bytes: bytes.Clone(k.Bytes), Offsets: slices.Clone(k.Offsets)}
}

// groupTypes lists the types found, "name type" each.
func groupTypes(s tables.Summary) string {
	var types []string
	for _, c := range s.By {
		types = append(types, c.Name+" "+c.Type.String())
	}
	return strings.Join(types, ", ")
}

// files writes files by path, and returns the folder.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for path, text := range content {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestReadBy(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		opts  tables.Options
		rows  string
		types string
		says  string // of the error
	}{
		{name: "a column", files: map[string]string{"a.csv": "src,month,dst\n1,2026-01,2\n1,2026-02,2\n"}, opts: tables.Options{By: []string{"month"}},
			rows: "2026-01:1>2 2026-02:1>2", types: "month utf8"},
		{name: "integers", files: map[string]string{"a.csv": "src,dst,t\n1,2,7\n1,2,-8\n"}, opts: tables.Options{By: []string{"t"}},
			rows: "7:1>2 -8:1>2", types: "t int64"},
		{name: "unsigned integers", files: map[string]string{"a.csv": "src,dst,t\n1,2,18446744073709551615\n1,2,8\n"}, opts: tables.Options{By: []string{"t"}},
			rows: "18446744073709551615:1>2 8:1>2", types: "t uint64"},
		{name: "two columns, as asked for", files: map[string]string{"a.csv": "b,src,dst,a\nx,1,2,1\ny,3,4,2\n"}, opts: tables.Options{By: []string{"a", "b"}},
			rows: "1:x:1>2 2:y:3>4", types: "a int64, b utf8"},
		{name: "strings as asked for", files: map[string]string{"a.csv": "src,dst,t\n1,2,7\n1,2,x\n"}, opts: tables.Options{By: []string{"t"}, IDs: tables.IDsString},
			rows: "7:1>2 x:1>2", types: "t utf8"},
		{name: "neither integers nor strings", files: map[string]string{"a.csv": "src,dst,t\n1,2,7\n1,2,x\n"}, opts: tables.Options{By: []string{"t"}},
			says: `line 3: column "t": "x" is not an integer of at most 64 bits like those before it`},
		{name: "a field", files: map[string]string{"a.txt": "x 1 2\ny 1 2\n"}, opts: tables.Options{Src: "2", Dst: "3", By: []string{"1"}},
			rows: "x:1>2 y:1>2", types: "1 utf8"},
		{name: "the third field", files: map[string]string{"a.txt": "1 2 5\n1 2 6\n"}, opts: tables.Options{By: []string{"3"}},
			rows: "5:1>2 6:1>2", types: "3 int64"},
		{name: "a weight behind it", files: map[string]string{"a.txt": "1 2 5 .5\n1 2 6 .5\n"}, opts: tables.Options{By: []string{"3"}},
			says: "field 4 is a number in every row, as a weight is"},
		{name: "strings and quotes", files: map[string]string{"a.csv": "src,dst,t\n\"a,b\",c,\"x \"\"y\"\"\"\n"}, opts: tables.Options{By: []string{"t"}},
			rows: "x \"y\":a,b>c", types: "t utf8"},
		{name: "a null", files: map[string]string{"a.csv": "src,dst,t\n1,2,x\n1,2,\n"}, opts: tables.Options{By: []string{"t"}},
			says: `line 3: column "t": null; Options.Nulls "drop" leaves such rows out`},
		{name: "a null dropped", files: map[string]string{"a.csv": "src,dst,t\n1,2,\n1,2,x\n2,3,\n"}, opts: tables.Options{By: []string{"t"}, Nulls: tables.NullsDrop},
			rows: "x:1>2", types: "t utf8"},
		{name: "no such column", files: map[string]string{"a.csv": "src,dst,t\n1,2,x\n"}, opts: tables.Options{By: []string{"u"}},
			says: `no column "u" among columns ["src", "dst", "t"], and no folder u=... in the path`},
		{name: "an end", files: map[string]string{"a.csv": "src,dst,t\n1,2,x\n"}, opts: tables.Options{By: []string{"src"}},
			says: `column "src" is an id; it cannot name the graph`},
		{name: "twice", files: map[string]string{"a.csv": "src,dst,t,t\n1,2,x,y\n"}, opts: tables.Options{By: []string{"t"}},
			says: `column "t" occurs more than once`},
		{name: "not text", files: map[string]string{"a.csv": "src,dst,t\na,b,\xff\n"}, opts: tables.Options{By: []string{"t"}}, says: `is not UTF-8`},

		{name: "folders", files: map[string]string{"year=2025/a.csv": "1,2\n", "year=2026/b.csv": "1,2\n2,3\n"}, opts: tables.Options{By: []string{"year"}},
			rows: "2025:1>2 2026:1>2 2026:2>3", types: "year int64"},
		{name: "folders of text", files: map[string]string{"m=01/a.csv": "1,2\n", "m=10/b.csv": "1,2\n"}, opts: tables.Options{By: []string{"m"}},
			rows: "01:1>2 10:1>2", types: "m utf8"},
		{name: "folders of integers as text", files: map[string]string{"m=9/a.csv": "1,2\n"}, opts: tables.Options{By: []string{"m"}, IDs: tables.IDsString},
			rows: "9:1>2", types: "m utf8"},
		{name: "a folder and a column", files: map[string]string{"y=25/m=a%2Fb/a.csv": "src,dst,t\n1,2,5\n"}, opts: tables.Options{By: []string{"t", "m"}},
			rows: "5:a/b:1>2", types: "t int64, m utf8"},
		{name: "a column before a folder", files: map[string]string{"t=1/a.csv": "src,dst,t\n1,2,5\n"}, opts: tables.Options{By: []string{"t"}},
			rows: "5:1>2", types: "t int64"},
		{name: "folders of matrices", files: map[string]string{
			"t=a/g.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "t=b/g.graph": "2 1\n2\n1\n", "t=c/g.gr": "p edge 2 1\ne 1 2\n"},
			opts: tables.Options{By: []string{"t"}}, rows: "a:1 a:2 a:2>1 b:1 b:2 b:1>2 b:2>1 c:1 c:2 c:1>2", types: "t utf8"},
		{name: "matrices without folders", files: map[string]string{"g.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"},
			opts: tables.Options{By: []string{"t"}}, says: "no columns, and no folder t=... in the path"},
		{name: "a folder of null", files: map[string]string{"t=__HIVE_DEFAULT_PARTITION__/a.csv": "1,2\n"}, opts: tables.Options{By: []string{"t"}},
			says: `folder t=__HIVE_DEFAULT_PARTITION__: a null; Options.Nulls "drop" leaves such rows out`},
		{name: "a folder of null dropped", files: map[string]string{"t=__HIVE_DEFAULT_PARTITION__/a.csv": "1,2\n", "t=a/a.csv": "3,4\n"}, opts: tables.Options{By: []string{"t"}, Nulls: tables.NullsDrop},
			rows: "a:3>4", types: "t utf8"},
		{name: "text here and a number there", files: map[string]string{"a.csv": "src,dst,t\n1,2,x\n", "b.csv": "src,dst,t\n1,2,5\n"}, opts: tables.Options{By: []string{"t"}},
			says: "ids are integers, but those of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := files(t, test.files)
			rows, summary, err := namedRows(func(edges chan<- tables.Batch) (tables.Summary, error) {
				opts := test.opts
				opts.Paths = []string{folder}
				return Read(context.Background(), opts, edges)
			})
			if test.says != "" {
				if !(errors.Is(err, tables.ErrInput) || errors.Is(err, tables.ErrUsage)) || !strings.Contains(err.Error(), test.says) {
					t.Fatalf("%v, want %s", err, test.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(rows, " "); got != test.rows || groupTypes(summary) != test.types {
				t.Errorf("%s (%s), want %s (%s)", got, groupTypes(summary), test.rows, test.types)
			}
		})
	}
}

// groupedRecord has an edge per row, column by column.
func groupedRecord(types []arrow.DataType, names []string, columns ...[]string) arrow.Record {
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, name := range names {
		field := idtypes.Field(name, types[i])
		field.Nullable = true
		fields = append(fields, field)
		arrays = append(arrays, idArray(memory.DefaultAllocator, types[i], columns[i]...))
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(len(columns[0])))
}

// Columns that name the graph may have any type of ids, in Arrow and in Parquet.
func TestReadByColumnar(t *testing.T) {
	for _, test := range idTypeTables {
		values := uniqueIDs(test.rows)
		if len(values) < 2 || values[0] == null || values[1] == null {
			continue
		}
		record := groupedRecord([]arrow.DataType{arrow.PrimitiveTypes.Int64, test.dt, arrow.PrimitiveTypes.Int64}, []string{"vertex", "t", "dst"},
			[]string{"1", "1", "1", "2"}, []string{values[0], values[1], null, values[1]}, []string{"2", "2", "9", "3"})
		table := tables.Table{
			IDs: tables.Keys{Ints: []uint64{1, 1, 2}}, Type: tables.Int64IDs(), Columns: []tables.Column{{Name: "dst", Values: tables.Ints{2, 2, 3}}},
			By: []tables.KeyColumn{{Name: "t", Type: idtypes.Of(test.dt), Keys: keysFrom(t, idArray(memory.DefaultAllocator, test.dt, values[:2]...))}}, Graph: []uint32{0, 1, 1},
		}
		var parquet bytes.Buffer
		if err := Write(context.Background(), &parquet, tables.FormatParquet, table); err != nil {
			t.Fatal(err)
		}
		var want []string
		for v := range table.IDs.Len() {
			want = append(want, fmt.Sprintf("%s:%d>%d", table.By[0].Type.Format(table.By[0].Keys, table.GraphOf(v)), table.IDs.Ints[v], table.Ints("dst")[v]))
		}
		read := func(data []byte, nulls tables.Nulls) ([]string, tables.Summary, error) {
			return namedRows(func(edges chan<- tables.Batch) (tables.Summary, error) {
				return Read(context.Background(), tables.Options{Stdin: bytes.NewReader(data), Src: "vertex", Dst: "dst", By: []string{"t"}, Nulls: nulls}, edges)
			})
		}
		stream := streamOf([]arrow.Record{record})
		for name, data := range map[string][]byte{"arrow": stream, "parquet": parquet.Bytes()} {
			rows, summary, err := read(data, tables.NullsDrop)
			if err != nil || !slices.Equal(rows, want) || !arrow.TypeEqual(idtypes.Arrow(summary.By[0].Type), test.dt) {
				t.Errorf("%s, %s: %q of %s, want %q: %v", test.dt, name, rows, summary.By[0].Type, want, err)
			}
		}
		if _, _, err := read(stream, tables.NullsError); err == nil || !strings.Contains(err.Error(), `column "t": null at row 2`) {
			t.Errorf("%s: %v", test.dt, err)
		}
	}
}

func keysFrom(t *testing.T, values arrow.Array) tables.Keys {
	t.Helper()
	var p columnar.Promoter
	defer p.Release()
	var column ids.Column
	if err := p.Promote(&column, values, 0, values.Len()); err != nil {
		t.Fatal(err)
	}
	return column.Keys()
}

func TestByOptions(t *testing.T) {
	for _, opts := range []tables.Options{
		{By: []string{""}}, {By: []string{"a", "a"}}, {By: []string{"a"}, Src: "a", Dst: "b"}, {By: []string{"vertex"}}, {By: []string{"betweenness_centrality"}},
	} {
		if _, err := readString("1 2\n", opts); !errors.Is(err, tables.ErrUsage) {
			t.Errorf("%q: %v", opts.By, err)
		}
	}
}

// A table of several graphs, and of two sides, comes back as it was written.
func TestTableNames(t *testing.T) {
	table := tables.Table{
		IDs: tables.Keys{Ints: []uint64{1, 2, 1, 2, 1}}, Type: tables.Int64IDs(),
		By: []tables.KeyColumn{
			{Name: "month", Type: idtypes.Of(dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String)), Keys: tables.Keys{Bytes: []byte("jan,jan,feb"), Offsets: []int64{0, 4, 8, 11}}},
			{Name: "tenant", Type: idtypes.Of(arrow.PrimitiveTypes.Int16), Keys: tables.Keys{Ints: []uint64{5, 1<<64 - 6, 5}}},
		},
		Graph:    []uint32{0, 0, 1, 1, 2},
		Side:     []uint8{0, 1, 0, 1, 0},
		Columns:  []tables.Column{{Name: tables.ScoreColumn, Values: tables.Floats{1, .5, 3, 0, 0}}, {Name: "sum", Values: tables.Ints{1, 2, 3, 4, 5}}},
		Metadata: []tables.KeyValue{{Key: tables.BipartiteKey, Value: "true"}},
	}
	for format, want := range map[tables.Format]string{
		tables.FormatCSV: "month,tenant,side,vertex,betweenness_centrality,sum\n\"jan,\",5,src,1,1,1\n\"jan,\",5,dst,2,0.5,2\n\"jan,\",-6,src,1,3,3\n\"jan,\",-6,dst,2,0,4\nfeb,5,src,1,0,5\n",
		FormatJSONL:      `{"month":"jan,","tenant":5,"side":"src","vertex":1,"betweenness_centrality":1,"sum":1}`,
	} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, table); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s:\n%s", format, out.String())
		}
	}
	for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
		for _, bipartite := range []bool{true, false} {
			want := table
			if !bipartite {
				want.Metadata = nil // a side is then a graph like others
			}
			var out bytes.Buffer
			if err := Write(context.Background(), &out, format, want); err != nil {
				t.Fatal(err)
			}
			got, err := ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(out.Bytes())})
			if err != nil {
				t.Fatal(err)
			}
			if bipartite && (!slices.Equal(got.Graph, table.Graph) || !slices.Equal(got.Side, table.Side) || got.Graphs() != 3) {
				t.Errorf("%s: graphs %d, sides %d", format, got.Graph, got.Side)
			}
			if !bipartite && (got.Graphs() != 5 || got.Side != nil || len(got.By) != 3) {
				t.Errorf("%s: %d graphs, sides %d", format, got.Graphs(), got.Side)
			}
			var names []string
			for v := range got.IDs.Len() {
				columns, text := got.Names()
				name := ""
				for i, column := range columns {
					name += column + "=" + string(text(nil, i, v)) + " "
				}
				names = append(names, name)
			}
			if names[3] != "month=jan, tenant=-6 side=dst vertex=2 " || names[4] != "month=feb tenant=5 side=src vertex=1 " || !slices.Equal(got.Ints("sum"), []int64{1, 2, 3, 4, 5}) {
				t.Errorf("%s: %q", format, names)
			}
			for i, c := range table.By {
				if !arrow.TypeEqual(idtypes.Arrow(got.By[i].Type), idtypes.Arrow(c.Type)) || got.By[i].Name != c.Name {
					t.Errorf("%s: column %s of %s, want %s of %s", format, got.By[i].Name, got.By[i].Type, c.Name, c.Type)
				}
			}
		}
	}
	for name, spoil := range map[string]func(t *tables.Table){
		"a vertex without a graph": func(t *tables.Table) { t.Graph = t.Graph[:4] },
		"no such graph":            func(t *tables.Table) { t.Graph = []uint32{0, 0, 0, 0, 3} },
		"no such side":             func(t *tables.Table) { t.Side = []uint8{0, 0, 0, 0, 2} },
		"a vertex without a side":  func(t *tables.Table) { t.Side = t.Side[:4] },
		"a name twice":             func(t *tables.Table) { t.By = []tables.KeyColumn{t.By[0], t.By[0]} },
		"a name of a column": func(t *tables.Table) {
			t.Columns = []tables.Column{{Name: "month", Values: tables.Ints{1, 2, 3, 4, 5}}}
		},
		"the name of the ids": func(t *tables.Table) {
			t.By = []tables.KeyColumn{{Name: tables.VertexColumn, Type: t.By[0].Type, Keys: t.By[0].Keys}}
		},
	} {
		bad := table
		spoil(&bad)
		if err := Write(context.Background(), new(bytes.Buffer), tables.FormatCSV, bad); !errors.Is(err, tables.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
