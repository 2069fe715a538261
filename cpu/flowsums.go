package cpu

import (
	"context"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// flowSums is a search that leaves out which flows of a block with Flows are not 0, and, without lengths, their sum.
type flowSums struct {
	lanes.Search
	sums lanes.FlowSums
	at   []uint32
}

// Run computes a batch.
func (s *flowSums) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	result, err := s.Search.Run(ctx, b, batch)
	if err == nil && b.HasFlows() {
		sum := 0.0
		s.at, sum = s.sums.All(result.Flows, s.at)
		if result.FlowsAt = s.at; !b.HasLengths() || sum != sum { // NaN: a flow is negative
			result.FlowGot = sum
		}
	}
	return result, err
}

// flowSumsBytes is the memory that flowSums needs beside its search.
func flowSumsBytes(b *preprocess.Block) int64 {
	if !b.HasFlows() {
		return 0
	}
	return 4 * int64(b.Flows.Count())
}
