package pipeline

import (
	"context"
	"errors"
	"testing"

	"bcstage/arrowio"
)

// The channel of scores ends whatever happens, and carries nothing after an error.
func TestRecordsCloseOnError(t *testing.T) {
	in, out := make(chan arrowio.Record), make(chan arrowio.Record)
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // in stays open: a producer that never ends
	failed := make(chan error, 1)
	go func() {
		_, err := Records(ctx, in, out, Options{})
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
	_, err := Records(context.Background(), in, out, Options{Compute: Compute{Engine: "tpu"}})
	if _, open := <-out; open || !errors.Is(err, ErrOptions) {
		t.Errorf("error %v, want ErrOptions and a closed channel", err)
	}
}
