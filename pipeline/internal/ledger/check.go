package ledger

import (
	"errors"
	"math"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// ErrSelfCheck says that a batch failed its self-check by every means: there are no scores, since they could not be
// trusted.
var ErrSelfCheck = errors.New("self-check failed")

// SelfCheck sums up the checks of all sources (see preprocess.Block).
type SelfCheck struct {
	Sources         int     `json:"sources"`
	LargestRelative float64 `json:"largest_relative_difference"`
	Recomputed      int     `json:"batches_recomputed"`
}

// Difference is the largest relative difference between the two sides of the check, over the sources and the flows of
// a result; NaN if any number is not finite or a score is negative.
func Difference(result engine.Result) float64 {
	largest := 0.0
	for i, got := range result.Got {
		want := result.Want[i]
		if got == want {
			continue
		}
		largest = max(largest, math.Abs(got-want)/max(math.Abs(want), math.SmallestNonzeroFloat64))
	}
	if result.FlowGot != result.FlowWant {
		largest = max(largest, math.Abs(result.FlowGot-result.FlowWant)/max(result.FlowWant, math.SmallestNonzeroFloat64))
	}
	if !finite(result.Scores, result.At) || result.FlowsAt == nil && !finite(result.Flows, nil) {
		return math.NaN()
	}
	if got := result.FlowGot; result.FlowsAt != nil && !(got <= math.MaxFloat64) {
		return math.NaN()
	}
	return largest
}

// finite reports whether no number is negative, infinite or NaN, at some places; nil: at all. As integers, the bits of
// all other numbers are smaller than those of these. This takes one comparison per number: edges have many, and almost
// all pass.
func finite(list []float64, at []uint32) bool {
	largest := uint64(0)
	if at != nil && list != nil {
		for _, i := range at {
			largest = max(largest, math.Float64bits(list[i]+0))
		}
		return largest <= math.Float64bits(math.MaxFloat64)
	}
	for _, x := range list {
		largest = max(largest, math.Float64bits(x+0)) // -0 and 0 are 0
	}
	return largest <= math.Float64bits(math.MaxFloat64)
}

// Covered returns the batches that an engine's result covers. An error is engine.ErrContract and says what is wrong
// with the result.
func Covered(plan *preprocess.Plan, name string, result engine.Result) ([]engine.Batch, error) {
	batch := result.Batch
	if result.More < 0 || batch.Index+result.More >= len(plan.Batches) {
		return nil, engine.Broken("%s: batch %d: result covers %d more", name, batch.Index, result.More)
	}
	list := plan.Batches[batch.Index : batch.Index+result.More+1]
	sources := 0
	for _, b := range list {
		if b.Block != batch.Block {
			return nil, engine.Broken("%s: batch %d: result covers batch %d of another block", name, batch.Index, b.Index)
		}
		sources += b.Count
	}
	if result.Together {
		sources = 1
	}
	vertices := plan.Blocks[batch.Block].Vertices()
	numbers := len(result.Scores)
	if plan.Blocks[batch.Block].Kind().Reach() {
		numbers = len(result.Found)
	}
	alone := plan.Blocks[batch.Block].Times != nil // its batches have one source each, and results are not added up
	if alone && result.More > 0 || numbers != vertices || len(result.Got) != sources || len(result.Want) != sources {
		return nil, engine.Broken("%s: batch %d: result has %d scores, %d and %d sums for %d vertices, %d sources", name, batch.Index, numbers, len(result.Got), len(result.Want), vertices, sources)
	}
	if plan.Blocks[batch.Block].Access && len(result.Access) != sources {
		return nil, engine.Broken("%s: batch %d: result has reached masses of %d sources, want %d", name, batch.Index, len(result.Access), sources)
	}
	if plan.Blocks[batch.Block].Sees && len(result.Sees) != sources {
		return nil, engine.Broken("%s: batch %d: result has seen masses of %d sources, want %d", name, batch.Index, len(result.Sees), sources)
	}
	if plan.Blocks[batch.Block].Hung != nil && len(result.Arrives) != vertices {
		return nil, engine.Broken("%s: batch %d: result has arrived masses of %d vertices, want %d", name, batch.Index, len(result.Arrives), vertices)
	}
	if flows := plan.Blocks[batch.Block].Flows; flows != nil && len(result.Flows) != flows.Count() {
		return nil, engine.Broken("%s: batch %d: result has %d flows for %d edges", name, batch.Index, len(result.Flows), flows.Count())
	}
	if drawn := plan.Blocks[batch.Block].HasDraws(); drawn && (len(result.Drawn) != vertices || len(result.Squares) != vertices || result.Together) {
		return nil, engine.Broken("%s: batch %d: result has sums of draws for %d vertices and squares for %d, want %d, and separate sources", name, batch.Index, len(result.Drawn), len(result.Squares), vertices)
	}
	return list, nil
}
