package delimited

import (
	"bytes"
	"reflect"
	"testing"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/textlines"
)

// Rows with a length on the fast path are those of the general one, which reads quoted ids. So are their faults.
func TestRowsWithLengths(t *testing.T) {
	p := rowParser{opts: &edgetable.Options{}, layout: &layout{
		dialect: dialect{delimiter: ',', quotes: true}, fields: 3, dst: 1, weight: 2, directions: -1, integers: true,
	}}
	for _, text := range []string{
		"1,2,3\n4,5,.25\r\n6,7, 8\n9,10,1e2\n\n11,12,0013\n", "1,2,123456789012345678901\n3,4,5\n",
		"1,2,3\n4,5,\n", "1,2,x\n", "1,2,0\n", "1,2\n", "1,2,3,4\n", "1,2,3\r4\n", "1,2,\"3\"\n4,5,6\n",
	} {
		read := func(data []byte) (textlines.Columns, string) {
			var out textlines.Columns
			err := p.parseRows(&textlines.Chunk{Data: data, Lines: bytes.Count(data, []byte{'\n'})}, &out)
			if err != nil {
				return textlines.Columns{}, err.Error()
			}
			return out, ""
		}
		var quoted []byte // first ids
		for line := range bytes.Lines([]byte(text)) {
			if id, rest, found := bytes.Cut(line, []byte{','}); found {
				line = []byte("\"" + string(id) + "\"," + string(rest))
			}
			quoted = append(quoted, line...)
		}
		fast, fault := read([]byte(text))
		general, same := read(quoted)
		if fault != same || !reflect.DeepEqual(fast.Src.Ints, general.Src.Ints) || !reflect.DeepEqual(fast.Dst.Ints, general.Dst.Ints) || !reflect.DeepEqual(fast.Weights, general.Weights) {
			t.Errorf("%q: %v %v %v %q, want %v %v %v %q", text, fast.Src.Ints, fast.Dst.Ints, fast.Weights, fault, general.Src.Ints, general.Dst.Ints, general.Weights, same)
		}
	}
}
