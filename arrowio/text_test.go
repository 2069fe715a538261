package arrowio

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// textTest is a text, with the expected result of reading it.
type textTest struct {
	name, text string
	opts       tables.Options

	edges    string // "a>b c>d"
	vertices string
	ids      string // Arrow type; empty: int64
	dropped  int64
	notes    string // all of them, after the input's name, one a line
	warnings string // likewise

	err  error  // class
	says string // the message, after "arrowio: standard input: "
}

func runTextTests(t *testing.T, tests []textTest) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := readString(test.text, test.opts)
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if err != nil {
				if says := strings.TrimPrefix(err.Error(), "arrowio: standard input: "); says != test.says {
					t.Fatalf("error\n%s\nwant\n%s", says, test.says)
				}
				return
			}
			if test.ids == "" {
				test.ids = "int64"
			}
			if ids := got.IDs.String(); ids != test.ids {
				t.Errorf("ids are %s, want %s", ids, test.ids)
			}
			if edges := got.edges(); edges != test.edges || got.Rows != int64(len(got.src)) {
				t.Errorf("%d edges %q, want %q", got.Rows, edges, test.edges)
			}
			if vertices := strings.Join(got.vertices, " "); vertices != test.vertices {
				t.Errorf("vertices %q, want %q", vertices, test.vertices)
			}
			if got.NullsDropped != test.dropped {
				t.Errorf("%d rows dropped, want %d", got.NullsDropped, test.dropped)
			}
			if notes := strings.ReplaceAll(strings.Join(got.Notes, "\n"), "standard input: ", ""); notes != test.notes {
				t.Errorf("notes %q, want %q", notes, test.notes)
			}
			if warnings := strings.ReplaceAll(strings.Join(got.Warnings, "\n"), "standard input: ", ""); warnings != test.warnings {
				t.Errorf("warnings %q, want %q", warnings, test.warnings)
			}
		})
	}
}

const (
	readAsData = `line 1 is read as data; Options.Header "yes" if it is a header`
)

// noWeights is the advice about weights with this name in Options.Weight.
func noWeights(name string) string {
	return fmt.Sprintf("; Options.Weight %q measures paths by them, Options.IgnoreWeight reads the edges without", name)
}

