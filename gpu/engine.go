package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// A runner computes batches of one plan on one device. Run may be called again after
// an earlier call has returned, not before. Run keeps its device memory for the
// next call, until session.Close.
type runner struct {
	name    string
	device  *wave.Processor
	options Options
	plan    *preprocess.Plan
	blocks  map[int]*task // by number of the block
	streams []*stream

	mu      sync.Mutex
	current int // block of the batches taken last
}

var _ engine.Device = (*runner)(nil)

func newEngine(d *wave.Processor, options Options, plan *preprocess.Plan, surveys Surveys, devices int) *runner {
	e := &runner{name: label(d.Device), device: d, options: options, plan: plan, blocks: make(map[int]*task), current: -1}
	for number := range plan.Blocks {
		if s, ok := surveys[number]; ok {
			t := newTask(d, options, number, &plan.Blocks[number], s, devices)
			e.blocks[number] = t
			if e.current < 0 && t.choice.Declined == "" {
				e.current = number
			}
		}
	}
	return e
}

// prove declines blocks with chains or with lengths if the device fails a known
// example of them. The error is the context's.
func (e *runner) prove(ctx context.Context) error {
	type kernels struct {
		strategy       wave.Strategy
		wide, directed bool
	}
	failed := make(map[kernels]error)
	for _, t := range e.blocks {
		like := kernels{wave.Strategy(t.choice.Strategy), t.shape.Wide, t.shape.Directed}
		if t.choice.Declined != "" || like.strategy != methods.Chains && like.strategy != methods.Lengths {
			continue
		}
		if _, tried := failed[like]; !tried {
			failed[like] = tryLater(ctx, e.device, e.options, t.shape)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := failed[like]; err != nil {
			t.choice.Declined = err.Error()
		}
	}
	return nil
}

// Name is the device, and its part if another engine has the rest.
func (e *runner) Name() string { return e.name }

// Accepts says whether the engine takes batches of a block. It refuses small
// blocks, and blocks that exceed the device's memory.
func (e *runner) Accepts(block int) bool {
	t := e.blocks[block]
	return t != nil && t.choice.Declined == ""
}

// Choices lists the blocks that are large enough for a device, with the levels that
// searches have had so far.
func (e *runner) Choices() []engine.Choice {
	var list []engine.Choice
	for number := range e.plan.Blocks {
		if t := e.blocks[number]; t != nil {
			choice := t.choice
			choice.Levels = t.block.Deeper(0)
			list = append(list, choice)
		}
	}
	return list
}

// Run takes batches, many at a time, until take returns none, and hands the results
// to done; both are called from one goroutine at a time. A result covers as many
// batches as follow each other (see engine.Result.More). At the end, where take
// returns few, each batch has its own result. Others may be computing copies, and a
// result for several batches is useless if one of them is already there. A batch
// whose self-check sums disagree also has its own result.
//
// Errors are the context's, the one that done returns, or ErrDevice (with
// ErrMemory if that is the cause). After an error some batches were taken and not
// handed on. A context that ends is noticed between launches.
func (e *runner) Run(ctx context.Context, take engine.Take, done engine.Done) error {
	group, ctx := errgroup.WithContext(ctx)
	var out sync.Mutex
	handOn := func(r engine.Result) error {
		out.Lock()
		defer out.Unlock()
		return done(r)
	}
	for len(e.streams) < e.options.Streams {
		e.streams = append(e.streams, &stream{engine: e})
	}
	for _, s := range e.streams {
		group.Go(func() error {
			err := s.run(ctx, take, handOn)
			if err != nil && errors.Is(err, driver.ErrDevice) {
				err = fmt.Errorf("gpu: device %s: %w", e.Name(), err)
			}
			return err
		})
	}
	err := group.Wait()
	if slices.ContainsFunc(e.streams, func(s *stream) bool { return !s.between }) {
		e.Release() // a failed stream is in an unknown state
	}
	return err
}

// Release frees the memory that Run has kept.
func (e *runner) Release() {
	for _, s := range e.streams {
		s.Release()
	}
	e.streams = nil
}

// next takes as many batches as make a wave, and returns how many it asked for.
func (e *runner) next(ctx context.Context, take engine.Take) (batches []engine.Batch, most int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	most = 1
	if t := e.blocks[e.current]; t != nil {
		most = t.most()
	}
	batches = take(ctx, most)
	if len(batches) > 0 {
		e.current = batches[len(batches)-1].Block
	}
	return batches, most
}
