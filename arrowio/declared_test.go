package arrowio

import (
	"strings"
	"testing"

	"bcstage/arrowio/internal/numbered"
	"bcstage/arrowio/tables"
)

const (
	entriesOneWay = "entries of a general matrix have a direction, and are read as undirected edges; Options.Directed keeps it"
	arcsOneWay    = "arcs have a direction, and are read as undirected edges; Options.Directed keeps it"
)

func TestMatrixMarket(t *testing.T) {
	const banner = "%%MatrixMarket matrix coordinate pattern general\n"
	real := func(field string) string { return "%%MatrixMarket matrix coordinate " + field + " symmetric\n" }
	ignore := tables.Options{IgnoreWeight: true}
	runTextTests(t, []textTest{
		{name: "pattern", text: banner + "% c\n\n4 4 2\n1 2\n3 1\n", edges: "1>2 3>1", vertices: "1 2 3 4", notes: entriesOneWay},
		{name: "pattern, loose", text: banner + " 4  4\t2 \r\n  1   2 \r\n\n3\t1", edges: "1>2 3>1", vertices: "1 2 3 4", notes: entriesOneWay},
		{name: "any case", text: "%%matrixmarket MATRIX Coordinate PATTERN Symmetric\n2 2 1\n2 1\n", edges: "2>1", vertices: "1 2"},
		{name: "byte order mark", text: "\xef\xbb\xbf" + banner + "2 2 1\n2 1\n", edges: "2>1", vertices: "1 2", notes: entriesOneWay},
		{name: "diagonal", text: banner + "2 2 1\n2 2\n", edges: "2>2", vertices: "1 2", notes: entriesOneWay},
		{name: "no entries", text: banner + "2 2 0\n", vertices: "1 2"},
		{name: "no vertices", text: banner + "0 0 0\n"},
		{name: "real ignored", text: real("real") + "3 3 2\n2 1 -1e-3\n3 1 nan\n", opts: ignore, edges: "2>1 3>1", vertices: "1 2 3"},
		{name: "integer ignored", text: real("integer") + "2 2 1\n2 1 7\n", opts: ignore, edges: "2>1", vertices: "1 2"},
		{name: "complex ignored", text: real("complex") + "2 2 1\n2 1 7 .5\n", opts: ignore, edges: "2>1", vertices: "1 2"},

		{name: "real", text: real("real") + "2 2 1\n2 1 7\n", err: tables.ErrInput, says: "line 1: real entries are weights" + noWeights("value")},
		{name: "array", text: "%%MatrixMarket matrix array real general\n1 1\n1\n", err: tables.ErrInput, says: `line 1: format "array"; want coordinate`},
		{name: "not square", text: banner + "2 3 0\n", err: tables.ErrInput, says: "line 2: the matrix has 2 rows and 3 columns; the matrix of a graph is square; Options.Bipartite reads rows and columns as two sets of vertices"},
		{name: "banner cut", text: "%%MatrixMarket matrix coord", err: tables.ErrCorrupt, says: `line 1: "%%MatrixMarket matrix coord" is not the banner of a MatrixMarket matrix`},
		{name: "banner missing", text: "2 2 0\n", opts: tables.Options{Format: tables.FormatMTX}, err: tables.ErrCorrupt, says: `line 1: "2 2 0" is not the banner of a MatrixMarket matrix`},
		{name: "nothing", text: "", opts: tables.Options{Format: tables.FormatMTX}, err: tables.ErrCorrupt, says: "no MatrixMarket banner"},
		{name: "unknown field", text: "%%MatrixMarket matrix coordinate quaternion general\n", err: tables.ErrCorrupt, says: `line 1: unknown field "quaternion"`},
		{name: "unknown symmetry", text: "%%MatrixMarket matrix coordinate pattern lower\n", err: tables.ErrCorrupt, says: `line 1: unknown symmetry "lower"`},
		{name: "no size", text: banner + "% c\n", err: tables.ErrCorrupt, says: "no line with the matrix's size"},
		{name: "size cut", text: banner + "2 2\n", err: tables.ErrCorrupt, says: "line 2: line ends where a number should be"},
		{name: "size of an array", text: banner + "2 2 1 1\n", err: tables.ErrCorrupt, says: "line 2: more than the three numbers of a coordinate matrix's size"},
		{name: "too few entries", text: banner + "2 2 2\n2 1\n", err: tables.ErrCorrupt, says: "header promises 2 entries, the file has 1"},
		{name: "too many entries", text: banner + "2 2 1\n2 1\n1 1\n", err: tables.ErrCorrupt, says: "header promises 1 entries, the file has 2"},
		{name: "id zero", text: banner + "2 2 2\n2 1\n0 1\n", err: tables.ErrCorrupt, says: "line 4: vertex 0 is not in 1 to 2"},
		{name: "id beyond", text: banner + "2 2 3\n2 1\n1 1\n2 3\n", err: tables.ErrCorrupt, says: "line 5: vertex 3 is not in 1 to 2"},
		{name: "id no number", text: banner + "2 2 1\n2 x\n", err: tables.ErrCorrupt, says: `line 3: "x" is not a whole number`},
		{name: "id negative", text: banner + "2 2 1\n2 -1\n", err: tables.ErrCorrupt, says: `line 3: "-1" is not a whole number`},
		{name: "id enormous", text: banner + "2 2 1\n2 99999999999999999999\n", err: tables.ErrCorrupt, says: `line 3: number "99999999999999999999" is too large`},
		{name: "entry cut", text: banner + "2 2 1\n2\n", err: tables.ErrCorrupt, says: "line 3: line ends where a number should be"},
		{name: "value missing", text: real("real") + "2 2 1\n2 1\n", opts: ignore, err: tables.ErrCorrupt, says: "line 3: entry without its value"},
		{name: "value unwanted", text: banner + "2 2 1\n2 1 1\n", err: tables.ErrCorrupt, says: "line 3: more than 2 numbers in an entry"},
		{name: "comment among entries", text: banner + "2 2 1\n% c\n2 1\n", err: tables.ErrCorrupt, says: `line 3: "%" is not a whole number`},
		{name: "column names", text: banner + "2 2 1\n2 1\n", opts: tables.Options{Src: "a", Dst: "b"}, err: tables.ErrUsage, says: "Options.Src and Options.Dst name columns, but format mtx has none"},
		{name: "absurd size", text: banner + "1000000000000000000 1000000000000000000 1\n2 1\n", err: tables.ErrInput, says: "header: 1000000000000000000 vertices; the limit is 2147483647"},
		{name: "absurd number of entries", text: banner + "2 2 1000000000000000000\n2 1\n", err: tables.ErrCorrupt, says: "header promises 1000000000000000000 entries, the file has 1"},
		{name: "limit", text: banner + "5 5 0\n", opts: tables.Options{MaxVertices: 4}, err: tables.ErrInput, says: "header: 5 vertices; the limit is 4"},
	})
}

