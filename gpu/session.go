package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/gpu/internal/naming"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Session is a set of opened devices with their kernels built. It may be used
// from several goroutines until Close.
type Session struct {
	options Options
	devices []*device
	failed  []error

	mu      sync.Mutex
	engines []*Engine // all that were made
}

// device is a Device that has been opened: what is known of it only then, and the
// kernels built so far.
type device struct {
	Device
	driver driver
	warp   bool // see common.cl
	copies bool // likewise
	group  int  // work-items of a work-group
	fixed  bool // they were asked for

	mu       sync.Mutex
	programs map[variant]program
	spare    map[kernelKey][]kernel // that no stream has any more
}

// label tells a device from others of its name.
func (d *device) label() string { return fmt.Sprintf("%d %s", d.Number, d.Name) }

// Open starts the selected devices: contexts, a probe of what they can do, the
// kernels, and a search whose result is known. The selection is "" or "all" for
// every usable device that is no CPU, or numbers of Devices as in "0,2". Opening
// needs no graph: let it run beside reading. A context that ends is noticed
// between the steps; a compiler is not interrupted. A device takes some tenths of
// a second.
//
// Of several devices those that fail are left out (see Failed). The error is
// ErrNotBuilt, ErrNoDevice, ErrOptions, or ErrDevice when none is left.
func Open(ctx context.Context, selection string, options Options) (*Session, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	chosen, err := selected(selection)
	if err != nil {
		return nil, err
	}
	return openAll(ctx, chosen, options, open)
}

// openAll is Open with the devices chosen and the driver named.
func openAll(ctx context.Context, chosen []Device, options Options, open func(Device) (driver, error)) (*Session, error) {
	opened, failures := make([]*device, len(chosen)), make([]error, len(chosen))
	var group errgroup.Group
	for i, d := range chosen {
		group.Go(func() error {
			if opened[i], failures[i] = start(ctx, d, options, open); failures[i] != nil {
				failures[i] = fmt.Errorf("gpu: device %d, %s: %w", d.Number, d.Name, failures[i])
			}
			return nil
		})
	}
	group.Wait() // the functions return nil
	s := &Session{options: options}
	for i := range chosen {
		if failures[i] != nil {
			s.failed = append(s.failed, failures[i])
		} else {
			s.devices = append(s.devices, opened[i])
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

func start(ctx context.Context, d Device, options Options, open func(Device) (driver, error)) (*device, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	opened, err := open(d)
	if err != nil {
		return nil, err
	}
	dev := &device{Device: d, driver: opened, programs: make(map[variant]program), spare: make(map[kernelKey][]kernel), group: options.WorkGroup, fixed: options.WorkGroup > 0}
	if dev.group == 0 {
		dev.group = min(256, d.MaxWorkGroup/team*team)
	}
	if d.ptx && !options.Portable {
		dev.copies = probeWarp(opened, true)
		dev.warp = dev.copies || probeWarp(opened, false)
	}
	if err = dev.build(ctx, options); err == nil {
		err = dev.tryOut(ctx, options)
	}
	if err != nil {
		dev.close()
		return nil, err
	}
	return dev, nil
}

// words of a row of mask bits to start from.
func (d *device) words(o Options) int {
	if o.Lanes == team || !d.atomics64 {
		return 1
	}
	return 2
}

// groupOf is the work-items of a work-group for waves of a shape.
func (d *device) groupOf(s shape) int {
	group := d.group
	if s.group > 0 && !d.fixed {
		group = min(s.group, group)
	}
	if s.local > 0 { // even one that was asked for has to fit
		group = min(group, max(int(d.LocalMemory)/s.local/team, 1)*team)
	}
	return group
}

func (d *device) variant(s shape, options Options, linear bool) variant {
	return variant{
		method: s.method, precision: options.Precision, linear: linear, words: s.words, group: d.groupOf(s), warp: d.warp, copies: d.copies,
		directed: s.directed, marked: s.marked, wide: s.wide, narrow: s.narrow, near: s.near, flows: s.edges > 0,
	}
}

// build builds the kernels of every method that may be used.
func (d *device) build(ctx context.Context, options Options) error {
	for _, m := range options.methods() {
		if err := ctx.Err(); err != nil {
			return err
		}
		usual, err := newShape(m, d.words(options), options.Precision, survey{})
		if err != nil {
			return err
		}
		if options.flows(m) {
			usual.edges = 1
		}
		if _, err := d.program(d.variant(usual, options, false)); err != nil {
			return err
		}
	}
	return nil
}

// program builds a method's kernels, once per variant.
func (d *device) program(v variant) (program, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.programs[v]; p != nil {
		return p, nil
	}
	p, err := d.driver.build(v.source(), v.options())
	if err != nil {
		return nil, err
	}
	d.programs[v] = p
	return p, nil
}

// kernel is one that another stream had, or a new one.
func (d *device) kernel(key kernelKey) (kernel, error) {
	if k := d.spared(key); k != nil {
		return k, nil
	}
	p, err := d.program(key.variant)
	if err != nil {
		return nil, err
	}
	return p.kernel(naming.Kernel(key.call))
}

func (d *device) spared(key kernelKey) kernel {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.spare[key]
	if len(list) == 0 {
		return nil
	}
	d.spare[key] = list[:len(list)-1]
	return list[len(list)-1]
}

// keep has a kernel that a stream does not need any more for the next: to make one takes a tenth of a millisecond
// with an H200, where a small graph takes three.
func (d *device) keep(key kernelKey, k kernel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spare[key] = append(d.spare[key], k)
}

func (d *device) close() {
	for _, list := range d.spare {
		for _, k := range list {
			k.release()
		}
	}
	for _, p := range d.programs {
		p.release()
	}
	d.driver.release()
}

// Devices are the devices in use.
func (s *Session) Devices() []Device {
	list := make([]Device, len(s.devices))
	for i, d := range s.devices {
		list[i] = d.Device
	}
	return list
}

// Failed says why chosen devices are not in use.
func (s *Session) Failed() []error { return s.failed }

// Engines makes engines of the devices for the plan: one of each, or two where some blocks are
// searched for distances alone and others are not, which then run side by side, since neither fills
// a device: a level takes a launch, however little is in it; each has half of the memory
// that one would have. Surveys are those of the same plan; nil: Engines surveys the plan itself. The error is the context's.
func (s *Session) Engines(ctx context.Context, plan *preprocess.Plan, surveys Surveys) ([]engine.Device, error) {
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
		made := []*Engine{newEngine(d, s.options, plan, surveys, len(s.devices))}
		if len(paths) > 0 && len(distances) > 0 {
			half := s.options
			half.Memory = d.memory(half) / 2
			made = []*Engine{newEngine(d, half, plan, paths, len(s.devices)), newEngine(d, half, plan, distances, len(s.devices))}
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

// memory is how much of the device's memory engines use.
func (d *device) memory(o Options) int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return d.Memory / 10 * 9
}

// Close releases the devices. No engine may be running.
func (s *Session) Close() error {
	for _, e := range s.engines {
		e.Release()
	}
	s.engines = nil
	for _, d := range s.devices {
		d.close()
	}
	s.devices = nil
	return nil
}
