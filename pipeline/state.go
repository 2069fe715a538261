package pipeline

import (
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// call is what the stages of a call share beside their channels.
type call struct {
	opts *Options
	*allowance
	*advance
	// stats of the stages. Each field is written by one stage, except Notes and Warnings: a stage
	// appends to those after it has received from the stage before, and before it sends to the
	// next.
	stats *Stats
}

// Messages between the stages, each built on the one before. A stage that has sent a value does not
// touch it again.
type (
	// gathered is the graph as read, with the facts of reading.
	gathered struct {
		building.Input
		summary tables.Summary
		ends    [2]string // columns of the edges that the options named
	}
	// namedPlan is a plan with the names of its vertices.
	namedPlan struct {
		*preprocess.Plan
		names
		degrees []uint32   // in the graph as read; nil unless they are kept
		upward  *csr.Graph // the edges of the graph; nil unless they are kept
	}
)

// finished is a computation's result.
type finished struct {
	*ledger.Partial
	estimate *estimates // of scores that are not exact; nil: exact scores were asked for
}

// computation is the compute stage of a run. It joins sharing, which hands out the batches, and the
// ledger, which adds them up; neither knows of the other.
type computation struct {
	plan    *preprocess.Plan
	opts    Options
	sharing *sharing.Sharing
	ledger  *ledger.Ledger

	// Kept from one run to the next.
	devices []engine.Device
	clients []*sharing.Client // of devices
	known   bool              // no more devices will start
	cores   *sharing.Client
	workers []*cpu.Worker // by thread; nil: not allocated yet
}

// estimates are the parts of some scores beyond the sums so far, in unordered pairs: of vertices, then of edges.
type estimates struct {
	Estimate
	vertices, edges    []uint32 // ascending
	rest, below, above []float64
	threads            int
}
