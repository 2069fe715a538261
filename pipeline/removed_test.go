package pipeline

import (
	"context"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// A batch that is refused ends the reading of an endless input. Every batch is released.
func TestRefusedBatchEndsReading(t *testing.T) {
	sent, released := 0, 0
	endless := func(ctx context.Context, _ tables.Options, batches chan<- tables.Batch) (tables.Summary, error) {
		defer close(batches)
		for {
			batch := tables.Batch{Src: tables.Keys{Ints: []uint64{1}}, Dst: tables.Keys{Ints: []uint64{2}}}
			batch.OnRelease(func() { released++ })
			if err := parallel.Send(ctx, batches, batch); err != nil {
				return tables.Summary{}, err
			}
			sent++
		}
	}
	_, err := ReadRemovedEdges(t.Context(), endless, tables.Options{})
	if err == nil || !strings.Contains(err.Error(), "no text") || sent == 0 || released != sent {
		t.Errorf("%v after %d batches, %d released", err, sent, released)
	}
}
