package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
)

// stream computes one wave after the other on a queue of its own.
type stream struct {
	wave.Wave
	engine  *runner
	task    *task // whose graph the wave has
	between bool  // between waves: no command is running
	arrivals
	room    sync.WaitGroup // waits for makeRoom
	hanging hanging        // of the wave, if the block has chains
}

// arrivals are the numbers read from the device, by wave; a result may use them until the next wave.
type arrivals struct {
	sums    []float64 // got by lane, then want by lane
	scores  []float64
	drawn   []float64
	squares []float64
	hung    []float64 // of a block that has Hung
	flows   []float64 // of edges, of a block that has Flows
	arrived []float64 // then the target mass reached, by lane, after as many zeros
	totals  []uint64  // of blocks searched for distances
	distant []engine.Found
}

func (s *stream) Release() {
	if s.Queue != nil {
		s.Queue.Finish() // whatever is still running uses the buffers
	}
	if s.task != nil {
		s.task.giveBack()
	}
	s.Wave.Release()
}

func (s *stream) run(ctx context.Context, take func(context.Context, int) []engine.Batch, done func(engine.Result) error) error {
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
		err := s.Open(s.engine.device)
		if err == nil {
			err = s.compute(ctx, batches, apart, done)
		}
		if err != nil {
			return err
		}
	}
}

// compute computes batches of one block, in as many waves as they need. With
// apart, every result covers one unit.
func (s *stream) compute(ctx context.Context, batches []engine.Batch, apart bool, done func(engine.Result) error) error {
	t := s.engine.blocks[batches[0].Block]
	if t == nil || t.choice.Declined != "" {
		return fmt.Errorf("gpu: batch %d: block %d is not accepted", batches[0].Index, batches[0].Block)
	}
	if err := s.load(t); err != nil {
		return err
	}
	switch shape := t.now(); {
	case shape.Distances:
		return s.summed(ctx, t, s.distances, batches, apart, done)
	case shape.Chains.Junctions > 0:
		return s.summed(ctx, t, s.byJunctions, batches, apart, done)
	}
	for len(batches) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		shape := t.now()
		units := seating.Cut(batches, shape.Lanes())
		units = units[:seating.Together(units, shape.Packs)]
		mixed := !apart && shape.Mixed && seating.Mixable(units)
		err := s.searchAll(ctx, t, shape, units, mixed)
		switch {
		case errors.Is(err, wave.ErrListFull) && t.longerLists(shape):
			continue
		case errors.Is(err, wave.ErrNarrow):
			t.learn(func(s *wave.Shape) { s.Narrow = false }) // path counts have as many bits as other numbers
			continue
		case errors.Is(err, wave.ErrTooDeep) && t.moreLevels(shape):
			continue
		case errors.Is(err, driver.ErrMemory) && t.fewerPacks(shape):
			s.Drop()
			continue
		case err != nil:
			return err
		case mixed && s.doubts(0, s.Seating.Packs):
			t.learn(func(s *wave.Shape) { s.Mixed = false }) // only whole packs of a batch can be told apart
			continue
		}
		count := 0
		for _, u := range units {
			count += len(u.Batches)
		}
		if err := s.handOn(t, units, apart, done); err != nil {
			return err
		}
		batches = batches[count:]
	}
	return nil
}

// load gives back the stream's task, and puts the next one's block on the device.
func (s *stream) load(t *task) error {
	if s.task == t {
		return nil
	}
	if s.task != nil {
		s.task.giveBack()
		s.task = nil
	}
	g, err := t.acquire(s.Device.Driver, s.Queue)
	if err != nil {
		return err
	}
	s.task = t
	s.Wave.Of(t.block, g, t.options.Precision)
	return nil
}

// makeRoom makes room for numbers that a stream will read, and writes there. The system takes as long for the first
// write as for reading them from the device; other goroutines do it while the device searches. s.room waits for them.
func makeRoom[E any](s *stream, of *[]E, count int) {
	if cap(*of) >= count {
		return
	}
	list := make([]E, count)
	*of = list
	s.room.Go(func() { clear(list) })
}

// searchAll searches from all sources of the units and leaves their sums in s.
func (s *stream) searchAll(ctx context.Context, t *task, shape wave.Shape, units []seating.Unit, mixed bool) error {
	if mixed {
		s.Seating.Mix(t.block.Block, units, shape.Lanes())
	} else {
		s.Seating.Fill(t.block.Block, units, shape.Lanes(), shape.Late)
	}
	if err := s.Begin(shape); err != nil {
		return err
	}
	makeRoom(s, &s.flows, shape.Edges)
	if err := shape.Method.Search(ctx, &s.Wave); err != nil {
		return err
	}
	s.sums = slices.Grow(s.sums[:0], 2*len(s.Seating.Source))[:2*len(s.Seating.Source)]
	if err := s.Read("Sums", driver.Bytes(s.sums)); err != nil {
		return err
	}
	if shape.Arrives() {
		s.arrived = slices.Grow(s.arrived[:0], len(s.sums))[:len(s.sums)]
		if err := s.Read("Arrived", driver.Bytes(s.arrived)); err != nil {
			return err
		}
	}
	return s.SettleWaivers(s.sums[len(s.Seating.Source):])
}
