package preprocess

import (
	"context"

	"bcstage/internal/csr"
)

// streets reports whether an undirected block has lengths and at least half of its vertices have two neighbours. Within a
// Cutoff, cores then pass these in one step. Vertices with one neighbour do not count: of power and ca-GrQc, a quarter has one.
func (b *Block) streets() bool {
	if !b.HasLengths() || b.Directed() {
		return false
	}
	inner := 0
	for v := range uint32(b.Vertices()) {
		if len(b.Neighbours(v)) == 2 {
			inner++
		}
	}
	return 2*inner >= b.Vertices()
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
	order, cutter := csr.Ascending(g.Vertices()), newCutter(of)
	cutter.points = fewStreets
	if err := cutter.cut(ctx, order, batchCount(b.Vertices(), lanes), threads); err != nil {
		return err
	}
	b.Sources, b.Entries = b.beginners(chains.Renumber(order).Sources()), b.Vertices()*min(lanes, b.Cutoff+1)
	return nil
}