func TestMETIS(t *testing.T) {
	metis := tables.Options{Format: tables.FormatMETIS}
	ignore := tables.Options{Format: tables.FormatMETIS, IgnoreWeight: true}
	runTextTests(t, []textTest{
		{name: "plain", text: "3 2\n2\n1 3\n2\n", opts: metis, edges: "1>2 2>1 2>3 3>2", vertices: "1 2 3"},
		{name: "comments", text: "% a\n\n3 1 0\n% b\n2\n% c\n1\n%d\n\n% e\n", opts: metis, edges: "1>2 2>1", vertices: "1 2 3"},
		{name: "isolated", text: "4 1\n\n3\n2\n\n", opts: metis, edges: "2>3 3>2", vertices: "1 2 3 4"},
		{name: "blanks", text: " 2 1 \r\n 2 \r\n\t1\r\n\r\n\n", opts: metis, edges: "1>2 2>1", vertices: "1 2"},
		{name: "no last newline", text: "2 1\n2\n1", opts: metis, edges: "1>2 2>1", vertices: "1 2"},
		{name: "nobody", text: "0 0\n", opts: metis},
		{name: "edge weights ignored", text: "2 1 1\n2 7\n1 7\n", opts: ignore, edges: "1>2 2>1", vertices: "1 2"},
		{name: "edge weights ignored, 001", text: "2 1 001\n2 7\n1 7\n", opts: ignore, edges: "1>2 2>1", vertices: "1 2"},
		{name: "vertex weights", text: "2 1 10\n5 2\n6 1\n", opts: metis, edges: "1>2 2>1", vertices: "1 2", notes: "sizes and weights of vertices are ignored"},
		{name: "three vertex weights", text: "2 1 010 3\n5 5 5 2\n6 6 6 1\n", opts: metis, edges: "1>2 2>1", vertices: "1 2", notes: "sizes and weights of vertices are ignored"},
		{name: "everything", text: "2 1 111 2\n9 5 5 2 7\n9 6 6 1 7\n", opts: ignore, edges: "1>2 2>1", vertices: "1 2", notes: "sizes and weights of vertices are ignored"},
		{name: "leading zeros", text: "2 1\n0000000000000000000000002\n1\n", opts: metis, edges: "1>2 2>1", vertices: "1 2"},

		{name: "edge weights", text: "2 1 1\n2 7\n1 7\n", opts: metis, err: tables.ErrInput, says: "line 1: edges have weights (METIS format 1)" + noWeights("value")},
		{name: "nothing", text: "", opts: metis, err: tables.ErrCorrupt, says: "no METIS header"},
		{name: "one number", text: "2\n", opts: metis, err: tables.ErrCorrupt, says: "line 1: 1 numbers in the METIS header; want vertices, edges, and at most a format and a count of weights"},
		{name: "five numbers", text: "2 1 0 0 0\n", opts: metis, err: tables.ErrCorrupt, says: "line 1: 5 numbers in the METIS header; want vertices, edges, and at most a format and a count of weights"},
		{name: "no numbers", text: "a b\n", opts: metis, err: tables.ErrCorrupt, says: `line 1: "a" is not a whole number`},
		{name: "format", text: "2 1 2\n2\n1\n", opts: metis, err: tables.ErrCorrupt, says: `line 1: METIS format "2"; want three digits 0 or 1`},
		{name: "weights without format", text: "2 1 1 2\n2\n1\n", opts: ignore, err: tables.ErrCorrupt, says: `line 1: 2 weights per vertex with METIS format "1"`},
		{name: "too few rows", text: "3 1\n2\n1\n", opts: metis, err: tables.ErrCorrupt, says: "header promises 3 vertices, the file has 2 rows"},
		{name: "too many rows", text: "2 1\n2\n1\n\n2\n", opts: metis, err: tables.ErrCorrupt, says: "header promises 2 vertices, the file has more rows"},
		{name: "too few entries", text: "3 2\n2\n1\n\n", opts: metis, err: tables.ErrCorrupt, says: "header promises 4 adjacency entries (twice its edges), the file has 2"},
		{name: "id zero", text: "2 1\n2\n0\n", opts: metis, err: tables.ErrCorrupt, says: "line 3: vertex 0 is not in 1 to 2"},
		{name: "id beyond", text: "2 1\n3\n1\n", opts: metis, err: tables.ErrCorrupt, says: "line 2: vertex 3 is not in 1 to 2"},
		{name: "id no number", text: "2 1\n2\n1.0\n", opts: metis, err: tables.ErrCorrupt, says: `line 3: "1.0" is not a whole number`},
		{name: "edge weight missing", text: "2 1 1\n2 7\n1\n", opts: ignore, err: tables.ErrCorrupt, says: "line 3: line ends where a number should be"},
		{name: "vertex weight missing", text: "2 1 11\n5 2 7\nx\n", opts: ignore, err: tables.ErrCorrupt, says: `line 3: "x" is not a whole number`},
		{name: "absurd vertices", text: "1000000000000000000 1\n2\n1\n", opts: metis, err: tables.ErrInput, says: "header: 1000000000000000000 vertices; the limit is 2147483647"},
		{name: "absurd edges", text: "2 9223372036854775807\n2\n1\n", opts: metis, err: tables.ErrCorrupt, says: "line 1: number 9223372036854775807 is too large"},
		{name: "more than absurd edges", text: "2 9223372036854775808\n2\n1\n", opts: metis, err: tables.ErrCorrupt, says: `line 1: number "9223372036854775808" is too large`},
	})
	t.Run("by name", func(t *testing.T) {
		for _, name := range []string{"a.graph", "a.graph.gz", "b.graph.zst"} { // the ending counts, the bytes are plain
			got, err := readAll(t.Context(), tables.Options{Paths: []string{writeFile(t, name, "3 2\n2\n1 3\n2\n")}})
			if err != nil || got.edges() != "1>2 2>1 2>3 3>2" {
				t.Error(name, got.edges(), err)
			}
		}
	})
	t.Run("long rows", func(t *testing.T) {
		// A star's centre has a row longer than MaxLine, and than a chunk.
		const leaves = 100_000
		text := "100001 100000\n" + strings.Repeat("100001 ", leaves) + "\n" + strings.Repeat("1\n", leaves)
		_, err := readString(text, tables.Options{Format: tables.FormatMETIS, MaxLine: 1000})
		checkError(t, err, tables.ErrInput, "arrowio: standard input: line 2: longer than 256000 bytes; not text, or a quote that is not closed")
		got, err := readString(text, tables.Options{Format: tables.FormatMETIS, MaxLine: 3000})
		if err != nil || got.Rows != 2*leaves || got.src[0] != "1" || got.src[leaves] != "2" || got.dst[2*leaves-1] != "1" || got.src[2*leaves-1] != "100001" {
			t.Error(got.Summary, err)
		}
	})
}

