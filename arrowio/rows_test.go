package arrowio

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// Rows by vertex and by pair come back in every format, beyond a row group, and without any row.
func TestWriteRows(t *testing.T) {
	for _, ends := range [][2]string{{}, {"u", "v"}} {
		for _, count := range []int{0, 3, rowGroupRows + 2} {
			rows := tables.Rows{Ends: ends, Values: []string{"a", "b"}, Each: func(yield func([]int64) bool) {
				for i := range int64(count) {
					row := []int64{i, -i, i * i}
					if ends[0] != "" {
						row = slices.Insert(row, 1, i/2)
					}
					if !yield(row) {
						return
					}
				}
			}}
			for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet, tables.FormatEdgeList} {
				if count > rowGroupRows && (format != tables.FormatParquet || ends[0] == "") {
					continue // one of them is enough
				}
				var out bytes.Buffer
				if err := WriteRows(t.Context(), &out, format, 2, rows); err != nil {
					t.Fatal(err)
				}
				got := recordsBack(t, format, out.Bytes())
				if format == tables.FormatEdgeList {
					got = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")[:count]
				}
				at := 0
				for row := range rows.Each {
					if want := strings.Trim(fmt.Sprint(row), "[]"); at == len(got) || got[at] != want {
						t.Fatalf("%s, ends %q, %d rows: row %d is not %s", format, ends, count, at, want)
					}
					at++
				}
				if at != len(got) {
					t.Errorf("%s, ends %q: %d rows, not %d", format, ends, len(got), at)
				}
			}
		}
	}
}
