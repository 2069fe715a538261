package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/parallel"
)

// Twins of equal masses, for a question about edges. A search of one twin gives the results of all. So each
// member has an equal share of the flow over the arcs from one class to another: the flow of Flows between two
// classes, divided by the number of edges.
//
// The search leaves out pairs within a class of m members, with From f and To t each. The arc between two true
// twins carries only their own paths, 2ft in ordered pairs. False twins have as many paths as common
// neighbours, D. So the edge from a member to one of these carries
//
//	2 * (m-1) * f * t / D
//
// that is, Block.within twice, over m*D. The neighbours may be twins themselves.

// joinedEdges adds the closed forms of the edges between true twins. like is, by vertex, the smallest vertex of
// its class.
func (r *reducer) joinedEdges(b *Block, like []uint32) {
	closed := r.edgeForms()
	if !closed.Some() || r.cutoff == 0 {
		return
	}
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			if u > v && like[u] == like[v] {
				closed.Add(numberIn(r.edges, b, v, u), 2*int64(b.From[v]), int64(b.To[v]))
			}
		}
	}
}

// shareFlows lists all edges that the numbers of Flows stand for, in blocks that have classes; before, each
// number has only its first edge. Numbers of one edge come first, in their order.
func (r *reducer) shareFlows(ctx context.Context) error {
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if !b.HasFlows() || b.classes == nil {
			continue
		}
		if err := r.shareFlowsOf(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (r *reducer) shareFlowsOf(ctx context.Context, b *Block) error {
	f := b.Flows
	ends := make([][2]uint32, len(f.Edges)) // by number: the classes
	for v := range parallel.Until(ctx, uint32(b.Vertices())) {
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			ends[f.Of[e]] = [2]uint32{v, b.Targets[e]}
		}
	}
	renumbered, first, edges := make([]uint32, len(ends)), make([]uint32, 1, len(ends)+1), make([]uint32, 0, len(ends))
	for _, several := range []bool{false, true} {
		for number, ends := range parallel.Over(ctx, ends) {
			some, others := b.members(ends[0]), b.members(ends[1])
			if several != (len(some)*len(others) > 1) {
				continue
			}
			renumbered[number] = uint32(len(first) - 1)
			if !several {
				edges = append(edges, f.Edges[number])
			} else {
				for _, x := range some {
					for _, y := range others {
						edges = append(edges, r.edges.Number(x, y))
					}
				}
			}
			first = append(first, uint32(len(edges)))
		}
		if !several {
			f.alone = len(edges)
		}
	}
	for e, number := range parallel.Over(ctx, f.Of) {
		f.Of[e] = renumbered[number]
	}
	f.First, f.Edges = first, edges
	return ctx.Err()
}

// EdgeScores maps a result to the edges of the graph, for a question about edges. It returns graph edges, the
// score of each, and the edges that have one, if known; nil: any may have one. EachShare returns the rest,
// which edges share.
func (b *Block) EdgeScores(of *engine.Result) (edges []uint32, scores []float64, at []uint32) {
	f := b.Flows
	switch {
	case f == nil:
		return b.Middles, of.Scores[b.Vertices()-len(b.Middles):], nil
	case f.First == nil:
		return f.Edges, of.Flows, of.FlowsAt
	}
	if at = of.FlowsAt; at != nil {
		at = at[:f.aloneOf(at)]
	}
	return f.Edges[:f.alone], of.Flows[:f.alone], at
}

// aloneOf returns how many of the ascending numbers are of one edge.
func (f *Flows) aloneOf(at []uint32) int {
	count, _ := slices.BinarySearch(at, uint32(f.alone))
	return count
}

// EachShare returns the rest of the edge scores for a block with classes of twins. It calls add for graph edges
// and the result's value of each of them, and for the edges to the vertices between false twins among the
// sources of the batches. It may call add more than once for an edge.
func (b *Block) EachShare(batches []engine.Batch, of *engine.Result, add func(edges []uint32, value float64)) {
	f := b.Flows
	if f == nil || f.First == nil {
		return
	}
	edges := func(number uint32) []uint32 { return f.Edges[f.First[number]:f.First[number+1]] }
	share := func(number uint32) {
		list, value := edges(number), of.Flows[number]
		if f.Inside == nil {
			value /= float64(len(list))
		}
		add(list, value)
	}
	if of.FlowsAt != nil {
		for _, number := range of.FlowsAt[f.aloneOf(of.FlowsAt):] {
			share(number)
		}
	} else {
		for number := f.alone; number < f.Count(); number++ {
			share(uint32(number))
		}
	}
	if b.within == nil {
		return
	}
	for _, s := range b.known(batches) {
		if b.within[s] == 0 {
			continue
		}
		value := 2 * b.within[s] / (float64(b.around(s)) * float64(len(b.members(s))))
		for e := b.Offsets[s]; e < b.Offsets[s+1]; e++ {
			add(edges(f.Of[e]), value)
		}
	}
}
