package cpu

import (
	"context"

	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/meshes"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// meshFlows is the search of meshes in float64, and also adds up the flows of blocks with Flows.
type meshFlows struct {
	*meshes.Search
	sums lanes.FlowSums
	at   []uint32
}

// Run computes a batch.
func (s *meshFlows) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	result, err := s.Search.Run(ctx, b, batch)
	if err == nil && b.HasFlows() {
		s.at, result.FlowGot = s.sums.All(result.Flows, s.at)
		result.FlowsAt = s.at
	}
	return result, err
}
