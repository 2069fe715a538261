package arrowio

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// By shapely 2.1: shapely.to_wkb(shapely.from_wkt(text), flavor=..., byte_order=...).
var geometries = map[string]string{
	"00000000013ff8000000000000c000000000000000":                                                                         "POINT (1.5 -2)",
	"0101000000000000000000f83f00000000000000c0":                                                                         "POINT (1.5 -2)",
	"00000000017ff80000000000007ff8000000000000":                                                                         "POINT EMPTY",
	"0101000000000000000000f87f000000000000f87f":                                                                         "POINT EMPTY",
	"00000003e93ff000000000000040000000000000004008000000000000":                                                         "POINT Z (1 2 3)",
	"00800000013ff000000000000040000000000000004008000000000000":                                                         "POINT Z (1 2 3)",
	"01e9030000000000000000f03f00000000000000400000000000000840":                                                         "POINT Z (1 2 3)",
	"0101000080000000000000f03f00000000000000400000000000000840":                                                         "POINT Z (1 2 3)",
	"000000000200000003000000000000000000000000000000003ff00000000000003ff000000000000040000000000000003fd0000000000000": "LINESTRING (0 0, 1 1, 2 0.25)",
	"01020000000300000000000000000000000000000000000000000000000000f03f000000000000f03f0000000000000040000000000000d03f": "LINESTRING (0 0, 1 1, 2 0.25)",
	"000000000200000000": "LINESTRING EMPTY",
	"010200000000000000": "LINESTRING EMPTY",
	"0000000003000000020000000400000000000000000000000000000000401000000000000000000000000000004010000000000000401000000000000000000000000000000000000000000000000000043ff00000000000003ff000000000000040000000000000003ff0000000000000400000000000000040000000000000003ff00000000000003ff0000000000000": "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))",
	"010300000002000000040000000000000000000000000000000000000000000000000010400000000000000000000000000000104000000000000010400000000000000000000000000000000004000000000000000000f03f000000000000f03f0000000000000040000000000000f03f00000000000000400000000000000040000000000000f03f000000000000f03f": "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))",
	"00000000040000000200000000010000000000000000000000000000000000000000013ff00000000000003ff0000000000000":                                                                                                                                                                                                                                 "MULTIPOINT ((0 0), (1 1))",
	"0104000000020000000101000000000000000000000000000000000000000101000000000000000000f03f000000000000f03f":                                                                                                                                                                                                                                 "MULTIPOINT ((0 0), (1 1))",
	"000000000500000002000000000200000002000000000000000000000000000000003ff00000000000003ff00000000000000000000002000000024000000000000000400000000000000040080000000000004008000000000000":                                                                                                                                                 "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
	"01050000000200000001020000000200000000000000000000000000000000000000000000000000f03f000000000000f03f0102000000020000000000000000000040000000000000004000000000000008400000000000000840":                                                                                                                                                 "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
	"00000000060000000200000000030000000100000004000000000000000000000000000000004010000000000000000000000000000040100000000000004010000000000000000000000000000000000000000000000000000003000000010000000440140000000000004014000000000000401800000000000040140000000000004018000000000000401800000000000040140000000000004014000000000000": "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
	"01060000000200000001030000000100000004000000000000000000000000000000000000000000000000001040000000000000000000000000000010400000000000001040000000000000000000000000000000000103000000010000000400000000000000000014400000000000001440000000000000184000000000000014400000000000001840000000000000184000000000000014400000000000001440": "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((5 5, 6 5, 6 6, 5 5)))",
	"00000000070000000200000000013ff00000000000004000000000000000000000000200000002000000000000000000000000000000003ff00000000000003ff0000000000000":                                                                                                                                                                                         "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))",
	"0107000000020000000101000000000000000000f03f000000000000004001020000000200000000000000000000000000000000000000000000000000f03f000000000000f03f":                                                                                                                                                                                         "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))",
	"000000000700000000": "GEOMETRYCOLLECTION EMPTY",
	"010700000000000000": "GEOMETRYCOLLECTION EMPTY",
	"0101000020110f0000000000000000f03f0000000000000040": "POINT (1 2)",
}

