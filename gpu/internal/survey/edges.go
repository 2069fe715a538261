package survey

import "bcstage/preprocess"

// Numbers that kernels/patches.cl shares with the host.
const (
	Patch      = 64
	PatchEdges = 768
)

// FewEdges says whether no patch of a block has more edges than there is room for, either way.
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

// MeanDegree is how many neighbours a vertex of a block has.
func MeanDegree(b *preprocess.Block) float64 { return float64(len(b.Targets)) / float64(b.Vertices()) }
