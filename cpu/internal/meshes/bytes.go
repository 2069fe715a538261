package meshes

import "bcstage/preprocess"

const (
	// visitShare is how many visits of each vertex there is room for from the start.
	visitShare = 2
	// slotShare: one in so many vertices has a slot from the start.
	slotShare = 4
)

// Bytes is the memory that a Search comes to hold for a block, whatever the number of
// sources of a batch. Where vertices are visited
// more often than in a mesh, a search makes more room.
func Bytes(b *preprocess.Block) int64 {
	const (
		slots = 8*lanes/slotShare + 4*visitShare*5/4
		sums  = 8 // scores
	)
	flows := int64(0)
	if b.HasFlows() {
		flows = 4*int64(len(b.Targets)) + 8*int64(b.Flows.Count()) + (4+4*8)*b.LargestDegree()
	}
	return int64(b.Vertices())*(lanes*8+slots+sums) + bytes(b) + flows
}

// DrawnBytes is likewise the memory of a Drawn.
func DrawnBytes(b *preprocess.Block) int64 {
	const sums = 4*8 + 3*8 // parts; scores, drawn, squares
	return int64(b.Vertices())*(DrawnLanes*8+sums) + bytes(b)
}

// bytes is what both take.
func bytes(b *preprocess.Block) int64 {
	const (
		visits = (4 + 8) * visitShare * 5 / 4 // rank, mask
		marks  = 8 + 1 + 1                    // done, open, waits
		ranks  = 11 * 4                       // order, offsets, sums, turns, late, changed, dirty, inOrder, rankOf, slotOf, heavy
	)
	return int64(b.Vertices())*(lanes*2+visits+marks+ranks) + 4*int64(len(b.Targets)) + (4+8)*b.LargestDegree() + 4*lanes*int64(b.Depth())
}
