package gpu

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"bcstage/preprocess"
)

// stream computes one wave after the other on a queue of its own.
type stream struct {
	engine  *Engine
	queue   queue
	kernels map[kernelKey]kernel
	task    *task             // whose graph it has
	graph   *graph            // of the task
	memory  map[string]buffer // of waves: see shape.sizes
	size    map[string]int64

	between bool // waves: nothing is under way

	shape   shape // of the wave, with the packs that it really has
	seating seating
	waivers waivers
	entries int64 // frontier entries of the wave
	loads   int64 // and rows that were read, if the method counts them
	arrivals
	room    sync.WaitGroup // for flows, or what is found, while it is made
	hanging hanging        // of the wave, if the block has chains
}

// arrivals are what is read from the device, by wave; a result may have it until the next.
type arrivals struct {
	sums    []float64 // got by lane, then want by lane
	scores  []float64
	drawn   []float64
	squares []float64
	flows   []float64 // of edges, of a block that has Flows
	arrived []float64 // then the target mass reached, by lane, behind as many zeros
	totals  []uint64  // of what is searched for distances
	distant []preprocess.Found
}

func (s *stream) release() {
	if s.queue != nil {
		s.queue.finish() // whatever is still running uses the buffers
	}
	if s.task != nil {
		s.task.giveBack()
	}
	s.drop()
	for key, k := range s.kernels {
		s.engine.device.keep(key, k)
	}
	if s.queue != nil {
		s.queue.release()
	}
}

func (s *stream) run(ctx context.Context, take func(context.Context, int) []preprocess.Batch, done func(preprocess.Result) error) error {
	defer s.room.Wait()
	for {
		s.between = true
		if err := ctx.Err(); err != nil {
			return err
		}
		batches, most := s.engine.next(ctx, take)
		if len(batches) == 0 {
			return nil
		}
		s.between = false
		apart := len(batches) < most && len(batches) <= s.engine.few(batches[0].Block, most)
		err := s.open()
		if err == nil {
			err = s.compute(ctx, batches, apart, done)
		}
		if err != nil {
			return err
		}
	}
}

// open gives the stream its queue, before its first batches.
func (s *stream) open() error {
	if s.queue != nil {
		return nil
	}
	q, err := s.engine.device.driver.queue()
	if err != nil {
		return err
	}
	s.queue, s.kernels = q, make(map[kernelKey]kernel)
	s.memory, s.size = make(map[string]buffer), make(map[string]int64)
	return nil
}

// compute computes batches of one block, in as many waves as they need. With
// apart, every result covers one unit.
func (s *stream) compute(ctx context.Context, batches []preprocess.Batch, apart bool, done func(preprocess.Result) error) error {
	t := s.engine.blocks[batches[0].Block]
	if t == nil || t.choice.Declined != "" {
		return fmt.Errorf("gpu: batch %d: block %d is not accepted", batches[0].Index, batches[0].Block)
	}
	if err := s.load(t); err != nil {
		return err
	}
	if t.block.Kind().Reach() {
		return s.summed(ctx, t, s.distances, batches, apart, done)
	}
	if t.block.Kind().Chained() {
		return s.summed(ctx, t, s.byJunctions, batches, apart, done)
	}
	for len(batches) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		shape := t.now()
		units := cut(batches, shape.lanes())
		units = units[:together(units, shape.packs)]
		mixed := !apart && shape.mixed && mixable(units)
		err := s.wave(ctx, t, shape, units, mixed)
		switch {
		case errors.Is(err, errListFull) && t.longerLists(shape):
			continue
		case errors.Is(err, errNarrow):
			t.widen()
			continue
		case errors.Is(err, errTooDeep) && t.moreLevels(shape):
			continue
		case errors.Is(err, ErrMemory) && t.fewerPacks(shape):
			s.drop()
			continue
		case err != nil:
			return err
		case mixed && s.doubts(0, s.seating.packs):
			t.unmix() // only whole packs of a batch can be told apart
			continue
		}
		count := 0
		for _, u := range units {
			count += len(u.batches)
		}
		if err := s.handOn(t, units, apart, done); err != nil {
			return err
		}
		batches = batches[count:]
	}
	return nil
}

// load gives back the task that the stream had, and has the next one's block on
// the device.
func (s *stream) load(t *task) error {
	if s.task == t {
		return nil
	}
	if s.task != nil {
		s.task.giveBack()
		s.task = nil
	}
	g, err := t.acquire(s.engine.device.driver, s.queue)
	if err != nil {
		return err
	}
	s.task, s.graph = t, g
	return nil
}

// drop releases the wave's buffers.
func (s *stream) drop() {
	for _, b := range s.memory {
		b.release()
	}
	clear(s.memory)
	clear(s.size)
}

// wave searches from all sources of the units and leaves their sums in s.
func (s *stream) wave(ctx context.Context, t *task, shape shape, units []unit, mixed bool) error {
	if mixed {
		s.seating.mix(t.block, units, shape.lanes())
	} else {
		s.seating.fill(t.block, units, shape.lanes(), shape.late)
	}
	shape.packs = s.seating.packs
	s.shape, s.loads = shape, 0
	if err := s.reserveAll(shape.sizes()); err != nil {
		return err
	}
	if err := s.write("Source", bytesOf(s.seating.source)); err != nil {
		return err
	}
	if err := s.write("Used", bytesOf(s.seating.counts)); err != nil {
		return err
	}
	if err := s.write("SourceMass", bytesOf(s.seating.mass)); err != nil {
		return err
	}
	if shape.drawn {
		if err := s.write("Draws", bytesOf(s.seating.draws)); err != nil {
			return err
		}
	}
	if err := s.writeWaivers(); err != nil {
		return err
	}
	makeRoom(s, &s.flows, shape.edges)
	if err := shape.method.search(ctx, s); err != nil {
		return err
	}
	s.sums = slices.Grow(s.sums[:0], 2*len(s.seating.source))[:2*len(s.seating.source)]
	if err := s.queue.read(s.memory["Sums"], 0, bytesOf(s.sums)); err != nil {
		return err
	}
	if shape.arrives() {
		s.arrived = slices.Grow(s.arrived[:0], len(s.sums))[:len(s.sums)]
		if err := s.queue.read(s.memory["Arrived"], 0, bytesOf(s.arrived)); err != nil {
			return err
		}
	}
	return s.settleWaivers()
}

// reserveAll makes the buffers of a wave at least so large.
func (s *stream) reserveAll(sizes map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if err := s.reserve(name, sizes[name]); err != nil {
			return err
		}
	}
	return nil
}

// reserve makes a buffer of the wave at least so large.
func (s *stream) reserve(name string, bytes int64) error {
	if bytes <= s.size[name] {
		return nil
	}
	if b := s.memory[name]; b != nil {
		b.release()
		delete(s.memory, name)
		delete(s.size, name)
	}
	b, err := s.engine.device.driver.allocate(int(bytes))
	if err != nil {
		return err
	}
	s.memory[name], s.size[name] = b, bytes
	return nil
}

// write fills a buffer of the wave from the buffer's beginning.
func (s *stream) write(name string, data []byte) error {
	return s.queue.write(s.memory[name], 0, data)
}

// pause waits for the queue and looks at the context, so that a wave of many
// levels can be cancelled.
func (s *stream) pause(ctx context.Context) error {
	if err := s.queue.finish(); err != nil {
		return err
	}
	return ctx.Err()
}
