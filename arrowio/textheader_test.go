package arrowio

import (
	"os"
	"strings"
	"testing"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/textlines"
	"bcstage/arrowio/tables"
)

// A header with unusual names above strings used to be an edge: two vertices that
// nobody meant.
func TestHeaderOverStrings(t *testing.T) {
	header := func(names string) string {
		return `line 1: ` + names + headerOrEdge
	}
	yes, no := tables.Options{Header: tables.HeaderYes}, tables.Options{Header: tables.HeaderNo}
	const ann = `Options.Header "yes", or Options.Src "start" and Options.Dst "end", if this is a header, Options.Header "no" if it is data`
	asHeader := func(names string) string {
		return `line 1 is read as a header: ` + names + `; Options.Header "no" if it is data`
	}
	runTextTests(t, []textTest{
		{name: "commas", text: "start,end\nann,bob\n", err: tables.ErrInput, says: header(`["start", "end"]`) + ann},
		{name: "tabs", text: "start\tend\nann\tbob\n", err: tables.ErrInput, says: header(`["start", "end"]`) + ann},
		{name: "semicolons", text: "start;end\nann;bob\n", err: tables.ErrInput, says: header(`["start", "end"]`) + ann},
		{name: "below comments", text: "# c\nstart,end\nann,bob\n", err: tables.ErrInput, says: strings.Replace(header(`["start", "end"]`), "1", "2", 1) + ann},
		{name: "alone", text: "start,end\n", err: tables.ErrInput, says: header(`["start", "end"]`) + ann},
		{name: "ids above a mixed row", text: "id,name\n1,ann\n", err: tables.ErrInput, says: header(`["id", "name"]`) + strings.NewReplacer("start", "id", "end", "name").Replace(ann)},
		{name: "integers as strings", text: "start,end\n1,2\n", opts: tables.Options{IDs: tables.IDsString}, err: tables.ErrInput, says: header(`["start", "end"]`) + ann},
		{name: "three columns", text: "kind,start,end\nknows,ann,bob\n", err: tables.ErrInput, says: header(`["kind", "start", "end"]`) +
			`Options.Src "start" and Options.Dst "end" if this is a header, Options.Header "no" if it is data`},
		{name: "three columns, none likely", text: "kind,who,whom\nknows,ann,bob\n", err: tables.ErrInput, says: header(`["kind", "who", "whom"]`) +
			`Options.Src and Options.Dst with two of the names if this is a header, Options.Header "no" if it is data`},

		{name: "a name below", text: "ann,bob\nbob,cid\n", edges: "ann>bob bob>cid", ids: "utf8"},
		{name: "a name far below", text: "ann,bob\n" + strings.Repeat("cid,dan\n", 9) + "eve,ann\n", edges: "ann>bob" + strings.Repeat(" cid>dan", 9) + " eve>ann", ids: "utf8"},
		{name: "no names", text: "0x1,0x2\n0x3,0x4\n", edges: "0x1>0x2 0x3>0x4", ids: "utf8"},
		{name: "blanks", text: "start end\nann bob\n", edges: "start>end ann>bob", ids: "utf8", notes: readAsData},
		{name: "blanks above integers", text: "start end\n1 2\n", err: tables.ErrInput, says: header(`["start", "end"]`) + ann},

		{name: "yes", text: "start,end\nann,bob\n", opts: yes, edges: "ann>bob", ids: "utf8"},
		{name: "yes, blanks", text: "start end\nann bob\n", opts: yes, edges: "ann>bob", ids: "utf8"},
		{name: "yes, integers", text: "1,2\n3,4\n", opts: yes, edges: "3>4"},
		{name: "yes, usual names", text: "x,dst,src\nk,ann,bob\n", opts: yes, edges: "bob>ann", ids: "utf8"},
		{name: "yes, three columns", text: "kind,start,end\nknows,ann,bob\n", opts: yes, err: tables.ErrInput,
			says: `line 1: no source and destination among columns ["kind", "start", "end"]; give Options.Src "start" and Options.Dst "end" if these are the ends`},
		{name: "yes, columns called by numbers", text: "3,2,1\nx,y,z\n", opts: tables.Options{Header: tables.HeaderYes, Src: "2", Dst: "3"}, edges: "y>x", ids: "utf8"},
		{name: "yes, counts line", text: "3,2,u,graph\n1,2,x,y\n", opts: tables.Options{Header: tables.HeaderYes, Src: "3", Dst: "2"}, edges: "1>2"},
		{name: "no", text: "start,end\nann,bob\n", opts: no, edges: "start>end ann>bob", ids: "utf8"},
		{name: "no, usual names", text: "src,dst\nann,bob\n", opts: no, edges: "src>dst ann>bob", ids: "utf8"},
		{name: "no, names above integers", text: "a b\n1 2\n", opts: no, edges: "a>b 1>2", ids: "utf8"},

		{name: "usual names", text: "from,to\nann,bob\n", edges: "ann>bob", ids: "utf8"},
		{name: "letters above words", text: "u,v\nann,bob\n", edges: "ann>bob", ids: "utf8"},
		{name: "letters above integers", text: "u,v\n1,2\n", edges: "1>2"},
		{name: "letters above letters", text: "u,v\na,b\nb,c\n", edges: "a>b b>c", ids: "utf8", warnings: asHeader(`["u", "v"]`)},
		{name: "names that occur", text: "node_1,node_2\nnode_2,node_3\n", edges: "node_2>node_3", ids: "utf8", warnings: asHeader(`["node_1", "node_2"]`)},
		{name: "letters, blanks", text: "u v\nv w\n", edges: "v>w", ids: "utf8", warnings: asHeader(`["u", "v"]`)},
		{name: "letters, yes", text: "u,v\na,b\n", opts: yes, edges: "a>b", ids: "utf8"},
		{name: "letters, named", text: "u,v\na,b\n", opts: tables.Options{Src: "u", Dst: "v"}, edges: "a>b", ids: "utf8"},
		{name: "letters, no", text: "u,v\na,b\n", opts: no, edges: "u>v a>b", ids: "utf8"},
	})
	t.Run("go-imports.csv", func(t *testing.T) {
		text, err := os.ReadFile("../testdata/go-imports.csv")
		if err != nil {
			t.Fatal(err)
		}
		got, err := readString(string(text), tables.Options{})
		if err != nil || got.src[0] != "internal/abi" || len(got.Notes) != 0 || len(got.Warnings) != 0 {
			t.Error(got.src[0], got.Notes, got.Warnings, err)
		}
	})
}

