package methods

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Strategy level for blocks whose vertices have few edges: kernels/patches.cl. Each work-item
// has a vertex in a lane that reaches it at the present level. If 32 work-items share a
// vertex's row of lanes, a quarter of them are busy on a small world.

// Calls of kernels/patches.cl.
type (
	PatchesForward struct {
		N, Packs, Level         uint32
		Ptr, Adj, Multiplicity  driver.Buffer
		Frontier, Seen, Reached driver.Buffer
		Counts, Found, Overflow driver.Buffer
	}
	PatchesBackward struct {
		N, Packs, Level, LastLevel             uint32
		Ptr, Adj, TargetMass, Multiplicity     driver.Buffer
		Frontier, Counts, Paths, Shares, Found driver.Buffer
	}
)

// patches is the number of patches of a block.
func patches(s wave.Shape) int { return (s.Vertices + survey.Patch - 1) / survey.Patch }

// levelsOut finds the level after the call's.
func levelsOut(s *wave.Wave, call LevelsForward, groups int) error {
	if !s.Shape.Patched {
		return s.Launch(call, groups, s.Shape.Packs)
	}
	return s.Launch(PatchesForward{
		N: call.N, Packs: call.Packs, Level: call.Level, Ptr: call.Ptr, Adj: call.Adj,
		Seen: call.Seen, Reached: call.Reached, Counts: call.Counts,
	}, patches(s.Shape), s.Shape.Packs)
}
