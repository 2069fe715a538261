package preprocess

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// Measures of distances alone (farness, harmonic centrality, eccentricity) are searched for in whole components. No
// reduction fits all of them, and none is needed: such a search keeps one bit per vertex and source where counting
// paths keeps a number; by lengths, a row of distances. In an undirected graph the distance from a source is the
// distance to it, so a vertex sums over the sources that meet it, and no source keeps a sum of its own.
//
// Where paths begin at some vertices and end at some, a vertex where they end has the distances from those where
// they begin. Only the latter are searched from, and only the former have numbers. In a directed graph turned round
// (Outward), the roles are exchanged. Where vertices that have numbers are far fewer (Block.Own), they are searched
// from, and each source keeps sums of its own.

const (
	// ownBlock is the number of vertices from which on a component is a block of its own: its searches end early,
	// when all sources are met. Smaller components share a block, and so the batches.
	ownBlock = 256
	// manyDistanceRows is the least number of rows of sources of a block before a batch holds more than one of them.
	// Then the sums of a batch are few beside its work.
	manyDistanceRows = 48
	// mostDistanceRows is the largest number of rows of a batch. With more, Found.Harmonic of a vertex next to every
	// source would overflow.
	mostDistanceRows = engine.MostFound / engine.DistanceLanes
	// sharedBlock is the largest number of vertices of small components that share a block: every batch visits all
	// vertices of its block; by lengths, every sixteen sources do.
	sharedBlock = 1 << 10
	// fewOwn is the least ratio of vertices that count to vertices that have numbers, for these to be searched from:
	// results by source take longer to find than by vertex.
	fewOwn = 8
)

// layDistances makes the blocks that are searched for distances.
func (r *reducer) layDistances(ctx context.Context, _ wholes.Forms) error {
	w := r.whole
	r.whole = nil
	if w == nil {
		return nil
	}
	laid := distanceBytes(r.graph)
	switch n := int64(r.plan.Vertices); {
	case r.graph.HasLengths(): // sources are ordered as those of a core's blocks are
		laid += coreVertexBytes * n
	case slices.ContainsFunc(w.depths, func(depth int) bool { return depth > shallow }):
		laid += roadVertexBytes * n
	}
	if err := r.fits(r.held() + laid); err != nil {
		return err
	}
	if r.cutoff == 0 {
		return nil // no other vertex is within the cutoff
	}
	number := make([]uint32, r.graph.Vertices())
	if len(r.graph.Lengths) > 0 {
		r.longest = slices.Max(r.graph.Lengths)
	}
	var small []uint32
	for i := range len(w.roots) - 1 {
		list := w.component(i)
		if len(list) < ownBlock {
			if len(small)+len(list) > sharedBlock {
				if err := r.layBlocks(ctx, small, number, r.oneWay(ctx, small)); err != nil {
					return err
				}
				small = nil
			}
			small = append(small, list...)
			continue
		}
		if err := r.layComponent(ctx, list, number, w.depths[i]); err != nil {
			return err
		}
	}
	if len(small) == 0 {
		return nil
	}
	return r.layBlocks(ctx, small, number, r.oneWay(ctx, small))
}

// layComponent makes a block of one component, whose vertices are in breadth-first order; depth is the distance of
// the last from the first. A vertex is visited in every level in which some source of a row meets it. Where
// distances are long, sources should be near one another, in all directions. Where they are short, hubs should be
// close together in memory.
func (r *reducer) layComponent(ctx context.Context, list, number []uint32, depth int) error {
	if oneWay := r.oneWay(ctx, list); oneWay || r.graph.HasLengths() {
		return r.layBlocks(ctx, list, number, oneWay)
	}
	isShallow := depth <= shallow
	var order []uint32
	if !isShallow || len(list) <= engine.DistanceLanes || chosenEnds(r.opts.Question) {
		b, err := r.layBlock(ctx, r.graph, list, number, false)
		if err != nil {
			return err
		}
		if laid, err := r.layRoads(ctx, &b, list, number, depth); laid || err != nil {
			return err
		}
		if len(b.Sources) <= engine.DistanceLanes { // one row: finding another order would take longer
			r.wanted(&b)
			return nil
		}
		if !isShallow {
			if order, err = csr.Nearby(ctx, &b.Graph, csr.ShortestRun); err != nil {
				return err
			}
			for i, v := range order {
				order[i] = list[v]
			}
		}
	}
	if isShallow {
		order = byDegree(r.graph, list)
	}
	b, err := r.layBlock(ctx, r.graph, order, number, false)
	if err == nil && isShallow {
		err = b.sortByMeeting(ctx)
	}
	if err == nil {
		r.wanted(&b)
	}
	return err
}

// oneWay reports whether distances from and to the vertices of whole components may differ. They do in a directed graph
// if an arc has no reverse as long, or if paths begin or end at some vertices only.
func (r *reducer) oneWay(ctx context.Context, list []uint32) bool {
	g := r.graph
	if !g.Directed() || chosenEnds(r.opts.Question) {
		return g.Directed()
	}
	for _, v := range parallel.Over(ctx, list) {
		if !g.TwoWay(v) {
			return true
		}
	}
	return false
}

