package wave

import (
	"context"

	"bcstage/gpu/internal/survey"
)

// Strategy is how a device searches a block: Auto, or one of the methods by name.
type Strategy string

// Method is one way to search the blocks of a plan. A method has no state: the
// wave has it.
type Method interface {
	// Name is its name in options and choices.
	Name() Strategy
	// Source is the text of the method's kernels. The texts of common.cl and
	// sums.cl come before it.
	Source() string
	// Fit sets the method's part of the shape of its waves. The error says why the
	// method cannot search the block.
	Fit(s Shape, found survey.Findings) (Shape, error)
	// Buffers are the sizes, in bytes, of the method's buffers of a wave, by their
	// names in kernels. Shape.Sizes adds the buffers of every wave.
	Buffers(s Shape) map[string]int64
	// Search runs both passes over the wave, and leaves its rows and the folded
	// sums of its parts: see kernels/sums.cl.
	Search(ctx context.Context, s *Wave) error
}
