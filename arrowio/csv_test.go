package arrowio

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

const headerOrEdge = " may be the names of columns or an edge; "

func TestHeaders(t *testing.T) {
	named := tables.Options{Src: "a", Dst: "b"}
	runTextTests(t, []textTest{
		{name: "src,dst", text: "src,dst\n1,2\n", edges: "1>2"},
		{name: "dst,src", text: "dst,src\n1,2\n", edges: "2>1"},
		{name: "tabs", text: "source\ttarget\na\tb\n", edges: "a>b", ids: "utf8"},
		{name: "blanks", text: "from to\n1 2\n", edges: "1>2"},
		{name: "other columns", text: "kind,to,since,from\nx,1,2020,2\n", edges: "2>1"},
		{name: "Gephi", text: "Source,Target,Type,Id\n1,2,Undirected,0\n", edges: "1>2"},
		{name: "Neo4j", text: ":START_ID,:END_ID,:TYPE\n1,2,KNOWS\n", edges: "1>2"},
		{name: "GraphAr", text: "_graphArSrcIndex|_graphArDstIndex\n0|1\n", edges: "0>1"},
		{name: "pandas index", text: ",src,dst\n0,1,2\n1,3,4\n", edges: "1>2 3>4"},
		{name: "quoted names", text: "\"src\",\"dst\"\n1,2\n", edges: "1>2"},
		{name: "blanks around names", text: "src , dst\n1,2\n", edges: "1>2"},
		{name: "below comments", text: "# c\n\nu,v\n1,2\n", edges: "1>2"},
		{name: "header only", text: "src,dst\n"},
		{name: "header without newline", text: "src,dst"},
		{name: "header and blank lines", text: "src,dst\n\n\n"},
		{name: "strings below a header", text: "src,dst\nx,y\n", edges: "x>y", ids: "utf8"},
		{name: "strings without a header", text: "x,y\ny,z\n", edges: "x>y y>z", ids: "utf8"},
		{name: "two pairs", text: "src,dst,from,to\n1,2,3,4\n", err: tables.ErrInput, says: "line 1: columns could be src,dst or from,to; choose with Options.Src and Options.Dst"},
		{name: "two pairs, chosen", text: "src,dst,from,to\n1,2,3,4\n", opts: tables.Options{Src: "from", Dst: "to"}, edges: "3>4"},
		{name: "names of its own", text: "a,b\n1,2\n", err: tables.ErrInput, says: `line 1: ["a", "b"]` + headerOrEdge + `Options.Header "yes", or Options.Src "a" and Options.Dst "b", if this is a header, Options.Header "no" if it is data`},
		{name: "names of its own, named", text: "a,b\n1,2\n", opts: named, edges: "1>2"},
		{name: "names of its own above strings, named", text: "b,x,a\n1,2,y\n", opts: tables.Options{Src: "a", Dst: "b", IDs: tables.IDsString}, edges: "y>1", ids: "utf8"},
		{name: "strings above integers asked for as data", text: "a,b\n1,2\n", opts: tables.Options{IDs: tables.IDsString, Header: tables.HeaderNo}, edges: "a>b 1>2", ids: "utf8"},
		{name: "name missing", text: "a,c\n1,2\n", opts: named, err: tables.ErrInput, says: `line 1: no column "b" among columns ["a", "c"]`},
		{name: "name twice", text: "a,b,b\n1,2,3\n", opts: named, err: tables.ErrInput, says: `line 1: column "b" occurs more than once among columns ["a", "b", "b"]`},
		{name: "names but no header", text: "1,2\n", opts: named, err: tables.ErrInput, says: `line 1: no column "a" among columns ["1", "2"]; in a text without a header, Options.Src and Options.Dst are numbers of fields, from 1`},
		{name: "weight", text: "src,dst,Weight\n1,2,.5\n", err: tables.ErrInput, says: `line 1: column "Weight" is a weight` + noWeights("Weight")},
		{name: "weight ignored", text: "src,dst,weight\n1,2,.5\n", opts: tables.Options{IgnoreWeight: true}, edges: "1>2"},
		{name: "row longer than the header", text: "src,dst\n1,2\nWashington, D.C.,Paris\n", err: tables.ErrInput, says: "line 3: number of fields is 3, but 2 in line 1"},
		{name: "row shorter than the header", text: "src,dst,kind\n1,2\n", err: tables.ErrInput, says: "line 2: number of fields is 2, but 3 in line 1"},

		{name: "counts line", text: "3,2,u,graph\n1,2\n2,3\n", edges: "1>2 2>3", notes: "line 1 has counts, not an edge: \"3,2,u,graph\""},
		{name: "counts line, directed", text: "3,2,d,graph\n1,2\n2,3\n", edges: "1>2 2>3", notes: "line 1 has counts, not an edge: \"3,2,d,graph\""},
		{name: "counts line that is wrong", text: "3,4,u,g\n1,2\n2,3\n", edges: "1>2 2>3", notes: "line 1 has counts, not an edge: \"3,4,u,g\"", warnings: "counts line promises 4 edges, the file has 2"},
		{name: "an edge like a counts line", text: "3,2,u,graph\n1,2,u,x\n", edges: "3>2 1>2", notes: "only the first two of 4 fields are read"},

		{name: "format csv", text: "1,2\n", opts: tables.Options{Format: tables.FormatCSV}, edges: "1>2"},
		{name: "format csv, braces", text: "{a},[b]\n", opts: tables.Options{Format: tables.FormatCSV}, edges: "{a}>[b]", ids: "utf8"},
		{name: "format csv without delimiter", text: "1 2\n", opts: tables.Options{Format: tables.FormatCSV}, err: tables.ErrInput, says: "line 1: only one field; an edge needs two, separated by blanks, tabs, commas, semicolons or bars"},
		{name: "format edgelist", text: "a,b c;d\n", opts: tables.Options{Format: tables.FormatEdgeList}, edges: "a,b>c;d", ids: "utf8", notes: readAsData},
		{name: "format edgelist, tabs and blanks", text: "1\t2\n3 4\n", opts: tables.Options{Format: tables.FormatEdgeList}, edges: "1>2 3>4"},
	})
}