func TestEdgeLists(t *testing.T) {
	runTextTests(t, []textTest{
		{name: "blanks", text: "1 2\n2 3\n", edges: "1>2 2>3"},
		{name: "tabs", text: "1\t2\n2\t3\n", edges: "1>2 2>3"},
		{name: "commas", text: "1,2\n2,3\n", edges: "1>2 2>3"},
		{name: "semicolons", text: "1;2\n2;3\n", edges: "1>2 2>3"},
		{name: "bars", text: "1|2\n2|3\n", edges: "1>2 2>3"},
		{name: "CRLF", text: "1 2\r\n2 3\r\n", edges: "1>2 2>3"},
		{name: "no last newline", text: "1 2\n2 3", edges: "1>2 2>3"},
		{name: "no last newline, CR", text: "1,2\r\n2,3\r", edges: "1>2 2>3"},
		{name: "byte order mark", text: "\xef\xbb\xbf1 2\n", edges: "1>2"},
		{name: "byte order mark before a header", text: "\xef\xbb\xbfsrc,dst\n1,2\n", edges: "1>2"},
		{name: "blanks around", text: "  1   2  \n3 \t 4\t\r\n", edges: "1>2 3>4"},
		{name: "blanks around commas", text: " 1 , 2 \n3,\t4 \r\n", edges: "1>2 3>4"},
		{name: "tab at the end only", text: "1 2\t\n3 4\t\n", edges: "1>2 3>4"},
		{name: "self-loops and repeats are kept", text: "1 1\n1 2\n2 1\n1 2\n", edges: "1>1 1>2 2>1 1>2"},
		{name: "comments and blank lines before", text: "# a 1\n#\n\n  \n# b\n1 2\n", edges: "1>2"},
		{name: "percent comments", text: "% sym unweighted\n% 3 2 2\n1 2\n", edges: "1>2"},
		{name: "percent comments without a blank", text: "%Edges of a graph\n%2005 data\n%FACEBOOK\n%%\n%\n1 2\n", edges: "1>2"},
		{name: "percent-encoded signs", text: "%22Heroes%22 %CE%BB\n", edges: "%22Heroes%22>%CE%BB", ids: "utf8", notes: readAsData},
		{name: "percent-encoded names below #", text: "# links\n\n%C3%81ed\tBede\n%E2%82%AC\tEuro\n", edges: "%C3%81ed>Bede %E2%82%AC>Euro", ids: "utf8"},
		{name: "percent-encoded names first", text: "%C3%81ed\tBede\n", edges: "%C3%81ed>Bede", ids: "utf8"},
		{name: "another comment sign is data", text: "# c\n% a\n", edges: "%>a", ids: "utf8"},
		{name: "blank lines between", text: "1 2\n\n \n3 4\n\n\n", edges: "1>2 3>4"},
		{name: "comment after the first row", text: "1 2\n# c\n3 4\n", err: tables.ErrInput,
			says: `line 2: column 1: "#" is not an integer of at most 64 bits like those before it; Options.IDs "string" reads all ids as strings`},
		{name: "hash strings after the first row", text: "a,b\n#c,b\n", edges: "a>b #c>b", ids: "utf8"},
		{name: "further fields", text: "1 2 1400000000\n2 3 1400000001\n", opts: tables.Options{IgnoreWeight: true}, edges: "1>2 2>3", notes: "only the first two of 3 fields are read"},
		{name: "further fields, commas", text: "1,2,x,\n2,3,,\n", edges: "1>2 2>3", notes: "only the first two of 4 fields are read"},
		{name: "NetworkX attributes", text: "1 2 {}\n2 3 {'c': 1}\n", edges: "1>2 2>3", notes: "only the first two of 3 fields are read"},
		{name: "tabs keep blanks inside", text: "New York\tLos Angeles\nLos Angeles\tNew York\n", edges: "New York>Los Angeles Los Angeles>New York", ids: "utf8"},
		{name: "empty lines only", text: "\n\n", ids: "int64"},
		{name: "comments only", text: "# a\n# b\n", ids: "int64"},
		{name: "gene names like magic bytes", text: "PAR1 ORC1\nFEA1 BZh\n", edges: "PAR1>ORC1 FEA1>BZh", ids: "utf8", notes: readAsData},

		{name: "one field", text: "1\n2\n", err: tables.ErrInput, says: "line 1: only one field; an edge needs two, separated by blanks, tabs, commas, semicolons or bars"},
		{name: "too few fields", text: "1 2\n3\n", err: tables.ErrInput, says: "line 2: number of fields is 1, but 2 in line 1; Options.Format \"metis\" reads a METIS file"},
		{name: "too many fields", text: "# c\n1,2\n3,4\n5,6,7\n", err: tables.ErrInput, says: "line 4: number of fields is 3, but 2 in line 2"},
		{name: "METIS unawares", text: "3 2\n2\n1 3\n2\n", err: tables.ErrInput, says: "line 2: number of fields is 1, but 2 in line 1, as in an adjacency list, which is not read; write one edge a line, or Options.Format \"metis\" reads a METIS file"},
		{name: "empty", text: "", err: tables.ErrInput, says: "arrowio: input is empty: -; an empty text needs an ending such as .csv, or Options.Format"},
		{name: "empty by option", text: "", opts: tables.Options{Format: tables.FormatCSV}, ids: "int64"},
		{name: "NUL first", text: "\x00\x01 2\n", err: tables.ErrInput, says: "line 1: binary data in no known format"},
		{name: "NUL later", text: "a,b\na,d\x00\n", err: tables.ErrInput, says: `line 2: id "d\x00" holds a NUL byte; not text`},
		{name: "control bytes", text: "\x01 \x02\n", err: tables.ErrInput, says: "line 1: binary data in no known format"},
		{name: "not UTF-8", text: "a,b\na,\xe9t\xe9\n", err: tables.ErrInput, says: `line 2: id "\xe9t\xe9" is not UTF-8`},
		{name: "not UTF-8 elsewhere", text: "src,dst,note\na,b,\xe9t\xe9\n", edges: "a>b", ids: "utf8"},
		{name: "old Macintosh lines", text: "1 2\r3 4\r", err: tables.ErrInput, says: "line 1: carriage return within a line; lines end with LF or CRLF"},
		{name: "UTF-16", text: "\xff\xfe1\x00 \x002\x00", err: tables.ErrInput, says: "input is UTF-16 text: convert it to UTF-8"},
		{name: "JSON lines", text: `{"src":1,"dst":2}` + "\n", err: tables.ErrInput, says: "line 1: looks like JSON, which is not read; give CSV, Parquet or Arrow, or name the format with Options.Format"},
		{name: "GraphML", text: "<?xml version='1.0'?>\n", err: tables.ErrInput, says: "line 1: looks like XML or HTML, which is not read; give CSV, Parquet or Arrow, or name the format with Options.Format"},
		{name: "zip", text: "PK\x03\x04\x00\x00", err: tables.ErrInput, says: "input is a zip archive: unpack it first"},
		{name: "long line", text: "1 " + strings.Repeat("2", 200), opts: tables.Options{MaxLine: 100}, err: tables.ErrInput, says: "line 1: longer than 100 bytes; not text, or a quote that is not closed"},
		{name: "long line later", text: strings.Repeat("1 2\n", 1000) + "1 " + strings.Repeat("2", 200), opts: tables.Options{MaxLine: 100}, err: tables.ErrInput, says: "line 1001: longer than 100 bytes; not text, or a quote that is not closed"},
	})
}

