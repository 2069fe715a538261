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
func (h *chooser) askDevices(ctx context.Context, p *preprocess.Plan, t *trial) error {
	block, ok := p.Drawable(false)
	if h.devices == nil || !ok {
		return nil
	}
	h.devices.wanted()
	if err := h.devices.wait(ctx, p); err != nil || h.devices.set == nil {
		return err
	}
	engines, err := h.devices.set.Engines(ctx, p, h.devices.surveys)
	if err != nil {
		return nil // the run itself reports it
	}
	speed, count := 0.0, 0
	for _, device := range engines {
		if device.Accepts(block) {
			count++
		}
		if speed == 0 && device.Accepts(block) {
			var cost, lasted float64
			first, end := p.BatchesOf(block)
			if cost, lasted, err = tryDevice(ctx, p, p.Batches[first:end], device, 0); cost > 0 {
				speed = cost / lasted
			}
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
		if t.ways[i].way != "pairs" && !p.Question.Edges { // these are left to cores
			t.ways[i].seconds = together(t.ways[i].seconds, source/speed/drawnSpeed)
		}
	}
}

// tryDevice has a device search batches of one block, of at least so much cost if there are as many. It returns the
// cost and the seconds of the waves after the first, which uploads the graph; 0: there is no second one.
func tryDevice(ctx context.Context, p *preprocess.Plan, batches []engine.Batch, device engine.Device, least float64) (cost, lasted float64, err error) {
	var began, last time.Time
	takes, given := 0, 0.0
	take := func(_ context.Context, most int) []engine.Batch {
		if takes >= trialTakes && !began.IsZero() && time.Since(began) > trialLasts && given >= least {
			return nil
		}
		takes++
		taken := batches[:min(most, len(batches))]
		batches = batches[len(taken):]
		for _, batch := range taken {
			given += p.Cost(batch)
		}
		return taken
	}
	err = device.Run(ctx, take, func(result engine.Result) error {
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
	return cost, last.Sub(began).Seconds(), err
}