// A name that occurs only after the first batch does not make the first row an
// edge.
func TestHeaderBeyondTheFirstBatch(t *testing.T) {
	text := "start,end\n" + strings.Repeat("ann,bob\n", textlines.ChunkBytes/8) + "start,end\n"
	if _, err := readString(text, tables.Options{}); err == nil || !strings.Contains(err.Error(), "may be the names") {
		t.Error(err)
	}
	got, err := readString(text, tables.Options{Header: tables.HeaderNo})
	if err != nil || got.Rows != textlines.ChunkBytes/8+2 {
		t.Error(got.Rows, err)
	}
}

func TestFieldNumbers(t *testing.T) {
	fields := func(src, dst string) tables.Options { return tables.Options{Src: src, Dst: dst} }
	runTextTests(t, []textTest{
		{name: "second and third", text: "x 1 2\ny 2 3\n", opts: fields("2", "3"), edges: "1>2 2>3"},
		{name: "backwards", text: "1,x,2\n2,y,3\n", opts: fields("3", "1"), edges: "2>1 3>2"},
		{name: "fields with the same numbers", text: "1,2,3\n10,20,30\n", opts: fields("2", "3"), edges: "2>3 20>30"},
		{name: "strings", text: "1\tann\tbob\n2\tbob\tcid\n", opts: fields("2", "3"), edges: "ann>bob bob>cid", ids: "utf8"},
		{name: "header no", text: "a,b,c\n1,2,3\n", opts: tables.Options{Src: "2", Dst: "3", Header: tables.HeaderNo}, edges: "b>c 2>3", ids: "utf8"},
		{name: "weight behind", text: "x 1 2 .5\n", opts: fields("2", "3"), err: tables.ErrInput, says: "field 4 is a number in every row, as a weight is" + noWeights("4")},
		{name: "number before", text: "7 1 2\n", opts: fields("2", "3"), edges: "1>2"},
		{name: "under a header", text: "id,src,dst\n7,1,2\n", opts: fields("2", "3"), err: tables.ErrInput,
			says: `line 1: no column "2" among columns ["id", "src", "dst"]; name two of these, or Options.Header "no" if they are data`},
		{name: "names without a header, unasked", text: "1,2\n", opts: fields("a", "b"), err: tables.ErrInput,
			says: `line 1: no column "a" among columns ["1", "2"]; in a text without a header, Options.Src and Options.Dst are numbers of fields, from 1`},
		{name: "out of range", text: "1 2\n", opts: fields("2", "3"), err: tables.ErrInput, says: "line 1: no field 3: the row has 2"},
		{name: "no canonical number", text: "1 2\n", opts: fields("1", "02"), err: tables.ErrInput, says: `line 1: no column "02" among columns ["1", "2"]`},
		{name: "zero", text: "1 2\n", opts: tables.Options{Src: "0", Dst: "1", Header: tables.HeaderNo}, err: tables.ErrUsage, says: `line 1: Options.Src "0" and Options.Dst "1": a text without a header has no names; want numbers of fields, from 1`},
		{name: "names without a header", text: "1 2\n", opts: tables.Options{Src: "a", Dst: "b", Header: tables.HeaderNo}, err: tables.ErrUsage, says: `line 1: Options.Src "a" and Options.Dst "b": a text without a header has no names; want numbers of fields, from 1`},
		{name: "names above", text: "kind,who,whom\nx,1,2\n", opts: fields("2", "3"), err: tables.ErrInput,
			says: `line 1: ["kind", "who", "whom"]` + headerOrEdge + `Options.Src "who" and Options.Dst "whom" if this is a header, Options.Header "no" if it is data`},
	})
}

