package lengths

import (
	"context"
	"slices"

	"bcstage/preprocess"
)

// Bytes returns the memory that a Search needs for a block: the state of settle,
// relax, link and count, whatever the number of sources of a batch.
func Bytes(b *preprocess.Block) int64 {
	n, m := int64(b.Vertices()), int64(len(b.Targets))
	distance := int64(8)
	if b.LongestWalk() < farNarrow {
		distance = 4
	}
	const (
		row    = 8 * lanes
		vertex = 8 + 4 + 4 + 2*4 + 2*8 + 3*2 + 2*8 + 8 + 2*4 // distance, order, rank, queue, keys, masks, first, score, peeling
		arc    = 2 * (4 + 2)                                 // before, after
	)
	more := int64(0)
	if b.HasFlows() {
		more += n*row + 8*int64(b.Flows.Count()) + 8*b.LargestDegree()
	}
	if hasFew(b) {
		more += n*(2+4*8) + m*arc // wanted lanes, their links
	}
	if b.HasDraws() {
		more += n * 2 * 8 // sums and squares
	}
	if seeded(b) && (distance == 8 || !inKernels(b)) {
		more += n * (8 + row) // weights of 0, seeds
	}
	if dense(b) {
		more += m*(4+2) + n*(8+2) // inner links, within
	}
	return n*(row+distance*lanes+vertex) + m*arc + 4*b.LargestDegree() + contractionBytes(b) + more
}

// DistanceBytes returns the memory that a Search needs for a block in which it finds
// distances alone.
func DistanceBytes(b *preprocess.Block) int64 {
	distance := int64(8)
	if b.LongestWalk() < farNarrow {
		distance = 4
	}
	const vertex = 8 + 4 + 4 + 2*4 + 40 // distance, order, rank, queue, found
	return int64(b.Vertices())*(distance*lanes+vertex) + 4*b.LargestDegree() + contractionBytes(b)
}

// farthest returns the distance that marks unreached vertices: farNarrow if 32-bit numbers hold all distances and
// lengths, else farWide. Paths within the limit are shorter, also with an arc added.
func (s *Search) farthest(ctx context.Context, b *preprocess.Block) (int64, error) {
	if b.LongestWalk() < farNarrow {
		return farNarrow, nil
	}
	longest := slices.Max(b.Lengths)
	if longest >= farNarrow {
		return farWide, nil
	}
	// Distances within the limit plus a length stay below farNarrow.
	if s.limit < farNarrow-longest {
		return farNarrow, nil
	}
	if b.Directed() || s.limit < farNarrow {
		return farWide, nil
	}
	// Between any two vertices of an undirected block a path leads through vertex 0, so distances are at most twice those from it.
	if err := s.near.search(ctx, &b.Graph, 0, s.limit); err != nil {
		return 0, err
	}
	last := s.near.order[len(s.near.order)-1]
	if len(s.near.order) < b.Vertices() || s.near.distance[last] >= farNarrow/2 {
		return farWide, nil
	}
	return farNarrow, nil
}
