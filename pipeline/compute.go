package pipeline

import (
	"cmp"
	"context"
	"time"

	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// compute computes every batch, or draws and estimates, and verifies if Options.Verify says so.
func (r *run) compute(ctx context.Context, plans <-chan namedPlan, results chan<- finished) error {
	defer r.devices.over()
	made, err := r.makeAhead(ctx)
	if err != nil {
		return err
	}
	p, err := parallel.Receive(ctx, plans)
	if err != nil {
		return err
	}
	resumed, err := r.opts.readResume()
	if err != nil {
		return err
	}
	began := time.Now()
	h := &chooser{r.call, r.plan, r.devices}
	sampling, err := h.draw(ctx, &p, resumed)
	if err != nil {
		return err
	}
	opts, notes, err := r.plan.fitting().threads(p.Plan, r.plan.named(&p.names))
	if err != nil {
		return err
	}
	r.stats.Notes = append(r.stats.Notes, notes...)
	if r.stats.Choices, err = coreChoices(p.Plan, opts); err != nil {
		return err
	}
	if resumed, err = r.resume(p, resumed); err != nil {
		return err
	}
	books := newBooks(p, opts, resumed, made)
	if err := r.in.outline(ctx, books, &p.names); err != nil {
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
		devices = nil // the cores draw them
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
		stopSaving := r.opts.startSaving(books)
		err := c.run(ctx, devices)
		var found *estimates
		if err == nil && sampling != nil {
			found, err = h.estimate(ctx, c, sampling.population(c, later, devices))
		}
		if failure := stopSaving(); failure != nil {
			r.stats.Warnings = append(r.stats.Warnings, "partial result not saved: "+failure.Error())
		}
		if err != nil {
			return err
		}
		if found != nil {
			r.share = shares.Part()
		}
		if check != nil {
			if err := check.verify(ctx, opts); err != nil {
				return err
			}
			r.stats.Verification = &check.result
		}
		c.describe(r.stats)
		results <- finished{books.Close(), h.intervals(found)}
		return nil
	})
}

// newBooks opens the ledger of a plan, continued from a partial result if there is one.
func newBooks(p namedPlan, opts Options, resumed *ledger.Partial, made ahead) *ledger.Ledger {
	books := ledger.New(p.Plan, p.names.Names, opts.Precision, opts.Shard, resumed, made.room, opts.Threads)
	if p.Drawn != nil || p.Paired != nil {
		books.SetConfidence(cmp.Or(opts.Question.Sample.Confidence, defaultConfidence))
	}
	if opts.Engine != EngineCPU {
		books.Threads = opts.Threads // a device delivers faster than one core adds up
	}
	return books
}

// awaitDevices waits for required devices, and returns when computing begins: the wait does not
// count.
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
