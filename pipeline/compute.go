package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// compute has every batch computed, or draws and estimates, and checks what was asked for.
func (r *run) compute(ctx context.Context, plans <-chan namedPlan, results chan<- finished) error {
	defer r.devices.over()
	made, err := r.makeAhead(ctx)
	if err != nil {
		return err
	}
	p, err := receive(ctx, plans)
	if err != nil {
		return err
	}
	resumed, err := r.readResume()
	if err != nil {
		return err
	}
	began := time.Now()
	sampling, err := r.draw(ctx, &p, resumed)
	if err != nil {
		return err
	}
	opts, err := r.fit(p.Plan, r.named(&p.names))
	if err != nil {
		return err
	}
	if r.stats.Choices, err = coreChoices(p.Plan, opts); err != nil {
		return err
	}
	if resumed, err = r.resume(p, resumed); err != nil {
		return err
	}
	books := newBooks(p, opts, resumed, made)
	if err := r.outline(ctx, books, &p.names); err != nil {
		return err
	}
	todo, later := sampling.exactBatches(p.Plan, books.Todo(opts.Shard))
	shares := sharing.New(p.Plan, todo)
	c := &computation{plan: p.Plan, opts: opts, sharing: shares, ledger: books, workers: made.workersFor(p.Plan, opts.Threads)}
	var check *verifier
	if opts.Verify > 0 {
		check = newVerifier(p.Plan, opts.Shard.Batches(p.Plan), opts.Verify)
		books.Seen = check.see
	}
	devices := r.devices
	if sampling.byPairs() {
		devices = nil // they are drawn on the cores
	}
	if opts.Engine == EngineGPU && devices != nil && (sampling != nil || !shares.Complete()) {
		if began, err = r.awaitDevices(ctx, p.Plan, began); err != nil {
			return err
		}
	}
	r.share = shares.Part()
	r.computing.Store(int64(began.Sub(r.began)))
	r.sharing.Store(shares)
	r.enter("compute")
	return timed(&r.stats.Seconds.Compute, began, func() error {
		stopSaving := r.startSaving(books)
		err := c.run(ctx, devices)
		var found *estimates
		if err == nil && sampling != nil {
			found, err = r.estimate(ctx, c, sampling.population(c, later, devices))
		}
		if failure := stopSaving(); failure != nil {
			r.stats.Warnings = append(r.stats.Warnings, "partial result not saved: "+failure.Error())
		}
		if err != nil {
			return err
		}
		if check != nil {
			if err := check.verify(ctx, opts); err != nil {
				return err
			}
			r.stats.Verification = &check.result
		}
		c.describe(&r.stats)
		results <- finished{books.Close(), r.intervals(found)}
		return nil
	})
}

// newBooks are those of a plan, gone on from a partial result if there is one.
func newBooks(p namedPlan, opts Options, resumed *ledger.Partial, made ahead) *ledger.Ledger {
	books := ledger.New(p.Plan, p.names.Names, opts.Precision, opts.Shard, resumed, made.room)
	if p.Drawn != nil || p.Paired != nil {
		books.SetConfidence(cmp.Or(opts.Question.Sample.Confidence, defaultConfidence))
	}
	if opts.Engine != EngineCPU {
		books.Threads = opts.Threads // a device delivers faster than one core adds up
	}
	return books
}

// awaitDevices waits for devices that are demanded, and says when computing begins: the
// wait is no part of it.
func (r *run) awaitDevices(ctx context.Context, plan *preprocess.Plan, since time.Time) (began time.Time, err error) {
	if err := r.devices.wait(ctx, plan); err != nil {
		return since, err
	}
	waited := r.devices.up.Sub(since)
	if waited <= 0 {
		return since, nil
	}
	r.stats.Seconds.DeviceWait = waited.Seconds()
	return r.devices.up, nil
}

// done is where a client's engine hands its results.
func (c *computation) done(client *sharing.Client) engine.Done {
	return func(result preprocess.Result) error {
		covered, err := ledger.Covered(c.plan, client.Name, result)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		difference := ledger.Difference(result)
		if !client.Finish(covered, result.Work) {
			return nil
		}
		if c.ledger.Enter(client.Name, client.Device, covered, result, difference) {
			c.ledger.SetAside(c.sharing.Withdraw(result.Batch.Block))
		}
		return nil
	}
}

// run computes every batch that is to do on the CPU workers and on the devices
// that come up while it lasts.
func (c *computation) run(ctx context.Context, devices *deviceStart) error {
	if c.sharing.Complete() {
		return nil // the reductions left nothing
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	coming := devices.isWanted()
	// An engine busy with a copy of a finished batch must not hold the run up.
	c.sharing.Begin(coming && !c.known, stop)

	group, groupCtx := errgroup.WithContext(working)
	if devices != nil {
		group.Go(func() error {
			if !coming && !c.watch(groupCtx, devices) {
				return nil
			}
			group.Go(func() error { c.ledger.Touch(groupCtx); return nil })
			return c.runDevices(groupCtx, devices)
		})
	}
	if c.opts.Engine != EngineGPU {
		c.startCores(groupCtx, group, coming)
	}
	if err := c.ended(group.Wait()); err != nil {
		return err
	}
	if !c.sharing.Complete() { // what devices declined, or gave back after the cores had ended
		group, groupCtx := errgroup.WithContext(working)
		c.startCores(groupCtx, group, false)
		if err := c.ended(group.Wait()); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return c.rescue(ctx)
}

// ended forgives engines that were stopped because everything is finished.
func (c *computation) ended(err error) error {
	if c.sharing.Complete() && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// coresForDevices is how many cores are left to the goroutines that drive
// devices: a driver that waits for a core leaves its device idle.
const coresForDevices = 2

// startCores starts one worker per thread. With devices coming the cores begin at the small end. Some
// take nothing while devices have something to do.
func (c *computation) startCores(ctx context.Context, group *errgroup.Group, coming bool) {
	if c.cores == nil || c.cores.FromBack != coming {
		c.cores = c.sharing.Add(&sharing.Client{Name: "cpu", FromBack: coming, Workers: c.opts.Threads})
	}
	if c.workers == nil {
		c.workers = make([]*cpu.Worker, c.opts.Threads)
	}
	cores := c.cores
	reserved := 0
	if c.opts.Threads > coresForDevices {
		reserved = coresForDevices
	}
	for i := range c.opts.Threads {
		take := cores.Take
		if i < reserved {
			take = func(ctx context.Context, most int) []preprocess.Batch {
				if !c.sharing.DevicesDone(ctx) {
					return nil
				}
				return cores.Take(ctx, most)
			}
		}
		group.Go(func() error {
			if i < reserved && !c.sharing.DevicesDone(ctx) {
				return nil // not even memory is taken
			}
			if c.workers[i] == nil {
				worker, err := cpu.New(c.plan, c.opts.core())
				if err != nil {
					return err
				}
				c.workers[i] = worker
			}
			return c.workers[i].Run(ctx, take, c.done(cores))
		})
	}
}
