package arrowio_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// take prints every batch of edges, and gives it back.
func take(edges <-chan tables.Batch) {
	for batch := range edges {
		fmt.Println(batch.Src.Ints, batch.Dst.Ints)
		batch.Release()
	}
}

// Edges of any format, in batches; the summary comes at the end.
func ExampleRead() {
	edges := make(chan tables.Batch)
	var found tables.Summary
	var group errgroup.Group
	group.Go(func() (err error) {
		found, err = arrowio.Read(context.Background(), tables.Options{Stdin: strings.NewReader("src,dst\n1,2\n2,3\n")}, edges)
		return err
	})
	take(edges)
	err := group.Wait()
	fmt.Println(found.Rows, "rows of", found.IDs, err)
	// Output:
	// [1 2] [2 3]
	// 2 rows of int64 <nil>
}

// Readers stay within a budget, and wait for batches to be released.
func ExampleNewBudget() {
	edges := make(chan tables.Batch)
	room := arrowio.NewBudget(1 << 20)
	var group errgroup.Group
	group.Go(func() error {
		_, err := arrowio.Read(context.Background(), tables.Options{Stdin: strings.NewReader("1 2\n2 3\n"), Budget: room}, edges)
		return err
	})
	take(edges)
	err := group.Wait()
	fmt.Println(0 < room.Peak() && room.Peak() < 1<<20, err)
	// Output:
	// [1 2] [2 3]
	// true <nil>
}

// The same from Arrow records, which need not leave the process.
func ExampleFromRecords() {
	schema := arrow.NewSchema([]arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int32}, {Name: "dst", Type: arrow.PrimitiveTypes.Int32}}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	builder.Field(0).(*array.Int32Builder).AppendValues([]int32{1, 2}, nil)
	builder.Field(1).(*array.Int32Builder).AppendValues([]int32{2, 3}, nil)
	in := make(chan arrowio.Record, 1)
	in <- builder.NewRecord()
	close(in)

	edges := make(chan tables.Batch)
	var found tables.Summary
	var group errgroup.Group
	group.Go(func() (err error) {
		found, err = arrowio.FromRecords(context.Background(), in, tables.Options{}, edges)
		return err
	})
	take(edges)
	err := group.Wait()
	fmt.Println(found.IDs, err)
	// Output:
	// [1 2] [2 3]
	// int32 <nil>
}

// scores are the scores of the vertices 7, 8 and 9, as a run delivers them.
func scores() tables.Table {
	return tables.Table{
		IDs:      tables.Keys{Ints: []uint64{7, 8, 9}},
		Columns:  []tables.Column{{Name: tables.ScoreColumn, Values: tables.Floats{0, 1, 0}}},
		Metadata: []tables.KeyValue{{Key: "n", Value: "3"}},
	}
}

// The rows may have any order.
func ExampleWrite() {
	table := scores()
	table.Order = []uint32{1, 0, 2}
	fmt.Println(arrowio.Write(context.Background(), os.Stdout, arrowio.FormatJSONL, table))
	// Output:
	// {"vertex":8,"betweenness_centrality":1}
	// {"vertex":7,"betweenness_centrality":0}
	// {"vertex":9,"betweenness_centrality":0}
	// <nil>
}

// Can the table be written? Fits answers before its values are there.
func ExampleFits() {
	_, err := arrowio.Fits(context.Background(), tables.FormatParquet, scores())
	fmt.Println(err)
	// Output: <nil>
}

// An output that would be read as an input the next time.
func ExampleOverwrites() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	found, err := arrowio.Overwrites(context.Background(), tables.Options{Paths: []string{folder}}, filepath.Join(folder, "scores.parquet"))
	fmt.Println(found != nil, err)
	// Output: true <nil>
}

// A table that Write wrote, read back with its metadata.
func ExampleReadTable() {
	var file bytes.Buffer
	if err := arrowio.Write(context.Background(), &file, tables.FormatParquet, scores()); err != nil {
		fmt.Println(err)
		return
	}
	table, err := arrowio.ReadTable(context.Background(), tables.Options{Stdin: &file})
	fmt.Println(table.IDs.Ints, table.Floats(tables.ScoreColumn), table.Metadata, err)
	// Output: [7 8 9] [0 1 0] [{n 3}] <nil>
}

// Scores as Arrow records for the next stage of a program.
func ExampleToRecords() {
	out := make(chan arrowio.Record)
	var group errgroup.Group
	group.Go(func() error { return arrowio.ToRecords(context.Background(), scores(), out) })
	for record := range out {
		fmt.Println(record.Column(0), record.Column(1))
		record.Release()
	}
	fmt.Println(group.Wait())
	// Output:
	// [7 8 9] [0 1 0]
	// <nil>
}

func ExampleWriteRows() {
	streets := tables.Rows{Ends: [2]string{"src", "dst"}, Values: []string{"metres"}, Each: slices.Values([][]int64{{1, 2, 80}, {2, 3, 120}})}
	fmt.Println(arrowio.WriteRows(context.Background(), os.Stdout, tables.FormatCSV, 1, streets))
	// Output:
	// src,dst,metres
	// 1,2,80
	// 2,3,120
	// <nil>
}

func ExampleWriteEdges() {
	edges := maps.All(map[uint64]uint64{1: 2})
	fmt.Println(arrowio.WriteEdges(context.Background(), os.Stdout, tables.FormatCSV, 1, edges))
	// Output:
	// src,dst
	// 1,2
	// <nil>
}

