package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu/searches"
)

// Who searches from the sources of Distances, and in which order rows come.

// queue hands sources out, some at a time, and remembers the order.
type queue struct {
	mu    sync.Mutex
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

// search hands the sources out to the threads, some at a time, and takes their
// rows in order.
func (d *distances) search(ctx context.Context, in *gathered, sources []uint32) error {
	options := searches.Options{Cutoff: d.limit(), Paths: d.paths}
	lanes := searches.New(&in.Graph, options).Lanes()
	if fair := (len(sources) + d.opts.Threads - 1) / d.opts.Threads; fair < lanes {
		lanes = max(fair, 1) // few sources: rather all threads than all lanes
	}
	threads, err := d.threads(in, lanes)
	if err != nil {
		return err
	}
	q := &queue{left: sources, taken: make(chan batch, threads)}
	group, ctx := errgroup.WithContext(ctx)
	for range threads {
		group.Go(func() error { return q.searchAll(ctx, searches.New(&in.Graph, options), lanes) })
	}
	group.Go(func() error { return d.collect(ctx, q.taken) })
	return group.Wait()
}

// searchAll searches from what is left, in batches of so many sources. The error is the
// context's: others are told where the rows of the source would be, since the first in
// the order of the sources is the one to tell.
func (q *queue) searchAll(ctx context.Context, search *searches.Search, lanes int) error {
	for {
		b, err := q.take(ctx, lanes)
		if err != nil || len(b.sources) == 0 {
			return err
		}
		give := func(r rows) error {
			select {
			case b.rows <- r:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := search.Run(ctx, b.sources, func(r searches.Rows) error { return give(rows{Rows: r}) }); err != nil {
			return give(rows{err: err})
		}
	}
}

// collect adds the rows of all batches up in their order.
func (d *distances) collect(ctx context.Context, taken <-chan batch) error {
	for {
		b, err := receive(ctx, taken)
		if err != nil || b.rows == nil {
			return err
		}
		for _, source := range b.sources {
			r, err := receive(ctx, b.rows)
			if err == nil {
				err = d.named(r.err)
			}
			if err == nil {
				err = d.add(ctx, source, r.Rows)
			}
			if err != nil {
				return err
			}
		}
	}
}

// threads is how many searches memory has room for, beside the graph.
func (d *distances) threads(in *gathered, lanes int) (int, error) {
	graph := graphBytes(&in.Graph) + in.IDs.Held() + in.Scopes.Held()
	each := searches.Bytes(&in.Graph, lanes, d.paths)
	if err := d.need(graph+each, "search it"); err != nil {
		return 0, err
	}
	return max(int(min((d.memory-graph)/each, int64(d.opts.Threads))), 1), nil
}

// named names the vertices of a pair with too many paths.
func (d *distances) named(err error) error {
	var pair *searches.TooManyPaths
	if !errors.As(err, &pair) {
		return err
	}
	id := func(v uint32) string { return d.names.Type.Format(d.names.IDs, int(v)) }
	return fmt.Errorf("from %q to %q: %w", id(pair.Source), id(pair.Vertex), searches.ErrPaths)
}