func TestDIMACS(t *testing.T) {
	ignore := tables.Options{IgnoreWeight: true}
	runTextTests(t, []textTest{
		{name: "shortest paths", text: "c a\nc\np sp 3 2\nc b\na 1 2 9\na 2 1 -4\n", opts: ignore, edges: "1>2 2>1", vertices: "1 2 3", notes: arcsOneWay},
		{name: "blanks", text: "c\r\n\np  sp\t3 2 \r\n\r\n a 1  2 9 \r\na 2 1 0.5", opts: ignore, edges: "1>2 2>1", vertices: "1 2 3", notes: arcsOneWay},
		{name: "edges", text: "p edge 3 1\ne 3 1\n", edges: "3>1", vertices: "1 2 3"},
		{name: "colouring", text: "p col 3 1\ne 3 1\n", edges: "3>1", vertices: "1 2 3"},
		{name: "no arcs", text: "p sp 2 0\n", opts: ignore, vertices: "1 2"},

		{name: "lengths", text: "c\np sp 2 1\na 1 2 3\n", err: tables.ErrInput, says: "line 2: arcs have lengths" + noWeights("value")},
		{name: "not DIMACS", text: "c d\np q\n", edges: "c>d p>q", ids: "utf8", notes: readAsData},
		{name: "no problem", text: "c a\n", opts: tables.Options{Format: tables.FormatDIMACS}, err: tables.ErrCorrupt, says: "no DIMACS problem line"},
		{name: "bad problem", text: "p sp 3\n", opts: tables.Options{Format: tables.FormatDIMACS}, err: tables.ErrCorrupt, says: `line 1: "p sp 3" is not a DIMACS problem line`},
		{name: "other problem", text: "p max 3 2\n", err: tables.ErrInput, says: `line 1: DIMACS problem "max"; want sp, edge or col`},
		{name: "too few arcs", text: "p sp 2 2\na 1 2 1\n", opts: ignore, err: tables.ErrCorrupt, says: "header promises 2 arcs or edges, the file has 1"},
		{name: "too many arcs", text: "p sp 2 1\na 1 2 1\na 1 2 1\n", opts: ignore, err: tables.ErrCorrupt, says: "header promises 1 arcs or edges, the file has 2"},
		{name: "other line", text: "p sp 2 1\ne 1 2 1\n", opts: ignore, err: tables.ErrCorrupt, says: `line 2: line begins with "e"; want 'a' or a comment`},
		{name: "no blank", text: "p sp 2 1\na1 2 1\n", opts: ignore, err: tables.ErrCorrupt, says: `line 2: line begins with "a1"; want 'a' or a comment`},
		{name: "no length", text: "p sp 2 1\na 1 2\n", opts: ignore, err: tables.ErrCorrupt, says: "line 2: arc without a length"},
		{name: "too long", text: "p sp 2 1\na 1 2 3 4\n", opts: ignore, err: tables.ErrCorrupt, says: "line 2: the line goes on after its arc or edge"},
		{name: "edge with a length", text: "p edge 2 1\ne 1 2 3\n", err: tables.ErrCorrupt, says: "line 2: the line goes on after its arc or edge"},
		{name: "arc cut", text: "p sp 2 1\na 1\n", opts: ignore, err: tables.ErrCorrupt, says: "line 2: line ends where a number should be"},
		{name: "id zero", text: "p sp 2 1\nc\na 1 0 1\n", opts: ignore, err: tables.ErrCorrupt, says: "line 3: vertex 0 is not in 1 to 2"},
		{name: "id beyond", text: "p sp 2 1\na 3 1 1\n", opts: ignore, err: tables.ErrCorrupt, says: "line 2: vertex 3 is not in 1 to 2"},
		{name: "absurd vertices", text: "p sp 1000000000000000000 1\na 1 2 1\n", opts: ignore, err: tables.ErrInput, says: "header: 1000000000000000000 vertices; the limit is 2147483647"},
		{name: "absurd arcs", text: "p sp 2 99999999999999999999\n", opts: ignore, err: tables.ErrCorrupt, says: `line 1: number "99999999999999999999" is too large`},
	})
	t.Run("comments beyond what sniffing sees", func(t *testing.T) {
		got, err := readString(strings.Repeat("c 0123456789\n", 10_000)+"p sp 2 1\na 1 2 3\n", ignore)
		if err != nil || got.edges() != "1>2" {
			t.Error(got.edges(), err)
		}
	})
}

