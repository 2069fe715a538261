package stage

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// The channel of scores is always closed, and carries nothing after an error.
func TestRecordsCloseOnError(t *testing.T) {
	in, out := make(chan arrowio.Record), make(chan arrowio.Record)
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // in stays open: an endless producer
	failed := make(chan error, 1)
	go func() {
		_, err := Records(ctx, in, out, pipeline.Options{})
		failed <- err
	}()
	for record := range out {
		record.Release()
		t.Error("a record after a cancelled run")
	}
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}

	in, out = make(chan arrowio.Record), make(chan arrowio.Record)
	close(in)
	_, err := Records(context.Background(), in, out, pipeline.Options{Compute: pipeline.Compute{Engine: "tpu"}})
	if _, open := <-out; open || !errors.Is(err, pipeline.ErrOptions) {
		t.Errorf("error %v, want ErrOptions and a closed channel", err)
	}
}

// After an error nobody takes records. A producer that watches the context ends all the same, since
// the error cancels it.
func TestProducerWatchesTheContext(t *testing.T) {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "src", Type: arrow.PrimitiveTypes.Int64}, {Name: "dst", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}, nil))
	defer builder.Release()
	builder.Field(0).(*array.Int64Builder).Append(1)
	builder.Field(1).AppendNull() // an edge that is refused
	record := builder.NewRecord()
	defer record.Release()

	in, out := make(chan arrowio.Record), make(chan arrowio.Record)
	group, ctx := errgroup.WithContext(t.Context())
	var produced error
	group.Go(func() error { // in is never closed
		for {
			record.Retain()
			select {
			case in <- record:
			case <-ctx.Done():
				record.Release()
				produced = ctx.Err()
				return nil
			}
		}
	})
	group.Go(func() error {
		_, err := Records(ctx, in, out, pipeline.Options{})
		return err
	})
	for range out {
		t.Error("a record after an error")
	}
	if err := group.Wait(); !errors.Is(err, tables.ErrInput) || produced != context.Canceled {
		t.Errorf("run: %v; producer: %v", err, produced)
	}
	select {
	case in <- record:
		t.Error("a record was taken after the end")
	default:
	}
}
