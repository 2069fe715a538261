package pipeline

import (
	"context"
	"slices"
	"time"

	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// withLanes returns the plan with at most so many lanes. Blocks without lanes stay as they are: a smaller
// batch of their sources takes about as long.
func withLanes(plan *preprocess.Plan, lanes int) *preprocess.Plan {
	fewer := *plan
	fewer.Blocks = slices.Clone(plan.Blocks)
	for i := range fewer.Blocks {
		if b := &fewer.Blocks[i]; b.Kind() == engine.KindHops {
			b.Lanes = min(b.Lanes, lanes)
		}
	}
	return &fewer
}

// A batch of more than mostTried edge visits is not tried: a core would take more than ten seconds for it. Its
// time is predicted from timings of other such batches. Their rows come from memory, not from a cache.
const (
	mostTried    = 1e8
	nominalSpeed = 2.5e7 // edge visits per second and core of batches of 64, before any is measured
	farSpeed     = 1e7   // the same for batches above mostTried
)

// isTried reports whether a batch may be tried. Batches of chains and of roads always may: they are many
// searches, of less work than their cost suggests.
func isTried(plan *preprocess.Plan, batch engine.Batch) bool {
	kind := plan.Blocks[batch.Block].Kind()
	return kind.Chained() || kind == engine.KindChainReach || plan.Cost(batch) <= mostTried
}

// untried is the predicted time of a core for a batch, in seconds, before any is tried.
func untried(plan *preprocess.Plan, batch engine.Batch) float64 {
	if isTried(plan, batch) {
		return plan.Cost(batch) / nominalSpeed
	}
	return plan.Cost(batch) / farSpeed
}

// usualTrial is the time spent on predicting the time of all batches.
const usualTrial = 250 * time.Millisecond

// estimate predicts the seconds of all batches. It computes batches of at most lanes sources from all over the
// plan until the budget is spent, one at least, and scales the time by cost.
func estimate(ctx context.Context, opts Options, plan *preprocess.Plan, lanes int, budget time.Duration) (float64, error) {
	var try []engine.Batch
	work, others := 0.0, 0.0 // edge visits of these, and predicted seconds of a core for the others
	for _, batch := range plan.Batches {
		if isTried(plan, batch) {
			try = append(try, batch)
			work += plan.Cost(batch)
		} else {
			others += untried(plan, batch)
		}
	}
	if len(try) == 0 {
		return others / float64(opts.Threads), nil
	}
	cost, next := 0.0, 0
	step := max(len(try)/64, 1)
	sampled := withLanes(plan, lanes)
	worker, err := cpu.New(sampled, opts.core())
	if err != nil {
		return 0, err
	}
	began := time.Now() // with many small blocks, copying the plan takes longer than the trial
	err = worker.Run(ctx, func(context.Context, int) []engine.Batch {
		if next >= len(try) || (next > 0 && time.Since(began) > budget) {
			return nil
		}
		batch := try[next]
		next += step
		batch.Count = min(batch.Count, sampled.Blocks[batch.Block].Lanes)
		return []engine.Batch{batch}
	}, func(result engine.Result) error {
		cost += plan.Cost(result.Batch) * float64(result.Batch.Count) / float64(plan.Batches[result.Batch.Index].Count)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return (time.Since(began).Seconds()*work/cost + others) / float64(opts.Threads), nil
}
