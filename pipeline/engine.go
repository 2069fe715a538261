package pipeline

import (
	"context"

	"bcstage/preprocess"
)

// engine is one worker of the compute stage: a processor core or a device
// driver. Run takes batches until take returns none, computes them, and hands
// every finished one to done. An error leaves the batches taken but not done
// to other engines; it must not hand over half a batch.
type engine interface {
	Run(ctx context.Context, take func(ctx context.Context, most int) []preprocess.Batch, done func(preprocess.Result) error) error
}
