package wave

import (
	"cmp"
	"sync"

	"bcstage/gpu/internal/driver"
	"bcstage/internal/engine"
	"bcstage/internal/gpu/naming"
)

// Processor is an opened Device, with its properties found by opening it and the kernels built so far.
type Processor struct {
	driver.Device
	Driver driver.Driver
	Warp   bool // see common.cl
	copies bool // likewise
	Group  int  // work-items of a work-group
	Fixed  bool // Group was set by options

	mu       sync.Mutex
	Programs map[variant]driver.Program
	spare    map[kernelKey][]driver.Kernel // released by streams
}

// NewProcessor finds the abilities of an opened device. Its work-groups have at most `group` work-items; 0: the
// device's preference. Portable leaves out abilities of only some vendors' devices.
func NewProcessor(of driver.Device, opened driver.Driver, group int, portable bool) *Processor {
	d := &Processor{Device: of, Driver: opened, Programs: make(map[variant]driver.Program), spare: make(map[kernelKey][]driver.Kernel), Group: group, Fixed: group > 0}
	d.Group = cmp.Or(d.Group, min(256, d.MaxWorkGroup/driver.Team*driver.Team))
	if d.PTX && !portable {
		d.copies = probeWarp(opened, true)
		d.Warp = d.copies || probeWarp(opened, false)
	}
	return d
}

// Words is the number of mask words of a row to start from.
func (d *Processor) Words(lanes int) int {
	if lanes == driver.Team || !d.Atomics64 {
		return 1
	}
	return 2
}

// GroupOf is the number of work-items of a work-group for waves of a shape.
func (d *Processor) GroupOf(s Shape) int {
	group := d.Group
	if s.Group > 0 && !d.Fixed {
		group = min(s.Group, group)
	}
	if s.Local > 0 { // even a number from options has to fit
		group = min(group, max(int(d.LocalMemory)/s.Local/driver.Team, 1)*driver.Team)
	}
	return group
}

// Variant has the build options of kernels for waves of a shape.
func (d *Processor) Variant(s Shape, precision engine.Precision, linear bool) variant {
	return variant{
		method: s.Method, precision: precision, linear: linear, words: s.Words, group: d.GroupOf(s), warp: d.Warp, copies: d.copies,
		directed: s.Directed, marked: s.Marked, wide: s.Wide, narrow: s.Narrow, near: s.Near, flows: s.Edges > 0, shares: s.Shares,
	}
}

// Program builds a method's kernels, once per variant.
func (d *Processor) Program(v variant) (driver.Program, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.Programs[v]; p != nil {
		return p, nil
	}
	p, err := d.Driver.Build(v.source(), v.options())
	if err != nil {
		return nil, err
	}
	d.Programs[v] = p
	return p, nil
}

// kernel returns a kernel that another stream has released, or a new one.
func (d *Processor) kernel(key kernelKey) (driver.Kernel, error) {
	if k := d.spared(key); k != nil {
		return k, nil
	}
	p, err := d.Program(key.variant)
	if err != nil {
		return nil, err
	}
	return p.Kernel(naming.Kernel(key.call))
}

func (d *Processor) spared(key kernelKey) driver.Kernel {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.spare[key]
	if len(list) == 0 {
		return nil
	}
	d.spare[key] = list[:len(list)-1]
	return list[len(list)-1]
}

// keep stores a kernel that a stream has released, for the next. To make one takes an H200 a tenth of a millisecond,
// where a small graph takes three.
func (d *Processor) keep(key kernelKey, k driver.Kernel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spare[key] = append(d.spare[key], k)
}

func (d *Processor) Close() {
	for _, list := range d.spare {
		for _, k := range list {
			k.Release()
		}
	}
	for _, p := range d.Programs {
		p.Release()
	}
	d.Driver.Release()
}
