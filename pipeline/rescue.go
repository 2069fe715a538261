package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/pipeline/engine"
	"bcstage/preprocess"
)

// How a batch comes to count. It counts by the first of these means that passes
// the self-check, which follows from the batch alone: not from who had it, nor
// from what came back before it, nor from the other batches of its run. So the
// sums are the same bits for every number of threads, cut into shards, and
// resume.
//
//	a device       what it hands on
//	byCore         lanes, in the run's precision
//	byFloat64      lanes, where that was float32
//	byExtended     path counts of unbounded range, one source at a time
//
// Shortcuts only leave out what is certain to fail: see beyond.
type means int

const (
	byCore means = iota
	byFloat64
	byExtended
	countOfMeans
)

// after is what comes next when a batch has failed.
func (m means) after(precision Precision) means {
	if m == byCore && precision == Float32 {
		return byFloat64
	}
	return byExtended
}

// asideBatch is finished for the engines and does not count yet.
type asideBatch struct {
	preprocess.Batch
	tried bool // by some engine of the run
}

// setAside leaves batches to be computed by other means. The caller holds the lock.
func (s *schedule) setAside(by means, tried bool, batches ...preprocess.Batch) {
	for _, batch := range batches {
		s.aside[by] = append(s.aside[by], asideBatch{batch, tried})
	}
}

// overflow counts batches of a block whose path counts passed the range. When
// the first sixteenth of a block has done nothing else, what is left of it is
// not handed to the engines any more: recompute finds out at less cost which
// batches are certain to fail. The caller holds the lock.
func (s *schedule) overflow(block, batches int) {
	const share = 16
	if s.overflowed == nil {
		s.overflowed = make(map[int]int)
	}
	s.overflowed[block] += batches
	b := &s.plan.Blocks[block]
	if s.trusted[block] || s.overflowed[block] < max(s.patience, len(b.Sources)/b.Lanes/share) {
		return
	}
	hopeless := func(index int) bool {
		batch := s.plan.Batches[index]
		if batch.Block != block {
			return false
		}
		s.finished[index] = true
		s.setAside(byCore, false, batch)
		s.done++
		s.doneCost += s.plan.Cost(batch)
		return true
	}
	for _, index := range s.todo[s.front:s.back] {
		if !s.handed[index] && hopeless(index) {
			s.handOut(index)
		}
	}
	s.returned = slices.DeleteFunc(s.returned, hopeless)
}

// patience is how many batches of a block must have passed the range, at least,
// before the others are expected to.
const patience = 8

// recompute does the set-aside batches again, by one means after the other.
func (s *schedule) recompute(ctx context.Context, opts Options) error {
	for by := byCore; by < byExtended; by++ {
		if err := s.byLanes(ctx, opts, by); err != nil {
			return err
		}
	}
	return s.extend(ctx, opts)
}

// byLanes computes the batches that were set aside for the cores. Those that it
// does not help are set aside again.
func (s *schedule) byLanes(ctx context.Context, opts Options, by means) error {
	left := s.aside[by]
	s.aside[by] = nil
	if len(left) == 0 {
		return nil
	}
	precision := opts.Precision
	if by == byFloat64 {
		precision = Float64
	}
	tried := make(map[int]bool, len(left))
	for _, batch := range left {
		tried[batch.Index] = batch.tried
	}
	next := func() (batch asideBatch, ok bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(left) > 0 {
			batch, left, ok = left[0], left[1:], true
		}
		return batch, ok
	}
	group, ctx := errgroup.WithContext(ctx)
	take := func(ctx context.Context, _ int) []preprocess.Batch {
		for {
			batch, ok := next()
			if !ok {
				return nil
			}
			certain, err := s.beyond(ctx, batch.Batch, precision)
			if err != nil {
				return nil // the context's, which Wait returns
			}
			if !certain {
				return []preprocess.Batch{batch.Batch}
			}
			s.mu.Lock()
			s.setAside(by.after(opts.Precision), true, batch.Batch)
			s.mu.Unlock()
		}
	}
	done := func(result preprocess.Result) error {
		difference := selfCheck(result)
		s.mu.Lock()
		defer s.mu.Unlock()
		if !(difference <= precision.Tolerance()) {
			s.setAside(by.after(opts.Precision), true, result.Batch)
			return nil
		}
		if tried[result.Batch.Index] {
			s.check.Recomputed++
		}
		s.count([]preprocess.Batch{result.Batch}, result.Scores, difference)
		return nil
	}
	for range min(opts.Threads, len(left)) {
		group.Go(func() error {
			worker, err := cpu.New(s.plan, cpu.Options{Precision: precision})
			if err != nil {
				return err
			}
			return cmp.Or(worker.Run(ctx, take, done), ctx.Err())
		})
	}
	return group.Wait()
}

// beyond says whether lanes are certain to pass the range with a batch: from its
// first source, some vertex has more shortest paths than fit, by far. The count
// is inf there then, and the vertex's dependency inf times 0. It costs one pass
// of one source where lanes would make two of all, in vain.
func (s *schedule) beyond(ctx context.Context, batch preprocess.Batch, precision Precision) (bool, error) {
	block := &s.plan.Blocks[batch.Block]
	if block.Chains != nil {
		return false, nil // they are searched in another way
	}
	const margin = 8 // bits: far above the rounding of sums over any depth
	limit := int64(1024)
	if precision == engine.Float32 {
		limit = 128
	}
	most, err := cpu.MostPaths(ctx, block, block.Sources[batch.First])
	return most > limit+margin, err
}

// pieceSources of a batch are one goroutine's work. It does not depend on the
// number of threads, so that sums do not either.
const pieceSources = 8

// extend does the last batches with path counts of unbounded range, which also
// serves where an engine went wrong.
func (s *schedule) extend(ctx context.Context, opts Options) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(opts.Threads)
	for _, aside := range s.aside[byExtended] {
		batch := aside.Batch
		block := &s.plan.Blocks[batch.Block]
		pieces := make([]preprocess.Result, (batch.Count+pieceSources-1)/pieceSources)
		left := len(pieces)
		for i := range pieces {
			group.Go(func() error {
				first := i * pieceSources
				count := min(pieceSources, batch.Count-first)
				piece := preprocess.Result{
					Batch:  batch,
					Scores: make([]float64, block.Vertices()),
					Got:    make([]float64, count),
					Want:   make([]float64, count),
				}
				sources := block.Sources[batch.First+first:][:count]
				if err := cpu.Reference(ctx, block, sources, piece.Scores, piece.Got, piece.Want); err != nil {
					return err
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				pieces[i] = piece
				if left--; left > 0 {
					return nil
				}
				return s.commit(batch, pieces)
			})
		}
	}
	return group.Wait()
}

// commit counts a batch that is complete. The caller holds the lock.
func (s *schedule) commit(batch preprocess.Batch, pieces []preprocess.Result) error {
	scores, largest := pieces[0].Scores, 0.0
	for i, piece := range pieces {
		difference := selfCheck(piece)
		if !(difference <= Float64.Tolerance()) {
			return fmt.Errorf("pipeline: batch %d: relative difference %g: %w", batch.Index, difference, ErrSelfCheck)
		}
		largest = max(largest, difference)
		if i > 0 {
			for v, score := range piece.Scores {
				scores[v] += score
			}
		}
		pieces[i] = preprocess.Result{} // the rest may wait long
	}
	s.check.Recomputed++
	s.count([]preprocess.Batch{batch}, scores, largest)
	return nil
}
