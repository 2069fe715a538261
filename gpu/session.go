package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// A session is a set of opened devices with their kernels built. It may be used
// from several goroutines until Close.
type session struct {
	options Options
	devices []*wave.Processor
	failed  []error

	mu      sync.Mutex
	engines []*runner // all that were made
}

// openSelected starts the selected devices: contexts, a probe of their abilities, the kernels, and
// a search with a known result. The selection is "" or "all" for every usable device that
// is not a CPU, or numbers of Devices as in "0,2". Opening needs no graph: let it run
// beside reading. A context that ends is noticed between the steps; a compiler is not
// interrupted. A device takes some tenths of a second.
//
// Of several devices the failing ones are left out (see failed). The error is
// ErrNotBuilt, ErrNoDevice, ErrOptions, or ErrDevice when none is left.
func openSelected(ctx context.Context, platform driver.Platform, selection string, options Options) (*session, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	chosen, err := selected(platform, selection)
	if err != nil {
		return nil, err
	}
	return openAll(ctx, chosen, options, platform.Open)
}

// openAll is openSelected for chosen devices, with the function that opens one.
func openAll(ctx context.Context, chosen []driver.Device, options Options, open func(driver.Device) (driver.Driver, error)) (*session, error) {
	devices, failures := make([]*wave.Processor, len(chosen)), make([]error, len(chosen))
	var group errgroup.Group
	for i, d := range chosen {
		group.Go(func() error {
			if devices[i], failures[i] = start(ctx, d, options, open); failures[i] != nil {
				failures[i] = fmt.Errorf("gpu: device %d, %s: %w", d.Number, d.Name, failures[i])
			}
			return nil
		})
	}
	group.Wait() // the functions return nil
	s := &session{options: options}
	for i := range chosen {
		if failures[i] != nil {
			s.failed = append(s.failed, failures[i])
		} else {
			s.devices = append(s.devices, devices[i])
		}
	}
	if err := ctx.Err(); err != nil {
		s.Close()
		return nil, err
	}
	if len(s.devices) == 0 {
		return nil, errors.Join(s.failed...)
	}
	return s, nil
}

func start(ctx context.Context, d driver.Device, options Options, open func(driver.Device) (driver.Driver, error)) (*wave.Processor, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	driver, err := open(d)
	if err != nil {
		return nil, err
	}
	dev := wave.NewProcessor(d, driver, options.WorkGroup, options.Portable)
	if err = build(ctx, dev, options); err == nil {
		err = tryOut(ctx, dev, options)
	}
	if err != nil {
		dev.Close()
		return nil, err
	}
	return dev, nil
}

// build builds the kernels of all methods that may be used.
func build(ctx context.Context, d *wave.Processor, options Options) error {
	for _, m := range options.methods() {
		if err := ctx.Err(); err != nil {
			return err
		}
		usual, err := wave.NewShape(m, d.Words(options.Lanes), options.Precision, survey.Findings{})
		if err != nil {
			return err
		}
		if options.flows(m) {
			usual.Edges = 1
		}
		if _, err := d.Program(d.Variant(usual, options.Precision, false)); err != nil {
			return err
		}
	}
	return nil
}

// Engines makes engines of the devices for the plan. A device has one engine, or two if
// some blocks are searched for distances alone and others are not. The two run side by
// side, each with half of the memory, since neither fills a device: a level takes a
// launch, however little is in it. Surveys are those of the same plan; nil: Engines
// surveys the plan itself. The error is the context's.
func (s *session) Engines(ctx context.Context, plan *preprocess.Plan, surveys Surveys) ([]engine.Device, error) {
	if surveys == nil {
		var err error
		if surveys, err = Survey(ctx, plan, s.options); err != nil {
			return nil, err
		}
	}
	paths, distances := surveys.apart()
	s.mu.Lock()
	defer s.mu.Unlock()
	var engines []engine.Device
	for _, d := range s.devices {
		made := []*runner{newEngine(d, s.options, plan, surveys, len(s.devices))}
		if len(paths) > 0 && len(distances) > 0 {
			half := s.options
			half.Memory = memoryFor(d, half) / 2
			made = []*runner{newEngine(d, half, plan, paths, len(s.devices)), newEngine(d, half, plan, distances, len(s.devices))}
			made[1].name += " for distances"
		}
		for _, e := range made {
			if err := e.prove(ctx); err != nil {
				return nil, err
			}
			s.engines, engines = append(s.engines, e), append(engines, e)
		}
	}
	return engines, nil
}

// memoryFor is the device memory that engines use, in bytes.
func memoryFor(d *wave.Processor, o Options) int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return d.Memory / 10 * 9
}

// Close releases the devices. No engine may be running.
func (s *session) Close() error {
	for _, e := range s.engines {
		e.Release()
	}
	s.engines = nil
	for _, d := range s.devices {
		d.Close()
	}
	s.devices = nil
	return nil
}
