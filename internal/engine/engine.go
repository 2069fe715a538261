// Package engine is the contract between a plan and those who compute its
// batches: processor cores, devices, and fakes in tests. It is said here once,
// and is all that they know of the pipeline, and the pipeline of them.
//
//	pipeline                     engine, one goroutine or several
//	   |  Take: batches     ->      |
//	   |                            |  searches
//	   |  Done: results     <-      |
//
// Units and formulas of a result: see preprocess.Block and preprocess.Result.
package engine

import (
	"context"
	"errors"
	"fmt"

	"bcstage/preprocess"
)

// Take hands an engine what to compute next: up to most (at least 1) batches of
// one block, in the plan's order; others may lie between them. While it is better to
// wait, it waits; none means that nothing is left for this engine, or that the
// context has ended. It may be called from several goroutines.
type Take func(ctx context.Context, most int) []preprocess.Batch

// Done takes a finished result over, which covers one batch or several that
// follow each other (see preprocess.Result.More). The slices of the result are
// the engine's again when Done returns. An error is a reason to stop at once. It
// may be called from several goroutines.
type Done func(preprocess.Result) error

// Engine computes batches. Run takes until there are none, and hands on the
// result of every batch whole or not at all; equal batches give equal bits
// whatever was computed before, unless More says otherwise. The error is the
// context's, the one that Done returned, or the engine's own: then what was
// taken and not done is left to other engines.
//
// Path counts that pass the precision's range are no error: they show as inf or
// NaN in Result.Got, or as sums that miss Result.Want.
type Engine interface {
	Run(ctx context.Context, take Take, done Done) error
}

// Device is an engine on an accelerator, made for one plan.
type Device interface {
	Engine
	// Name tells it from others in statistics and messages.
	Name() string
	// Accepts says whether the device is worth having for a block. It is handed
	// no batch of another.
	Accepts(block int) bool
	// Choices says how the device deals with each block that is large enough, so far.
	// It is not called while Run runs.
	Choices() []Choice
	// Release gives back what Run has taken on the device and keeps for the next.
	// It is not called while Run runs.
	Release()
}

// Choice is how a device deals with a block, and why.
//
// Mixed: the plan groups sources that see the others in the same directions, and
// counts on the far-off among them to start early. Strategy Levels starts all at
// once. Where hubs rule the distances, how far off a source is matters more than
// where, and sources of a pack had better be equally far: soc-Epinions1 and
// soc-Slashdot0902 are searched 1.20 and 1.12 times as fast on an H200, an R-MAT
// graph of scale 17 1.10 times. A small world, which has no hubs, is 0.89 times.
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
	Levels    int       `json:"levels"`     // of the deepest search that the device has planned for, by now
	Mixed     bool      `json:"mixed"`      // a wave searches its sources in breadth-first order, whatever their batches
	Mdeg      int       `json:"mdeg"`       // degree above which a whole work-group takes a vertex
	Bytes     int64     `json:"bytes"`      // device memory of the graph and of all waves in flight
	Reason    string    `json:"reason"`
	Declined  string    `json:"declined,omitempty"` // why the device does not take the block; "" when it does
}

// ErrContract says that an engine broke this contract: a defect that nothing may
// hide, where other failures of an engine are made good by the others.
var ErrContract = errors.New("engine broke its contract")

// Broken is ErrContract with what was broken.
func Broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrContract, fmt.Sprintf(format, args...))
}
