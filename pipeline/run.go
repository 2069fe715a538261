package pipeline

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/spill"
	"bcstage/pipeline/internal/machine"
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

// run is one call of Run.
type run struct {
	call
	in      *intake  // what is read
	plan    *planner // what is planned
	devices *deviceStart
	share   float64 // of the plan's cost, computed by this run; set by compute
}

func newRun(opts Options) *run {
	stats := new(Stats)
	r := &run{devices: newDeviceStart(opts, opts.startDevices), call: call{
		opts:      &opts,
		allowance: &allowance{memory: memoryLimit(opts), sets: opts.Files.Budget.Held(), files: spill.New(os.TempDir())},
		advance:   &advance{began: time.Now(), reports: opts.Reports, stage: "read", written: make(chan struct{}), stats: stats},
		stats:     stats,
	}}
	r.planned.Store("")
	r.in = newIntake(r.call)
	r.in.worth = func() { r.devices.wanted() }
	r.plan = &planner{call: r.call, in: r.in, vertices: make(chan int, 1)}
	return r
}

// start starts the stages that read and reduce, or loads a prepared graph.
func (r *run) start(ctx context.Context, group *errgroup.Group, plans chan<- namedPlan) {
	if r.opts.prepared != "" {
		group.Go(func() error { return r.plan.load(ctx, plans) })
		return
	}
	graphs := r.in.start(ctx, group)                                    // source -> simple graph
	group.Go(func() error { return r.plan.reduce(ctx, graphs, plans) }) // -> blocks with weights, batches of sources
}

// close releases resources that outlive the stages.
func (r *run) close() error {
	err := errors.Join(r.devices.close(), r.files.Close())
	if file := r.in.opened; file != nil {
		err = errors.Join(err, file.Close())
	}
	return err
}

// end closes the run after its stages. The error is theirs, or that of closing.
func (r *run) end(err error) (*Stats, error) {
	if closing := r.close(); err == nil {
		err = closing
	}
	if err != nil {
		return &Stats{Warnings: r.stats.Warnings}, err
	}
	return r.finish(), nil
}

// finish completes the statistics of a run that succeeded.
func (r *run) finish() *Stats {
	s := r.stats
	s.Threads = r.opts.Threads
	s.Precision = r.opts.Precision
	s.Seconds.Total = time.Since(r.began).Seconds()
	s.PeakMemory = machine.Peak()
	if s.Seconds.Compute > 0 {
		s.GTEPS = r.share * s.work() / s.Seconds.Compute / 1e9
	}
	return s
}

// timed runs a stage's work and records the wall time since began.
func timed(seconds *float64, began time.Time, work func() error) error {
	err := work()
	*seconds = time.Since(began).Seconds()
	return err
}