func TestIntegers(t *testing.T) {
	const hint = " is not an integer of at most 64 bits like those before it; Options.IDs \"string\" reads all ids as strings"
	runTextTests(t, []textTest{
		{name: "negative", text: "-1 2\n-9223372036854775808 0\n", edges: "-1>2 -9223372036854775808>0"},
		{name: "int64", text: "9223372036854775807 1\n", edges: "9223372036854775807>1"},
		{name: "uint64", text: "9223372036854775808 18446744073709551615\n", edges: "9223372036854775808>18446744073709551615", ids: "uint64"},
		{name: "negative and large", text: "1 -2\n3 9223372036854775808\n", err: tables.ErrInput, says: "negative ids and ids above 9223372036854775807 fit no common type"},
		{name: "too large", text: "1 2\n1 18446744073709551616\n", err: tables.ErrInput, says: `line 2: column 2: "18446744073709551616"` + hint},
		{name: "too small", text: "1 2\n1 -9223372036854775809\n", err: tables.ErrInput, says: `line 2: column 2: "-9223372036854775809"` + hint},
		{name: "string later", text: "1 2\n1 x\n", err: tables.ErrInput, says: `line 2: column 2: "x"` + hint},
		{name: "string later, header", text: "src,dst\n1,2\nx,1\n", err: tables.ErrInput, says: `line 3: column "src": "x"` + hint},
		{name: "string later, as strings", text: "1 2\n1 x\n", opts: tables.Options{IDs: tables.IDsString}, edges: "1>2 1>x", ids: "utf8"},
		{name: "leading zero later", text: "1 2\n1 02\n", err: tables.ErrInput, says: `line 2: column 2: "02"` + hint},
		{name: "plus later", text: "1 2\n+1 2\n", err: tables.ErrInput, says: `line 2: column 1: "+1"` + hint},
		{name: "minus zero later", text: "1 2\n-0 2\n", err: tables.ErrInput, says: `line 2: column 1: "-0"` + hint},
		{name: "float later", text: "1 2\n1.0 2\n", err: tables.ErrInput, says: `line 2: column 1: "1.0"` + hint},
		{name: "leading zeros are names", text: "001 002\n1 02\n", edges: "001>002 1>02", ids: "utf8", notes: readAsData},
		{name: "integers after strings", text: "a b\n1 2\n", opts: tables.Options{IDs: tables.IDsString}, edges: "a>b 1>2", ids: "utf8"},
		{name: "integers as strings", text: "7 007\n", opts: tables.Options{IDs: tables.IDsString}, edges: "7>007", ids: "utf8"},
		{name: "mixed row", text: "1 a\n", err: tables.ErrInput, says: `line 1: one id is an integer and one is not: "1", "a"; Options.IDs "string" reads all ids as strings`},
		{name: "mixed row as strings", text: "1 a\n", opts: tables.Options{IDs: tables.IDsString}, edges: "1>a", ids: "utf8"},
		{name: "float", text: "1.0 2.0\n", err: tables.ErrInput, says: `line 1: column 1: "1.0" is a floating-point number, not an id; Options.IDs "string" takes it as text`},
		{name: "exponent", text: "src,dst\n1,1e5\n", err: tables.ErrInput, says: `line 2: column "dst": "1e5" is a floating-point number, not an id; Options.IDs "string" takes it as text`},
		{name: "nan", text: "nan nan\n", err: tables.ErrInput, says: `line 1: column 1: "nan" is a floating-point number, not an id; Options.IDs "string" takes it as text`},
		{name: "floats as strings", text: "1.0 1e5\n", opts: tables.Options{IDs: tables.IDsString}, edges: "1.0>1e5", ids: "utf8"},
		{name: "hexadecimal names", text: "0x1p4 0x2\n", edges: "0x1p4>0x2", ids: "utf8", notes: readAsData},
		{name: "integers asked for", text: "a b\n", opts: tables.Options{IDs: tables.IDsInt}, err: tables.ErrInput, says: `line 1: column 1: "a"` + hint},
		{name: "quoted integers", text: "\"1\",\"2\"\n3,\"-4\"\n", edges: "1>2 3>-4"},
	})
}

