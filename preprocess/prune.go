package preprocess

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bcstage/preprocess/nearest"
)

// prune is the step "pruning": it takes away arcs that are longer than the distance
// between their ends, which are on no shortest path. Distances, counts of paths and
// scores stay as they are, and what is left folds again: of a graph of hubs whose
// lengths have nothing to do with its shape, one edge in eight is left.
//
// Every vertex is searched from, no further than its longest arc that is neither known
// to be needed nor known not to be, and no more than so many vertices far: 8, then
// in what that has left 64, and so on. Only what is proven goes, so that
// any number of vertices is exact.
func (r *reducer) prune(ctx context.Context, _ []int64) error {
	g := r.graph
	if g.Lengths == nil {
		return nil
	}
	if r.opts.Fits != nil {
		n, arcs := int64(g.Vertices()), int64(len(g.Targets))
		working := 2*12*arcs + (8+1)*n*int64(r.opts.Threads) + 4*n
		if err := r.opts.Fits(ReduceBytes(g.Vertices(), g.Edges()) + g.lengthBytes(g.Edges()) + working); err != nil {
			return err
		}
	}
	open := make([]uint32, g.Vertices()) // whose arcs are not all decided
	for v := range open {
		open[v] = uint32(v)
	}
	const first, more = 8, 8
	furthest := max(64, g.Vertices()/4)
	for budget := first; len(open) > 0 && budget <= furthest; budget *= more {
		p, err := newPruner(ctx, g, budget, r.opts.Threads)
		if err != nil {
			return err
		}
		if open, err = p.search(ctx, open); err != nil {
			return err
		}
		left, err := p.rest(ctx)
		if err != nil {
			return err
		}
		gone, next := g.Edges()-left.Edges(), int64(len(open))*int64(budget*more)
		g = left
		if budget > first && gone*worthPruning < g.Edges() || gone*worthTrying < g.Edges() && next > 50*int64(g.Vertices()) {
			break
		}
	}
	r.plan.Pruned = r.graph.Edges() - g.Edges()
	r.graph = g
	return nil
}

const (
	// worthPruning is the part of the edges that a pass must have taken away, one in so
	// many, for the next, which looks eight times as far, to be made.
	worthPruning = 100
	// worthTrying is the same for the first pass, if the next is to look at many vertices:
	// of random graphs, whose neighbours are not near to one another, little ever goes.
	worthTrying = 1000
)

// pruner is one pass over a graph.
type pruner struct {
	graph   *Graph
	budget  int // vertices that a search settles at most
	threads int
	targets []uint32 // of the graph's arcs, each row by rising length
	lengths []int64
	drop    []bool // by arc of the graph
}

func newPruner(ctx context.Context, g *Graph, budget, threads int) (*pruner, error) {
	p := &pruner{
		graph: g, budget: budget, threads: threads,
		targets: make([]uint32, len(g.Targets)), lengths: make([]int64, len(g.Targets)), drop: make([]bool, len(g.Targets)),
	}
	rows := make([][]nearest.Vertex, threads)
	return p, parallel(ctx, threads, (g.Vertices()+pruneGrain-1)/pruneGrain, func(worker, item int) {
		for v := item * pruneGrain; v < min((item+1)*pruneGrain, g.Vertices()); v++ {
			row := rows[worker][:0]
			for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
				row = append(row, nearest.Vertex{Distance: g.Lengths[e], Vertex: g.Targets[e]})
			}
			slices.SortFunc(row, func(a, b nearest.Vertex) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Vertex, b.Vertex))
			})
			for i, arc := range row {
				p.targets[g.Offsets[v]+int64(i)], p.lengths[g.Offsets[v]+int64(i)] = arc.Vertex, arc.Distance
			}
			rows[worker] = row
		}
	})
}

// pruneGrain is how many vertices make one piece of work.
const pruneGrain = 64

// search searches from the vertices given and gives those whose arcs are not all
// decided.
func (p *pruner) search(ctx context.Context, from []uint32) (open []uint32, err error) {
	searches := make([]*bounded, p.threads)
	undecided := make([]bool, len(from))
	err = parallel(ctx, p.threads, (len(from)+pruneGrain-1)/pruneGrain, func(worker, item int) {
		if searches[worker] == nil {
			searches[worker] = newBounded(p)
		}
		for i := item * pruneGrain; i < min((item+1)*pruneGrain, len(from)); i++ {
			undecided[i] = !searches[worker].from(ctx, from[i])
		}
	})
	for i, v := range from {
		if undecided[i] {
			open = append(open, v)
		}
	}
	return open, err
}

