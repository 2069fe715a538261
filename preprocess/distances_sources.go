package preprocess

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/preprocess/question"
)

// Blocks that are searched for distances are searched from some of their vertices, in a given
// order, a batch at a time.

// chooseEnds keeps the sources of the block that paths begin at, and marks the vertices that have
// numbers of their own. In a block whose arcs were turned round, paths begin where they end in the
// graph. Where far fewer vertices have numbers, both change places. The only error is the
// context's.
func (r *reducer) chooseEnds(ctx context.Context, b *Block) error {
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
		for local, v := range parallel.Over(ctx, b.vertices) {
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
	return ctx.Err()
}

// fitsOwn reports whether the sum of all distances from a vertex, in a block of that many, is below
// 2^63.
func (r *reducer) fitsOwn(vertices int) bool {
	if !r.graph.HasLengths() {
		return true
	}
	n := int64(vertices)
	return n*n <= math.MaxInt64/r.longest
}

// arrangeDistances orders the sources of a block whose arcs have lengths, such that those of a
// batch are near one another.
func (b *Block) arrangeDistances(ctx context.Context, threads int) error {
	if b.Vertices() <= sharedBlock || len(b.Sources) <= b.Lanes {
		return nil
	}
	if b.Directed() && (csr.NearlyAscends(&b.Graph) || csr.NearlyAscends(b.In)) {
		return b.arrangeAcyclic(ctx, b.Sources)
	}
	among := make([]bool, b.Vertices())
	for _, v := range b.Sources {
		among[v] = true
	}
	both := Block{Graph: b.Graph}
	arrange := func() error { return both.arrange(ctx, b.Lanes, threads) }
	if b.Directed() {
		both.Lanes = b.Lanes
		arrange = func() error { return both.arrangeShadow(ctx, threads) }
	}
	if err := arrange(); err != nil {
		return err
	}
	b.Sources = slices.DeleteFunc(both.Sources, func(v uint32) bool { return !among[v] })
	return nil
}

// lengthLanes is the number of sources of a batch, given the length of the longest arc: few enough
// for the sum of their distances to a vertex to fit 64 bits. No path is as long as 2^62.
func lengthLanes(vertices int, longest int64, lanes int) int {
	lanes = cmp.Or(lanes, engine.MaxLanes)
	for lanes > 4 && int64(vertices)*int64(lanes) > math.MaxInt64/longest {
		lanes /= 2
	}
	return lanes
}

// distanceLanes is the number of sources of a batch, given the lanes asked for in other searches; 0
// leaves the choice open.
func distanceLanes(vertices, lanes int) int {
	if lanes > 0 && lanes < engine.MaxLanes {
		return lanes * (engine.DistanceLanes / engine.MaxLanes)
	}
	rows := vertices / engine.DistanceLanes / manyDistanceRows
	return engine.DistanceLanes * min(max(rows, 1), mostDistanceRows)
}

// byDegree lists vertices by falling degree, those of one degree in the given order.
func byDegree(g *csr.Graph, list []uint32) []uint32 {
	return slices.SortedStableFunc(slices.Values(list), func(u, v uint32) int {
		return cmp.Compare(len(g.Neighbours(v)), len(g.Neighbours(u)))
	})
}

// sortByMeeting puts the sources of a connected block in breadth-first order from its first vertex.
// The only error is the context's.
func (b *Block) sortByMeeting(ctx context.Context) error {
	among, met := make([]bool, b.Vertices()), make([]bool, b.Vertices())
	for _, v := range b.Sources {
		among[v] = true
	}
	met[0] = true
	order, err := b.BreadthFirst(ctx, make([]uint32, 1, b.Vertices()), met)
	b.Sources = slices.DeleteFunc(order, func(v uint32) bool { return !among[v] })
	return err
}