func TestWKT(t *testing.T) {
	for code, want := range geometries {
		data, err := hex.DecodeString(code)
		if err != nil {
			t.Fatal(err)
		}
		got, err := appendWKT(nil, data)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", code, got, err, want)
		}
		for n := range data { // cut short
			if got, err := appendWKT(nil, data[:n]); err == nil {
				t.Errorf("%d bytes of %s: %q", n, code, got)
			}
		}
		if _, err := appendWKT(nil, append(data, 0)); err == nil {
			t.Errorf("%s: a byte more", code)
		}
	}
	deep := strings.Repeat("010700000001000000", wkbDepth+1)
	huge := "0102000000ffffffff"
	for _, code := range []string{deep, huge, "0109000000", "01a10f0000", "0101000000000000000000f07f0000000000000000"} {
		data, _ := hex.DecodeString(code)
		if got, err := appendWKT(nil, data); err == nil {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// Text has geometries as WKT; a column without GeoParquet metadata stays unchanged.
func TestGeometriesInText(t *testing.T) {
	point, _ := hex.DecodeString("0101000000000000000000f83f00000000000000c0")
	column := tables.KeptValues{Keys: tables.Keys{Bytes: point, Offsets: []int64{0, 21, 21}}, Null: []bool{false, true}}
	binary := idtypes.Of(arrow.BinaryTypes.Binary)
	table := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2, 3}}, Kept: []tables.KeptColumn{{Name: "place", Type: binary, KeptValues: column}}, Geo: tables.Geo{"place": json.RawMessage(`{}`)}}
	for format, want := range map[tables.Format]string{
		tables.FormatCSV: "vertex,place\n1,POINT (1.5 -2)\n2,\n3,\n",
		FormatJSONL:      `{"vertex":1,"place":"POINT (1.5 -2)"}` + "\n" + `{"vertex":2,"place":null}` + "\n" + `{"vertex":3,"place":null}` + "\n",
	} {
		var out bytes.Buffer
		if err := Write(t.Context(), &out, format, table); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v; want %q", format, out.String(), err, want)
		}
	}
	if &table.Kept[0].Keys.Bytes[0] != &point[0] {
		t.Error("the table was changed")
	}
	table.Kept[0].Keys.Offsets = []int64{0, 20, 21}
	if _, err := Fits(t.Context(), tables.FormatCSV, table); err == nil || !strings.Contains(err.Error(), `column "place": the value of vertex 1 is not well-known binary`) {
		t.Errorf("damaged: %v", err)
	}
}

// Bytes are shown as text if all of them are geometries, with or without metadata about
// their column.
func TestKeptText(t *testing.T) {
	point, _ := hex.DecodeString("0101000000000000000000f83f00000000000000c0")
	column := func(name string, typ arrow.DataType, values ...string) tables.KeptColumn {
		c := tables.KeptColumn{Name: name, Type: idtypes.Of(typ), KeptValues: tables.KeptValues{Keys: tables.Keys{Offsets: []int64{0}}}}
		for _, value := range values {
			c.Keys.Bytes = append(c.Keys.Bytes, value...)
			c.Keys.Offsets = append(c.Keys.Offsets, int64(len(c.Keys.Bytes)))
		}
		return c
	}
	table := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2, 3}}, Kept: []tables.KeptColumn{
		column("place", arrow.BinaryTypes.Binary, string(point), string(point)),
		column("bytes", arrow.BinaryTypes.Binary, string(point), "x"),
		column("name", arrow.BinaryTypes.String, `a "b", c`, string(point)),
	}}
	table.Kept[0].Null = []bool{false, true}
	names, format := KeptText(&table)
	if strings.Join(names, " ") != "place bytes name" {
		t.Errorf("columns %q", names)
	}
	for column, want := range [][]string{{"POINT (1.5 -2)", "", ""}, {`\x01\x01` + strings.Repeat(`\x00`, 9) + `\xF8?` + strings.Repeat(`\x00`, 7) + `\xC0`, "x", ""}, {`a "b", c`, string(point), ""}} {
		for vertex, want := range want {
			if got := string(format(nil, column, vertex)); got != want {
				t.Errorf("%s of vertex %d: %q, want %q", names[column], vertex, got, want)
			}
		}
	}
}
