package wave

import (
	"context"

	"bcstage/gpu/internal/survey"
)

// Strategy is how a device searches a block: Auto, or one of the methods by name.
type Strategy string

// Method is one way to search the blocks of a plan. A method has no state: what a wave keeps is in the wave.
type Method interface {
	// Name is what options and choices call it.
	Name() Strategy
	// Source is the text of the method's kernels. Those of common.cl and sums.cl
	// stand before it.
	Source() string
	// Fit fills in what the method decides about the shape of its waves. The
	// error says why the method cannot search the block.
	Fit(s Shape, found survey.Findings) (Shape, error)
	// Buffers are the sizes, in bytes, of what a wave keeps on the device beside
	// what every wave has (see Shape.Sizes), by the names that kernels use.
	Buffers(s Shape) map[string]int64
	// Search runs both passes over the wave, and leaves its rows and
	// parts folded into sums: see kernels/sums.cl.
	Search(ctx context.Context, s *Wave) error
}
