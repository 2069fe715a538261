package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/wholes"
)

// dropDirections is the step "two-way": a directed block becomes undirected where each arc has its reverse, as long and as
// often. Scores are sums over ordered pairs in blocks of either kind, so the formulas stay, with masses of both ends. The
// reductions and walks of undirected blocks then hold for it.
func (r *reducer) dropDirections(context.Context, wholes.Forms) error {
	for i := range r.plan.Blocks {
		if b := &r.plan.Blocks[i]; b.Directed() && slices.Equal(b.Offsets, b.In.Offsets) && slices.Equal(b.Targets, b.In.Targets) && slices.Equal(b.Lengths, b.In.Lengths) {
			b.In = nil
		}
	}
	return nil
}
