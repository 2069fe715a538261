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

// search hands the sources out to devices and threads, some at a time, and takes their
// rows in order.
func (d *distances) search(ctx context.Context, in *gathered, sources []uint32) error {
	options := searches.Options{Cutoff: d.limit(), Paths: d.paths, Spare: &d.spare.rows}
	lanes := searches.New(&in.Graph, options).Lanes()
	if fair := (len(sources) + d.opts.Threads - 1) / d.opts.Threads; fair < lanes {
		lanes = max(fair, 1) // few sources: rather all threads than all lanes
	}
	room, each, err := d.room(in, lanes)
	if err != nil {
		return err
	}
	devices, taken := d.onDevices(ctx, &in.Graph, sources, room-each)
	threads := int(min((room-taken)/each, int64(d.opts.Threads)))
	q := &queue{total: len(sources), left: sources, taken: make(chan batch, threads)}
	cores := &EngineStat{Name: "cpu"}
	group, ctx := errgroup.WithContext(ctx)
	var starting sync.Once
	startCores := func() {
		starting.Do(func() {
			for range threads {
				group.Go(func() error { return q.coresTake(ctx, searches.New(&in.Graph, options), lanes, cores) })
			}
		})
	}
	for i := range devices {
		group.Go(func() error {
			return q.deviceTakes(ctx, devices[i], &d.stats.Engines[i], func(b batch, done int) error {
				startCores() // for the batches behind it
				defer q.done(cores, len(b.sources)-done)
				return b.onCores(ctx, searches.New(&in.Graph, options), done)
			})
		})
	}
	if len(devices) == 0 || d.engine != EngineGPU {
		startCores()
	}
	group.Go(func() error { return d.collect(ctx, q.taken) })
	err = group.Wait()
	if cores.Batches > 0 || len(devices) == 0 {
		d.stats.Engines = append(d.stats.Engines, *cores)
	}
	return err
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

// room is how many bytes there are beside the graph, and what each search on a core
// takes of them: for one there must be room.
func (d *distances) room(in *gathered, lanes int) (room, each int64, err error) {
	graph := graphBytes(&in.Graph) + in.IDs.Held() + in.Scopes.Held()
	each = max(searches.Bytes(&in.Graph, lanes, d.paths), 1)
	return d.memory - graph, each, d.need(graph+each, "search it")
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
