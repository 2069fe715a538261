package cpu

import (
	"context"

	"bcstage/preprocess"
)

// ReferenceDistances is the distance from a source to each vertex along the arcs of
// a graph without lengths, by breadth-first search: 0 where there is no way, and for
// the source.
func ReferenceDistances(ctx context.Context, g *preprocess.Graph, source uint32) ([]uint64, error) {
	const interval = 1 << 14
	distance := make([]uint64, g.Vertices())
	queue := []uint32{source}
	for head := 0; head < len(queue); head++ {
		if head%interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u := queue[head]
		for _, v := range g.Neighbours(u) {
			if v != source && distance[v] == 0 {
				distance[v] = distance[u] + 1
				queue = append(queue, v)
			}
		}
	}
	return distance, nil
}
