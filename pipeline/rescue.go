package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// rescue computes the batches that the ledger has set aside, by one means after the other: see
// ledger.Means.
func (c *computation) rescue(ctx context.Context) error {
	if err := c.byLanes(ctx, ledger.ByCore, c.opts.Precision); err != nil {
		return err
	}
	if err := c.byLanes(ctx, ledger.ByFloat64, Float64); err != nil {
		return err
	}
	return c.extend(ctx)
}

// byLanes computes the batches that were set aside for the cores.
func (c *computation) byLanes(ctx context.Context, by ledger.Means, precision Precision) error {
	aside := c.ledger.Aside(by)
	if len(aside) == 0 {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	batches := parallel.HandOut(ctx, group, aside)
	for range min(c.opts.Threads, len(aside)) {
		group.Go(func() error {
			on := c.opts.core()
			on.Precision = precision
			worker, err := cpu.New(c.plan, on)
			if err != nil {
				return err
			}
			var current ledger.Aside
			var failed error
			take := func(ctx context.Context, _ int) []engine.Batch {
				for current = range batches {
					certain, err := c.beyond(ctx, current.Batch, precision)
					if failed = err; err != nil {
						return nil
					}
					if !certain {
						return []engine.Batch{current.Batch}
					}
					c.ledger.Pass(by, current.Batch)
				}
				return nil
			}
			done := func(result engine.Result) error {
				if difference := ledger.Difference(result); difference <= precision.Tolerance() {
					c.ledger.Settle(current, result, difference)
				} else {
					c.ledger.Pass(by, current.Batch)
				}
				return nil
			}
			return cmp.Or(worker.Run(ctx, take, done), failed)
		})
	}
	return group.Wait()
}

// beyond reports whether lanes are certain to exceed the range with a batch: from its first source,
// some vertex has far more shortest paths than fit. Its count would be inf, and its dependency inf
// times 0. The test costs one pass of one source; lanes would make two passes of all, in vain.
func (c *computation) beyond(ctx context.Context, batch engine.Batch, precision Precision) (bool, error) {
	block := &c.plan.Blocks[batch.Block]
	if block.Kind().Chained() || block.Kind().Reach() {
		return false, nil // their search has another form
	}
	const margin = 8 // bits: far above the rounding of sums over any depth
	limit := int64(1024)
	if precision == Float32 {
		limit = 128
	}
	most, err := textbook.MostPaths(ctx, block, block.Sources[batch.First])
	return most > limit+margin, err
}

// pieceSources is the number of sources of one goroutine's piece. It does not depend on the number
// of threads, so sums do not either.
const pieceSources = 8

// extend computes the last batches with path counts of unbounded range. It also replaces results of
// an engine that failed.
func (c *computation) extend(ctx context.Context) error {
	all := c.ledger.Aside(ledger.ByExtended)
	for _, aside := range all {
		if c.plan.Blocks[aside.Block].Kind().Reach() {
			return fmt.Errorf("pipeline: batch %d: searches missed reachable vertices: %w", aside.Index, ErrSelfCheck)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.opts.Threads)
	for _, aside := range all {
		batch := aside.Batch
		block := &c.plan.Blocks[batch.Block]
		pieces := make([]engine.Result, (batch.Count+pieceSources-1)/pieceSources)
		var mu sync.Mutex // guards pieces and left
		left := len(pieces)
		for i := range pieces {
			group.Go(func() error {
				first := i * pieceSources
				count := min(pieceSources, batch.Count-first)
				piece := engine.Result{
					Batch:  batch,
					Scores: make([]float64, block.Vertices()),
					Got:    make([]float64, count),
					Want:   make([]float64, count),
				}
				sources := block.Sources[batch.First+first:][:count]
				if err := reference(ctx, block, sources, &piece); err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				pieces[i] = piece
				if left--; left > 0 {
					return nil
				}
				return c.settle(aside, pieces)
			})
		}
	}
	return group.Wait()
}

// settle adds a batch whose pieces are complete. No other means follows.
func (c *computation) settle(aside ledger.Aside, pieces []engine.Result) error {
	total, largest := pieces[0], 0.0
	total.Want = nil
	for i, piece := range pieces {
		difference := ledger.Difference(piece)
		if !(difference <= Float64.Tolerance()) {
			return fmt.Errorf("pipeline: batch %d: relative difference %g: %w", aside.Index, difference, ErrSelfCheck)
		}
		largest = max(largest, difference)
		total.Want = append(total.Want, piece.Want...)
		if i > 0 {
			addTo(total.Scores, piece.Scores)
			addTo(total.Flows, piece.Flows)
			addTo(total.Arrives, piece.Arrives)
			addTo(total.Drawn, piece.Drawn)
			addTo(total.Squares, piece.Squares)
			total.Access = append(total.Access, piece.Access...)
			total.Sees = append(total.Sees, piece.Sees...)
		}
		pieces[i] = engine.Result{} // other batches may still take long
	}
	c.ledger.Settle(aside, total, largest)
	return nil
}

func addTo(sums, values []float64) {
	for v, x := range values {
		sums[v] += x
	}
}

// reference computes a result for some sources.
func reference(ctx context.Context, block *preprocess.Block, sources []uint32, result *engine.Result) error {
	if !block.HasDraws() {
		if block.HasFlows() {
			result.Flows = make([]float64, block.Flows.Count())
		}
		return textbook.Result(ctx, block, sources, result)
	}
	n := block.Vertices()
	result.Drawn, result.Squares = make([]float64, n), make([]float64, n)
	one := make([]float64, n)
	for i, s := range sources {
		clear(one)
		if err := textbook.Scores(ctx, block, sources[i:i+1], one, result.Got[i:i+1], result.Want[i:i+1]); err != nil {
			return err
		}
		draws := block.Draws[s]
		for v, score := range one {
			x := score / block.From[s]
			result.Scores[v] += score
			result.Drawn[v] += float64(draws * x)
			result.Squares[v] += float64(float64(draws*x) * x)
		}
	}
	return nil
}
