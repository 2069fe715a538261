package arrow18

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// edgesOf makes a record of edges.
func edgesOf(mem memory.Allocator, ends ...[2]string) arrow.RecordBatch {
	text := arrow.BinaryTypes.String
	b := array.NewRecordBuilder(mem, arrow.NewSchema([]arrow.Field{{Name: "src", Type: text}, {Name: "dst", Type: text}}, nil))
	defer b.Release()
	for _, e := range ends {
		b.Field(0).(*array.StringBuilder).Append(e[0])
		b.Field(1).(*array.StringBuilder).Append(e[1])
	}
	return b.NewRecordBatch()
}

// checked is an allocator that fails the test if something is not released.
func checked(t *testing.T) *memory.CheckedAllocator {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// Edges of v18 come in, scores of v18 go out, and all memory is released.
func TestRecords(t *testing.T) {
	mem := checked(t)
	in, out := make(chan arrow.RecordBatch), make(chan arrow.RecordBatch)
	go func() {
		defer close(in)
		in <- edgesOf(mem, [2]string{"a", "b"}, [2]string{"b", "c"})
		whole := edgesOf(mem, [2]string{"x", "y"}, [2]string{"c", "d"})
		defer whole.Release()
		in <- whole.NewSlice(1, 2) // an offset, and the buffers are longer than the record
	}()
	got := map[string]float64{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for r := range out {
			ids, scores := r.Column(0).(*array.String), r.Column(1).(*array.Float64)
			for i := range int(r.NumRows()) {
				got[ids.Value(i)] = scores.Value(i)
			}
			r.Release()
		}
	}()
	stats, err := Records(t.Context(), in, out, pipeline.Options{})
	<-done
	if err != nil || stats.Vertices != 4 {
		t.Fatal(stats, err)
	}
	if want := map[string]float64{"a": 0, "b": 2, "c": 2, "d": 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
}

// Every type that both versions know survives both conversions, with its nulls, offsets and children.
func TestThereAndBack(t *testing.T) {
	mem := checked(t)
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	types := []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.FixedWidthTypes.Boolean, arrow.BinaryTypes.String, arrow.BinaryTypes.LargeBinary, dictionary,
		arrow.ListOf(arrow.BinaryTypes.String), arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float32), arrow.FixedWidthTypes.Timestamp_us,
		arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int16}, arrow.Field{Name: "b", Type: arrow.ListOf(dictionary), Nullable: true}),
		arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32), &arrow.Decimal128Type{Precision: 20, Scale: 3}, arrow.BinaryTypes.StringView, arrow.Null,
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64),
	}
	for _, of := range types {
		t.Run(of.String(), func(t *testing.T) {
			schema := arrow.NewSchema([]arrow.Field{{Name: "column", Type: of, Nullable: true}}, nil)
			b := array.NewRecordBuilder(mem, schema)
			defer b.Release()
			for i := range 5 {
				b.Field(0).AppendEmptyValue()
				if i%2 == 0 {
					b.Field(0).AppendNull()
				}
			}
			whole := b.NewRecordBatch()
			defer whole.Release()
			r := whole.NewSlice(1, whole.NumRows())
			r.Retain() // for the comparison
			defer r.Release()
			old, err := oldRecords()(r)
			if err != nil {
				t.Fatal(err)
			}
			back, err := newRecords()(old)
			if err != nil {
				t.Fatal(err)
			}
			defer back.Release()
			if !array.RecordEqual(r, back) || !r.Schema().Equal(back.Schema()) {
				t.Errorf("%v\ncame back as\n%v", r, back)
			}
		})
	}
}

// A type that v17 does not know is an error, which ends the stage, and earlier edges are not computed.
func TestUnknownType(t *testing.T) {
	mem := checked(t)
	in, out := make(chan arrow.RecordBatch), make(chan arrow.RecordBatch)
	go func() {
		in <- edgesOf(mem, [2]string{"a", "b"})
		b := array.NewRecordBuilder(mem, arrow.NewSchema([]arrow.Field{{Name: "src", Type: &arrow.Decimal32Type{Precision: 5}}}, nil))
		defer b.Release()
		b.Field(0).AppendNull()
		in <- b.NewRecordBatch() // and in stays open
	}()
	rows := make(chan int64, 1)
	go func() {
		count := int64(0)
		for r := range out {
			count += r.NumRows()
			r.Release()
		}
		rows <- count
	}()
	if _, err := Records(t.Context(), in, out, pipeline.Options{}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if count := <-rows; count != 0 {
		t.Errorf("%d rows", count)
	}
}

// Errors of the stage come through, and a producer that goes on sending notices by its context.
func TestErrors(t *testing.T) {
	mem := checked(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, out := make(chan arrow.RecordBatch), make(chan arrow.RecordBatch)
	ended := make(chan error, 1)
	go func() {
		for {
			r := edgesOf(mem, [2]string{"a", "b"})
			select {
			case in <- r:
			case <-ctx.Done():
				r.Release()
				ended <- ctx.Err()
				return
			}
		}
	}()
	options := pipeline.Options{}
	options.Files.Src = "nowhere"
	_, err := Records(ctx, in, out, options)
	cancel()
	if !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrUsage) {
		t.Errorf("error %v", err)
	}
	if _, more := <-out; more {
		t.Error("out is open")
	}
	<-ended
}

// A cancelled context ends the stage although nobody sends and nobody receives.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := make(chan arrow.RecordBatch), make(chan arrow.RecordBatch)
	ended := make(chan error)
	go func() {
		_, err := Records(ctx, in, out, pipeline.Options{})
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A stage between two channels of records.
func ExampleRecords() {
	in, out := make(chan arrow.RecordBatch), make(chan arrow.RecordBatch)
	go func() {
		defer close(in)
		in <- edgesOf(memory.DefaultAllocator, [2]string{"a", "b"}, [2]string{"b", "c"})
	}()
	go Records(context.Background(), in, out, pipeline.Options{})
	for r := range out {
		fmt.Println(r.Column(0), r.Column(1))
		r.Release()
	}
	// Output: ["a" "b" "c"] [0 1 0]
}
