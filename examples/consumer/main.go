// Command consumer shows bcstage as a library: betweenness of edges in memory,
// and a stage between channels of Arrow records.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"golang.org/x/sync/errgroup"

	"bcstage/pipeline"
	"bcstage/pipeline/stage"
)

func main() {
	ctx := context.Background()
	if err := slices(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "consumer:", err)
		os.Exit(1)
	}
	if err := records(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "consumer:", err)
		os.Exit(1)
	}
}

// A square with a tail: 1-2-3-4-1 and 4-5.
var (
	src = []int64{1, 2, 3, 4, 4}
	dst = []int64{2, 3, 4, 1, 5}
)

// slices computes scores from plain Go slices.
func slices(ctx context.Context) error {
	vertices, scores, stats, err := pipeline.Scores(ctx, src, dst, pipeline.Options{})
	if err != nil {
		return err
	}
	fmt.Printf("n = %d, m = %d\n", stats.Vertices, stats.Edges)
	for i, vertex := range vertices {
		fmt.Printf("%d\t%g\n", vertex, scores[i])
	}
	return nil
}

// records runs the stage between a producer and a consumer of Arrow records.
func records(ctx context.Context) error {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "src", Type: arrow.PrimitiveTypes.Int64},
		{Name: "dst", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
	in, out := make(chan arrow.Record), make(chan arrow.Record)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(in)
		builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer builder.Release()
		builder.Field(0).(*array.Int64Builder).AppendValues(src, nil)
		builder.Field(1).(*array.Int64Builder).AppendValues(dst, nil)
		select {
		case in <- builder.NewRecord():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	group.Go(func() error {
		_, err := stage.Records(ctx, in, out, pipeline.Options{})
		return err
	})
	for record := range out {
		fmt.Print(record.Column(0), record.Column(1), "\n")
		record.Release()
	}
	return group.Wait()
}
