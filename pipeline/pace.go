package pipeline

import (
	"context"
	"slices"
	"time"

	"bcstage/cpu"
	"bcstage/preprocess"
)

// withLanes is the plan for as many sources at once at most. Blocks that are not searched by lanes
// stay as they are: a batch of fewer of their sources takes about as long.
func withLanes(plan *preprocess.Plan, lanes int) *preprocess.Plan {
	fewer := *plan
	fewer.Blocks = slices.Clone(plan.Blocks)
	for i := range fewer.Blocks {
		if b := &fewer.Blocks[i]; b.Kind() == preprocess.KindHops {
			b.Lanes = min(b.Lanes, lanes)
		}
	}
	return &fewer
}

// A batch of more edge visits than mostTried is not tried: a core would take more than ten seconds for it.
// What it takes is then thought to be what such batches took where they were timed. Their rows
// come from memory, not from a cache.
const (
	mostTried    = 1e8
	nominalSpeed = 2.5e7 // edge visits of batches of 64 per second and core, before any was measured
	farSpeed     = 1e7   // likewise of batches of more than mostTried
)

// isTried tells whether a batch may be tried. Those of chains and of roads always may: they are many searches,
// of less work than their cost seems.
func isTried(plan *preprocess.Plan, batch preprocess.Batch) bool {
	kind := plan.Blocks[batch.Block].Kind()
	return kind.Chained() || kind == preprocess.KindChainReach || plan.Cost(batch) <= mostTried
}

// untried is the seconds that a core is thought to take for a batch before any was tried.
func untried(plan *preprocess.Plan, batch preprocess.Batch) float64 {
	if isTried(plan, batch) {
		return plan.Cost(batch) / nominalSpeed
	}
	return plan.Cost(batch) / farSpeed
}

// usualTrial is how long it takes to say what all batches will take.
const usualTrial = 250 * time.Millisecond

// estimate is the seconds that all batches are thought to take. It computes some, of so many lanes at
// most, from all over the plan for so long, one at least, and scales the time by cost.
func estimate(ctx context.Context, opts Options, plan *preprocess.Plan, lanes int, budget time.Duration) (float64, error) {
	var try []preprocess.Batch
	work, others := 0.0, 0.0 // edge visits of those, and seconds that a core is thought to take for the others
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
	began := time.Now() // of many small blocks, copying the plan takes longer than what is tried
	err = worker.Run(ctx, func(context.Context, int) []preprocess.Batch {
		if next >= len(try) || (next > 0 && time.Since(began) > budget) {
			return nil
		}
		batch := try[next]
		next += step
		batch.Count = min(batch.Count, sampled.Blocks[batch.Block].Lanes)
		return []preprocess.Batch{batch}
	}, func(result preprocess.Result) error {
		cost += plan.Cost(result.Batch) * float64(result.Batch.Count) / float64(plan.Batches[result.Batch.Index].Count)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return (time.Since(began).Seconds()*work/cost + others) / float64(opts.Threads), nil
}