// Lengths in DIMACS and a third field were dropped without a word under -q; other
// formats refused them.
func TestWeightsInText(t *testing.T) {
	says := "field 3 is a number in every row, as a weight is" + noWeights("3")
	ignore := tables.Options{IgnoreWeight: true}
	const two = "only the first two of 3 fields are read"
	runTextTests(t, []textTest{
		{name: "integers", text: "1 2 3\n2 3 4\n", err: tables.ErrInput, says: says},
		{name: "reals", text: "1,2,0.5\n2,3,-1e-3\n", err: tables.ErrInput, says: says},
		{name: "over strings", text: "ann\tbob\t1\nbob\tcid\t2\n", err: tables.ErrInput, says: says},
		{name: "a fourth field", text: "1 2 3 x\n", err: tables.ErrInput, says: says},
		{name: "ignored", text: "1 2 3\n2 3 4\n", opts: ignore, edges: "1>2 2>3", notes: two},
		{name: "one is none", text: "1,2,3\n2,3,\n", edges: "1>2 2>3", notes: two},
		{name: "a later one is none", text: "1 2 3\n2 3 x\n", edges: "1>2 2>3", notes: two},
		{name: "words", text: "1 2 x\n", edges: "1>2", notes: two},
		{name: "attributes", text: "1 2 {}\n2 3 {'weight': 7, 'c': 1}\n", err: tables.ErrInput, says: `edges have attributes "weight"` + noWeights("weight")},
		{name: "JSON attributes", text: "1 2 {\"weight\": 7}\n", err: tables.ErrInput, says: `edges have attributes "weight"` + noWeights("weight")},
		{name: "attributes ignored", text: "1 2 {'weight': 7}\n", opts: ignore, edges: "1>2", notes: two},
		{name: "under a header, another name", text: "src,dst,year\n1,2,1999\n", edges: "1>2"},
		{name: "under a header, edge_weight", text: "src,dst,Edge_Weight\n1,2,1\n", err: tables.ErrInput, says: `line 1: column "Edge_Weight" is a weight` + noWeights("Edge_Weight")},
		{name: "under a header, Neo4j", text: ":START_ID,:END_ID,weight:double\n1,2,1\n", err: tables.ErrInput, says: `line 1: column "weight:double" is a weight` + noWeights("weight:double")},
	})
}

func TestAdvice(t *testing.T) {
	_, err := readString("src,dst\n1,\n", tables.Options{})
	if got := Advice(err); got != edgetable.DropNulls || !strings.HasSuffix(err.Error(), "; "+got) {
		t.Errorf("%q of %v", got, err)
	}
	if _, err = readString("1\n", tables.Options{}); Advice(err) != "" {
		t.Error(Advice(err))
	}
}
