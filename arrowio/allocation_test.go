package arrowio

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// refusing is an allocator that refuses the k-th request as a budget does.
type refusing struct {
	memory.Allocator
	left int
}

func (r *refusing) ask() {
	if r.left--; r.left == 0 {
		panic(faults.Corrupt("refused"))
	}
}

func (r *refusing) Allocate(size int) []byte {
	r.ask()
	return r.Allocator.Allocate(size)
}

func (r *refusing) Reallocate(size int, old []byte) []byte {
	r.ask()
	return r.Allocator.Reallocate(size, old)
}

// For every k, Arrow's k-th request for memory is refused. The error says so, and
// no record is mistaken for another.
func TestEveryAllocationRefused(t *testing.T) {
	total := 0
	for _, dt := range []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String,
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	} {
		record := edgeRecord(memory.DefaultAllocator, dt, dt, smallInts...)
		records := []arrow.Record{record, record.NewSlice(1, 2), record}
		for name, data := range map[string][]byte{
			"stream": streamOf(records), "file": fileOf(records),
			"zstd": streamOf(records, ipc.WithZstd()), "lz4": streamOf(records, ipc.WithLZ4()),
		} {
			for k := 0; ; k++ { // 0: none
				mem := &refusing{memory.DefaultAllocator, k}
				rows, err := rowsThrough(t, data, mem)
				if k == 0 {
					if err != nil || rows != 2*len(smallInts)+1 {
						t.Fatalf("%s, %s: %d rows, %v", dt, name, rows, err)
					}
					continue
				}
				if mem.left > 0 { // fewer requests
					total += k - 1
					break
				}
				if !errors.Is(err, tables.ErrCorrupt) {
					t.Fatalf("%s, %s, request %d: %v", dt, name, k, err)
				}
			}
		}
	}
	t.Logf("%d requests refused", total)
	if total < 50 {
		t.Error("hardly any")
	}
}

// rowsThrough counts the rows of a stream or file that an allocator lets it read.
func rowsThrough(t *testing.T, data []byte, mem memory.Allocator) (rows int, err error) {
	t.Helper()
	o, err := checked(tables.Options{Stdin: bytes.NewReader(data)})
	if err != nil {
		t.Fatal(err)
	}
	in, err := sources.Open(context.Background(), "-", bytesOf(&o))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	err = columnar.EachRecord(context.Background(), in, mem, nil, func(*arrow.Schema) error { return nil }, func(record arrow.Record) error {
		if slices.ContainsFunc(record.Columns(), func(c arrow.Array) bool { return int64(c.Len()) != record.NumRows() }) {
			t.Errorf("columns of unequal length")
		}
		rows += int(record.NumRows())
		return nil
	})
	return rows, err
}
