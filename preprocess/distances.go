package preprocess

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"

	"bcstage/preprocess/question"
)

// What distances alone are made of, farness, harmonic centrality and
// eccentricity, is searched for in whole components: no reduction fits all of
// them, and none is needed, since such a search keeps one bit per vertex and
// source where counting paths keeps a number; by lengths, a row of distances. In an
// undirected graph the distance from a source is the distance to it, so that what a
// vertex is met by is what it reaches: no source keeps a sum of its own.
//
// Where paths begin at some vertices and end at some, a vertex where they end has
// the distances from those where they begin: only these are searched from, and only
// those have numbers. Of the other way round in directed graphs it is the reverse. Where
// vertices that have numbers are far fewer, Block.Own, they are searched from, and each source keeps
// sums of its own.

const (
	// DistanceLanes is how many sources share a row of bits: those of a cache line.
	DistanceLanes = 512
	// ownBlock is the number of vertices from which on a component is a block of its
	// own: its searches end early, where all sources are met. Smaller ones share
	// a block, and so the batches.
	ownBlock = 256
	// manyDistanceRows is how many rows of sources a block has, at least, before a batch
	// holds more than one of them. Then the sums of a batch are few beside its work.
	manyDistanceRows = 48
	// mostDistanceRows of a batch: with more, Found.Harmonic of a vertex that is next to
	// every source would not fit.
	mostDistanceRows = mostFound / DistanceLanes
	// smallByLength is how many vertices of small components share a block where edges
	// have lengths: every sixteen sources look at all vertices of theirs.
	smallByLength = 1 << 10
	// fewOwn is how many times as many vertices count, at least, as have numbers where these
	// are searched from: finding out by source what is found takes longer than by vertex.
	fewOwn = 8
)

// layDistances makes the blocks that are searched for distances.
func (r *reducer) layDistances(ctx context.Context, _ []int64) error {
	w := r.whole
	r.whole = nil
	if w == nil {
		return nil
	}
	if r.opts.Fits != nil {
		if err := r.opts.Fits(ReduceBytes(r.plan.Vertices, r.plan.Edges) + distanceBytes(r.graph)); err != nil {
			return err
		}
	}
	number := make([]uint32, r.graph.Vertices())
	if r.cutoff == 0 {
		return nil // nothing is as near
	}
	var small []uint32
	for i := range len(w.roots) - 1 {
		list := w.component(i)
		if len(list) < ownBlock {
			if r.graph.Lengths != nil && len(small)+len(list) > smallByLength {
				if err := r.layBlocks(ctx, small, number); err != nil {
					return err
				}
				small = nil
			}
			small = append(small, list...)
			continue
		}
		if err := r.layComponent(ctx, list, number); err != nil {
			return err
		}
	}
	if len(small) == 0 {
		return nil
	}
	return r.layBlocks(ctx, small, number)
}

// layComponent makes a block of one component, whose vertices are in breadth-first
// order. A vertex is visited in every level in which some source of a row meets
// it. Where distances are long, sources had better be near to one another, in all
// directions; where they are short, hubs had better be close together in memory.
func (r *reducer) layComponent(ctx context.Context, list, number []uint32) error {
	if r.graph.In != nil || r.graph.Lengths != nil {
		return r.layBlocks(ctx, list, number)
	}
	b, err := r.layBlock(ctx, r.graph, list, number, false)
	if err != nil {
		return err
	}
	if laid, err := r.layRoads(ctx, &b, list, number); laid || err != nil {
		return err
	}
	if len(b.Sources) <= DistanceLanes { // one row, which takes less long than to find another order
		r.wanted(&b)
		return nil
	}
	var order []uint32
	isShallow := b.Depth() <= shallow
	if isShallow {
		order = byDegree(&b.Graph)
	} else if order, err = nearby(ctx, &b.Graph); err != nil {
		return err
	}
	for i, v := range order {
		order[i] = list[v]
	}
	if b, err = r.layBlock(ctx, r.graph, order, number, false); err != nil {
		return err
	}
	if isShallow {
		b.sortByMeeting()
	}
	r.wanted(&b)
	return nil
}

