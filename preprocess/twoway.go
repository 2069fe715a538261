package preprocess

import (
	"context"

	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// dropDirections is the step "two-way": a directed block becomes undirected where each arc has its reverse, as long and as
// often. Scores are sums over ordered pairs in blocks of either kind, so the formulas stay, with masses of both ends. The
// reductions and walks of undirected blocks then hold for it.
func (r *reducer) dropDirections(ctx context.Context, _ wholes.Forms) error {
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		twoWay := b.Directed()
		for v := range parallel.Until(ctx, uint32(b.Vertices())) {
			if twoWay = twoWay && b.TwoWay(v); !twoWay {
				break
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if twoWay {
			b.In = nil
		}
	}
	return nil
}
