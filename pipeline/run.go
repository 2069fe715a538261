package pipeline

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Run reads edges from the source, reduces the graph, computes, and passes the scores to the sink,
// which is called once and only when every score is complete and exact. Everything Run started has
// ended when it returns. The error wraps a class of arrowio, gpu or this package, or is the
// context's. Stats beside an error hold the warnings of the run until then, and nothing else.
func Run(ctx context.Context, opts Options, sink Sink) (*Stats, error) {
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	if sink == nil {
		return nil, errNoSink
	}
	r := newRun(opts)
	plans := make(chan namedPlan, 1)
	results := make(chan finished, 1)

	group, ctx := errgroup.WithContext(ctx)
	r.start(ctx, group, plans)                                       // source -> blocks with weights, batches of sources
	group.Go(func() error { return r.devices.lend(ctx) })            // meanwhile
	group.Go(func() error { return r.compute(ctx, plans, results) }) // -> sums of dependencies
	group.Go(func() error { return r.write(ctx, results, sink) })    // -> scores of the input's vertices -> sink
	group.Go(func() error { return r.report(ctx) })                  // -> opts.Progress
	return r.end(group.Wait())
}

// start starts the stages that read and reduce, or loads a prepared graph.
func (r *run) start(ctx context.Context, group *errgroup.Group, plans chan<- namedPlan) {
	if r.opts.prepared != "" {
		group.Go(func() error { return r.load(ctx, plans) })
		return
	}
	graphs := r.in.start(ctx, group)                               // source -> simple graph
	group.Go(func() error { return r.reduce(ctx, graphs, plans) }) // -> blocks with weights, batches of sources
}
