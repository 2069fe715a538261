package meshes

import "bcstage/preprocess"

const (
	// visitShare is the initial room for visits, per vertex.
	visitShare = 2
	// slotShare: the initial room has a slot for one in so many vertices.
	slotShare = 4
)

// Bytes returns the memory that a Search needs for a block, whatever the number of
// sources of a batch. A search makes more room if it visits vertices
// more often than in a mesh.
func Bytes(b *preprocess.Block) int64 {
	const (
		slots = 8*lanes/slotShare + 4*visitShare*5/4
		sums  = 8 // scores
	)
	flows := int64(0)
	if b.HasFlows() {
		flows = 4*int64(len(b.Targets)) + 8*int64(b.Flows.Count()) + (4+4*8)*b.LargestDegree()
	}
	directed := int64(0)
	if b.Directed() {
		directed = 4*int64(b.Vertices()) + 4*int64(len(b.Targets)) // offsets and targets of in
		if b.Waived != nil {
			directed += 4*int64(b.Vertices()) + 24*int64(b.MostWaived(lanes)) // waivedAt, waived
		}
	}
	shares := int64(0)
	if b.Decay != nil {
		shares = 8 * (nearest + 3*lanes*int64(b.Depth())) // near or shareOf, masses
	}
	return int64(b.Vertices())*(lanes*8+slots+sums) + bytes(b) + flows + directed + shares
}

// DrawnBytes returns likewise the memory that a Drawn needs.
func DrawnBytes(b *preprocess.Block) int64 {
	const sums = 4*8 + 3*8 // parts; scores, drawn, squares
	return int64(b.Vertices())*(DrawnLanes*8+sums) + bytes(b)
}

// bytes returns the memory that both need.
func bytes(b *preprocess.Block) int64 {
	const (
		visits = (4 + 8) * visitShare * 5 / 4 // rank, mask
		marks  = 8 + 1 + 1                    // done, open, waits
		ranks  = 11 * 4                       // order, offsets, sums, turns, late, changed, dirty, inOrder, rankOf, slotOf, heavy
	)
	return int64(b.Vertices())*(lanes*2+visits+marks+ranks) + 4*int64(len(b.Targets)) + (4+8)*b.LargestDegree() + (4*lanes+4*8)*int64(b.Depth())
}
