package textbook

import (
	"context"

	"bcstage/preprocess"
)

// Distances returns the distance from a source to each vertex along the arcs of
// a block, by the textbook's search. The unit is edges, or the unit of Lengths. The distance is 0
// for the source and where there is no path, or none within Block.Cutoff.
func Distances(ctx context.Context, b *preprocess.Block, source uint32) ([]uint64, error) {
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
