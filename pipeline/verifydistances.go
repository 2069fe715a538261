package pipeline

import (
	"context"
	"fmt"

	"bcstage/cpu"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// verifyDistances compares a core's results from one source of a block with Distances with a
// textbook search: the additions to every vertex, or for roads and with Own, their sum. Both are
// whole numbers: they are equal or wrong.
func verifyDistances(ctx context.Context, worker *cpu.Worker, block *preprocess.Block, one engine.Batch) (Verification, error) {
	want, err := textbook.Distances(ctx, block, block.Sources[one.First])
	if err != nil {
		return Verification{}, err
	}
	var far, most uint64
	counted := block.Counted()
	for v, d := range want {
		if block.Own && counted != nil && !counted[v] {
			continue
		}
		far, most = far+d, max(most, d)
	}
	err = worker.Run(ctx, engine.Once(one), func(result engine.Result) error {
		if block.FindsOwn() {
			if got := result.Found[block.Sources[one.First]]; got.Farness != far || got.Eccentricity != most {
				return fmt.Errorf("pipeline: a farness of %d, want %d: %w", got.Farness, far, ErrVerify)
			}
			return nil
		}
		for v, got := range result.Found {
			if d := want[v]; got.Farness != d || got.Eccentricity != d || (got.Reach != 0) != (d != 0) {
				return fmt.Errorf("pipeline: a distance of %d, want %d: %w", got.Farness, d, ErrVerify)
			}
		}
		return nil
	})
	return Verification{Sources: 1}, err
}
