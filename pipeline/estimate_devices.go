package pipeline

import (
	"context"
	"time"

	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// How devices are tried before a run chooses its way.
const (
	worthAsking = 2.4                    // least seconds of the cores' cheapest way: twice what asking an H200 takes; below, no gain can be worth it
	trialTakes  = 4                      // least waves that a device searches
	trialLasts  = 200 * time.Millisecond // after which it takes no more
	fastest     = 1000                   // cores that do as much as all devices, at most: an H200 does the work of some 100
	drawnSpeed  = 0.65                   // speed of drawn sources, as a share of that of ordered ones: measured on an R-MAT graph of 2.4 million vertices
)

// mayChange reports whether devices could make another way the cheapest, or are worth their start in any case. threads
// cores search.
func (t *trial) mayChange(others []outlook, threads int) bool {
	best, shared := t.exact, t.exact
	for _, o := range others {
		if best = min(best, o.seconds); o.way != "pairs" {
			shared = min(shared, o.seconds)
		}
	}
	return best > worthAsking && shared*float64(threads)/fastest < best
}

// askDevices starts the devices, and includes their speed: they share exact scores and sources with
// the cores.
func (r *run) askDevices(ctx context.Context, p *preprocess.Plan, t *trial) error {
	block, ok := p.Drawable(false)
	if r.devices == nil || !ok {
		return nil
	}
	r.devices.wanted()
	if err := r.devices.wait(ctx, p); err != nil || r.devices.set == nil {
		return err
	}
	engines, err := r.devices.set.Engines(ctx, p, r.devices.surveys)
	if err != nil {
		return nil // the run itself reports it
	}
	speed, count := 0.0, 0
	for _, device := range engines {
		if device.Accepts(block) {
			count++
		}
		if speed == 0 && device.Accepts(block) {
			speed, err = deviceSpeed(ctx, p, block, device)
		}
		device.Release()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err != nil || speed == 0 {
		return nil // a device that fails is handled by sharing
	}
	t.share(p, speed*float64(count))
	return nil
}

// share adds devices that do so much of the plan's cost per second.
func (t *trial) share(p *preprocess.Plan, speed float64) {
	total := 0.0
	for _, batch := range p.Batches {
		total += p.Cost(batch)
	}
	together := func(cores, devices float64) float64 { return 1 / (1/cores + 1/devices) }
	t.exact = together(t.exact, total/speed)
	source := p.Cost(p.Batches[0]) / float64(p.Batches[0].Count)
	for i := range t.ways {
		if t.ways[i].way != "pairs" {
			t.ways[i].seconds = together(t.ways[i].seconds, source/speed/drawnSpeed)
		}
	}
}

// deviceSpeed is the cost that a device does per second in a block, in the waves after the first,
// which uploads the graph.
func deviceSpeed(ctx context.Context, p *preprocess.Plan, block int, device engine.Device) (float64, error) {
	first := 0
	for first < len(p.Batches) && p.Batches[first].Block != block {
		first++
	}
	var began, last time.Time
	takes, cost := 0, 0.0
	take := func(_ context.Context, most int) []engine.Batch {
		if takes >= trialTakes && !began.IsZero() && time.Since(began) > trialLasts {
			return nil
		}
		takes++
		end := first
		for end < len(p.Batches) && p.Batches[end].Block == block && end-first < most {
			end++
		}
		taken := p.Batches[first:end]
		first = end
		return taken
	}
	err := device.Run(ctx, take, func(result engine.Result) error {
		covered, err := ledger.Covered(p, device.Name(), result)
		if err != nil {
			return err
		}
		last = time.Now()
		if began.IsZero() {
			began = last
			return nil
		}
		for _, batch := range covered {
			cost += p.Cost(batch)
		}
		return nil
	})
	if err != nil || cost == 0 {
		return 0, err
	}
	return cost / last.Sub(began).Seconds(), nil
}
