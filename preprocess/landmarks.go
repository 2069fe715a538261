package preprocess

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// landmarks is the number of distances that describe a vertex.
const landmarks = 32

// distances are those of a vertex from each landmark; farthest stands for all larger ones.
// They order sources, and estimate how many levels batches share.
type distances [landmarks]uint16

const farthest = math.MaxUint16 - 1

// measureDistances measures the distances from landmarks.
func measureDistances(ctx context.Context, g *csr.Graph, seed uint64) ([]distances, error) {
	from := drawLandmarks(g, seed)
	out := make([]distances, g.Vertices())
	return out, flood(ctx, g, g.Reverse(), &from, out)
}

// drawLandmarks draws landmarks at random, the end of a random arc each, since the cost of
// a batch is a sum over arcs. Equal graphs and seeds give equal landmarks.
func drawLandmarks(g *csr.Graph, seed uint64) (drawn [landmarks]uint32) {
	random := rand.New(rand.NewPCG(seed, uint64(len(g.Targets))))
	for i := range drawn {
		drawn[i] = g.Targets[random.IntN(len(g.Targets))]
	}
	return drawn
}

// flood fills in the distances from the landmarks along the arcs of g, 0 where there is no
// path. It is one search with a bit for each landmark (M. Then et al., "The more the
// merrier: efficient multi-source graph traversal", VLDB 2014). back is g with every arc
// the other way round.
func flood(ctx context.Context, g, back *csr.Graph, from *[landmarks]uint32, out []distances) error {
	n := g.Vertices()
	f := flooding{seen: make([]uint32, n), here: make([]uint32, n), next: make([]uint32, n), coming: make([]uint32, 0, n)}
	frontier := make([]uint32, 0, n)
	for i, v := range from {
		if f.here[v] == 0 {
			frontier = append(frontier, v)
		}
		f.seen[v] |= 1 << i
		f.here[v] = f.seen[v]
	}
	for level := 1; len(frontier) > 0; level++ {
		arcs := int64(0)
		for _, u := range frontier {
			arcs += g.Offsets[u+1] - g.Offsets[u]
		}
		var err error
		if arcs > int64(len(g.Targets)/fewTold) {
			err = f.hear(ctx, back)
		} else {
			err = f.tell(ctx, g, frontier)
		}
		if err != nil {
			return err
		}
		for _, u := range frontier {
			f.here[u] = 0
		}
		distance := uint16(min(level, farthest))
		for _, v := range f.coming {
			f.seen[v] |= f.next[v]
			for fresh := f.next[v]; fresh != 0; fresh &= fresh - 1 {
				out[v][bits.TrailingZeros32(fresh)] = distance
			}
		}
		frontier, f.coming = f.coming, frontier[:0]
		f.here, f.next = f.next, f.here
	}
	return nil
}

// fewTold: where more than one in fewTold of the arcs leaves the frontier, it takes less
// time for all vertices to listen along all arcs, as listening has no branch that depends
// on data.
const fewTold = 5

// flooding is a search from the landmarks. Each has a bit by vertex: whether it has
// reached the vertex, reaches it in the current level, or will in the next.
type flooding struct {
	seen, here, next []uint32
	coming           []uint32 // the vertices of next
}

// tell finds the next level along the arcs from the frontier.
func (f *flooding) tell(ctx context.Context, g *csr.Graph, frontier []uint32) error {
	for i, u := range frontier {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		bits := f.here[u]
		for _, v := range g.Neighbours(u) {
			if fresh := bits &^ f.seen[v]; fresh != 0 {
				if f.next[v] == 0 {
					f.coming = append(f.coming, v)
				}
				f.next[v] |= fresh
			}
		}
	}
	return nil
}

// hear finds the next level along the arcs to the vertices that some landmark has not
// reached yet.
func (f *flooding) hear(ctx context.Context, back *csr.Graph) error {
	coming := f.coming[:len(f.seen)]
	count := 0
	for v, seen := range f.seen {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if seen == math.MaxUint32 {
			continue
		}
		heard := uint32(0)
		for _, u := range back.Neighbours(uint32(v)) {
			heard |= f.here[u]
		}
		fresh := heard &^ seen
		f.next[v], coming[count] = fresh, uint32(v)
		if fresh != 0 {
			count++
		}
	}
	f.coming = coming[:count]
	return nil
}

// mean returns the mean distance from the landmarks, rounded.
func (d *distances) mean() float32 {
	sum := uint32(landmarks / 2)
	for _, x := range d {
		sum += uint32(x)
	}
	return float32(sum / landmarks)
}

// along returns the vertex's position along a direction. The mean of its distances is
// subtracted, as sources may start earlier or later. Products are rounded, as in dot.
func (d *distances) along(mean float32, direction *[landmarks]float32) (sum float32) {
	for i, x := range d {
		sum += float32((float32(x) - mean) * direction[i])
	}
	return sum
}
