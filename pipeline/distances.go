package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/gpu"
	"bcstage/preprocess/question"
)

// Distances reads edges as Run does and sends tables by pair: for every vertex of
// opts.Sources a row for each vertex that it reaches, itself included, with its
// distance: source after source in the order in which the edges name them, near
// vertices first. Distances are hops, as integers, or lengths where the question has
// them; with paths there is a column of how many shortest paths there are.
//
// The parts of one table are as in arrowio.WriteParts, at least one of them. The
// channel is closed when Distances returns. What waits for its turn is bounded by
// the threads and the graph, not by the number of sources. With opts.Targets there are
// rows of those vertices alone. Of the question it answers directions, lengths and the cutoff; anything else is ErrOptions, as are
// parts of a run and a prepared graph, which has lost what was reduced. More paths than
// float64 counts are ErrPaths, for the first such pair.
//
// Devices search if they are asked for: by EngineGPU, or by number, then beside cores.
// Paths are counted by cores, which also do what a device that fails has not done, be it
// that distances pass the 32 bits that it has. Rows are the same whoever searches.
func Distances(ctx context.Context, opts Options, paths bool, parts chan<- tables.Table) (*Stats, error) {
	defer close(parts)
	opts, cutoff, err := distanceOptions(opts)
	if err != nil {
		return nil, err
	}
	d := &distances{cutoff: cutoff, paths: paths, parts: parts, engine: opts.Engine, opened: make(chan *gpu.SearchSet, 1)}
	opts.Engine = EngineCPU // no device for batches
	r := newRun(opts)
	d.run = r
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return d.open(ctx) })            // -> devices, if they are wanted
	graphs := r.in.start(ctx, group)                         // source -> simple graph
	group.Go(func() error { return d.compute(ctx, graphs) }) // -> tables
	group.Go(func() error { return r.report(ctx) })          // -> opts.Progress
	err = group.Wait()
	if d.devices == nil && len(d.opened) > 0 {
		d.devices = <-d.opened // compute did not come so far
	}
	d.devices.Close()
	return r.end(err)
}

// distanceOptions fills in defaults, and refuses what has no meaning here.
func distanceOptions(opts Options) (_ Options, cutoff string, err error) {
	fail := func(format string, args ...any) (Options, string, error) {
		return opts, "", fmt.Errorf("%w: distances: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	asked := opts.Question
	if err := asked.Check(); err != nil {
		return opts, "", fmt.Errorf("%w: distances: %w", ErrOptions, err)
	}
	opts.Question = question.Question{Directed: asked.Directed, Lengths: asked.Lengths}
	asked.Directed, asked.Lengths, asked.Sources, asked.Targets, asked.Cutoff, cutoff = false, question.Lengths{}, question.Set{}, question.Set{}, "", asked.Cutoff
	switch {
	case asked.Identity() != "":
		return fail("%s says nothing about them", asked.Identity())
	case strings.Contains(cutoff, ","):
		return fail("cutoffs %s: want one", cutoff)
	case opts.Sources == nil:
		return fail("no sources")
	case opts.partial() || opts.Resume != nil || opts.Save != nil:
		return fail("they have no parts")
	}
	sources, targets := opts.Sources, opts.Targets
	opts.Sources, opts.Targets = nil, nil
	if opts, err = opts.complete(); err != nil {
		return opts, "", err
	}
	opts.Sources, opts.Targets = sources, targets
	if opts.prepared != "" {
		return fail("%s is a prepared graph, which has not all edges", opts.prepared)
	}
	return opts, cutoff, nil
}

// compute searches from all sources, several at once, and sends their rows.
func (d *distances) compute(ctx context.Context, inputs <-chan gathered) error {
	in, err := receive(ctx, inputs)
	if err != nil {
		return err
	}
	defer close(d.written)
	if d.names, err = namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, d.opts.Files.Bipartite); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.names.Ends = [2]string{d.opts.Files.Src, d.opts.Files.Dst}
	d.scale = in.Scale
	d.stats.Vertices, d.stats.Edges = in.Graph.Vertices(), in.Graph.Edges()
	d.stats.Threads, d.stats.Precision = d.opts.Threads, Float64
	sources, ends, err := d.opts.Sources.find(ctx, &d.names, "Options.Sources")
	if err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.stats.Sources = &ends
	if err := d.findTargets(ctx); err != nil {
		return err
	}
	if err := d.waitForDevices(ctx); err != nil {
		return err
	}
	d.enter("compute")
	defer func() { // the stage waits while rows are written
		d.stats.Seconds.Write = d.waited
		d.stats.Seconds.Compute -= d.waited
	}()
	return timed(&d.stats.Seconds.Compute, time.Now(), func() error {
		if err := d.send(ctx, d.spare.newPart(0)); err != nil { // names and types, whatever follows
			return err
		}
		if err := d.search(ctx, &in, sources); err != nil {
			return fmt.Errorf("pipeline: distances: %w", err)
		}
		return d.flush(ctx)
	})
}

// findTargets finds the vertices of which rows are wanted.
func (d *distances) findTargets(ctx context.Context) error {
	if d.opts.Targets == nil {
		return nil
	}
	targets, ends, err := d.opts.Targets.find(ctx, &d.names, "Options.Targets")
	if err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.stats.Targets = &ends
	d.targets = make([]bool, d.stats.Vertices)
	for _, v := range targets {
		d.targets[v] = true
	}
	return nil
}
