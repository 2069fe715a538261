package pipeline

import (
	"context"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// run is one call of Run: what its stages share beside their channels.
type run struct {
	opts Options
	allowance
	advance
	in        *intake
	lanes     int  // as the plan was asked for
	preparing bool // for a file
	devices   *deviceStart
	opened    *preprocess.Prepared // nil: the plan is not of a file
	update    *update              // how the sums become scores, set before compute has the plan; nil: they are
	vertices  chan int             // from reduce to compute: of the graph, before it is reduced; 0: it has been

	// stats of the stages. Every field has one stage that writes it, but for Notes
	// and Warnings: a stage adds to those after it has received from the one before,
	// and before it sends to the next.
	stats Stats
	share float64 // of the plan's cost, that the run computes; set by compute
}

// What passes between the stages, each built on the one before. A stage that
// has sent a value does not touch it again.
type (
	// gathered is the graph that was read, with what reading found out.
	gathered struct {
		building.Input
		summary tables.Summary
	}
	// namedPlan is a plan with what names its vertices.
	namedPlan struct {
		*preprocess.Plan
		names
		degrees []uint32   // in the graph as read; nil unless it is to be kept
		upward  *csr.Graph // its edges; likewise
	}
)

// finished is a computation's result.
type finished struct {
	*ledger.Partial
	estimate *estimates // of scores that are not exact; nil: that was not asked for
}

// computation is the compute stage of a run. It joins what shares the batches out
// and what keeps the books of them; neither knows of the other.
type computation struct {
	plan    *preprocess.Plan
	opts    Options
	sharing *sharing.Sharing
	ledger  *ledger.Ledger

	// What goes on from one run to the next.
	devices []engine.Device
	clients []*sharing.Client // of devices
	known   bool              // no others come up
	cores   *sharing.Client
	workers []*cpu.Worker // by thread; nil: not made yet
}

// estimates are what the scores of some vertices are beyond the sums so far, in
// unordered pairs.
type estimates struct {
	Estimate
	vertices           []uint32 // ascending
	rest, below, above []float64
}

// receive waits for the one value of a stage.
func receive[T any](ctx context.Context, from <-chan T) (T, error) {
	select {
	case value := <-from:
		return value, nil
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
