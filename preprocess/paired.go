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
	d.From, d.To = b.Masses()
	depth, err := b.Diameter(ctx, threads)
	d.Longest = max(min(depth-1, b.Vertices()-2), 0)
	q.Paired = d
	return &q, err
}

// Masses sums the masses of the block's vertices. With trips, from is all of them, and to is 1.
func (b *Block) Masses() (from, to float64) {
	if b.HasTrips() {
		for _, x := range b.Waived {
			from -= x.Mass // whole numbers
		}
		return from, 1
	}
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

// Unseen calls add for the vertices that lie between twins, which no search sees, with
// their shares of the ordered pairs of twins.
func (b *Block) Unseen(add func(vertex uint32, value float64)) {
	b.eachBetween([]engine.Batch{{Count: len(b.Sources)}}, func(_, vertices []uint32, values []float64) {
		for _, vertex := range vertices { // the members of one
			add(vertex, values[0])
		}
	})
}
