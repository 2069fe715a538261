package parallel

import (
	"context"
	"iter"
	"sync"
)

// Ordered runs pieces of work on up to threads goroutines, and yields their results in the order of
// the pieces, on the caller's. pieces runs on a goroutine of its own. It waits while threads+2 of its
// pieces are not used. Where the loop over the results stops early, what was begun ends first, and
// its results are dropped.
func Ordered[T any](threads int, pieces iter.Seq[func() T]) iter.Seq[T] {
	type given struct {
		work   func() T
		result T
		done   chan struct{}
	}
	return func(yield func(T) bool) {
		waiting, ordered, stopped := make(chan *given), make(chan *given, threads), make(chan struct{})
		var group sync.WaitGroup
		defer group.Wait()
		defer close(stopped)
		group.Go(func() {
			defer close(waiting)
			defer close(ordered)
			for work := range pieces {
				p := &given{work: work, done: make(chan struct{})}
				select {
				case ordered <- p:
					waiting <- p // its receivers never stop early
				case <-stopped:
					return
				}
			}
		})
		for range threads {
			group.Go(func() {
				for p := range waiting {
					p.result = p.work()
					close(p.done)
				}
			})
		}
		for p := range ordered {
			if <-p.done; !yield(p.result) {
				return
			}
		}
	}
}

// Piece is a piece of work that may run beside other pieces. What it returns is called in the order
// of the pieces, one at a time. Both get an ended context once a piece failed or the caller's
// context ended: they then release what they hold and return its error.
type Piece func(context.Context) (then func(context.Context) error, err error)

// InOrder is Ordered for pieces that fail and hold memory. pieces calls add with one after the
// other. Every piece that was added runs, and what it returned is called. add fails once a piece
// failed or the context ended; pieces then returns. The first failure is returned.
func InOrder(ctx context.Context, threads int, pieces func(add func(Piece) error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var once sync.Once
	var failure error
	fail := func(err error) {
		if err != nil {
			once.Do(func() { failure = err })
			cancel()
		}
	}
	type result struct {
		then func(context.Context) error
		err  error
	}
	for r := range Ordered(threads, func(yield func(func() result) bool) {
		fail(pieces(func(work Piece) error {
			yield(func() (r result) { // the loop below never stops early
				r.then, r.err = work(ctx)
				return r
			})
			return ctx.Err()
		}))
	}) {
		if r.err == nil {
			r.err = r.then(ctx)
		}
		fail(r.err)
	}
	return failure
}
