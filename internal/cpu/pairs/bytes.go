package pairs

import "bcstage/preprocess"

// Bytes returns the memory that one thread of a Sampler needs for a block.
//
// By hops, each side has a bit per vertex. For the vertices found, at most all, it has their places (see places), order,
// path counts and sums. The arcs between two levels are seldom
// more than there are vertices. By lengths, each side has a distance, a mark, a path
// count and a place in two lists per vertex.
func Bytes(b *preprocess.Block) int64 {
	n := int64(b.Vertices())
	inner := int64(5 << 16) // vertices inside paths, and edges of these, until they are added up
	if b.HasFlows() {
		inner += 5 * n // a path whose edges are looked up
	}
	if b.HasLengths() {
		const vertex = 8 + 1 + 16 + 5 + 20 // distance, settled, paths, touched, queue
		return 2*vertex*n + inner
	}
	const vertex = 8 + 5 + 10 + 10 // place, order, paths, sums
	const both = 2*5 + 5           // leave and lead, sorted
	return 2*(vertex*n+n/8) + both*n + inner
}

// SharedBytes returns the memory that all threads of a Sampler share, with the counts
// that they add up: of a stage, and of a piece of it.
func SharedBytes(b *preprocess.Block) int64 {
	n := int64(b.Vertices())
	const end = 8 + 4
	counts := 2 * 8 * int64(counted(b))
	switch {
	case b.HasTrips():
		const trips = 8
		return counts + (end+trips)*int64(len(b.Waived))
	case b.OneMass():
		return counts + end*n
	}
	return counts + 2*end*n
}