// bounded is the state of one goroutine's searches.
type bounded struct {
	*pruner
	distance []int64 // by vertex; math.MaxInt64: not met
	settled  []bool
	met      []uint32
	queue    nearest.Queue
}

func newBounded(p *pruner) *bounded {
	b := &bounded{pruner: p, distance: make([]int64, p.graph.Vertices()), settled: make([]bool, p.graph.Vertices())}
	for v := range b.distance {
		b.distance[v] = math.MaxInt64
	}
	return b
}

// from searches from s and marks arcs to be dropped. It tells whether all arcs of s
// are decided.
func (b *bounded) from(ctx context.Context, s uint32) (decided bool) {
	first, last := b.graph.Offsets[s], b.graph.Offsets[s+1] // its arcs; from last on, decided
	b.meet(s, 0)
	decided = true
	for count := 0; len(b.queue) > 0; {
		at := b.queue.Pop()
		u := at.Vertex
		if b.settled[u] {
			continue
		}
		b.settled[u] = true
		for last > first && (b.settled[b.targets[last-1]] || b.distance[b.targets[last-1]] < b.lengths[last-1]) {
			last--
		}
		if u != s && (last == first || at.Distance >= b.lengths[last-1]) {
			break
		}
		if count == b.budget || count%interval == interval-1 && ctx.Err() != nil {
			decided = false
			break
		}
		count++
		limit := int64(0)
		if last > first {
			limit = b.lengths[last-1]
		}
		for e := b.graph.Offsets[u]; e < b.graph.Offsets[u+1]; e++ {
			d := at.Distance + b.lengths[e]
			if d > limit {
				break
			}
			if v := b.targets[e]; d < b.distance[v] {
				b.meet(v, d)
			}
		}
	}
	for e := first; e < b.graph.Offsets[s+1]; e++ {
		if b.distance[b.graph.Targets[e]] < b.graph.Lengths[e] {
			b.drop[e] = true
		}
	}
	for _, v := range b.met {
		b.distance[v], b.settled[v] = math.MaxInt64, false
	}
	b.met, b.queue = b.met[:0], b.queue[:0]
	return decided
}

func (b *bounded) meet(v uint32, distance int64) {
	if b.distance[v] == math.MaxInt64 {
		b.met = append(b.met, v)
	}
	b.distance[v] = distance
	b.queue.Push(distance, v)
}

// rest is the graph without what was dropped. An edge goes if either of its arcs does.
func (p *pruner) rest(ctx context.Context) (*Graph, error) {
	g, back := p.graph, p.graph.Reverse()
	gone := p.drop // of back
	if g.In != nil {
		gone = make([]bool, len(back.Targets))
	}
	for u := range uint32(g.Vertices()) {
		if u%interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
			if p.drop[e] {
				gone[back.arcTo(g.Targets[e], u)] = true
			}
		}
	}
	out, err := g.without(ctx, p.drop, p.threads)
	if err != nil || g.In == nil {
		return out, err
	}
	out.In, err = back.without(ctx, gone, p.threads)
	return out, err
}

// without copies the arcs that are not gone.
func (g *Graph) without(ctx context.Context, gone []bool, threads int) (*Graph, error) {
	n := g.Vertices()
	out := &Graph{Offsets: make([]int64, n+1)}
	err := spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for _, gone := range gone[g.Offsets[u]:g.Offsets[u+1]] {
				if !gone {
					out.Offsets[u+1]++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for u := range n {
		out.Offsets[u+1] += out.Offsets[u]
	}
	out.Targets, out.Lengths = make([]uint32, out.Offsets[n]), make([]int64, out.Offsets[n])
	return out, spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			at := out.Offsets[u]
			for e := g.Offsets[u]; e < g.Offsets[u+1]; e++ {
				if !gone[e] {
					out.Targets[at], out.Lengths[at] = g.Targets[e], g.Lengths[e]
					at++
				}
			}
		}
	})
}
