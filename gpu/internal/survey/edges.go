package survey

import "bcstage/preprocess"

// Numbers that kernels/patches.cl shares with the host.
const (
	Patch      = 64
	PatchEdges = 768
)

// FewEdges says whether each patch of a block has at most PatchEdges arcs, in both directions.
func FewEdges(b *preprocess.Block) bool {
	for _, offsets := range [][]int64{b.Offsets, b.Reverse().Offsets} {
		last := len(offsets) - 1
		for v := 0; v < last; v += Patch {
			if offsets[min(v+Patch, last)]-offsets[v] > PatchEdges {
				return false
			}
		}
	}
	return true
}

// MeanDegree is the mean number of neighbours of a vertex of a block.
func MeanDegree(b *preprocess.Block) float64 { return float64(len(b.Targets)) / float64(b.Vertices()) }
