package preprocess

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
)

// landmarks is how many distances describe a vertex.
const landmarks = 32

// distances holds how far a vertex is from each landmark. Distances above 65534
// count as 65534: they order sources, nothing else.
type distances [landmarks]uint16

// measureDistances measures the distances from landmarks.
func measureDistances(ctx context.Context, g *Graph, seed uint64) ([]distances, error) {
	from := drawLandmarks(g, seed)
	out := make([]distances, g.Vertices())
	return out, flood(ctx, g, &from, out)
}

// drawLandmarks draws landmarks at random, the end of a random arc each, since what a
// batch costs is a sum over arcs. Equal graphs and seeds give equal landmarks.
func drawLandmarks(g *Graph, seed uint64) (drawn [landmarks]uint32) {
	random := rand.New(rand.NewPCG(seed, uint64(len(g.Targets))))
	for i := range drawn {
		drawn[i] = g.Targets[random.IntN(len(g.Targets))]
	}
	return drawn
}

// flood fills in the distances from the landmarks, 0 where there is no way, in one
// search with a bit for each landmark (M. Then et al., "The more the merrier: efficient
// multi-source graph traversal", VLDB 2014).
func flood(ctx context.Context, g *Graph, from *[landmarks]uint32, out []distances) error {
	n := g.Vertices()
	seen, here, next := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	var frontier, coming []uint32
	for i, v := range from {
		if here[v] == 0 {
			frontier = append(frontier, v)
		}
		seen[v] |= 1 << i
		here[v] = seen[v]
	}
	for level := 1; len(frontier) > 0; level++ {
		for i, u := range frontier {
			if i%interval == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			bits := here[u]
			for _, v := range g.Neighbours(u) {
				if fresh := bits &^ seen[v]; fresh != 0 {
					if next[v] == 0 {
						coming = append(coming, v)
					}
					next[v] |= fresh
				}
			}
		}
		for _, u := range frontier {
			here[u] = 0
		}
		distance := uint16(min(level, math.MaxUint16-1))
		for _, v := range coming {
			seen[v] |= next[v]
			for fresh := next[v]; fresh != 0; fresh &= fresh - 1 {
				out[v][bits.TrailingZeros32(fresh)] = distance
			}
		}
		frontier, coming = coming, frontier[:0]
		here, next = next, here
	}
	return nil
}

// mean is the mean distance from the landmarks, rounded.
func (d *distances) mean() float32 {
	sum := uint32(landmarks / 2)
	for _, x := range d {
		sum += uint32(x)
	}
	return float32(sum / landmarks)
}

// along is how far along a direction the vertex lies: its distances, less their
// mean, tell it from others that may start earlier or later. Products are rounded,
// as in dot.
func (d *distances) along(mean float32, direction *[landmarks]float32) (sum float32) {
	for i, x := range d {
		sum += float32((float32(x) - mean) * direction[i])
	}
	return sum
}
