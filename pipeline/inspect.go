package pipeline

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
)

// Inspect reads and reduces as Run does, and estimates the cost of computing. If the options demand devices, it measures
// one of them.
func Inspect(ctx context.Context, opts Options) (_ *Info, err error) {
	opts, err = opts.complete()
	if err != nil {
		return nil, err
	}
	r := newRun(opts)
	if !asksForDevices(opts.Engine, opts.Device) {
		r.devices = nil
	}
	defer func() { err = errors.Join(err, r.close()) }()
	plans := make(chan namedPlan, 1)
	group, groupCtx := errgroup.WithContext(ctx)
	r.start(groupCtx, group, plans)
	group.Go(func() error { return r.devices.open(groupCtx) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p := <-plans
	var device *DeviceTime
	if r.devices != nil {
		if device, err = r.devices.measure(ctx, p.Plan); err != nil {
			return nil, err
		}
		if device == nil {
			r.stats.Notes = append(r.stats.Notes, "no time on devices: too little work to measure, or they do not search this graph")
		}
	}
	info := &Info{Stats: *r.finish(), Device: device}
	for _, batch := range p.Batches {
		info.EstimatedWork += p.Cost(batch)
	}
	if info.Choices, err = coreChoices(p.Plan, opts); err != nil {
		return nil, err
	}
	info.MemoryLimit = r.memory
	info.ReadingBytes = r.reading.Load()
	need := demandOf(p.Plan, r.plan.named(&p.names), opts)
	if info.EstimatedSeconds, err = estimate(ctx, opts, p.Plan, r.plan.fitting().lanesFor(p.Plan, need.shared), usualTrial); err == nil && opts.Question.Sample.Way != "" {
		way := opts.Question.Sample.Way
		best, plan, _, failure := (&chooser{r.call, r.plan, r.devices}).choose(ctx, &p, info.EstimatedSeconds)
		info.Plan, err = plan, failure
		if way == "auto" {
			way = best
		}
		if block, ok := p.Drawable(true); ok && way == "pairs" && r.plan.update == nil {
			need = pairsDemand(p.Plan, r.plan.named(&p.names), opts, block)
		}
	}
	info.GraphBytes, info.EngineBytes = need.shared, int64(opts.Threads)*need.each
	return info, err
}
