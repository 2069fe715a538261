package lengths

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// hierarchy is a graph in which distances take fewer visits than in the block's own. Vertices with few arcs are taken out
// of the graph one after the other, and a shortcut stands for every way through one that no arc is as short as. Some
// shortest path then goes up, to vertices that are taken out later or never, and down from there:
//
//	up    is searched as any graph, until no row changes
//	down  is swept once, from what was taken out last to what was taken out first
//
//	R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction hierarchies: faster
//	    and simpler hierarchical routing in road networks", WEA 2008
//	D. Delling, A. Goldberg, A. Nowatzyk, R. Werneck, "PHAST: hardware-accelerated
//	    shortest path trees", IPDPS 2011
type hierarchy struct {
	up, down arcs
	order    []uint32 // the vertices with arcs in down, in the order of the sweep
}

const (
	// fewArcs and mostArcs are how many arcs, in and out, a vertex that is taken out has at most: first, and in the end.
	fewArcs, mostArcs = 4, 32
	// mostShortcuts is how many arcs may come, in parts of two for each arc that goes.
	mostShortcuts = 3
	// longestList is how many arcs of a neighbour are looked through, at most, for one.
	longestList = 256
	// takeEvery is how many vertices are tried between two looks at the context.
	takeEvery = 64
	// contractFrom is how many sources a block has, at least, for a hierarchy to pay.
	contractFrom = 32 * lanes
)

// end of an arc: the other vertex.
type end struct {
	to     uint32
	length int64
}

// contraction is what is left of a graph while vertices are taken out. The lists of those that are out stay as they were then.
type contraction struct {
	out, in  [][]end // by vertex; of an undirected graph the same. Those of a vertex that is left may lead to some that are out
	taken    []bool  // by vertex: it is out
	order    []uint32
	queued   []bool
	queue    []uint32
	shortcut []shortcut // of the vertex at hand
	limit    int64      // no shortcut is as long
}

type shortcut struct {
	from uint32
	end
}

// contract makes the hierarchy of a graph, without shortcuts as long as limit. The only error is the context's.
func contract(ctx context.Context, g *csr.Graph, limit int64) (*hierarchy, error) {
	n := g.Vertices()
	c := contraction{out: ends(g), taken: make([]bool, n), queued: make([]bool, n), limit: limit}
	if c.in = c.out; g.Directed() {
		c.in = ends(g.In)
	}
	// Those with the fewest arcs go first.
	for most := fewArcs; most <= mostArcs; most *= 2 {
		for v := range uint32(n) {
			c.enter(v, most)
		}
		for at := 0; at < len(c.queue); at++ {
			if at%takeEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v := c.queue[at]
			c.queued[v] = false
			if c.take(v) {
				for _, e := range c.in[v] {
					c.enter(e.to, most)
				}
				for _, e := range c.out[v] {
					c.enter(e.to, most)
				}
			}
		}
		c.queue = c.queue[:0]
	}
	return c.hierarchy(), ctx.Err()
}

// ends are the arcs of a graph in lists that can grow.
func ends(g *csr.Graph) [][]end {
	lists, all := make([][]end, g.Vertices()), make([]end, len(g.Targets))
	for e, u := range g.Targets {
		all[e] = end{u, g.Lengths[e]}
	}
	for v := range lists {
		lists[v] = slices.Clip(all[g.Offsets[v]:g.Offsets[v+1]])
	}
	return lists
}

// enter queues a vertex that has few arcs. Long lists may have more arcs than are left: they are not looked through.
func (c *contraction) enter(v uint32, most int) {
	if c.taken[v] || c.queued[v] || len(c.out[v])+len(c.in[v]) > longestList {
		return
	}
	if len(c.left(c.out, v))+len(c.left(c.in, v)) <= most {
		c.queued[v] = true
		c.queue = append(c.queue, v)
	}
}

// left drops the arcs of a list that lead to vertices that are out.
func (c *contraction) left(lists [][]end, v uint32) []end {
	lists[v] = slices.DeleteFunc(lists[v], func(e end) bool { return c.taken[e.to] })
	return lists[v]
}

