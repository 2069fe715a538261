// Package wave has the shape of a wave, its memory on the device, and the build and launch of its
// kernels: methods search with it.
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

// Wave is the state of successive waves on a device: a queue of its own, the block's graph, and
// memory by the names that kernels use.
type Wave struct {
	Device    *Processor
	Queue     driver.Queue
	kernels   map[kernelKey]driver.Kernel
	Block     *Block
	Graph     *resident.Graph // of the block
	precision engine.Precision
	Memory    map[string]driver.Buffer // of waves: see Shape.Sizes
	size      map[string]int64

	Shape   Shape // of the wave, with its actual number of packs
	Seating seating.Seating
	Waivers seating.Waivers
	Seen    [2][]float64 // of a block that Sees, by lane: masses that it reaches, then these with their shares; and, for Access, these times their distances, then by them
	Entries int64        // frontier entries of the wave
	Loads   int64        // rows that were read, if the method counts them
}

// Open makes the queue, before the first wave.
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

// Release frees the memory and the queue, if they were opened.
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

// Of sets the block that coming waves search, whose graph is on the device.
func (s *Wave) Of(b *Block, g *resident.Graph, p engine.Precision) {
	s.Block, s.Graph, s.precision = b, g, p
}

// Begin writes the seated sources of a wave to the device.
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

// ReserveAll makes the buffers of a wave at least as large as `sizes`, in bytes.
func (s *Wave) ReserveAll(sizes map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if err := s.reserve(name, sizes[name]); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes a buffer of the wave at least `bytes` large.
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

// Read waits for all earlier commands and reads a buffer of the wave into data.
func (s *Wave) Read(name string, data []byte) error {
	return s.Queue.Read(s.Memory[name], 0, data)
}

// Pause waits for the queue and checks the context, so that a wave of many levels can be cancelled.
func (s *Wave) Pause(ctx context.Context) error {
	if err := s.Queue.Finish(); err != nil {
		return err
	}
	return ctx.Err()
}
