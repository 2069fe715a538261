package pipeline

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/internal/gpu/opened"
	"bcstage/internal/parallel"
	"bcstage/internal/refusals"
	"bcstage/preprocess/question"
)

// Distances reads edges as Run does and sends tables by pair: for every vertex of opts.Sources a row for each vertex
// that it reaches, itself included, in columns source, vertex and distance. Sources follow in the order of the edges;
// near vertices come first. Distances are integers, in hops, or lengths where the question has them. With paths there
// is a column of path counts, paths.
//
// The parts of one table are as in arrowio.WriteParts, at least one of them. The channel is closed when Distances
// returns. Waiting rows are bounded by the threads and the graph, not by the number of sources. With opts.Targets only
// their rows are sent. With opts.Trips in place of both, only the rows of its pairs are, once each; sources are its
// origins. In an undirected graph with fewer destinations, those are searched from, and rows follow in their order.
//
// Distances answers directions, lengths and the cutoff of the question. Any other question and parts of a run are
// ErrOptions. More paths than float64 counts are ErrPaths, for the first such pair.
//
// Devices search if they are asked for: by EngineGPU, or by number, then beside cores. Cores count paths, and finish
// the sources of a device that fails, for instance when distances exceed its 32 bits. Rows do not depend on the engine.
func Distances(ctx context.Context, opts Options, paths bool, parts chan<- tables.Table) (*Stats, error) {
	defer close(parts)
	opts, cutoff, err := distanceOptions(opts, paths)
	if err != nil {
		return nil, err
	}
	d := &distances{cutoff: cutoff, paths: paths, parts: parts, engine: opts.Engine, opened: make(chan *opened.Set, 1)}
	opts.Engine = EngineCPU // no device for batches
	r := newRun(opts)
	d.run = r
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return d.open(ctx) })            // -> devices, if they are wanted
	graphs := r.in.gather(ctx, group)                        // source -> simple graph
	group.Go(func() error { return d.compute(ctx, graphs) }) // -> tables
	group.Go(func() error { return r.report(ctx) })          // -> opts.Progress
	err = group.Wait()
	if d.devices == nil && len(d.opened) > 0 {
		d.devices = <-d.opened // compute ended before it received them
	}
	d.devices.Close()
	return r.end(err)
}

// distanceOptions fills in defaults, and refuses options that distances do not take.
func distanceOptions(opts Options, paths bool) (_ Options, cutoff string, err error) {
	if opts.calls = []string{refusals.Distances}; paths {
		opts.calls = append(opts.calls, refusals.CountedPaths)
	}
	if opts.Trips == nil && opts.Sources == nil {
		return opts, "", fmt.Errorf("%w: distances: no sources", ErrOptions)
	}
	opts, err = opts.complete()
	cutoff, opts.Question = opts.Question.Cutoff, question.Question{Directed: opts.Question.Directed, Lengths: opts.Question.Lengths}
	return opts, cutoff, err
}

// compute searches from all sources, several at once, and sends their rows.
func (d *distances) compute(ctx context.Context, inputs <-chan gathered) error {
	in, err := parallel.Receive(ctx, inputs)
	if err != nil {
		return err
	}
	defer close(d.written)
	if d.names, err = namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, d.opts.Files.Bipartite || in.Side != nil); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.names.Ends = in.ends
	d.scale = in.Scale
	d.stats.Vertices, d.stats.Edges = in.Graph.Vertices(), in.Graph.Edges()
	d.stats.Threads, d.stats.Precision = d.opts.Threads, Float64
	sources, err := d.findEnds(ctx)
	if err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	if err := d.waitForDevices(ctx); err != nil {
		return err
	}
	d.enter("compute")
	defer func() { // waiting for the writer is not computing
		d.stats.Seconds.Write = d.waited
		d.stats.Seconds.Compute -= d.waited
	}()
	return timed(&d.stats.Seconds.Compute, time.Now(), func() error {
		if err := d.send(ctx, d.spare.newPart(0)); err != nil { // names and types, even without rows
			return err
		}
		if err := d.search(ctx, &in, sources); err != nil {
			return fmt.Errorf("pipeline: distances: %w", err)
		}
		return d.flush(ctx)
	})
}

// findEnds finds the vertices to search from, and those whose rows are wanted.
func (d *distances) findEnds(ctx context.Context) (sources []uint32, err error) {
	if d.opts.Trips != nil {
		return d.readPairs(ctx)
	}
	sources, ends, err := d.opts.Sources.find(ctx, &d.names, "Options.Sources")
	if err != nil {
		return nil, err
	}
	d.stats.Sources = &ends
	d.stats.noteNulls(ends.NullsDropped)
	if d.opts.Targets == nil {
		return sources, nil
	}
	targets, others, err := d.opts.Targets.find(ctx, &d.names, "Options.Targets")
	if err != nil {
		return nil, err
	}
	d.stats.Targets = &others
	d.stats.noteNulls(others.NullsDropped)
	d.targets = make([]bool, d.stats.Vertices)
	for _, v := range targets {
		d.targets[v] = true
	}
	return sources, nil
}
