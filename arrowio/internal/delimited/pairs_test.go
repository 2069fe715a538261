package delimited

import (
	"testing"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/textlines"
)

// FuzzPairs compares the fast path with the general one.
func FuzzPairs(f *testing.F) {
	for _, seed := range []string{"1 2\n", "12 345\r\n0 0\n", "-1 2\n", "01 2\n", "1  2\n", "999999999999999999 1000000000000000000\n", "1 2 3\n"} {
		f.Add([]byte(seed), ' ', 0)
	}
	for _, seed := range []string{"1,2,3\n4,5,\r\n", "1,2\n", "1,2,3,4\n", "1,2,a\rb\n", "1,2,\"3\n4\"\n", "1,2,3\r\r\n", "1,2 ,3\n", "1,2,\n"} {
		f.Add([]byte(seed), ',', 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, delimiter rune, more int) {
		if more &= 3; delimiter != ',' && delimiter != '\t' {
			delimiter, more = ' ', 0
		}
		p := rowParser{opts: &edgetable.Options{}, layout: &layout{
			dialect: dialect{delimiter: byte(delimiter), quotes: true}, fields: 2 + more, dst: 1, weight: -1, directions: -1,
		}}
		data = append(data, '\n')
		src, dst := make([]uint64, len(data)), make([]uint64, len(data))
		rows, _, end := textlines.ParsePairs(data, byte(delimiter), more, src, dst)
		at := 0
		for i := range rows {
			var row rowText
			next, err := p.row(data, at, &row)
			if err != nil || !row.kept {
				t.Fatalf("row %d of %q: %v", i, data, err)
			}
			a, _, okA := ids.Parse(row.src)
			b, _, okB := ids.Parse(row.dst)
			if !okA || !okB || a != src[i] || b != dst[i] {
				t.Fatalf("row %d of %q: %d %d", i, data, src[i], dst[i])
			}
			at = next
		}
		if at != end {
			t.Fatalf("%d rows of %q end at %d, not %d", rows, data, at, end)
		}
	})
}