func TestNulls(t *testing.T) {
	drop := tables.Options{Nulls: tables.NullsDrop}
	runTextTests(t, []textTest{
		{name: "error", text: "src,dst\n1,2\n1,\n", err: tables.ErrInput, says: `line 3: column "dst": null id; Options.Nulls "drop" leaves such rows out`},
		{name: "error in the first row", text: "src,dst\n,2\n", err: tables.ErrInput, says: `line 2: column "src": null id; Options.Nulls "drop" leaves such rows out`},
		{name: "error without a header", text: "1\t\n", err: tables.ErrInput, says: `line 1: only one field; an edge needs two, separated by blanks, tabs, commas, semicolons or bars`},
		{name: "error before a tab", text: "\t1\n", err: tables.ErrInput, says: `line 1: column 1: null id; Options.Nulls "drop" leaves such rows out`},
		{name: "drop", text: "src,dst\n1,2\n1,\n,2\n,\n3,4\n", opts: drop, edges: "1>2 3>4", dropped: 3},
		{name: "drop the first rows", text: "src,dst\n,2\n1,\n3,4\n", opts: drop, edges: "3>4", dropped: 2},
		{name: "drop strings", text: "src;dst\na;\nb;c\n;c\n", opts: drop, edges: "b>c", ids: "utf8", dropped: 2},
		{name: "drop all", text: "src,dst\n,2\n", opts: drop, dropped: 1},
		{name: "quoted empty", text: "src,dst\na,\"\"\nb,c\n", opts: drop, edges: "b>c", ids: "utf8", dropped: 1},
		{name: "blanks only", text: "src,dst\n1, \n1,2\n", opts: drop, edges: "1>2", dropped: 1},
		{name: "null elsewhere", text: "src,dst,kind\n1,2,\n", edges: "1>2"},
		{name: "too few fields are no null", text: "src,dst\n1,2\n1\n", opts: drop, err: tables.ErrInput, says: "line 3: number of fields is 1, but 2 in line 1"},
	})
}
