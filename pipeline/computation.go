package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// done returns the function that takes the results of a client's engine.
func (c *computation) done(client *sharing.Client) engine.Done {
	return func(result engine.Result) error {
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

// run computes every batch that is left on the CPU workers and on the devices that start meanwhile.
func (c *computation) run(ctx context.Context, devices *deviceStart) error {
	if c.sharing.Complete() {
		return nil // the reductions left nothing
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	var forDevices []bool
	if devices != nil && !devices.required {
		if forDevices = c.forDevices(); c.coresAlone(forDevices) {
			devices = nil
		}
	}
	coming := devices.isWanted()
	// An engine busy with a copy of a finished batch must not hold the run up.
	c.sharing.Begin(coming && !c.known, stop)

	group, groupCtx := errgroup.WithContext(working)
	if devices != nil {
		group.Go(func() error {
			if !coming && !c.watch(groupCtx, devices, forDevices) {
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

// ended ignores the error of engines that were stopped because everything is finished.
func (c *computation) ended(err error) error {
	if c.sharing.Complete() && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// coresForDevices is the number of cores left to the goroutines that drive devices: a driver that waits for a core
// leaves its device idle.
const coresForDevices = 2

// startCores starts one worker per thread. If devices are coming, the cores begin at the small end, and some take
// nothing while devices have work.
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
			take = func(ctx context.Context, most int) []engine.Batch {
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

// forDevices reports whether devices may be faster than cores with a block.
func forDevices(b *preprocess.Block) bool {
	lengths, masses := gpu.Leaves(b)
	return !lengths && masses == "" && !b.FindsOwn() && !b.Local()
}

// forDevices reports by block whether devices may be faster than cores.
func (c *computation) forDevices() []bool {
	list := make([]bool, len(c.plan.Blocks))
	for i := range list {
		list[i] = forDevices(&c.plan.Blocks[i])
	}
	return list
}

// coresAlone reports whether cores are faster with nearly all of the plan: 19 parts of 20. Cores that expect a device leave
// it the large batches.
func (c *computation) coresAlone(forDevices []bool) bool {
	all, devices := 0.0, 0.0
	for _, batch := range c.plan.Batches {
		cost := c.plan.Cost(batch)
		if all += cost; forDevices[batch.Block] {
			devices += cost
		}
	}
	return 20*devices < all
}

// watch observes the cores' speed. It returns false when they finish. Once the work that devices could take would
// last long enough, it starts the devices and returns true.
func (c *computation) watch(ctx context.Context, devices *deviceStart, forDevices []bool) bool {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case now := <-look.C:
			if c.sharing.Forecast(now, forDevices) >= worthLeft {
				c.sharing.ExpectDevices()
				devices.wanted()
				return true
			}
		}
	}
}

// runDevices drives every device that starts, one goroutine each. A device that fails gives back its batches, and
// other engines finish them.
func (c *computation) runDevices(ctx context.Context, devices *deviceStart) error {
	if !c.known {
		c.startDevices(ctx, devices)
	}
	var group errgroup.Group
	for i, device := range c.devices {
		client := c.clients[i]
		if client.Failed() {
			continue
		}
		group.Go(func() error {
			defer client.End()
			switch err := device.Run(ctx, client.Take, c.done(client)); {
			case err == nil:
			case errors.Is(err, engine.ErrContract):
				return err // a defect, not a fault: nothing may hide it
			case ctx.Err() == nil:
				client.Fail(err)
			}
			return nil
		})
	}
	return group.Wait()
}

// startDevices waits for the devices and puts the plan on them.
func (c *computation) startDevices(ctx context.Context, devices *deviceStart) {
	defer c.sharing.DevicesKnown()
	var engines []engine.Device
	err := devices.wait(ctx, c.plan)
	if err == nil && devices.set != nil {
		engines, err = devices.set.Engines(ctx, c.plan, devices.surveys)
	}
	if err != nil && ctx.Err() != nil {
		return // everything is finished already, or the run is cancelled
	}
	if err != nil {
		client := c.sharing.Add(&sharing.Client{Name: "devices", Device: true})
		client.Fail(err)
		client.End()
		c.known = true
		return
	}
	c.known, c.devices = true, engines
	for _, device := range engines {
		c.clients = append(c.clients, c.sharing.Add(&sharing.Client{Name: device.Name(), Device: true, Accepts: device.Accepts}))
	}
}
