package gpu

import (
	_ "embed"

	"bcstage/preprocess"
)

// Strategy level for blocks whose vertices have few edges: kernels/patches.cl. Each
// work-item has a vertex in a lane that reaches it at the level at hand, where 32 work-items
// that share a vertex's row of lanes have a quarter of them busy on a small world.

//go:embed kernels/patches.cl
var patchesSource string

// Numbers that kernels/patches.cl shares with the host.
const (
	patch      = 64
	patchEdges = 768
)

// Calls of kernels/patches.cl.
type (
	patchesForward struct {
		N, Packs, Level         uint32
		Ptr, Adj, Multiplicity  buffer
		Frontier, Seen, Reached buffer
		Counts, Found, Overflow buffer
	}
	patchesBackward struct {
		N, Packs, Level, LastLevel             uint32
		Ptr, Adj, TargetMass, Multiplicity     buffer
		Frontier, Counts, Paths, Shares, Found buffer
	}
)

// fewEdges says whether no patch of a block has more edges than there is room for, either way.
func fewEdges(b *preprocess.Block) bool {
	for _, offsets := range [][]int64{b.Offsets, b.Reverse().Offsets} {
		last := len(offsets) - 1
		for v := 0; v < last; v += patch {
			if offsets[min(v+patch, last)]-offsets[v] > patchEdges {
				return false
			}
		}
	}
	return true
}

// patches is how many a block has.
func (s shape) patches() int { return (s.vertices + patch - 1) / patch }

// levelsOut finds the level after the call's.
func (s *stream) levelsOut(call levelsForward, groups int) error {
	if !s.shape.patched {
		return s.launch(call, groups, s.shape.packs)
	}
	return s.launch(patchesForward{
		N: call.N, Packs: call.Packs, Level: call.Level, Ptr: call.Ptr, Adj: call.Adj,
		Seen: call.Seen, Reached: call.Reached, Counts: call.Counts,
	}, s.shape.patches(), s.shape.packs)
}
