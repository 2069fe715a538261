package pipeline

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
)

// ErrSelfCheck says that a batch missed its self-check on every engine: the
// scores cannot be trusted, so there are none.
var ErrSelfCheck = errors.New("self-check failed")

// compute runs every batch of the schedule's plan on the CPU workers and on
// the devices that come up while it lasts.
func compute(ctx context.Context, opts Options, s *schedule, devices *deviceStart) error {
	if s.isComplete() {
		return nil // the reductions left nothing
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	s.onComplete = stop // an engine busy with a copy of a finished batch must not hold the run up
	if !devices.isWanted() {
		devices = nil
	}
	s.expecting = devices != nil

	group, groupCtx := errgroup.WithContext(working)
	group.Go(func() error { return s.runDevices(groupCtx, devices) })
	if opts.Engine != EngineGPU {
		s.startCores(groupCtx, group, opts, devices)
	}
	if err := s.ended(group.Wait()); err != nil {
		return err
	}
	if !s.isComplete() { // what devices declined, or gave back after the cores had ended
		group, groupCtx := errgroup.WithContext(working)
		s.startCores(groupCtx, group, opts, nil)
		if err := s.ended(group.Wait()); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return s.recompute(ctx, opts)
}

func (s *schedule) isComplete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done == len(s.todo)
}

// ended forgives engines that were stopped because everything is finished.
func (s *schedule) ended(err error) error {
	if s.isComplete() && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// coresForDevices is how many cores are left to the goroutines that drive
// devices: a driver that waits for a core leaves its device idle.
const coresForDevices = 2

// startCores starts one worker per thread. With devices expected the cores
// begin at the small end, and some work only when there is nothing for devices to do.
func (s *schedule) startCores(ctx context.Context, group *errgroup.Group, opts Options, devices *deviceStart) {
	cores := s.add(&client{name: "cpu", fromBack: devices != nil, workers: opts.Threads})
	reserved := 0
	if devices != nil && opts.Threads > coresForDevices {
		reserved = coresForDevices
	}
	for i := range opts.Threads {
		group.Go(func() error {
			if i < reserved && !s.devicesDone(ctx) {
				return nil
			}
			worker, err := cpu.New(s.plan, cpu.Options{Precision: opts.Precision})
			if err != nil {
				return err
			}
			return worker.Run(ctx, cores.take, cores.finish)
		})
	}
}
