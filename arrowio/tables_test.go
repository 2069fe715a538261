package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// null stands for a null id in the tables of these tests.
const null = "\x00null"

// idArray makes an array of ids from their text.
func idArray(mem memory.Allocator, dt arrow.DataType, ids ...string) arrow.Array {
	builder := array.NewBuilder(mem, idtypes.Storage(dt))
	defer builder.Release()
	for _, id := range ids {
		var err error
		switch b := builder.(type) {
		case interface{ AppendString(string) error }: // dictionaries
			err = appendOrNull(builder, id, func() error { return b.AppendString(id) })
		case interface{ AppendString(string) }:
			err = appendOrNull(builder, id, func() error { b.AppendString(id); return nil })
		case interface{ Append([]byte) }: // fixed-size binary
			err = appendOrNull(builder, id, func() error { b.Append([]byte(id)); return nil })
		default:
			err = appendOrNull(builder, id, func() error { return builder.AppendValueFromString(id) })
		}
		if err != nil {
			panic(err)
		}
	}
	return builder.NewArray()
}

func appendOrNull(builder array.Builder, id string, appendID func() error) error {
	if id == null {
		builder.AppendNull()
		return nil
	}
	return appendID()
}

// edgeRecord makes a record of columns "src" and "dst", and another column.
func edgeRecord(mem memory.Allocator, src, dst arrow.DataType, rows ...[2]string) arrow.Record {
	var columns [2][]string
	for _, row := range rows {
		columns[0] = append(columns[0], row[0])
		columns[1] = append(columns[1], row[1])
	}
	arrays := []arrow.Array{idArray(mem, src, columns[0]...), listsOf(mem, len(rows)), idArray(mem, dst, columns[1]...)}
	fields := []arrow.Field{idtypes.Field("src", src), {Name: "labels", Type: arrays[1].DataType()}, idtypes.Field("dst", dst)}
	for i := range fields {
		fields[i].Nullable = true
	}
	schema := arrow.NewSchema(fields, nil)
	defer func() {
		for _, a := range arrays {
			a.Release()
		}
	}()
	return array.NewRecord(schema, arrays, int64(len(rows)))
}

func listsOf(mem memory.Allocator, rows int) arrow.Array {
	builder := array.NewListBuilder(mem, arrow.BinaryTypes.String)
	defer builder.Release()
	for i := range rows {
		builder.Append(true)
		builder.ValueBuilder().(*array.StringBuilder).Append(fmt.Sprint("label ", i))
	}
	return builder.NewArray()
}

// streamOf is an IPC stream of the records.
func streamOf(records []arrow.Record, options ...ipc.Option) []byte {
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, append(options, ipc.WithSchema(records[0].Schema()))...)
	for _, record := range records {
		if err := w.Write(record); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return stream.Bytes()
}

// recordsOf reads a stream with Arrow; the caller releases the records.
func recordsOf(t testing.TB, stream []byte, mem memory.Allocator) (records []arrow.Record) {
	r, err := ipc.NewReader(bytes.NewReader(stream), ipc.WithAllocator(mem))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		r.Record().Retain()
		records = append(records, r.Record())
	}
	return records
}

// fileOf is an IPC file of the records.
func fileOf(records []arrow.Record, options ...ipc.Option) []byte {
	file := &seekBuffer{}
	w, err := ipc.NewFileWriter(file, append(options, ipc.WithSchema(records[0].Schema()))...)
	if err != nil {
		panic(err)
	}
	for _, record := range records {
		if err := w.Write(record); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return file.Bytes()
}

// seekBuffer knows its position; Arrow's file writer seeks for nothing else.
type seekBuffer struct{ bytes.Buffer }

func (b *seekBuffer) Seek(int64, int) (int64, error) { return int64(b.Len()), nil }

// edgesOf reads one input from memory and returns its edges in text.
func edgesOf(data []byte, opts tables.Options) ([][2]string, tables.Summary, error) {
	opts.Stdin = bytes.NewReader(data)
	return collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
		return Read(context.Background(), opts, edges)
	})
}

// collect runs a source and returns its edges as text; vertices of a vertex
// table come as edges to nowhere.
func collect(source func(edges chan<- tables.Batch) (tables.Summary, error)) (rows [][2]string, summary tables.Summary, err error) {
	edges := make(chan tables.Batch)
	done := make(chan struct{})
	go func() {
		defer close(done)
		summary, err = source(edges)
	}()
	var batches []tables.Batch
	for batch := range edges {
		batches = append(batches, copyOf(batch))
		batch.Release()
	}
	<-done
	ids := summary.IDs
	for _, batch := range batches {
		for i := range batch.Vertices.Len() {
			rows = append(rows, [2]string{ids.Format(batch.Vertices, i)})
		}
		for i := range batch.Src.Len() {
			rows = append(rows, [2]string{ids.Format(batch.Src, i), ids.Format(batch.Dst, i)})
		}
	}
	return rows, summary, err
}

// copyOf outlives the batch. It overwrites the batch's memory to expose other
// users.
func copyOf(batch tables.Batch) tables.Batch {
	keys := func(k tables.Keys) tables.Keys {
		c := tables.Keys{Ints: slices.Clone(k.Ints), Bytes: bytes.Clone(k.Bytes), Offsets: slices.Clone(k.Offsets)}
		clear(k.Ints)
		clear(k.Bytes)
		clear(k.Offsets)
		return c
	}
	return tables.Batch{Src: keys(batch.Src), Dst: keys(batch.Dst), Vertices: keys(batch.Vertices)}
}
