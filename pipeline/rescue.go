package pipeline

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/preprocess"
)

// overflow counts batches of a block whose path counts passed the range. When
// the first sixteenth of a block has done nothing else, what is left of it need
// not be tried: the extended range gets it at once. The caller holds the lock.
func (s *schedule) overflow(block, batches int) {
	const few, share = 8, 16
	if s.overflowed == nil {
		s.overflowed = make(map[int]int)
	}
	s.overflowed[block] += batches
	b := &s.plan.Blocks[block]
	if s.trusted[block] || s.overflowed[block] < max(few, len(b.Sources)/b.Lanes/share) {
		return
	}
	hopeless := func(index int) bool {
		batch := s.plan.Batches[index]
		if batch.Block != block {
			return false
		}
		s.finished[index] = true
		s.rescue = append(s.rescue, batch)
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

// pieceSources of a batch are one goroutine's work. It does not depend on the
// number of threads, so that sums do not either.
const pieceSources = 8

// recompute does the set-aside batches again: in float64 where they were done in
// float32, then with path counts of unbounded range, which also serves where an
// engine went wrong.
func (s *schedule) recompute(ctx context.Context, opts Options) error {
	if opts.Precision == Float32 {
		if err := s.widen(ctx, opts); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(opts.Threads)
	for _, batch := range s.rescue {
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
				if err := cpu.Extended(ctx, block, sources, piece.Scores, piece.Got, piece.Want); err != nil {
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

// widen does the set-aside batches again in float64. Those that it does not help
// stay set aside.
func (s *schedule) widen(ctx context.Context, opts Options) error {
	opts.Precision = Float64
	left := s.rescue
	s.rescue = nil
	take := func(context.Context, int) (taken []preprocess.Batch) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(left) > 0 {
			taken, left = left[:1], left[1:]
		}
		return taken
	}
	done := func(result preprocess.Result) error {
		difference := selfCheck(result)
		s.mu.Lock()
		defer s.mu.Unlock()
		batch := []preprocess.Batch{result.Batch}
		if !(difference <= Float64.Tolerance()) {
			s.rescue = append(s.rescue, batch...)
			return nil
		}
		s.check.Recomputed++
		s.count(batch, result.Scores, difference)
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	for range opts.Threads {
		group.Go(func() error {
			worker, err := cpu.New(s.plan, cpu.Options{Precision: opts.Precision})
			if err != nil {
				return err
			}
			return worker.Run(ctx, take, done)
		})
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
