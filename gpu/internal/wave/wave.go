// Package wave is what methods search with: the shape of a wave, its memory on the device, and how
// its kernels are built and launched.
package wave

import (
	"context"
	"maps"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/seating"
	"bcstage/internal/engine"
)

// Wave is what a device has of one wave after the other: a queue of its own, the block's graph,
// and memory that methods name as their kernels do.
type Wave struct {
	Device    *Processor
	Queue     driver.Queue
	kernels   map[kernelKey]driver.Kernel
	Block     *Block
	Graph     *resident.Graph // of the block
	precision engine.Precision
	Memory    map[string]driver.Buffer // of waves: see Shape.Sizes
	size      map[string]int64

	Shape   Shape // of the wave, with the packs that it really has
	Seating seating.Seating
	Waivers seating.Waivers
	Entries int64 // frontier entries of the wave
	Loads   int64 // and rows that were read, if the method counts them
}

// Open gives waves their queue, before the first.
func (s *Wave) Open(d *Processor) error {
	if s.Queue != nil {
		return nil
	}
	q, err := d.Driver.Queue()
	if err != nil {
		return err
	}
	s.Device, s.Queue, s.kernels = d, q, make(map[kernelKey]driver.Kernel)
	s.Memory, s.size = make(map[string]driver.Buffer), make(map[string]int64)
	return nil
}

// Release gives back what waves have, if they were opened.
func (s *Wave) Release() {
	if s.Queue == nil {
		return
	}
	s.Drop()
	for key, k := range s.kernels {
		s.Device.keep(key, k)
	}
	s.Queue.Release()
}

// Of has coming waves search a block, whose graph is on the device.
func (s *Wave) Of(b *Block, g *resident.Graph, p engine.Precision) {
	s.Block, s.Graph, s.precision = b, g, p
}

// Begin has what a wave's sources are on the device, once they are seated.
func (s *Wave) Begin(shape Shape) error {
	shape.Packs = s.Seating.Packs
	s.Shape, s.Loads = shape, 0
	if err := s.ReserveAll(shape.Sizes()); err != nil {
		return err
	}
	if err := s.Write("Source", driver.Bytes(s.Seating.Source)); err != nil {
		return err
	}
	if err := s.Write("Used", driver.Bytes(s.Seating.Counts)); err != nil {
		return err
	}
	if err := s.Write("SourceMass", driver.Bytes(s.Seating.Mass)); err != nil {
		return err
	}
	if shape.Drawn {
		if err := s.Write("Draws", driver.Bytes(s.Seating.Draws)); err != nil {
			return err
		}
	}
	return s.writeWaivers()
}

// Drop releases the wave's buffers.
func (s *Wave) Drop() {
	for _, b := range s.Memory {
		b.Release()
	}
	clear(s.Memory)
	clear(s.size)
}

// ReserveAll makes the buffers of a wave at least so large.
func (s *Wave) ReserveAll(sizes map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if err := s.reserve(name, sizes[name]); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes a buffer of the wave at least so large.
func (s *Wave) reserve(name string, bytes int64) error {
	if bytes <= s.size[name] {
		return nil
	}
	if b := s.Memory[name]; b != nil {
		b.Release()
		delete(s.Memory, name)
		delete(s.size, name)
	}
	b, err := s.Device.Driver.Allocate(int(bytes))
	if err != nil {
		return err
	}
	s.Memory[name], s.size[name] = b, bytes
	return nil
}

// Write fills a buffer of the wave from the buffer's beginning.
func (s *Wave) Write(name string, data []byte) error {
	return s.Queue.Write(s.Memory[name], 0, data)
}

// Read waits until everything before it is done and has a buffer of the wave in data.
func (s *Wave) Read(name string, data []byte) error {
	return s.Queue.Read(s.Memory[name], 0, data)
}

// Pause waits for the queue and looks at the context, so that a wave of many
// levels can be cancelled.
func (s *Wave) Pause(ctx context.Context) error {
	if err := s.Queue.Finish(); err != nil {
		return err
	}
	return ctx.Err()
}
