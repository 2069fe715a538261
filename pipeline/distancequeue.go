package pipeline

import (
	"context"
	"sync"

	"bcstage/internal/cpu/searches"
)

// Who searches from which sources of Distances, and in which order rows come.

// queue hands sources out, some at a time, and remembers the order.
type queue struct {
	total   int
	sharing sync.Mutex // held while a share is written; never while waiting

	mu    sync.Mutex // held while waiting for room in taken
	once  sync.Once
	left  []uint32
	taken chan batch // in order; closed when there are no more
}

// batch is some sources, and where their rows come, source after source.
type batch struct {
	sources []uint32
	rows    chan rows
}

type rows struct {
	searches.Rows
	err error
}

// take takes up to so many sources; none where none are left. The error is the context's.
func (q *queue) take(ctx context.Context, most int) (batch, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := batch{q.left[:min(most, len(q.left))], make(chan rows, 1)}
	if len(b.sources) == 0 {
		q.once.Do(func() { close(q.taken) })
		return b, nil
	}
	q.left = q.left[len(b.sources):]
	select {
	case q.taken <- b: // waits where others are far behind
		return b, nil
	case <-ctx.Done():
		return b, ctx.Err()
	}
}

// give hands the rows of the next source on. The error is the context's.
func (b *batch) give(ctx context.Context, r rows) error {
	select {
	case b.rows <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// onCores searches from the sources behind those that are done. The error is the
// context's: others are told where the rows of the source would be, since the first in
// the order of the sources is the one to tell.
func (b *batch) onCores(ctx context.Context, search *searches.Search, done int) error {
	for left := b.sources[done:]; len(left) > 0; {
		some := left[:min(search.Lanes(), len(left))]
		left = left[len(some):]
		if err := search.Run(ctx, some, func(r searches.Rows) error { return b.give(ctx, rows{Rows: r}) }); err != nil {
			b.give(ctx, rows{err: err})
			<-ctx.Done() // since that ends it all
			return ctx.Err()
		}
	}
	return nil
}

// done notes that somebody has searched from so many sources, of one batch.
func (q *queue) done(share *EngineStat, sources int) {
	q.sharing.Lock()
	defer q.sharing.Unlock()
	if sources > 0 {
		share.Batches++
		share.Share += float64(sources) / float64(q.total)
	}
}

// coresTake searches on a core from what is left, in batches of so many sources. The
// error is the context's.
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
