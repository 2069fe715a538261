package parallel

import (
	"context"
	"sync"
)

// Piece is a piece of work that may run beside other pieces. What it returns is called in the order
// of the pieces, one at a time. Both get an ended context once a piece failed or the caller's
// context ended: they then release what they hold and return its error.
type Piece func(context.Context) (then func(context.Context) error, err error)

// InOrder runs pieces of work on up to threads goroutines. It calls what they return in the order of
// the pieces, on the caller's goroutine.
//
// pieces calls add with one after the other, on a goroutine of its own. add waits while threads+2
// pieces are not used. Every piece that was added runs. add fails once a piece failed or the context
// ended; pieces then returns. The first failure is returned.
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
	type given struct {
		work Piece
		then func(context.Context) error
		err  error
		done chan struct{}
	}
	waiting, ordered := make(chan *given), make(chan *given, threads)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(waiting)
		defer close(ordered)
		fail(pieces(func(work Piece) error {
			p := &given{work: work, done: make(chan struct{})}
			ordered <- p // the receivers never stop early
			waiting <- p
			return ctx.Err()
		}))
	})
	for range threads {
		group.Go(func() {
			for p := range waiting {
				p.then, p.err = p.work(ctx)
				close(p.done)
			}
		})
	}
	for p := range ordered {
		<-p.done
		if p.err == nil {
			p.err = p.then(ctx)
		}
		fail(p.err)
	}
	group.Wait()
	return failure
}
