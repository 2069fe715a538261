package preprocess

import (
	"cmp"
	"context"

	"bcstage/internal/parallel"
)

// Within a short Cutoff, the searches of a batch share a vertex if their sources are near it. Equal distances from
// everything else do not help. In a shallow block paths of a few edges lead over hubs, so sources are sorted by their
// hubs. The hub of a vertex is its neighbour of highest degree, or itself, and a hub has a hub again. Against the
// order by landmarks, a batch of PGP's shape has 0.62 times as many frontier entries within 3 edges and 0.74 within 4.
// For ca-GrQc these are 0.73 and 0.73, for ca-CondMat 0.61 and 0.69, for wiki-Vote 0.89 within 3. Finding the hubs
// needs no measurement.

// hubSteps is the number of hubs by which sources are compared.
const hubSteps = 3

// nearHubs reports whether sources are sorted by their hubs: in a shallow block whose paths end before they reach most
// vertices. Beyond two thirds of the depth, landmarks order better.
func (b *Block) nearHubs() bool {
	if b.Cutoff == 0 || b.Lengths != nil {
		return false
	}
	depth := b.Depth()
	return depth <= shallow && 3*b.Cutoff <= 2*depth
}

// orderByHubs sets the block's Sources and Entries. The only error is the context's.
func (b *Block) orderByHubs(ctx context.Context, lanes int) error {
	hub := make([]uint32, b.Vertices())
	for v := range parallel.Until(ctx, len(hub)) {
		best, most := uint32(v), len(b.Neighbours(uint32(v)))
		for _, u := range b.Neighbours(uint32(v)) {
			if degree := len(b.Neighbours(u)); degree > most || degree == most && u < best {
				best, most = u, degree
			}
		}
		hub[v] = best
	}
	hubs := func(v uint32) (list [hubSteps]uint32) { // the farthest first
		for i := range list {
			v = hub[v]
			list[hubSteps-1-i] = v
		}
		return list
	}
	b.Entries = b.Vertices() * min(lanes, b.Cutoff+1) // a level each, and one for the sources
	return parallel.SortUntil(ctx, b.Sources, func(u, v uint32) int {
		x, y := hubs(u), hubs(v)
		for i := range x {
			if x[i] != y[i] {
				return cmp.Compare(x[i], y[i])
			}
		}
		return cmp.Compare(u, v)
	})
}
