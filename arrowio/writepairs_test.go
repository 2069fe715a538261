package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// Ids of pairs equal those of the vertices in columns of every width, and an id that does
// not fit its column is an error.
func TestWritePairsOfIntegers(t *testing.T) {
	minus := func(x int64) uint64 { return uint64(-x) }
	p := arrow.PrimitiveTypes
	for _, test := range []struct {
		typ  arrow.DataType
		ids  []uint64
		none uint64 // not held
	}{
		{p.Int64, []uint64{0, minus(1), math.MaxInt64, minus(math.MaxInt64)}, 0},
		{p.Uint64, []uint64{0, math.MaxUint64, 1 << 63}, 0},
		{p.Int32, []uint64{0, minus(1), math.MaxInt32, minus(1 << 31)}, 1 << 31},
		{p.Int32, []uint64{7, minus(7)}, minus(1<<31 + 1)},
		{p.Uint32, []uint64{0, math.MaxUint32, 1 << 31}, 1 << 32},
		{p.Uint32, []uint64{7}, minus(1)},
		{p.Int16, []uint64{0, minus(1), math.MaxInt16}, 1 << 15},
		{p.Uint8, []uint64{0, 255}, 256},
	} {
		table := tables.Table{Type: idtypes.Of(test.typ), IDs: tables.Keys{Ints: test.ids}, Pairs: &tables.Pairs{Names: [2]string{"u", "v"}}}
		for row := range 2*writeRows + 5 {
			table.Pairs.Ends[0] = append(table.Pairs.Ends[0], uint32(row%len(test.ids)))
			table.Pairs.Ends[1] = append(table.Pairs.Ends[1], uint32(row/2%len(test.ids)))
		}
		var out bytes.Buffer
		if err := Write(context.Background(), &out, tables.FormatArrow, table); err != nil {
			t.Fatalf("%s: %v", test.typ, err)
		}
		read, err := ipc.NewReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for read.Next() {
			record := read.Record()
			for end := range 2 {
				if !arrow.TypeEqual(record.Schema().Field(end).Type, test.typ) {
					t.Fatalf("%s: column of %s", test.typ, record.Schema().Field(end).Type)
				}
			}
			for i := range int(record.NumRows()) {
				for end := range 2 {
					id := test.ids[table.Pairs.Ends[end][row]]
					want := fmt.Sprint(id)
					if arrow.IsSignedInteger(test.typ.ID()) {
						want = fmt.Sprint(int64(id))
					}
					if got := record.Column(end).ValueStr(i); got != want {
						t.Fatalf("%s: row %d: %s, want %s", test.typ, row, got, want)
					}
				}
				row++
			}
		}
		if row != 2*writeRows+5 || read.Err() != nil {
			t.Errorf("%s: %d rows, %v", test.typ, row, read.Err())
		}
		read.Release()
		if test.none != 0 {
			table.IDs.Ints = append(test.ids[:len(test.ids)-1:len(test.ids)-1], test.none)
			if err := Write(context.Background(), &out, tables.FormatArrow, table); !errors.Is(err, tables.ErrUsage) {
				t.Errorf("%s, id %d: %v", test.typ, test.none, err)
			}
		}
	}
}