// layBlocks makes the block of whole components whose vertices are listed: of a
// directed graph, one for each way that the question is about.
func (r *reducer) layBlocks(ctx context.Context, list, number []uint32) error {
	b, err := r.layBlock(ctx, r.graph, list, number, false)
	if err != nil {
		return err
	}
	if r.graph.In == nil {
		r.wanted(&b)
		return nil
	}
	out, err := r.layBlock(ctx, r.graph.In, list, number, true)
	if err != nil {
		return err
	}
	there, back := b.Graph, out.Graph
	out.In, b.In = &there, &back
	for _, b := range []*Block{&b, &out} {
		if b.Own {
			against := b.Graph
			against.In = nil
			b.Graph, b.In = *b.In, &against
		}
	}
	for _, m := range r.opts.Question.Sums() {
		switch {
		case m.Search != question.Distances:
		case strings.HasSuffix(m.Name, question.Out):
			r.wanted(&out)
		default:
			r.wanted(&b)
		}
	}
	return nil
}

// wanted adds a block that is not among the last two yet, if it has ends.
func (r *reducer) wanted(b *Block) {
	blocks := r.plan.Blocks
	if len(b.Sources) == 0 || b.counted != nil && !slices.Contains(b.counted, true) {
		return
	}
	for _, other := range blocks[max(len(blocks)-2, 0):] {
		if other.Distances && other.Outward == b.Outward && &other.vertices[0] == &b.vertices[0] {
			return
		}
	}
	r.plan.Blocks = append(blocks, *b)
}

// distanceBytes is the memory of the blocks of a graph.
func distanceBytes(g *Graph) int64 {
	bytes := 24*int64(g.Vertices()) + 4*int64(len(g.Targets))
	bytes += 8 * int64(len(g.Lengths))
	if g.In != nil {
		bytes *= 2 // either way
	}
	return bytes
}

// byDegree lists the vertices of a graph by falling degree.
func byDegree(g *Graph) []uint32 {
	order := make([]uint32, g.Vertices())
	for v := range order {
		order[v] = uint32(v)
	}
	degree := func(v uint32) int64 { return g.Offsets[v+1] - g.Offsets[v] }
	slices.SortStableFunc(order, func(u, v uint32) int { return cmp.Compare(degree(v), degree(u)) })
	return order
}

// sortByMeeting puts the sources of a connected block in breadth-first order from its first vertex.
func (b *Block) sortByMeeting() {
	among, met := make([]bool, b.Vertices()), make([]bool, b.Vertices())
	for _, v := range b.Sources {
		among[v] = true
	}
	order := make([]uint32, 1, b.Vertices())
	met[0] = true
	for head := 0; head < len(order); head++ {
		for _, v := range b.Neighbours(order[head]) {
			if !met[v] {
				met[v] = true
				order = append(order, v)
			}
		}
	}
	b.Sources = slices.DeleteFunc(order, func(v uint32) bool { return !among[v] })
}

// layBlock makes a block of whole components of a graph, or of the other way round,
// outward, whose vertices are listed. number is room for a number per graph vertex.
func (r *reducer) layBlock(ctx context.Context, g *Graph, list, number []uint32, outward bool) (Block, error) {
	n := len(list)
	b := Block{Distances: true, Outward: outward, vertices: list, Sources: make([]uint32, n)}
	if r.cutoff != noCutoff {
		b.Cutoff = int(r.cutoff)
	}
	b.Offsets = make([]int64, n+1)
	for i, v := range list {
		number[v] = uint32(i)
		b.Sources[i] = uint32(i)
		b.Offsets[i+1] = b.Offsets[i] + int64(len(g.Neighbours(v)))
	}
	r.chooseEnds(&b)
	b.Lanes = distanceLanes(len(b.Sources), r.opts.Lanes)
	if r.graph.In == nil && b.Cutoff == 0 {
		b.Reach = make([]uint32, n)
		for i, v := range list {
			b.Reach[i] = r.size[v] - 1
		}
	}
	b.Targets = make([]uint32, b.Offsets[n])
	width := bits.Len(uint(n))
	err := spread(ctx, r.opts.Threads, n, 1<<12, func(lo, hi int) {
		first, at := b.Offsets[lo], b.Offsets[lo]
		for _, v := range list[lo:hi] {
			for _, u := range g.Neighbours(v) {
				b.Targets[at] = number[u]
				at++
			}
		}
		sortRows(ctx, b.Offsets[lo:hi+1], b.Targets[first:at], width)
	})
	if g.Lengths != nil && err == nil {
		b.Lanes = lengthLanes(n, slices.Max(g.Lengths), r.opts.Lanes)
		err = b.Graph.inherit(ctx, g, list, r.opts.Threads)
	}
	return b, err
}

