package stage_test

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"golang.org/x/sync/errgroup"

	"bcstage/pipeline"
	"bcstage/pipeline/stage"
)

// A stage between two channels of Arrow records.
func ExampleRecords() {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "source", Type: arrow.BinaryTypes.String},
		{Name: "target", Type: arrow.BinaryTypes.String},
	}, nil)
	in, out := make(chan arrow.Record), make(chan arrow.Record)
	group, ctx := errgroup.WithContext(context.Background())
	group.Go(func() error { // a producer of edges
		defer close(in)
		builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer builder.Release()
		builder.Field(0).(*array.StringBuilder).AppendValues([]string{"ann", "bob"}, nil)
		builder.Field(1).(*array.StringBuilder).AppendValues([]string{"bob", "cid"}, nil)
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
	for record := range out { // a consumer of scores
		fmt.Println(record.Schema().Field(0).Name, record.Column(0))
		fmt.Println(record.Schema().Field(1).Name, record.Column(1))
		record.Release()
	}
	if err := group.Wait(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// vertex ["ann" "bob" "cid"]
	// betweenness_centrality [0 1 0]
}
