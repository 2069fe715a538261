package cpu

import (
	"context"
	"errors"

	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lanes"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Options are the options of New. The zero value asks for the defaults.
type Options struct {
	Precision engine.Precision // "": Float64

	// Walk is one of Walks, and searches all blocks that it suits. Empty: each block has the one that pays. The choice
	// changes at most the last bits of scores.
	Walk string
	// Set is the instruction set to use, one of Sets. Empty: the fastest. The scores do not depend on it.
	Set string
}

// Worker computes batches on one processor core. It keeps the state of one batch and reuses the memory
// from batch to batch. A Worker is for one goroutine at a time; its plan may be shared.
type Worker struct {
	Plan *preprocess.Plan // set before Run

	chooser
	runners map[made]lanes.Search // of the walks so far
	asked   *preprocess.Block     // block of the last batch
	walk    *walk                 // walk of that block
}

// made is the walk and the precision that a runner was made for.
type made struct {
	walk      string
	precision engine.Precision
}

var _ engine.Engine = (*Worker)(nil)

// New makes a worker for the batches of plan. The plan may also be set later.
func New(plan *preprocess.Plan, opts Options) (*Worker, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	return &Worker{Plan: plan, chooser: opts.chooser(), runners: make(map[made]lanes.Search)}, nil
}

// newPartWorker makes a worker for the parts of blocks that the walk balls cuts out. It searches each by the walk that pays.
func newPartWorker(on core) *Worker {
	return &Worker{chooser: chooser{walks: partWalks(), core: on}, runners: make(map[made]lanes.Search)}
}

// Touch makes the system provide the memory of searches for distances alone, by bits, in blocks of up to so many vertices.
func (w *Worker) Touch(vertices int) {
	reach, _ := w.named("reach")
	w.runner(reach, w.core).(*distances.Search).Touch(vertices)
}

// Run takes batches until take returns none and hands each result to done. A
// result's slices are overwritten by the next batch. Run ends early with the
// context's error or the one that done returns. Equal batches give equal bits,
// whichever worker computes them.
func (w *Worker) Run(ctx context.Context, take engine.Take, done engine.Done) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batches := take(ctx, 1)
		if len(batches) == 0 {
			return nil
		}
		for _, batch := range batches {
			result, err := w.search(ctx, &w.Plan.Blocks[batch.Block], batch)
			if err != nil {
				return err
			}
			if err := done(result); err != nil {
				return err
			}
		}
	}
}

// search computes a batch by the walk of its block. The walk is chosen once for consecutive batches of a block.
// If the batch does not fit, another walk takes it and the rest of the block.
func (w *Worker) search(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	on := w.core.of(b)
	if w.asked != b {
		w.asked = b
		w.walk, _ = w.choose(b, on)
	}
	result, err := w.runner(w.walk, on).Run(ctx, b, batch)
	if w.walk.unfit == nil || !errors.Is(err, w.walk.unfit) {
		return result, err
	}
	delete(w.runners, made{w.walk.name, w.walk.numbers(on)}) // its memory may be large
	w.walk, _ = w.named(w.walk.aside)
	return w.runner(w.walk, on).Run(ctx, b, batch)
}

// runner returns the search of a walk. The first call makes it.
func (w *Worker) runner(by *walk, on core) lanes.Search {
	as := made{by.name, by.numbers(on)}
	if w.runners[as] == nil {
		w.runners[as] = by.new(on)
	}
	return w.runners[as]
}
