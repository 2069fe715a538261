package arrowio

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// sendRecords is a producer that ends with its context. Its records are released
// when ended returns.
func sendRecords(ctx context.Context, records ...Record) (out chan Record, ended func()) {
	out = make(chan Record)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(out)
		for _, record := range records {
			record.Retain()
			select {
			case out <- record:
			case <-ctx.Done():
				record.Release()
				return
			}
		}
	}()
	return out, func() { <-done }
}

func TestFromRecords(t *testing.T) {
	for _, test := range idTypeTables {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		whole := edgeRecord(memory.DefaultAllocator, test.dt, test.dt, test.rows...)
		data := streamOf([]arrow.Record{whole})
		// Through a stream, since Arrow's dictionary builder leaks.
		record := recordsOf(t, data, mem)[0]
		slice := record.NewSlice(1, min(3, record.NumRows()))
		in, ended := sendRecords(context.Background(), record, slice)
		rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return FromRecords(context.Background(), in, tables.Options{}, edges)
		})
		ended()
		want := formatted(test.dt, slices.Concat(test.rows, test.rows[1:min(3, len(test.rows))]))
		if err != nil || !slices.Equal(rows, want) || !arrow.TypeEqual(idtypes.Arrow(summary.IDs), test.dt) {
			t.Errorf("%s: %q, %s, %v", test.dt, rows, summary.IDs, err)
		}
		slice.Release()
		record.Release()
		mem.AssertSize(t, 0)
	}
}

func TestFromRecordsRefuses(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	p, b := arrow.PrimitiveTypes, arrow.BinaryTypes
	ints := edgeRecord(mem, p.Int64, p.Int64, smallInts...)
	words := edgeRecord(mem, b.String, b.String, texts...)
	holes := edgeRecord(mem, p.Int64, p.Int64, [2]string{"1", null})
	floats := edgeRecord(mem, p.Float64, p.Float64, smallInts...)
	defer func() {
		for _, r := range []Record{ints, words, holes, floats} {
			r.Release()
		}
	}()
	for _, test := range []struct {
		records []Record
		opts    tables.Options
		class   error
		says    string
	}{
		{[]Record{ints, words}, tables.Options{}, tables.ErrInput, "record batch 1: its schema differs from that of the first"},
		{[]Record{ints, holes}, tables.Options{}, tables.ErrInput, `record batch 1: column "dst": null id at row 0`},
		{[]Record{floats}, tables.Options{}, tables.ErrInput, `column "src": ids of type float64`},
		{[]Record{ints}, tables.Options{Src: "a", Dst: "b"}, tables.ErrInput, `no column "a"`},
		{[]Record{ints}, tables.Options{Src: "a"}, tables.ErrUsage, "together"},
		{nil, tables.Options{}, nil, ""},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		in, ended := sendRecords(ctx, test.records...)
		_, _, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return FromRecords(ctx, in, test.opts, edges)
		})
		cancel()
		ended()
		if !errors.Is(err, test.class) || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, want %v saying %q", err, test.class, test.says)
		}
	}
}

func TestFromRecordsCancels(t *testing.T) {
	record := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	defer record.Release()
	ctx, cancel := context.WithCancel(context.Background())
	edges := make(chan tables.Batch)
	failed := make(chan error)
	in, ended := sendRecords(ctx, slices.Repeat([]Record{record}, 10)...)
	defer ended()
	go func() {
		_, err := FromRecords(ctx, in, tables.Options{}, edges)
		failed <- err
	}()
	batch := <-edges
	batch.Release()
	cancel()
	for batch := range edges {
		batch.Release()
	}
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	silent := make(chan Record)
	if _, err := FromRecords(ctx, silent, tables.Options{}, make(chan tables.Batch)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// A sender that noticed the end first has closed its channel: edges are
	// missing.
	cut := make(chan Record)
	close(cut)
	for range 100 { // chance decides which of the two is seen
		if _, err := FromRecords(ctx, cut, tables.Options{}, make(chan tables.Batch)); !errors.Is(err, context.Canceled) {
			t.Fatal("a stream that was cut is taken for whole:", err)
		}
	}
}

// Records whose buffers are too short for their length are refused.
func TestFromRecordsChecksBuffers(t *testing.T) {
	bad := func(typ arrow.DataType, buffers ...[]byte) Record {
		all := []*memory.Buffer{nil}
		for _, data := range buffers {
			all = append(all, memory.NewBufferBytes(data))
		}
		data := array.NewData(typ, 2, all, nil, 0, 0)
		defer data.Release()
		ids := &forgedArray{data: data}
		schema := arrow.NewSchema([]arrow.Field{{Name: "src", Type: typ}, {Name: "dst", Type: typ}}, nil)
		return forgedRecord{schema: schema, ids: ids}
	}
	view := func(length, buffer, offset byte) []byte {
		return []byte{length, 0, 0, 0, 'a', 'b', 'c', 'd', buffer, 0, 0, 0, offset, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	}
	for what, record := range map[string]Record{
		"short integers":   bad(arrow.PrimitiveTypes.Int64, make([]byte, 15)),
		"short offsets":    bad(arrow.BinaryTypes.String, make([]byte, 11), nil),
		"falling offsets":  bad(arrow.BinaryTypes.String, []byte{0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0}, make([]byte, 4)),
		"negative offset":  bad(arrow.BinaryTypes.String, []byte{255, 255, 255, 255, 0, 0, 0, 0, 2, 0, 0, 0}, make([]byte, 4)),
		"offset too large": bad(arrow.BinaryTypes.String, []byte{0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0}, make([]byte, 4)),
		"large offsets":    bad(arrow.BinaryTypes.LargeString, append(make([]byte, 16), 0, 0, 0, 0, 0, 1, 0, 0), make([]byte, 4)),
		"view too long":    bad(arrow.BinaryTypes.StringView, view(20, 0, 0), make([]byte, 19)),
		"view of nothing":  bad(arrow.BinaryTypes.StringView, view(20, 1, 0), make([]byte, 20)),
		"view behind":      bad(arrow.BinaryTypes.StringView, view(13, 0, 8), make([]byte, 20)),
		"short views":      bad(arrow.BinaryTypes.StringView, view(1, 0, 0)[:31]),
		"short fixed":      bad(fixedSize(4), make([]byte, 7)),
		"no buffer":        bad(arrow.PrimitiveTypes.Int8),
	} {
		ctx, cancel := context.WithCancel(context.Background())
		in, ended := sendRecords(ctx, record)
		_, _, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return FromRecords(ctx, in, tables.Options{}, edges)
		})
		cancel()
		ended()
		if !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", what, err)
		}
	}
}

// forgedRecord is a record as from a decoder without checks.
type forgedRecord struct {
	arrow.Record
	schema *arrow.Schema
	ids    arrow.Array
}

func (r forgedRecord) Schema() *arrow.Schema    { return r.schema }
func (r forgedRecord) NumRows() int64           { return int64(r.ids.Len()) }
func (r forgedRecord) Column(int) arrow.Array   { return r.ids }
func (r forgedRecord) Retain()                  {}
func (r forgedRecord) Release()                 {}
func (a *forgedArray) Data() arrow.ArrayData    { return a.data }
func (a *forgedArray) Len() int                 { return a.data.Len() }
func (a *forgedArray) DataType() arrow.DataType { return a.data.DataType() }

type forgedArray struct {
	arrow.Array
	data *array.Data
}
