// Package engine is the contract between a plan and the engines that compute its
// batches: processor cores, devices, and fakes in tests. It is stated here once.
// Engines and pipeline know nothing else of each other.
//
//	pipeline                     engine, one goroutine or several
//	   |  Take: batches     ->      |
//	   |                            |  searches
//	   |  Done: results     <-      |
//
// Units and formulas of a result: see preprocess.Block and Result.
package engine

import (
	"context"
	"errors"
	"fmt"
)

// Take hands an engine the next batches to compute: up to most (at least 1) batches
// of one block, in the plan's order; others may lie between them. It waits while that
// is better. An empty result means that nothing is left for this engine, or that the
// context has ended. It may be called from several goroutines.
type Take func(ctx context.Context, most int) []Batch

// Once returns a Take that hands out batches at its first call.
func Once(batches ...Batch) Take {
	return func(context.Context, int) []Batch {
		taken := batches
		batches = nil
		return taken
	}
}

// Done takes over a finished result, which covers one batch or several consecutive
// ones (see Result.More). The slices of the result are the engine's again
// when Done returns. After an error, the engine stops at once. Done may be called
// from several goroutines.
type Done func(Result) error

// Engine computes batches. Run takes batches until there are none, and passes on the
// result of every batch whole or not at all. Equal batches give equal bits whatever
// was computed before, unless More says otherwise. The error is the context's, the
// one that Done returned, or the engine's own. Batches that were taken and not done
// are then left to other engines.
//
// Path counts that exceed the range of the precision are not an error: they show as
// inf or NaN in Result.Got, or as sums that miss Result.Want.
type Engine interface {
	Run(ctx context.Context, take Take, done Done) error
}

// Device is an engine on an accelerator, made for one plan.
type Device interface {
	Engine
	// Name identifies it in statistics and messages.
	Name() string
	// Accepts reports whether the device is worth using for a block. It gets no
	// batches of other blocks.
	Accepts(block int) bool
	// Choices describes how the device searches each large enough block, so far. It
	// is not called while Run runs.
	Choices() []Choice
	// Release frees the device memory that Run keeps for the next call. It is not
	// called while Run runs.
	Release()
}

// Choice is how a device searches a block, and why.
//
// Mixed: the plan groups sources that see the others in the same directions, and relies
// on far-off sources starting early. Strategy Levels starts all at once. Where hubs
// dominate the distances, the distance of a source matters more than its direction, and
// sources of a pack should be equally far. With Mixed, soc-Epinions1 and soc-Slashdot0902
// are searched 1.20 and 1.12 times as fast on an H200, an R-MAT graph of scale 17 1.10
// times. A small world, which has no hubs, is searched 0.89 times as fast.
type Choice struct {
	Device    string    `json:"device"`
	Block     int       `json:"block"`
	Vertices  int       `json:"vertices"`
	Edges     int64     `json:"edges"`
	Strategy  string    `json:"strategy"`
	Precision Precision `json:"precision"`  // Float64 also where Float32 was asked for and cannot count the paths
	Lanes     int       `json:"lanes"`      // sources that share a row
	Packs     int       `json:"packs"`      // rows of lanes searched at once
	WorkGroup int       `json:"work_group"` // work-items of a work-group
	Levels    int       `json:"levels"`     // of the deepest search that the device has planned for so far
	Mixed     bool      `json:"mixed"`      // a wave searches its sources in breadth-first order, whatever their batches
	Mdeg      int       `json:"mdeg"`       // degree above which a whole work-group takes a vertex
	Bytes     int64     `json:"bytes"`      // device memory of the graph and of all waves in flight
	Reason    string    `json:"reason"`
	Declined  string    `json:"declined,omitempty"` // why the device does not take the block; "" when it does
}

// WalkChoice says which walk searches some blocks of a plan, on cores or a device, and why. Blocks with equal choices
// share one.
type WalkChoice struct {
	Block     int       `json:"block"`     // number of the first, which has most work
	Blocks    int       `json:"blocks"`    // number of blocks
	Kind      string    `json:"kind"`      // the form that decides how a block can be searched
	Vertices  int64     `json:"vertices"`  // of all of them
	Arcs      int64     `json:"arcs"`      // likewise; an undirected edge is two
	Walk      string    `json:"walk"`      // a walk of cores, or a device's strategy
	Set       string    `json:"set"`       // instruction set of its kernels, or "opencl"
	Precision Precision `json:"precision"` // of path counts
	Why       string    `json:"why"`
}

// ErrWalk says that a walk that was asked for suits no block of a plan.
var ErrWalk = errors.New("cpu: walk")

// ErrContract says that an engine broke this contract. Nothing may hide this defect,
// while other engines make up for other failures of an engine.
var ErrContract = errors.New("engine broke its contract")

// Broken returns ErrContract with a description.
func Broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrContract, fmt.Sprintf(format, args...))
}