func TestQuotes(t *testing.T) {
	header := "src,dst\n"
	runTextTests(t, []textTest{
		{name: "delimiter", text: header + "\"a,b\",c\n", edges: "a,b>c", ids: "utf8"},
		{name: "quote", text: header + "\"a\"\"b\"\"\",\"\"\"\"\n", edges: `a"b">"`, ids: "utf8"},
		{name: "newline", text: header + "\"a\nb\",c\nd,\"e\r\nf\"\n", edges: "a\nb>c d>e\r\nf", ids: "utf8"},
		{name: "blanks inside stay", text: header + "\" a \", \"b\" \n", edges: " a >b", ids: "utf8"},
		{name: "in other columns", text: "x,src,y,dst\n\"1,\n2\",a,\"\"\"\",b\n", edges: "a>b", ids: "utf8"},
		{name: "within a field", text: header + "5\" disk,a\n", edges: `5" disk>a`, ids: "utf8"},
		{name: "tabs", text: "src\tdst\n\"a\tb\"\tc\n", edges: "a\tb>c", ids: "utf8"},
		{name: "none between blanks", text: "\"a b\"\n", opts: tables.Options{Format: tables.FormatEdgeList}, edges: `"a>b"`, ids: "utf8", notes: readAsData},
		{name: "text after", text: header + "a,b\n\"c\"d,e\n", err: tables.ErrInput, says: "line 3: text after a closing quote; a quote within quotes is written twice"},
		{name: "not closed", text: header + "a,b\nc,\"d\ne,f\n", err: tables.ErrCorrupt, says: "line 3: quote that is not closed"},
		{name: "not closed in the first row", text: header + "c,\"d\ne,f\n", err: tables.ErrCorrupt, says: "line 2: quote that is not closed"},
		{name: "not closed and long", text: header + "a,b\nc,\"" + strings.Repeat("d\n", 100), opts: tables.Options{MaxLine: 64}, err: tables.ErrInput, says: "line 3: longer than 64 bytes; not text, or a quote that is not closed"},
		{name: "line numbers behind", text: header + "\"a\n\n\",b\nc\n", err: tables.ErrInput, says: "line 5: number of fields is 1, but 2 in line 1"},
	})
}

// TestQuotesAcrossChunks moves a quoted record with delimiters, quotes and
// newlines over the boundary between two chunks, byte by byte.
func TestQuotesAcrossChunks(t *testing.T) {
	const record = "\"a,\"\"\n\",\"\nb\"\n"
	for shift := range 2 * len(record) {
		text := "src,dst\n" + strings.Repeat("x", shift) + ",y\n" + strings.Repeat(record, 20)
		got, err := readString(text, tables.Options{MaxLine: 64, Threads: 3, IDs: tables.IDsString, Nulls: tables.NullsDrop})
		if err != nil {
			t.Fatalf("shift %d: %v", shift, err)
		}
		got.src, got.dst = got.src[len(got.src)-20:], got.dst[len(got.dst)-20:]
		for i := range got.src {
			if got.src[i] != "a,\"\n" || got.dst[i] != "\nb" {
				t.Fatalf("shift %d: record %d is %q, %q", shift, i, got.src[i], got.dst[i])
			}
		}
		if got.batches < 3 {
			t.Fatalf("%d batches: the boundary was not tried", got.batches)
		}
	}
}

