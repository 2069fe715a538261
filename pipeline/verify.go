package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// drawnSource is a drawn source: its batch, and its number in the batch.
type drawnSource struct{ batch, offset int }

// verifier keeps the run's results for the sources that it has drawn.
type verifier struct {
	plan   *preprocess.Plan
	drawn  map[int][]int           // by batch: offsets
	found  map[drawnSource]float64 // sum of dependencies
	result Verification
}

// newVerifier draws count of the batches' sources, each with equal chance. The plan determines the
// draw, so that a failure can be repeated.
func newVerifier(plan *preprocess.Plan, batches []int, count int) *verifier {
	v := &verifier{plan: plan, drawn: make(map[int][]int), found: make(map[drawnSource]float64)}
	left := 0
	for _, index := range batches {
		left += plan.Batches[index].Count
	}
	random := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(plan.Fingerprint[:]), binary.LittleEndian.Uint64(plan.Fingerprint[8:])))
	for _, index := range batches { // D. Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2S
		for offset := range plan.Batches[index].Count {
			if count > 0 && random.IntN(left) < count {
				v.drawn[index] = append(v.drawn[index], offset)
				count--
			}
			left--
		}
	}
	return v
}

// see keeps the drawn sources' sums of a result that has passed its checks.
func (v *verifier) see(covered []engine.Batch, got []float64) {
	for _, batch := range covered {
		for _, offset := range v.drawn[batch.Index] {
			v.found[drawnSource{batch.Index, offset}] = got[offset]
		}
		got = got[batch.Count:]
	}
}

// verify computes the drawn sources again.
func (v *verifier) verify(ctx context.Context, opts Options) error {
	var drawn []drawnSource
	for index, offsets := range v.drawn {
		for _, offset := range offsets {
			drawn = append(drawn, drawnSource{index, offset})
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	places := parallel.HandOut(ctx, group, drawn)
	var mu sync.Mutex
	for range opts.Threads {
		group.Go(func() error {
			worker, err := cpu.New(v.plan, opts.core())
			if err != nil {
				return err
			}
			for at := range places {
				checked, err := v.source(ctx, worker, at, opts.Precision.Tolerance())
				if err != nil {
					return err
				}
				mu.Lock()
				v.result.add(checked)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if difference := v.result.LargestRelative; !(difference <= opts.Precision.Accuracy()) {
		return fmt.Errorf("pipeline: relative difference %g over %d sources: %w", difference, v.result.Sources, ErrVerify)
	}
	return nil
}

func (v *Verification) add(one Verification) {
	v.Sources += one.Sources
	v.InRun += one.InRun
	v.Extended += one.Extended
	v.LargestRelative = max(v.LargestRelative, one.LargestRelative)
}

// source compares one source.
func (v *verifier) source(ctx context.Context, worker *cpu.Worker, at drawnSource, tolerance float64) (Verification, error) {
	batch := v.plan.Batches[at.batch]
	block := &v.plan.Blocks[batch.Block]
	batch.First, batch.Count = batch.First+at.offset, 1
	if block.Kind().Reach() {
		return verifyDistances(ctx, worker, block, batch)
	}
	sources := block.Sources[batch.First : batch.First+1]
	want := engine.Result{Scores: make([]float64, block.Vertices()), Got: make([]float64, 1), Want: make([]float64, 1)}
	if block.HasFlows() {
		want.Flows = make([]float64, block.Flows.Count())
	}
	if err := textbook.Result(ctx, block, sources, &want); err != nil {
		return Verification{}, err
	}
	one := Verification{Sources: 1}
	if found, ok := v.found[at]; ok && !block.Relative() { // devices check such a block otherwise
		one.InRun = 1
		one.LargestRelative = math.Abs(found-want.Got[0]) / max(want.Got[0], 1)
	}
	err := worker.Run(ctx, engine.Once(batch), func(result engine.Result) error {
		if !(ledger.Difference(result) <= tolerance) {
			one.Extended = 1 // a run does not use such a result either
			return nil
		}
		one.LargestRelative = max(one.LargestRelative, difference(result.Scores, want.Scores), difference(result.Flows, want.Flows))
		if of := v.plan.Blocks[batch.Block]; of.Sees {
			one.LargestRelative = max(one.LargestRelative, difference(result.Sees, want.Sees), difference(result.Arrives, want.Arrives))
		}
		for i := range result.Access {
			one.LargestRelative = max(one.LargestRelative, difference(result.Access[i].Numbers(), want.Access[i].Numbers()))
		}
		return nil
	})
	return one, err
}

// difference is the largest relative difference of two lists of numbers >= 0. Numbers below 1e-6 of
// the largest are compared as if they were that: float32 cannot keep both.
func difference(got, want []float64) float64 {
	least := 0.0
	for _, x := range want {
		least = max(least, 1e-6*x)
	}
	largest := 0.0
	for v, x := range want {
		if got[v] != x {
			largest = max(largest, math.Abs(got[v]-x)/max(x, least))
		}
	}
	return largest
}