// layBlocks makes the block of whole components whose vertices are listed. Where they are one-way it makes one for each
// direction that the question is about.
func (r *reducer) layBlocks(ctx context.Context, list, number []uint32, oneWay bool) error {
	b, err := r.layBlock(ctx, r.graph, list, number, false)
	if err != nil {
		return err
	}
	if !oneWay {
		r.wanted(&b)
		return nil
	}
	follow, err := r.mayFollow(ctx, list)
	if err != nil {
		return err
	}
	var components strong
	if follow || r.graph.HasLengths() {
		var find strongSearch
		if components, err = find.find(ctx, &b.Graph); err != nil {
			return err
		}
		if components.count == len(list) || !follow && !components.knotted(&b.Graph) {
			order := components.topological()
			for i, v := range order {
				order[i] = list[v]
			}
			list, components.of = order, nil
			if b, err = r.layBlock(ctx, r.graph, list, number, false); err != nil {
				return err
			}
		}
	}
	out, err := r.layBlock(ctx, r.graph.In, list, number, true)
	if err != nil {
		return err
	}
	there, back := b.Graph, out.Graph
	out.In, b.In = &there, &back
	for _, b := range []*Block{&b, &out} {
		if follow {
			if err := b.follow(ctx, components.of); err != nil {
				return err
			}
		}
		if b.Own {
			against := b.Graph
			against.In = nil
			b.Graph, b.In = *b.In, &against
		}
		b.Sources = slices.DeleteFunc(b.Sources, func(v uint32) bool { // others reach nothing, or follow a source
			return len(b.Neighbours(v)) == 0 || b.Follow() && b.follows[v]
		})
		if b.Follow() && !b.HasLengths() {
			b.Lanes = distanceLanes(len(b.Sources), r.opts.Lanes)
		}
	}
	for _, m := range r.opts.Question.Sums() {
		switch {
		case m.Search != measures.Distances:
		case strings.HasSuffix(m.Name, measures.Out):
			r.wanted(&out)
		default:
			r.wanted(&b)
		}
	}
	return nil
}

// wanted adds a block that has ends, unless it is among the last two.
func (r *reducer) wanted(b *Block) {
	blocks := r.plan.Blocks
	if len(b.Sources) == 0 || b.counted != nil && !slices.Contains(b.counted, true) {
		return
	}
	for _, other := range blocks[max(len(blocks)-2, 0):] {
		if other.Kind().Reach() && other.Outward == b.Outward && &other.vertices[0] == &b.vertices[0] {
			return
		}
	}
	if !b.Directed() && b.Cutoff == 0 {
		b.Reach = make([]uint32, len(b.vertices))
		for i, v := range b.vertices {
			b.Reach[i] = r.size[v] - 1
		}
	}
	r.plan.Blocks = append(blocks, *b)
}

// distanceBytes is the memory of the blocks of a graph.
func distanceBytes(g *csr.Graph) int64 {
	bytes := 24*int64(g.Vertices()) + 4*int64(len(g.Targets))
	bytes += 8 * int64(len(g.Lengths))
	if g.Directed() {
		bytes *= 2 // both ways
	}
	return bytes
}

// layBlock makes a block of whole components of a graph, whose vertices are listed, or with outward of the graph
// turned round. number is room for a number per graph vertex.
func (r *reducer) layBlock(ctx context.Context, g *csr.Graph, list, number []uint32, outward bool) (Block, error) {
	n := len(list)
	b := Block{Reaches: Reaches{Distances: true, Outward: outward}, names: names{vertices: list}, Sources: make([]uint32, n)}
	if r.cutoff != noCutoff {
		b.Cutoff = int(r.cutoff)
	}
	b.Offsets = make([]int64, n+1)
	for i, v := range parallel.Over(ctx, list) {
		number[v] = uint32(i)
		b.Sources[i] = uint32(i)
		b.Offsets[i+1] = b.Offsets[i] + int64(len(g.Neighbours(v)))
	}
	if err := r.chooseEnds(ctx, &b); err != nil {
		return Block{}, err
	}
	b.Lanes = distanceLanes(len(b.Sources), r.opts.Lanes)
	if g.HasLengths() {
		b.Lanes = lengthLanes(n, r.longest, r.opts.Lanes)
	}
	return b, b.layRows(ctx, g, list, number, r.opts.Threads)
}

// layRows writes the rows of the listed vertices of g, whose numbers in the block are known, with lengths if g has them.
func (b *Block) layRows(ctx context.Context, g *csr.Graph, list, number []uint32, threads int) error {
	n := len(list)
	b.Targets = make([]uint32, b.Offsets[n])
	width := bits.Len(uint(n))
	err := parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		first, at := b.Offsets[lo], b.Offsets[lo]
		for _, v := range list[lo:hi] {
			for _, u := range g.Neighbours(v) {
				b.Targets[at] = number[u]
				at++
			}
		}
		csr.SortRows(ctx, b.Offsets[lo:hi+1], b.Targets[first:at], width)
	})
	if g.HasLengths() && err == nil {
		err = b.Graph.Inherit(ctx, g, list, threads)
	}
	return err
}
