package pairs

import "bcstage/preprocess"

// Bytes is the memory that one thread of a Sampler comes to hold for a block.
//
// By hops, each side has a bit and a place per vertex; and of what it has found, at most
// all vertices, their order, path counts and sums. What two levels have in common is
// arcs: seldom more than there are vertices. By lengths, each side has a distance, a
// mark, a path count and a place in two lists per vertex.
func Bytes(b *preprocess.Block) int64 {
	n := int64(b.Vertices())
	const inner = 5 << 16 // vertices inside of paths, until they are handed over
	if b.HasLengths() {
		const vertex = 8 + 1 + 16 + 5 + 20 // distance, settled, paths, touched, queue
		return 2*vertex*n + inner
	}
	const vertex = 4 + 5 + 10 + 10 // place, order, paths, sums
	const both = 2*5 + 5           // leave and lead, sorted
	return 2*(vertex*n+n/8) + both*n + inner
}

// SharedBytes is the memory that all threads of a Sampler share, with the counts that
// they add up: of a stage, and of a piece of it.
func SharedBytes(b *preprocess.Block) int64 {
	n := int64(b.Vertices())
	const ends, counts = 8 + 4, 2 * 8
	if b.OneMass() {
		return (ends + counts) * n
	}
	return (2*ends + counts) * n
}
