package arrowio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// Fits refuses the same tables as Write, before the values are there, and its least size is
// not above the written one.
func TestFits(t *testing.T) {
	outline := func(table tables.Table) tables.Table {
		table.Columns = []tables.Column{{Name: "betweenness_centrality", Values: tables.Floats(nil)}, {Name: "rank", Values: tables.Ints(nil)}, {Name: "independent_set", Values: tables.Bools(nil)}}
		return table
	}
	full := func(table tables.Table) tables.Table {
		n := table.IDs.Len()
		table.Columns = []tables.Column{{Name: "betweenness_centrality", Values: make(tables.Floats, n)}, {Name: "rank", Values: make(tables.Ints, n)}, {Name: "independent_set", Values: make(tables.Bools, n)}}
		return table
	}
	words := func(typ arrow.DataType, list ...uint64) tables.Table {
		return tables.Table{IDs: tables.Keys{Ints: []uint64{7, 5, 3}}, Kept: []tables.KeptColumn{{Name: "x", Type: idtypes.Of(typ), KeptValues: tables.KeptValues{Keys: tables.Keys{Ints: list}}}}}
	}
	decimals := func(precision, scale int32) tables.Table {
		table := words(&arrow.Decimal128Type{Precision: precision, Scale: scale})
		table.Kept[0].Keys = tables.Keys{Bytes: make([]byte, 16), Offsets: []int64{0, 16}}
		return table
	}
	text := tables.Table{IDs: tables.Keys{Bytes: []byte("abc"), Offsets: []int64{0, 1, 3}}, Type: tables.StringIDs()}
	by := tables.Table{IDs: tables.Keys{Ints: []uint64{1}}, By: []tables.KeyColumn{{Name: "rank", Type: tables.Int64IDs(), Keys: tables.Keys{Ints: []uint64{1}}}}, Graph: []uint32{0}}
	for name, c := range map[string]struct {
		table  tables.Table
		wrong  string // in Parquet
		always bool   // in every format
	}{
		"many":             {table: keptTable()},
		"text":             {table: text},
		"no rows":          {table: tables.Table{}},
		"decimals":         {table: decimals(5, 5)},
		"negative scale":   {decimals(5, -2), `column "x": type decimal(5, -2); decimal numbers of Parquet have 0 to 5 digits after the point`, false},
		"more places":      {decimals(2, 4), `column "x": type decimal(2, 4); decimal numbers of Parquet have 0 to 2 digits after the point`, false},
		"time stamp":       {table: words(&arrow.TimestampType{Unit: arrow.Second}, 1, 1<<53)},
		"late time stamp":  {words(&arrow.TimestampType{Unit: arrow.Second}, 1, 1<<62), `column "x": 4611686018427387904 seconds at vertex 5`, false},
		"early time stamp": {words(&arrow.TimestampType{Unit: arrow.Second}, 1<<63), `column "x": -9223372036854775808 seconds at vertex 7`, false},
		"no time of a day": {words(arrow.FixedWidthTypes.Time32s, 1, 1<<30), `column "x": 1073741824 seconds at vertex 5`, false},
		"name of a column": {by, `column "rank" occurs twice`, true},
		"time of a day":    {table: words(arrow.FixedWidthTypes.Time32s, 86399)},
	} {
		for _, format := range TableFormats() {
			least, err := Fits(t.Context(), format, outline(c.table))
			var out bytes.Buffer
			written := Write(t.Context(), &out, format, full(c.table))
			if written == nil && err == nil && least <= int64(out.Len()) && (c.wrong == "" || format != tables.FormatParquet && !c.always) {
				continue
			}
			if c.wrong == "" || !c.always && format != tables.FormatParquet || written == nil || !errors.Is(err, tables.ErrUsage) || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s in %s: %v, want %q; writing %d bytes, of %d at least: %v", name, format, err, c.wrong, out.Len(), least, written)
			}
		}
	}
	if _, err := Fits(t.Context(), "xlsx", tables.Table{}); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("no format: %v", err)
	}
}

// A column on which Arrow's libraries panic is an error of Write too.
func TestDecimalsThatParquetRefuses(t *testing.T) {
	table := tables.Table{Kept: []tables.KeptColumn{{Name: "x", Type: idtypes.Of(&arrow.Decimal256Type{Precision: 3, Scale: -1}), KeptValues: tables.KeptValues{}}}}
	if err := Write(t.Context(), io.Discard, tables.FormatParquet, table); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("%v, want ErrUsage", err)
	}
}
