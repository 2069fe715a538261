package preprocess

import (
	"context"

	"bcstage/internal/csr"
)

// streets reports whether an undirected block has lengths and at most half of its vertices have more neighbours than two.
// Within a Cutoff, cores then pass the others in one step.
func (b *Block) streets() bool {
	if !b.HasLengths() || b.Directed() {
		return false
	}
	junctions := 0
	for v := range uint32(b.Vertices()) {
		if len(b.Neighbours(v)) > 2 {
			junctions++
		}
	}
	return 2*junctions <= b.Vertices()
}

// arrangeStreets orders the junctions by their distances from landmarks, as arrange orders all vertices. Each is followed
// by the chains that end there.
func (b *Block) arrangeStreets(ctx context.Context, lanes, threads int) error {
	chains, err := csr.WalkChains(ctx, &b.Graph, make([]bool, b.Vertices()))
	if err != nil || len(chains.Ends) == 0 || len(chains.Junctions)+len(chains.Inner) < b.Vertices() { // a cycle has no junctions
		return err
	}
	g := chains.Contract()
	of, err := measureDistances(ctx, g, 1)
	if err != nil {
		return err
	}
	order := csr.Ascending(g.Vertices())
	if err := newCutter(of).cut(ctx, order, batchCount(b.Vertices(), lanes), threads); err != nil {
		return err
	}
	b.Sources, b.Entries = b.beginners(chains.Renumber(order).Sources()), b.Vertices()*min(lanes, b.Cutoff+1)
	return nil
}
