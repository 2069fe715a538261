package pipeline

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/gpu/searchbench"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/refusals"
)

// BenchSearches reads edges as Run does, and measures searches of the graph on a device: see searchbench.Bench.Run.
func BenchSearches(ctx context.Context, opts Options, bench searchbench.Bench, each func(searchbench.Figures) error) error {
	if err := bench.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	opts.calls, opts.Engine = []string{refusals.SearchBench}, EngineCPU // no device for batches
	opts, err := opts.complete()
	if err != nil {
		return err
	}
	r := newRun(opts)
	group, reading := errgroup.WithContext(ctx)
	graphs := r.in.gather(reading, group) // source -> simple graph
	if err := errors.Join(group.Wait(), r.close()); err != nil {
		return err
	}
	in := <-graphs
	held := graphBytes(&in.Graph) + in.IDs.Held()
	workers, bytes := bench.Fit(in.Graph, r.memory-held, opts.Threads)
	if err := r.need(held+bytes, "keep what is expected of every search"); err != nil {
		return err
	}
	return bench.Run(ctx, in.Graph, workers, func() (searches.Device, error) {
		if opts.Devices == nil {
			return nil, errNoStarter
		}
		return opts.Devices.Single(opts.Device)
	}, each)
}
