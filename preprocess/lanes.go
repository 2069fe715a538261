package preprocess

// MaxLanes is the largest number of sources in a batch: one bit each of a
// 64-bit mask.
const MaxLanes = 64

// chooseLanes is the number of sources per batch for a block of the given
// number of vertices.
func chooseLanes(vertices int) int {
	return min(MaxLanes, vertices)
}
