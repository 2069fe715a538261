package parallel

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"bcstage/internal/testleaks"
)

// The results of pieces come in order, whatever the number of threads.
func TestInOrder(t *testing.T) {
	for _, threads := range []int{1, 2, 7} {
		for _, count := range []int{0, 1, 5, 1000} {
			var got []int
			err := InOrder(t.Context(), threads, func(add func(Piece) error) error {
				for i := range count {
					if err := add(func(context.Context) (func(context.Context) error, error) {
						square := i * i
						return func(context.Context) error { got = append(got, square); return nil }, nil
					}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || len(got) != count || !slices.IsSorted(got) || count > 0 && got[count-1] != (count-1)*(count-1) {
				t.Errorf("%d threads, %d pieces: %v, %v", threads, count, got, err)
			}
		}
	}
}

// After a failure of any kind every piece that was added has run, what it returned was called with
// an ended context, nothing is left running, and the error is the first one.
func TestInOrderFails(t *testing.T) {
	failure := errors.New("failure")
	for _, threads := range []int{1, 2, 7} {
		for _, where := range []string{"piece", "result", "pieces", "context"} {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var added, ran, returned, called atomic.Int64
			err := InOrder(ctx, threads, func(add func(Piece) error) error {
				for i := range 1000 {
					if where == "pieces" && i == 50 {
						return failure
					}
					added.Add(1)
					if err := add(func(ctx context.Context) (func(context.Context) error, error) {
						ran.Add(1)
						if where == "piece" && i == 50 {
							return nil, failure
						}
						returned.Add(1)
						return func(ctx context.Context) error {
							called.Add(1)
							switch {
							case where == "result" && i == 50:
								return failure
							case where == "context" && i == 50:
								cancel()
							}
							return ctx.Err()
						}, nil
					}); err != nil {
						return err
					}
				}
				return nil
			})
			want := failure
			if where == "context" {
				want = context.Canceled
			}
			if !errors.Is(err, want) || added.Load() >= 1000 || ran.Load() != added.Load() || called.Load() != returned.Load() {
				t.Errorf("%d threads, %s: %v; %d added, %d ran, %d of %d results used", threads, where, err, added.Load(), ran.Load(), called.Load(), returned.Load())
			}
		}
	}
	if err := testleaks.Find(); err != nil {
		t.Error(err)
	}
}
