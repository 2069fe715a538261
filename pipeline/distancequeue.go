package pipeline

import (
	"context"
	"sync"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/parallel"
)

// The queue of sources of Distances, and the order of their rows.

// queue hands out sources, some at a time, and keeps their order.
type queue struct {
	total   int
	sharing sync.Mutex // held while a share is written; never while waiting

	mu    sync.Mutex // held while waiting for room in taken
	once  sync.Once
	left  []uint32
	taken chan batch // in order; closed when there are no more
}

// batch holds some sources, and a channel for their rows, source after source.
type batch struct {
	sources []uint32
	rows    chan rows
}

type rows struct {
	searches.Rows
	err error
}

// take takes up to so many sources; none when none are left. The error is the context's.
func (q *queue) take(ctx context.Context, most int) (batch, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := batch{q.left[:min(most, len(q.left))], make(chan rows, 1)}
	if len(b.sources) == 0 {
		q.once.Do(func() { close(q.taken) })
		return b, nil
	}
	q.left = q.left[len(b.sources):]
	return b, parallel.Send(ctx, q.taken, b) // waits where others are far behind
}

// give sends the rows of the next source. The error is the context's.
func (b *batch) give(ctx context.Context, r rows) error {
	return parallel.Send(ctx, b.rows, r)
}

// onCores searches from the sources that are not done. The error is the context's: an error of the
// search is sent in place of the source's rows, so that the first in the order of the sources is
// reported.
func (b *batch) onCores(ctx context.Context, search *searches.Search, done int) error {
	for left := b.sources[done:]; len(left) > 0; {
		some := left[:min(search.Lanes(), len(left))]
		left = left[len(some):]
		if err := search.Run(ctx, some, func(r searches.Rows) error { return b.give(ctx, rows{Rows: r}) }); err != nil {
			b.give(ctx, rows{err: err})
			<-ctx.Done() // the reported error cancels it
			return ctx.Err()
		}
	}
	return nil
}

// done records the finished sources of one batch.
func (q *queue) done(share *EngineStat, sources int) {
	q.sharing.Lock()
	defer q.sharing.Unlock()
	if sources > 0 {
		share.Batches++
		share.Share += float64(sources) / float64(q.total)
	}
}

// coresTake searches on a core while sources are left, in batches of so many. The error is the
// context's.
func (q *queue) coresTake(ctx context.Context, search *searches.Search, lanes int, share *EngineStat) error {
	for {
		b, err := q.take(ctx, lanes)
		if err == nil && len(b.sources) > 0 {
			err = b.onCores(ctx, search, 0)
		}
		if err != nil || len(b.sources) == 0 {
			return err
		}
		q.done(share, len(b.sources))
	}
}
