package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// numberIn returns the number of the edge along an arc of a block, given by local vertices. Where these stand
// for classes, it is the edge between their first members.
func numberIn(l *building.EdgeList, b *Block, u, v uint32) uint32 {
	if b.turned {
		u, v = v, u
	}
	return l.Number(b.members(u)[0], b.members(v)[0])
}

// foldedEdges adds the closed forms of the edges along which vertices folded, where all pairs count. Let w be
// the weight of the part that hangs on such an edge, and N the size of the component. The edge separates w
// vertices from N-w, 2w(N-w) ordered pairs.
func (r *reducer) foldedEdges(ctx context.Context, f *folding) error {
	closed := r.edgeForms()
	if !closed.Some() {
		return nil
	}
	for i, u := range parallel.Over(ctx, f.order) {
		if v := f.into[i]; u != v {
			closed.Add(r.edges.Number(u, v), 2*int64(f.weight[u]), int64(r.size[u]-f.weight[u]))
		}
	}
	return ctx.Err()
}

// edges is foldedEdges where there are two masses. An arc from u to v has the source mass that reaches u on
// u's side of it, times the target mass that v reaches on its side. The masses in and out are those of
// unfold, beyond the arc.
func (m *masses) edges(ctx context.Context, f *folding, in, out []int64, l *building.EdgeList, closed wholes.Forms) error {
	if !closed.Some() {
		return nil
	}
	for i, u := range parallel.Over(ctx, f.order) {
		v := f.into[i]
		if m.arcs[i]&arcIn != 0 {
			closed.Add(l.Number(u, v), m.from[u], out[u])
		}
		if m.arcs[i]&arcOut != 0 {
			closed.Add(l.Number(v, u), in[u], m.to[u])
		}
	}
	return ctx.Err()
}

// cliqueEdges adds the closed forms of the edges of a clique: the paths that begin at one end and end at the
// other.
func (r *reducer) cliqueEdges(ctx context.Context, e outline) error {
	closed := r.edgeForms()
	if !closed.Some() || r.cutoff == 0 {
		return nil
	}
	k := r.copier
	members := slices.Concat([]uint32{k.head[e.block]}, k.members[k.first[e.block]:k.first[e.block+1]])
	from, to := r.massesOf(e, members)
	for i, u := range members {
		if ctx.Err() != nil { // cliques may be large
			return ctx.Err()
		}
		for j, v := range members {
			u, v := r.core.vertex[u], r.core.vertex[v]
			if i != j && (!r.graph.Directed() || r.graph.Arc(u, v)) {
				closed.Add(r.edges.Number(u, v), from[i], to[j])
			}
		}
	}
	return nil
}

// massesOf are those of a block's core vertices, the head first.
func (r *reducer) massesOf(e outline, members []uint32) (from, to []int64) {
	if r.plan.Blocks != nil {
		return r.copier.massesOf(&r.plan.Blocks[e.place], members)
	}
	from = append(from, int64(r.copier.headWeight(e.block)))
	for _, v := range members[1:] {
		from = append(from, int64(r.copier.beyond[v]))
	}
	return from, from
}

// cycleEdges returns the closed forms of the edges of a cycle, each edge behind its vertex. They are the
// scores of vertices without mass in the middle of the edges. nil: one is not a whole number.
func cycleEdges(from, to, length []int64) []wholes.Wide {
	split := func(mass []int64) []int64 {
		list := make([]int64, 2*len(mass))
		for i, x := range mass {
			list[2*i] = x
		}
		return list
	}
	halves := make([]int64, 2*len(from)) // of edges of twice the length
	for i := range halves {
		if halves[i] = 1; length != nil {
			halves[i] = length[i/2]
		}
	}
	begin, end := split(from), []int64(nil)
	if end = begin; &from[0] != &to[0] {
		end = split(to)
	}
	values := cycle(begin, end, halves)
	if values == nil {
		return nil
	}
	for i := range from {
		values[i] = values[2*i+1]
	}
	return values[:len(from)]
}

