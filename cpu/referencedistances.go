package cpu

import (
	"context"

	"bcstage/preprocess"
)

// ReferenceDistances is the distance from a source to each vertex along the arcs of
// a block, by the textbook's search, in edges or in what Lengths are multiples of: 0
// where there is no way, or none within Block.Cutoff, and for the source.
func ReferenceDistances(ctx context.Context, b *preprocess.Block, source uint32) ([]uint64, error) {
	paths := newPaths(b)
	if err := paths.search(ctx, b, source); err != nil {
		return nil, err
	}
	distance := make([]uint64, b.Vertices())
	for _, v := range paths.order {
		distance[v] = uint64(paths.distance[v])
	}
	return distance, nil
}
