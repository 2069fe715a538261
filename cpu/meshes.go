package cpu

import (
	"bcstage/cpu/internal/meshes"
	"bcstage/preprocess"
)

const (
	// meshDepth is how many levels a mesh has at least.
	meshDepth = 32
	// meshEntries is how often a vertex of a mesh comes in a batch, one time for every level
	// that some lane has it in, where it comes most often.
	meshEntries = 8
)

// Package preprocess makes drawn sources near one another by so many as are searched together.
var _ [preprocess.DrawnLanes]struct{} = [meshes.DrawnLanes]struct{}{}

// isMesh says whether a block is searched vertex by vertex, by package meshes, and not
// level by level. The scores are the same. Where vertices come in few levels anyway, as in
// a grid of 40 x 40, or lanes disagree about which of two neighbours is the nearer, as in
// a power grid or wherever everything is near, that takes 1.2 to 3 times as long; it takes
// .8 times on a grid of 128 x 128, .64 on rome99 and .37 to .6 on meshes and geometric
// graphs (whole processes, docs/benchmarks). Drawn sources are searched likewise, in
// float64 (isDrawnMesh), with scores that differ in their last bits.
func isMesh(b *preprocess.Block) bool {
	return b.Draws == nil && !b.Linear && b.Lanes == maxLanes && meshLike(b)
}

func isDrawnMesh(b *preprocess.Block) bool {
	return b.Draws != nil && b.Flows == nil && b.Lanes >= meshes.DrawnLanes && meshLike(b)
}

func meshLike(b *preprocess.Block) bool {
	if b.Cutoff > 0 || b.In != nil || b.Farness == nil || b.Entries < meshEntries*b.Vertices() || !meshes.Fits(b) {
		return false
	}
	depth := b.Depth()
	// Path counts of float32 are added up in pieces elsewhere, where there are many.
	return depth >= meshDepth && depth <= deepestMesh && b.LargestDegree() <= pieceRows
}

// deepestMesh keeps levels in 16 bits, wherever sources are.
const deepestMesh = 1 << 12
