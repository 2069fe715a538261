package preprocess

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
)

// A batch visits a vertex once for every level in which one of its sources has the
// vertex in the frontier: once for every distinct distance between the batch's
// sources and the vertex. So the sources of a batch should be equally far from each
// vertex or, since far-off sources may start earlier (Block.Farness), differ by the
// same number of levels everywhere. Being near one another is not enough: in a
// mesh, a run of breadth-first order is a long arc, seen from most sides at many
// distances.
//
// Therefore a vertex is a point whose coordinates are its distances from some
// landmarks, less their mean (a Lipschitz embedding). The points are halved until
// they are batches, each time across the direction in which they vary most (D.
// Boley, "Principal direction divisive partitioning", 1998). Then the starts of
// each batch are chosen.

const (
	// orderFrom is the number of batches from which on a block is ordered.
	orderFrom = 4
	// shallow is the distance up to which a block may have random long edges, so
	// that an order along the other edges is tried.
	shallow = 16
	// manyEdges is the number of directed edges from which on a shallow block keeps
	// breadth-first order, which is as good as any there. Measuring distances would
	// take longer than all the rest of Reduce.
	manyEdges = 1 << 23
	// crowded is the number of vertices per source of a batch from which on landmarks order the sources within a
	// Cutoff, too. Fewer are shared by near sources only, and measuring distances would take longer than the
	// searches. Measured: docs/decisions/033-sources-within-a-cutoff.md.
	crowded = 24
)

// arrange sets the block's Sources, Farness and Entries such that a batch, of at
// most lanes sources, shares many levels. A block of few batches keeps vertex
// order.
func (b *Block) arrange(ctx context.Context, lanes, threads int) error {
	n := b.Vertices()
	b.Sources = b.beginners(b.every())
	count := len(b.Sources)
	if count < orderFrom*lanes {
		b.Entries = n * min(lanes, n)
		return nil
	}
	if b.nearHubs() {
		return b.orderByHubs(ctx, lanes)
	}
	if b.Cutoff > 0 { // batches in vertex order reach more than those of either order
		if err := b.measureBall(ctx); err != nil {
			return err
		}
		if b.Local() && b.Ball.Streets {
			return b.arrangeStreets(ctx, lanes, threads)
		}
		if b.Local() && b.Ball.Mean < float64(crowded*lanes) {
			order, err := csr.Nearby(ctx, &b.Graph, lanes)
			b.Sources, b.Entries = b.beginners(order), n*min(lanes, b.Cutoff+1)
			return err
		}
	}
	if len(b.Targets) >= manyEdges {
		if depth := b.Depth(); depth <= shallow/2 {
			b.Entries = n * depth
			return nil
		}
	}
	var knitting errgroup.Group
	defer knitting.Wait()
	var order []uint32
	startKnitting := func() {
		knitting.Go(func() (err error) { order, err = knit(ctx, &b.Graph); return err })
	}
	early := threads > 1 && len(b.Targets) > 4*n // so many edges make a block shallow, most likely
	if early {
		startKnitting()
	}
	of, err := measureDistances(ctx, &b.Graph, 1)
	if err != nil {
		return err
	}
	batches := batchCount(count, lanes)
	if err := newCutter(of).cut(ctx, b.Sources, batches, threads); err != nil {
		return err
	}
	cut, err := align(ctx, of, b.Sources, batches, threads)
	if err != nil {
		return err
	}
	b.Farness, b.Entries = cut.farness, cut.entries(n)
	if deepest(of) > shallow {
		return nil
	}
	if !early {
		startKnitting()
	}
	if err := knitting.Wait(); err != nil {
		return err
	}
	order = b.beginners(order)
	knitted, err := align(ctx, of, order, batches, threads)
	if knitted.levels < cut.levels {
		b.Sources, b.Farness, b.Entries = order, knitted.farness, knitted.entries(n)
	}
	return err
}

// arrangeAlone keeps vertex order, and reports that, if cores search from one source at a time, which no order
// speeds up.
func (b *Block) arrangeAlone(ctx context.Context) (bool, error) {
	b.Sources = b.beginners(b.every())
	if b.Cutoff == 0 || len(b.Sources) < orderFrom*b.Lanes || b.Decay != nil || !b.single() {
		return false, nil
	}
	b.Entries = b.Vertices() * min(b.Lanes, b.Cutoff+1) // a level each, and one for the sources
	err := b.measureSharing(ctx)
	return b.Ball.Alone, err
}

// Depth returns the largest distance from vertex 0, in edges of either direction, in a
// block as Reduce leaves it. Its vertices are in breadth-first order, so the first
// neighbour of each is nearer, and the last vertex is the farthest.
func (b *Block) Depth() (levels int) {
	for v := uint32(b.Vertices() - 1); v > 0 && levels < b.Vertices(); levels++ {
		first := v
		for _, row := range [][]uint32{b.Neighbours(v), b.Reverse().Neighbours(v)} {
			if len(row) > 0 {
				first = min(first, row[0])
			}
		}
		v = first
	}
	return levels
}

// deepest is the largest distance.
func deepest(of []distances) uint16 {
	largest := uint16(0)
	for v := range of {
		for _, d := range of[v] {
			largest = max(largest, d)
		}
	}
	return largest
}

// orderSources puts sources that share work next to each other, and sets the number
// of lanes.
func (b *Block) orderSources(ctx context.Context, opts Options) error {
	switch b.Kind() {
	case engine.KindLengthReach:
		return b.arrangeDistances(ctx, opts.Threads)
	case engine.KindReach, engine.KindChainReach:
		if b.Follow() && (b.Ascends() || b.In.Ascends()) { // walk acyclic-reach
			return b.arrangeDistances(ctx, opts.Threads)
		}
		return nil // they are in order already
	}
	b.Lanes = opts.Lanes
	if b.Kind().Chained() {
		b.Lanes = cmp.Or(b.Lanes, min(chainLanes, b.Vertices()))
		b.Sources = b.beginners(b.Chains.Sources())
		return nil
	}
	b.Lanes = cmp.Or(b.Lanes, chooseLanes(b.Vertices()))
	if alone, err := b.arrangeAlone(ctx); alone || err != nil {
		return err
	}
	switch {
	case b.Directed() && csr.NearlyAscends(&b.Graph):
		b.Entries = b.Vertices() * min(b.Lanes, shallow)
		return b.arrangeAcyclic(ctx, b.beginners(b.every()))
	case b.Directed() && b.HasLengths():
		return b.arrangeShadow(ctx, opts.Threads)
	case b.Directed():
		return b.arrangeDirected(ctx, b.Lanes, opts.Threads)
	}
	return b.arrange(ctx, b.Lanes, opts.Threads)
}
