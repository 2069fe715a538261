package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
)

// Pair returns the plan for pairs of a block's vertices. The plan itself is unchanged.
// The only error is the context's.
func (p *Plan) Pair(ctx context.Context, block, threads int) (*Plan, error) {
	q, b := *p, &p.Blocks[block]
	first, end := p.BatchesOf(block)
	d := &draws.Paired{Block: block, First: first, End: end, Vertices: b.Vertices()}
	d.From, d.To = b.Pairs()
	depth, err := b.Diameter(ctx, threads)
	if d.Longest = max(min(depth-1, b.Vertices()-2), 0); b.HasFlows() {
		d.Edges = b.Flows.Count()
		d.Longest += d.Longest + 1
	}
	q.Paired = d
	return &q, err
}

// Pairs returns two factors of the largest sum that pairs of the block can have over a vertex: the sums of its masses, and
// the second times the largest share of a Decay. With trips they are all of these, and 1.
func (b *Block) Pairs() (from, to float64) {
	if b.HasTrips() {
		for _, x := range b.Waived {
			from -= x.Mass // whole numbers
		}
		return from, 1
	}
	from, to = b.Masses()
	if b.Decay != nil && b.Decay.most > 0 {
		to *= b.Decay.most
	}
	return from, to
}

// Counts reports whether a drawn pair at a distance counts: always or, with a Decay, with the probability of its share by
// the largest. at is a random number from 0 to 1.
func (d *decay) Counts(distance int64, at float64) bool {
	return at*d.most < d.Share(distance)
}

// Masses sums the masses of the block's vertices.
func (b *Block) Masses() (from, to float64) {
	for _, mass := range b.From {
		from += mass
	}
	if b.OneMass() {
		return from, from
	}
	for _, mass := range b.To {
		to += mass
	}
	return from, to
}

// BatchesOf returns where the batches of a block are, which follow each other: first..end-1.
func (p *Plan) BatchesOf(block int) (first, end int) {
	of := func(batch engine.Batch) bool { return batch.Block == block }
	first = max(slices.IndexFunc(p.Batches, of), 0)
	for end = first; end < len(p.Batches) && of(p.Batches[end]); end++ {
	}
	return first, end
}

// CountedEdges returns the graph's edges in the block, ascending, and the places of their counts on drawn paths: that of
// a middle, or behind the local vertices the number of Flows. None: the question is not about edges.
func (b *Block) CountedEdges() (edges, places []uint32) {
	edges, first, f := b.Middles, b.Vertices()-len(b.Middles), b.Flows
	if f != nil {
		edges, first = f.Edges, b.Vertices()
	}
	sorted := make([]uint64, len(edges)) // edge, place
	for i, number := 0, 0; i < len(edges); i++ {
		if f == nil || f.First == nil {
			number = i
		} else if uint32(i) == f.First[number+1] {
			number++
		}
		sorted[i] = uint64(edges[i])<<32 | uint64(first+number)
	}
	slices.Sort(sorted)
	edges, places = make([]uint32, len(sorted)), make([]uint32, len(sorted))
	for i, x := range sorted {
		edges[i], places[i] = uint32(x>>32), uint32(x)
	}
	return edges, places
}

// Number returns the number in Flows of the arc from v to u.
func (b *Block) Number(v, u uint32) uint32 {
	at, _ := slices.BinarySearch(b.Neighbours(v), u)
	return b.Flows.Of[b.Offsets[v]+int64(at)]
}

// Unseen calls add for the vertices that lie between twins, which no search sees, with
// their shares of the ordered pairs of twins.
func (b *Block) Unseen(add func(vertex uint32, value float64)) {
	b.eachBetween([]engine.Batch{{Count: len(b.Sources)}}, func(_, vertices []uint32, values []float64) {
		for _, vertex := range vertices { // the members of one
			add(vertex, values[0])
		}
	})
}

// UnseenEdges does the same for edges.
func (b *Block) UnseenEdges(add func(edge uint32, value float64)) {
	none := engine.Result{FlowsAt: []uint32{}}
	b.EachShare([]engine.Batch{{Count: len(b.Sources)}}, &none, func(edges []uint32, value float64) {
		for _, edge := range edges {
			add(edge, value)
		}
	})
}
