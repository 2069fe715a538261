package testblocks

import "context"

// Ending is a context that ends when it has been looked at more than so many times.
type Ending struct {
	context.Context
	Looks, Until int
}

// EndAfter so many looks.
func EndAfter(ctx context.Context, looks int) *Ending { return &Ending{Context: ctx, Until: looks} }

// Err counts a look.
func (e *Ending) Err() error {
	if e.Looks++; e.Looks > e.Until {
		return context.Canceled
	}
	return nil
}
