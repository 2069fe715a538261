package pipeline

import (
	"context"
	"slices"
	"sync"
	"time"

	"bcstage/gpu"
	"bcstage/internal/measures"
	"bcstage/preprocess"
)

// deviceStart is the start-up of devices, which takes longer than small inputs take in all. So with EngineAuto it waits
// until the input is plainly large, or until the cores have computed for a moment and need longer for the rest than a
// device needs to start: see computation.watch.
type deviceStart struct {
	start    func(context.Context) (gpu.Set, error)
	threads  int
	searches []measures.Search
	required bool          // engine gpu, or devices asked for by number: none is an error
	worth    chan struct{} // closed when the input is worth a device
	ended    chan struct{} // closed when the run no longer needs devices
	settled  chan struct{} // closed when set and err are final
	up       time.Time     // when settled was closed
	set      gpu.Set       // nil: none
	surveys  gpu.Surveys   // of the plan, after wait
	err      error         // why set is nil
	closing  error         // of the release of set
	once     sync.Once
}

// leavesEdges reports whether only cores can sum the flows of some block's edges.
func leavesEdges(plan *preprocess.Plan) bool {
	return slices.ContainsFunc(plan.Blocks, func(b preprocess.Block) bool { return b.HasFlows() && b.HasLengths() })
}

// leavesMasses says what has some blocks searched by cores alone: see gpu.Leaves.
func leavesMasses(plan *preprocess.Plan) (what string) {
	for i := range plan.Blocks {
		if _, masses := gpu.Leaves(&plan.Blocks[i]); what == "" {
			what = masses
		}
	}
	return what
}

func newDeviceStart(opts Options, start func(context.Context) (gpu.Set, error)) *deviceStart {
	if opts.Engine == EngineCPU || opts.Device == "cpu" {
		return nil
	}
	d := &deviceStart{
		start:    start,
		threads:  opts.Threads,
		searches: searchesFor(opts.Question),
		required: opts.Engine == EngineGPU || opts.Device != "all",
		worth:    make(chan struct{}),
		ended:    make(chan struct{}),
		settled:  make(chan struct{}),
	}
	if d.required {
		d.wanted()
	}
	return d
}

// wanted records that the input is worth a device.
func (d *deviceStart) wanted() {
	if d != nil {
		d.once.Do(func() { close(d.worth) })
	}
}

// over records that the run no longer needs devices that have not started.
func (d *deviceStart) over() {
	if d != nil {
		close(d.ended)
	}
}

// open starts the devices when they are wanted.
func (d *deviceStart) open(ctx context.Context) error {
	if d == nil {
		return nil
	}
	defer close(d.settled)
	select {
	case <-d.worth:
	case <-d.ended:
		if !d.isWanted() { // neither before nor at the same time
			return nil
		}
	case <-ctx.Done():
		return nil
	}
	if !d.required { // finished cores must not wait for optional devices
		var cancel context.CancelFunc
		var group sync.WaitGroup
		ctx, cancel = context.WithCancel(ctx)
		defer group.Wait()
		defer cancel()
		group.Go(func() {
			select {
			case <-d.ended:
				cancel()
			case <-ctx.Done():
			}
		})
	}
	d.set, d.err = d.start(ctx)
	d.up = time.Now()
	if d.err != nil && d.required {
		return d.err
	}
	return nil
}

// lend starts the devices when they are wanted, and releases them when the run no longer needs any: that takes as long as
// writing scores, which its error does not end.
func (d *deviceStart) lend(ctx context.Context) error {
	if err := d.open(ctx); d == nil || err != nil {
		return err
	}
	<-d.ended
	_ = d.close() // again when all has ended, for the error
	return nil
}

// close releases the devices, once, and says how that went. Nobody uses them any more.
func (d *deviceStart) close() error {
	if d == nil {
		return nil
	}
	if d.set != nil {
		d.closing, d.set = d.set.Close(), nil
	}
	return d.closing
}

// isWanted reports whether devices are up or coming.
func (d *deviceStart) isWanted() bool {
	if d == nil {
		return false
	}
	select {
	case <-d.worth:
		return true
	default:
		return false
	}
}

// absent reports whether it is known that there are no devices.
func (d *deviceStart) absent() bool {
	select {
	case <-d.settled:
		return d.set == nil
	default:
		return false
	}
}

// wait returns when devices are up or known to be absent. Meanwhile it surveys the plan for them. The error is the
// context's.
func (d *deviceStart) wait(ctx context.Context, plan *preprocess.Plan) (err error) {
	if d.surveys == nil && !d.absent() {
		if d.surveys, err = gpu.Survey(ctx, plan, gpu.Options{Threads: d.threads, Searches: d.searches}); err != nil {
			return err
		}
	}
	select {
	case <-d.settled:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// demanded returns why required devices are absent. It waits for them: the cores may have finished before that is
// known.
func (d *deviceStart) demanded(ctx context.Context) error {
	if d == nil || !d.required {
		return nil
	}
	select {
	case <-d.settled:
		return d.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
