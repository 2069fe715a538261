package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/parallel"
)

// search hands out the sources to devices and threads, some at a time, and takes their rows in
// order.
func (d *distances) search(ctx context.Context, in *gathered, sources []uint32) error {
	options := searches.Options{Cutoff: d.limit(), Paths: d.paths, Spare: &d.spare.rows}
	lanes := searches.New(&in.Graph, options).Lanes()
	if fair := (len(sources) + d.opts.Threads - 1) / d.opts.Threads; fair < lanes {
		lanes = max(fair, 1) // few sources: use all threads rather than all lanes
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
				startCores() // for the batches after it
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

// collect adds the rows of all batches in their order.
func (d *distances) collect(ctx context.Context, taken <-chan batch) error {
	for {
		b, err := parallel.Receive(ctx, taken)
		if err != nil || b.rows == nil {
			return err
		}
		for _, source := range b.sources {
			r, err := parallel.Receive(ctx, b.rows)
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

// room returns the bytes beside the graph, and the bytes that each search on a core takes of them.
// At least one must fit.
func (d *distances) room(in *gathered, lanes int) (room, each int64, err error) {
	graph := graphBytes(&in.Graph) + in.IDs.Held() + in.Scopes.Held()
	each = max(searches.Bytes(&in.Graph, lanes, d.paths), 1)
	return d.memory - graph, each, d.need(graph+each, "search it")
}

// named adds the ids of a pair with too many paths.
func (d *distances) named(err error) error {
	var pair *searches.TooManyPaths
	if !errors.As(err, &pair) {
		return err
	}
	id := func(v uint32) string { return d.names.Type.Format(d.names.IDs, int(v)) }
	return fmt.Errorf("from %q to %q: %w", id(pair.Source), id(pair.Vertex), searches.ErrPaths)
}