// chooseEnds leaves the block those sources that paths begin at, and says who has
// numbers of its own; of one whose arcs were turned round, they are who paths end at,
// and begin at. Where far fewer have numbers, they change places.
func (r *reducer) chooseEnds(b *Block) {
	q := r.opts.Question
	begin, end := r.opts.Sources, r.opts.Targets
	some := [2]bool{q.Sources != (question.Set{}), q.Targets != (question.Set{})}
	if b.Outward {
		begin, end = end, begin
		some[0], some[1] = some[1], some[0]
	}
	of := func(some bool, list []uint32) (among []bool, count int) {
		if !some {
			return nil, len(b.vertices)
		}
		among = make([]bool, len(b.vertices))
		for local, v := range b.vertices {
			if _, among[local] = slices.BinarySearch(list, v); among[local] {
				count++
			}
		}
		return among, count
	}
	begins, sources := of(some[0], begin)
	ends, numbers := of(some[1], end)
	if b.Own = fewOwn*numbers <= sources && r.fitsOwn(len(b.vertices)); b.Own {
		begins, ends = ends, begins
	}
	if begins != nil {
		b.Sources = slices.DeleteFunc(b.Sources, func(v uint32) bool { return !begins[v] })
	}
	b.counted = ends
}

// fitsOwn says whether all distances from a vertex of so many add up to less than 2^63.
func (r *reducer) fitsOwn(vertices int) bool {
	if r.graph.Lengths == nil {
		return true
	}
	n := int64(vertices)
	return n*n <= math.MaxInt64/slices.Max(r.graph.Lengths)
}

// arrangeDistances puts the sources of a block whose arcs have lengths in an order in
// which those of a batch are near to one another.
func (b *Block) arrangeDistances(ctx context.Context, threads int) error {
	if b.Vertices() <= smallByLength || len(b.Sources) <= b.Lanes {
		return nil
	}
	among := make([]bool, b.Vertices())
	for _, v := range b.Sources {
		among[v] = true
	}
	both := Block{Graph: b.Graph}
	arrange := func() error { return both.arrange(ctx, b.Lanes, threads) }
	if b.In != nil {
		both.Lanes = b.Lanes
		arrange = func() error { return both.arrangeShadow(ctx, threads) }
	}
	if err := arrange(); err != nil {
		return err
	}
	b.Sources = slices.DeleteFunc(both.Sources, func(v uint32) bool { return !among[v] })
	return nil
}

// lengthLanes is how many sources make a batch where the longest arc has some length:
// few enough for the sum of their distances to a vertex to fit 64 bits. No path is of
// 2^62.
func lengthLanes(vertices int, longest int64, lanes int) int {
	if lanes == 0 {
		lanes = MaxLanes
	}
	for lanes > 4 && int64(vertices)*int64(lanes) > math.MaxInt64/longest {
		lanes /= 2
	}
	return lanes
}

// distanceLanes is how many sources make a batch, where another search would
// have so many lanes as were asked for, 0 leaving the choice open.
func distanceLanes(vertices, lanes int) int {
	if lanes > 0 && lanes < MaxLanes {
		return lanes * (DistanceLanes / MaxLanes)
	}
	rows := vertices / DistanceLanes / manyDistanceRows
	return DistanceLanes * min(max(rows, 1), mostDistanceRows)
}