// The files of globs and folders.
func ExampleFiles() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	for _, name := range []string{"b.csv", "a.csv", "_SUCCESS"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	files, err := arrowio.Files(context.Background(), tables.Options{Paths: []string{folder}})
	for _, file := range files {
		fmt.Println(filepath.Base(file))
	}
	fmt.Println(err)
	// Output:
	// a.csv
	// b.csv
	// <nil>
}

// Advice is the part of an error that a program may replace by its own words.
func ExampleAdvice() {
	edges := make(chan tables.Batch)
	go take(edges)
	_, err := arrowio.Read(context.Background(), tables.Options{Stdin: strings.NewReader("src,dst,weight\n1,2,3\n")}, edges)
	fmt.Println(errors.Is(err, tables.ErrInput), strings.Contains(arrowio.Advice(err), "Options.IgnoreWeight"))
	// Output: true true
}

func ExampleFloats_AppendText() {
	fmt.Printf("%s\n", tables.Floats{12300.680139556713}.AppendText(nil, 0))
	// Output: 12300.680139556713
}

// Ids as readable text: different ids never look the same.
func ExampleIDType_Format() {
	var binary tables.IDType
	err := binary.UnmarshalText([]byte("binary"))
	fmt.Println(binary.Format(tables.Keys{Bytes: []byte("ann\x00"), Offsets: []int64{0, 4}}, 0), err)
	// Output: ann\x00 <nil>
}

func ExampleTableFormats() {
	fmt.Println(slices.Contains(arrowio.TableFormats(), tables.FormatParquet))
	// Output: true
}

func ExampleEdgeFormats() {
	fmt.Println(slices.Contains(arrowio.EdgeFormats(), tables.FormatEdgeList))
	// Output: true
}

// A list of ids, for any name of the column.
func ExampleReadIDs() {
	people := tables.Options{Stdin: strings.NewReader("person\nann\nbob\n"), Header: tables.HeaderYes}
	_, err := arrowio.ReadIDs(context.Background(), people, func(ids tables.Keys) error {
		for i := range ids.Len() {
			fmt.Printf("%s\n", ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]])
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// ann
	// bob
	// <nil>
}

func ExampleReadTrips() {
	file := tables.Options{Stdin: strings.NewReader("to,from,cars\nb,a,3\nc,a,4.5\n")}
	columns := [3]string{"from", "to", "cars"}
	_, err := arrowio.ReadTrips(context.Background(), file, columns, func(ids []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error {
		fmt.Println(ids[0].Len(), string(ids[0].Bytes), string(ids[1].Bytes), of.Name, string(trips.Keys.Bytes))
		return nil
	})
	fmt.Println(err)
	// Output:
	// 2 aa bc cars 34.5
	// <nil>
}

func ExampleReadNumbers() {
	file := tables.Options{Stdin: strings.NewReader("share,distance\n1,0\n0.5,400\n")}
	err := arrowio.ReadNumbers(context.Background(), file, []string{"distance", "share"}, func(columns []tables.KeptColumn) error {
		for _, column := range columns {
			numbers, err := column.Masses(context.Background(), tables.NullsError)
			fmt.Println(column.Name, numbers.Digits, numbers.Exponents, err)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// distance [0 400] [] <nil>
	// share [1 5] [0 -1] <nil>
	// <nil>
}

// Kept columns as text.
func ExampleKeptText() {
	table := scores()
	names := tables.Keys{Bytes: []byte("annbobcid"), Offsets: []int64{0, 3, 6, 9}}
	table.Kept = []tables.KeptColumn{{Name: "name", Type: tables.StringIDs(), KeptValues: tables.KeptValues{Keys: names}}}
	columns, format := arrowio.KeptText(&table)
	fmt.Printf("%v %s\n", columns, format(nil, 0, 1))
	// Output: [name] bob
}

// A table that is longer than memory, part by part.
func ExampleWriteParts() {
	parts := func(yield func(tables.Table, error) bool) {
		for first := range 2 {
			part := tables.Table{
				Type: tables.Int64IDs(), IDs: tables.Keys{Ints: []uint64{uint64(first)}},
				Columns: []tables.Column{{Name: "squared", Values: tables.Ints{int64(first * first)}}},
			}
			if !yield(part, nil) {
				return
			}
		}
	}
	fmt.Println(arrowio.WriteParts(context.Background(), os.Stdout, tables.FormatCSV, parts))
	// Output:
	// vertex,squared
	// 0,0
	// 1,1
	// <nil>
}

func ExampleInt64IDs() {
	minusOne := tables.Keys{Ints: []uint64{1<<64 - 1}}
	fmt.Println(tables.Int64IDs(), tables.Int64IDs().Format(minusOne, 0))
	// Output: int64 -1
}

func ExampleUint64IDs() {
	largest := tables.Keys{Ints: []uint64{1<<64 - 1}}
	fmt.Println(tables.Uint64IDs(), tables.Uint64IDs().Format(largest, 0))
	// Output: uint64 18446744073709551615
}

func ExampleStringIDs() {
	names := tables.Keys{Bytes: []byte("annbob"), Offsets: []int64{0, 3, 6}}
	fmt.Println(tables.StringIDs(), tables.StringIDs().Format(names, 1))
	// Output: utf8 bob
}