// layFlows has searches of the blocks without chains sum the flows of edges.
func (r *reducer) layFlows(ctx context.Context, _ wholes.Forms) error {
	if r.edges == nil {
		return nil
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.Middles != nil || b.HasFlows() {
			continue
		}
		count := uint32(0)
		of, err := b.numberArcs(ctx, func(uint32, int64) uint32 { count++; return count - 1 })
		if err != nil {
			return err
		}
		b.Flows = &Flows{Of: of, Edges: make([]uint32, count)} // with classes, the first edge of each pair of classes
		if err := r.numberFlows(ctx, b); err != nil {
			return err
		}
	}
	if err := r.sortFlows(ctx); err != nil {
		return err
	}
	return r.shareFlows(ctx)
}

// numberArcs numbers the arcs of a block. next returns the number of an arc e from v; both arcs of an undirected edge have one.
func (b *Block) numberArcs(ctx context.Context, next func(v uint32, e int64) uint32) ([]uint32, error) {
	of := make([]uint32, len(b.Targets))
	back := slices.Clone(b.Offsets) // by vertex, of an undirected block: the arc to its next larger neighbour
	for v := range parallel.Until(ctx, uint32(b.Vertices())) {
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			u := b.Targets[e]
			if b.Directed() || u > v {
				of[e] = next(v, e)
				continue
			}
			of[e] = of[back[u]]
			back[u]++
			back[v]++ // smaller neighbours come first
		}
	}
	return of, ctx.Err()
}

// numberFlows fills in the graph's numbers of a block's edges.
func (r *reducer) numberFlows(ctx context.Context, b *Block) error {
	return parallel.Spread(ctx, r.opts.Threads, b.Vertices(), parallel.Interval, func(lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				if u := b.Targets[e]; b.Directed() || u > v {
					b.Flows.Edges[b.Flows.Of[e]] = numberIn(r.edges, b, v, u)
				}
			}
		}
	})
}

// perEdge reports whether each number stands for one edge of the graph.
func (f *Flows) perEdge() bool { return f != nil && f.First == nil }

// sortFlows numbers the edges of every block in the graph's order. Batch after batch adds its flows to those
// of the graph's edges, which are too many for a cache.
// The copies of an edge have a number each.
func (r *reducer) sortFlows(ctx context.Context) error {
	type place struct{ block, number uint32 }
	next := make([]uint32, len(r.edges.Ends[0])+1)     // by edge of the graph: where its next place goes
	renumbered := make([][]uint32, len(r.plan.Blocks)) // by block and number: the new one
	total := 0
	for i := range r.plan.Blocks {
		f := r.plan.Blocks[i].Flows
		if !f.perEdge() {
			continue
		}
		for _, edge := range parallel.Over(ctx, f.Edges) {
			next[edge+1]++
		}
		renumbered[i] = make([]uint32, len(f.Edges))
		total += len(f.Edges)
	}
	for edge := range r.edges.Ends[0] {
		next[edge+1] += next[edge]
	}
	places := make([]place, total)
	for i := range r.plan.Blocks {
		if f := r.plan.Blocks[i].Flows; f.perEdge() {
			for number, edge := range parallel.Over(ctx, f.Edges) {
				places[next[edge]] = place{uint32(i), uint32(number)}
				next[edge]++
			}
			f.Edges = f.Edges[:0]
		}
	}
	edge := uint32(0)
	for i, at := range parallel.Over(ctx, places) {
		for next[edge] <= uint32(i) {
			edge++
		}
		f := r.plan.Blocks[at.block].Flows
		renumbered[at.block][at.number] = uint32(len(f.Edges))
		f.Edges = append(f.Edges, edge)
	}
	for i, numbers := range renumbered {
		if f := r.plan.Blocks[i].Flows; f.perEdge() {
			for e, number := range parallel.Over(ctx, f.Of) {
				f.Of[e] = numbers[number]
			}
		}
	}
	return ctx.Err()
}