// TestHostileText reads inputs that take long if any part is read again and
// again.
func TestHostileText(t *testing.T) {
	const many = 500_000
	for name, test := range map[string]struct {
		text string
		opts tables.Options
	}{
		"comments":         {strings.Repeat("#\n", many), tables.Options{}},
		"blank lines":      {strings.Repeat("\n", many) + "1 2\n" + strings.Repeat(" \n", many), tables.Options{}},
		"nulls first":      {"src,dst\n" + strings.Repeat(",\n", many), tables.Options{Nulls: tables.NullsDrop}},
		"quoted nulls":     {"src,dst\n" + strings.Repeat("\"\",\"\"\n", many), tables.Options{Nulls: tables.NullsDrop}},
		"quotes":           {"src,dst\n" + strings.Repeat("\"\"\"\",\"\"\"\"\n", many), tables.Options{}},
		"stray quotes":     {"src,dst\n" + strings.Repeat("a\"\"\",b\"\n", many), tables.Options{}},
		"blanks":           {"src,dst\n" + strings.Repeat(strings.Repeat(" ", 1000)+"1,2\n", many/1000), tables.Options{}},
		"open quote":       {"src,dst\na,b\nc,\"" + strings.Repeat("\n", many), tables.Options{}},
		"open quote long":  {"src,dst\na,b\nc,\"" + strings.Repeat("\n", 32<<20), tables.Options{MaxLine: 16 << 20}},
		"quotes in a line": {"src,dst\na" + strings.Repeat("\"\"", 16<<20) + ",b\n", tables.Options{MaxLine: 64 << 20}},
		"METIS row":        {"2 1\n" + strings.Repeat(" ", 64<<20), tables.Options{Format: tables.FormatMETIS}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readString(test.text, test.opts); err != nil && !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrCorrupt) {
				t.Error(err)
			}
		})
	}
}

func TestVertexTables(t *testing.T) {
	edges := "1 2\n"
	for _, test := range []textTest{
		{name: "one id per line", text: "5\n1\n", vertices: "5 1"},
		{name: "no last newline", text: "5\n1", vertices: "5 1"},
		{name: "comments", text: "# v\n\n5\n", vertices: "5"},
		{name: "first column", text: "5,x\n6,y\n", vertices: "5 6"},
		{name: "first column, blanks", text: "5 x\n6 y\n", vertices: "5 6"},
		{name: "header vertex", text: "name,vertex\nx,5\n", vertices: "5"},
		{name: "header id", text: "id\tname\n5\tx\n", vertices: "5"},
		{name: "Gephi", text: "Id,Label\n5,x\n", vertices: "5"},
		{name: "header :ID", text: ":ID,:LABEL\n5,x\n", vertices: "5"},
		{name: "header of a sole column", text: "person\n5\n", vertices: "5"},
		{name: "nothing", text: "", vertices: ""},
		{name: "nulls dropped", text: "id,x\n,1\n7,2\n", opts: tables.Options{Nulls: tables.NullsDrop}, vertices: "7", dropped: 1},
		{name: "null", text: "id,x\n,1\n", err: tables.ErrInput, says: `line 2: column "id": null id; Options.Nulls "drop" leaves such rows out`},
		{name: "no known column", text: "a,b\n1,2\n", err: tables.ErrInput, says: `line 1: no id column among columns ["a", "b"]; a vertex table has one column, or one of the names ["vertex", "id", ":ID"]`},
		{name: "two known columns", text: "id,vertex\n1,2\n", err: tables.ErrInput, says: `line 1: more than one id column among columns ["id", "vertex"]`},
		{name: "kept text that is none", text: "id,name\n1,a\n2,b\xff\n", opts: tables.Options{Keep: []string{"name"}}, err: tables.ErrInput, says: `line 3: column "name": "b\xff" is not UTF-8`},
		{name: "kept NUL", text: "id,name\n1,a\x00\n", opts: tables.Options{Keep: []string{"name"}}, err: tables.ErrInput, says: `line 2: column "name": "a\x00" holds a NUL byte; not text`},
		{name: "no text where nobody looks", text: "id,name\n5,a\xff\n", vertices: "5"},
		{name: "strings", text: "a\nb\n", err: tables.ErrInput, says: ""},
		{name: "one id or two", text: "New York\n", err: tables.ErrInput, says: `line 1: "New York" may be one id or more fields; separate fields by commas or tabs, or quote ids`},
		{name: "matrix", text: "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", err: tables.ErrInput, says: "a vertex table cannot have format mtx"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := writeFile(t, "table", test.text)
			opts := test.opts
			opts.Vertices = table
			got, err := readString(edges, opts)
			if test.err != nil {
				want := "arrowio: " + table + ": " + test.says
				if test.name == "strings" {
					want = fmt.Sprintf("arrowio: standard input: ids are integers, but those of %s are strings; Options.IDs \"string\" reads all ids as strings", table)
				}
				checkError(t, err, test.err, want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if vertices := strings.Join(got.vertices, " "); vertices != test.vertices || got.edges() != "1>2" || got.NullsDropped != test.dropped || got.Rows != 1 || got.Files != 1 {
				t.Errorf("vertices %q, edges %q, %+v", vertices, got.edges(), got.Summary)
			}
		})
	}
}