// take takes a vertex out, unless the graph gets larger by it.
func (c *contraction) take(v uint32) bool {
	out, in := c.left(c.out, v), c.left(c.in, v)
	more := mostShortcuts * (len(in) + len(out)) / 2
	c.shortcut = c.shortcut[:0]
	for _, a := range in {
		for _, b := range out {
			length := a.length + b.length
			if a.to == b.to {
				continue
			}
			old, known := c.find(a.to, b.to)
			if old == 0 {
				more--
			}
			if !known || more < 0 || length >= c.limit {
				return false
			}
			if old == 0 || length < old {
				c.shortcut = append(c.shortcut, shortcut{a.to, end{b.to, length}})
			}
		}
	}
	c.taken[v] = true
	c.order = append(c.order, v)
	for _, s := range c.shortcut {
		set(c.out, s.from, s.end)
		set(c.in, s.to, end{s.from, s.length})
	}
	return true
}

// find is the length of an arc, 0 if there is none. It is not known where both vertices have many.
func (c *contraction) find(from, to uint32) (length int64, known bool) {
	list := c.out[from]
	if in := c.in[to]; len(in) < len(list) {
		list, to = in, from
	}
	if len(list) > longestList {
		return 0, false
	}
	if i := slices.IndexFunc(list, func(e end) bool { return e.to == to }); i >= 0 {
		return list[i].length, true
	}
	return 0, true
}

// set puts an arc into a list, or makes it as short.
func set(lists [][]end, v uint32, e end) {
	if i := slices.IndexFunc(lists[v], func(old end) bool { return old.to == e.to }); i >= 0 {
		lists[v][i] = e
		return
	}
	lists[v] = append(lists[v], e)
}

// hierarchy is what the lists make.
func (c *contraction) hierarchy() *hierarchy {
	n, ups, downs := len(c.out), 0, 0
	h := &hierarchy{up: arcs{offsets: make([]int64, n+1)}, down: arcs{offsets: make([]int64, n+1)}}
	for v := range uint32(n) {
		if !c.taken[v] {
			c.left(c.out, v)
		}
		ups += len(c.out[v])
		h.up.offsets[v+1] = int64(ups)
	}
	for _, v := range c.order {
		downs += len(c.in[v])
		for _, e := range c.in[v] {
			h.down.offsets[e.to+1]++
		}
	}
	h.up.targets, h.up.lengths = make([]uint32, 0, ups), make([]int64, 0, ups)
	h.down.targets, h.down.lengths = make([]uint32, downs), make([]int64, downs)
	next := make([]int64, n)
	for v := range n {
		for _, e := range c.out[v] {
			h.up.targets, h.up.lengths = append(h.up.targets, e.to), append(h.up.lengths, e.length)
		}
		if h.down.offsets[v+1] > 0 && !c.taken[v] {
			h.order = append(h.order, uint32(v))
		}
		h.down.offsets[v+1] += h.down.offsets[v]
		next[v] = h.down.offsets[v]
	}
	for _, v := range c.order {
		for _, e := range c.in[v] {
			h.down.targets[next[e.to]], h.down.lengths[next[e.to]] = v, e.length
			next[e.to]++
		}
	}
	for _, v := range slices.Backward(c.order) {
		if h.down.offsets[v] < h.down.offsets[v+1] {
			h.order = append(h.order, v)
		}
	}
	return h
}

// largest is how many arcs a vertex has at most.
func (a *arcs) largest() (largest int64) {
	for v, first := range a.offsets[:len(a.offsets)-1] {
		largest = max(largest, a.offsets[v+1]-first)
	}
	return largest
}

// contractionBytes is the memory that a hierarchy takes, and making it.
func contractionBytes(b *preprocess.Block) int64 {
	if !contracts(b) {
		return 0
	}
	const (
		list   = 16 + 4     // an end; lists grow
		arc    = 12 * 3 / 2 // up or down
		vertex = 24 + 2 + 2*4 + 3*8
	)
	n, m, lists := int64(b.Vertices()), int64(len(b.Targets)), int64(1)
	if b.Directed() {
		lists = 2
	}
	return n*(vertex+24*(lists-1)) + m*(list*lists+arc)
}

// contracts says whether a hierarchy pays. A part is searched once.
func contracts(b *preprocess.Block) bool { return b.Near == nil && len(b.Sources) >= contractFrom }
