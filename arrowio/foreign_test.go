package arrowio

import (
	"errors"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// Graph formats that are not read were taken for edge lists, with errors about their
// fields, or without any.
func TestForeignFormats(t *testing.T) {
	for _, test := range []struct{ text, says string }{
		{"graph [\n  node [\n    id 0\n  ]\n]\n", "looks like GML"},
		{"Creator \"Mark Newman on Sat Jul 22 05:32:16 2006\"\ngraph\n[\n  directed 0\n", "looks like GML"},
		{"# made by hand\nVersion 1\ngraph [ directed 1\n", "looks like GML"},
		{"*Vertices 3\n1 \"a\"\n*Edges\n1 2\n", "looks like Pajek"},
		{"% c\n*network karate\r\n*vertices 34\r\n", "looks like Pajek"},
		{"digraph G {\n a -> b;\n}\n", "looks like GraphViz DOT"},
		{"// c\nstrict graph {\n a -- b\n}\n", "looks like GraphViz DOT"},
		{"nodedef>name VARCHAR\na\nedgedef>node1,node2\n", "looks like GDF"},
		{"<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"x\">\n", "looks like GraphML"},
		{"<gexf version=\"1.2\">\n", "looks like GEXF"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "looks like a Git LFS pointer"},
		{"dl n=3 format=edgelist1\ndata:\n1 2\n", "looks like UCINET DL"},
	} {
		_, err := readString(test.text, tables.Options{})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "standard input: "+test.says+", which is not read; ") {
			t.Errorf("%q: %v", test.text, err)
		}
	}
	runTextTests(t, []textTest{
		{name: "names like words of formats", text: "graph theory\ndigraph graph\n", edges: "graph>theory digraph>graph", ids: "utf8", notes: readAsData},
		{name: "named format", text: "graph [\n[ graph\n", opts: tables.Options{Format: tables.FormatEdgeList}, edges: "graph>[ [>graph", ids: "utf8", notes: readAsData},
		{name: "NetworkX's adjacency list", text: "# made by\n0 1 2 3\n1 2\n2\n3\n", err: tables.ErrInput,
			says: `line 3: number of fields is 2, but 4 in line 2, as in an adjacency list, which is not read; write one edge a line, or Options.Format "metis" reads a METIS file`},
		{name: "adjacency of names", text: "ann bob cid\nbob cid\ncid\n", err: tables.ErrInput, notes: readAsData,
			says: "line 2: number of fields is 2, but 3 in line 1, as in an adjacency list, which is not read; write one edge a line"},
		{name: "adjacency that begins like weights", text: "0 1 2\n1 2 3\n2 3\n3 1 2 4\n4\n", err: tables.ErrInput,
			says: `line 3: number of fields is 2, but 3 in line 1, as in an adjacency list, which is not read; write one edge a line, or Options.Format "metis" reads a METIS file`},
		{name: "adjacency between semicolons", text: "a;b;c\nb;c\nc;a;b;d\n", err: tables.ErrInput,
			says: "line 2: number of fields is 2, but 3 in line 1, as in an adjacency list, which is not read; write one edge a line"},
		{name: "tabs, then blanks", text: "1\t2\n2 3\n3 4\n4\t5\n", err: tables.ErrInput,
			says: "line 2: number of fields is 1, but 2 in line 1: blanks separate some fields, tabs others; write tabs, or blanks, between all fields"},
		{name: "blanks within tabs, behind names", text: "src\tdst\tweight\n1\t2\t5\n1\t2 5\n", opts: tables.Options{IgnoreWeight: true}, err: tables.ErrInput,
			says: "line 3: number of fields is 2, but 3 in line 1: blanks separate some fields, tabs others; write tabs, or blanks, between all fields"},
		{name: "one damaged row", text: "1 2\n2 3\n3 4\n5\n", err: tables.ErrInput,
			says: `line 4: number of fields is 1, but 2 in line 1; Options.Format "metis" reads a METIS file`},
	})
}
