package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bcstage/preprocess"
)

// stream computes one wave after the other on a queue of its own.
type stream struct {
	engine  *Engine
	queue   queue
	kernels map[kernelName]kernel
	task    *task  // whose graph it has
	graph   *graph // of the task
	memory  [buffers]buffer
	size    [buffers]int64

	shape   shape // of the wave, with the packs that it really has
	layout  layout
	entries int64     // frontier entries of the wave
	sums    []float64 // got by lane, then want by lane
	scores  []float64
}

type kernelName struct {
	variant variant
	name    string
}

func (s *stream) release() {
	if s.queue != nil {
		s.queue.finish() // whatever is still running uses the buffers
	}
	if s.task != nil {
		s.task.giveBack()
	}
	for _, b := range s.memory {
		if b != nil {
			b.release()
		}
	}
	for _, k := range s.kernels {
		k.release()
	}
	if s.queue != nil {
		s.queue.release()
	}
}

func (s *stream) run(ctx context.Context, take func(context.Context, int) []preprocess.Batch, done func(preprocess.Result) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batches, most := s.engine.next(ctx, take)
		if len(batches) == 0 {
			return nil
		}
		apart := len(batches) < most && len(batches) <= few
		if s.queue == nil {
			q, err := s.engine.device.driver.queue()
			if err != nil {
				return err
			}
			s.queue, s.kernels = q, make(map[kernelName]kernel)
		}
		for len(batches) > 0 {
			count := 1
			for count < len(batches) && batches[count].Block == batches[0].Block {
				count++
			}
			if err := s.compute(ctx, batches[:count], apart, done); err != nil {
				return err
			}
			batches = batches[count:]
		}
	}
}

// compute computes batches of one block, in as many waves as it takes. With
// apart, every result covers one unit.
func (s *stream) compute(ctx context.Context, batches []preprocess.Batch, apart bool, done func(preprocess.Result) error) error {
	t := s.engine.blocks[batches[0].Block]
	if t == nil || t.choice.Declined != "" {
		return fmt.Errorf("gpu: batch %d: block %d is not accepted", batches[0].Index, batches[0].Block)
	}
	if err := s.load(t); err != nil {
		return err
	}
	for len(batches) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		shape := t.now()
		units := cut(batches, shape.lanes())
		units = units[:together(units, shape.packs)]
		mixed := !apart && t.mixes() && mixable(units)
		err := s.wave(ctx, t, shape, units, mixed)
		switch {
		case errors.Is(err, errListFull) && t.longerLists(shape):
			continue
		case errors.Is(err, ErrMemory) && t.fewerPacks(shape):
			s.drop()
			continue
		case err != nil:
			return err
		case mixed && s.doubts(0, s.layout.packs):
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

// load makes the task's graph the stream's.
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
	for i, b := range s.memory {
		if b != nil {
			b.release()
			s.memory[i], s.size[i] = nil, 0
		}
	}
}

// wave searches from all sources of the units and leaves their sums in s.
func (s *stream) wave(ctx context.Context, t *task, shape shape, units []unit, mixed bool) error {
	if mixed {
		s.layout.mix(t.block, units, shape.lanes())
	} else {
		s.layout.fill(t.block, units, shape.lanes(), shape.strategy == Frontier)
	}
	shape.packs = s.layout.packs
	s.shape = shape
	for i, bytes := range shape.sizes() {
		if bytes <= s.size[i] {
			continue
		}
		if s.memory[i] != nil {
			s.memory[i].release()
			s.memory[i], s.size[i] = nil, 0
		}
		b, err := s.engine.device.driver.allocate(int(bytes))
		if err != nil {
			return err
		}
		s.memory[i], s.size[i] = b, bytes
	}
	for i, data := range map[int][]byte{
		bufSource:       bytesOf(s.layout.source),
		bufCounts:       bytesOf(s.layout.counts),
		bufSourceWeight: bytesOf(s.layout.weight),
	} {
		if err := s.queue.write(s.memory[i], 0, data); err != nil {
			return err
		}
	}
	search := s.searchLevels
	if shape.strategy == Frontier {
		search = s.searchFrontier
	}
	if err := search(ctx, t); err != nil {
		return err
	}
	s.sums = slices.Grow(s.sums[:0], 2*len(s.layout.source))[:2*len(s.layout.source)]
	return s.queue.read(s.memory[bufSums], 0, bytesOf(s.sums))
}

// launch runs a kernel in `groups` work-groups for each of `columns`.
func (s *stream) launch(name string, groups, columns int, arguments ...any) error {
	d := s.engine.device
	key := kernelName{d.variant(s.task.options, s.shape.words), name}
	k := s.kernels[key]
	if k == nil {
		p, err := d.program(key.variant)
		if err != nil {
			return err
		}
		if k, err = p.kernel(name); err != nil {
			return err
		}
		s.kernels[key] = k
	}
	return s.queue.launch(k, [2]int{groups, columns}, [2]int{s.engine.device.group, 1}, arguments...)
}

// flat is how many work-groups have one work-item for each of count, within
// reason: the kernels that it is for go on in strides.
func (s *stream) flat(count int) int {
	group := s.engine.device.group
	return max(min((count+group-1)/group, s.engine.device.ComputeUnits*64), 1)
}