// TestCutShort cuts every format with counts at every byte. The last line ends
// in a one-digit number, so that every cut but that of the last newline shows.
func TestCutShort(t *testing.T) {
	for format, text := range map[tables.Format]string{
		tables.FormatMTX:    "%%MatrixMarket matrix coordinate pattern general\n% c\n12 12 3\n1 12\n11 1\n3 4\n",
		tables.FormatMETIS:  "% c\n12 3\n12 2\n1\n\n\n\n\n\n\n\n\n12\n11 1\n",
		tables.FormatDIMACS: "c c\np edge 12 3\ne 1 12\ne 11 1\ne 3 4\n",
	} {
		for cut := range len(text) + 1 {
			got, err := readString(text[:cut], tables.Options{Format: format})
			whole := cut >= len(text)-1
			if whole && (err != nil || got.Rows < 3) || !whole && err == nil {
				t.Errorf("%s cut to %q: %s, %v", format, text[:cut], got.edges(), err)
			}
		}
	}
}

func TestManyDeclaredVertices(t *testing.T) {
	const n = 3*numbered.VertexBatch + 5
	got, err := readString("p edge 196613 0\n", tables.Options{})
	if err != nil || len(got.vertices) != n || got.vertices[n-1] != "196613" || got.batches != 5 { // the first says how many
		t.Error(len(got.vertices), got.batches, err)
	}
}

// For a directed graph, formats of edges and of mirror images say that each counts
// both ways; formats of arcs do not.
func TestDirections(t *testing.T) {
	for text, want := range map[string]bool{
		"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n":         false,
		"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n":       true,
		"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 .5\n":  true,
		"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 .5 .5\n": true,
		"p sp 2 1\na 1 2 3\n": false,
		"p edge 2 1\ne 1 2\n": true,
		"1 2\n":               false,
	} {
		edges := make(chan tables.Batch, 8)
		summary, err := Read(t.Context(), tables.Options{Stdin: strings.NewReader(text), Directed: true, IgnoreWeight: true}, edges)
		if err != nil {
			t.Fatal(err)
		}
		for batch := range edges {
			if batch.Src.Len() > 0 && batch.BothWays != want {
				t.Errorf("%q: both ways: %t", text, batch.BothWays)
			}
			batch.Release()
		}
		if len(summary.Notes) > 0 {
			t.Errorf("%q: %q", text, summary.Notes)
		}
	}
}
