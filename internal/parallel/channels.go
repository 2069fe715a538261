package parallel

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Send sends a value. The error is the context's.
func Send[T any](ctx context.Context, to chan<- T, value T) error {
	select {
	case to <- value:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Receive receives a value. The error is the context's.
func Receive[T any](ctx context.Context, from <-chan T) (value T, err error) {
	select {
	case value = <-from:
		return value, nil
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
}

// HandOut returns a channel for the workers of a group, which gets the items one by one and is closed then.
func HandOut[T any](ctx context.Context, group *errgroup.Group, items []T) <-chan T {
	out := make(chan T)
	group.Go(func() error {
		defer close(out)
		for _, item := range items {
			if err := Send(ctx, out, item); err != nil {
				return err
			}
		}
		return nil
	})
	return out
}
