package lengths

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// hierarchy is a graph in which distances take fewer visits than in the block's own. Vertices with few arcs are removed
// one after the other. A shortcut replaces each path through a removed vertex, unless an arc is as short. Between two
// vertices some shortest path then goes up, to vertices removed later or never, and down from there:
//
//	up    is searched as any graph, until no row changes
//	down  is swept once, from the vertex removed last to the one removed first
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
	// fewArcs and mostArcs are the largest number of arcs, in and out, of a removed vertex: in the first round, and in
	// the last.
	fewArcs, mostArcs = 4, 32
	// mostShortcuts is the largest number of new arcs for every two removed arcs.
	mostShortcuts = 3
	// longestList is the longest list of arcs that is searched for an arc.
	longestList = 256
	// takeEvery is the number of vertices tried between two looks at the context.
	takeEvery = 64
	// contractFrom is the least number of sources of a block for which a hierarchy pays.
	contractFrom = 32 * lanes
)

// end is an arc as seen from one vertex: the other vertex, and the length.
type end struct {
	to     uint32
	length int64
}

// contraction is a graph during the removal of vertices. The lists of removed vertices keep their arcs.
type contraction struct {
	out, in  [][]end // by vertex; the same if undirected. Lists of remaining vertices may still have removed ones
	taken    []bool  // by vertex: it is removed
	order    []uint32
	queued   []bool
	queue    []uint32
	shortcut []shortcut // of the current vertex
	limit    int64      // shortcuts are shorter
}

type shortcut struct {
	from uint32
	end
}

// contract makes the hierarchy of a graph, with shortcuts shorter than limit. The only error is the context's.
func contract(ctx context.Context, g *csr.Graph, limit int64) (*hierarchy, error) {
	n := g.Vertices()
	c := contraction{out: ends(g), taken: make([]bool, n), queued: make([]bool, n), limit: limit}
	if c.in = c.out; g.Directed() {
		c.in = ends(g.In)
	}
	// Vertices with the fewest arcs go first.
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

// ends returns the arcs of a graph in lists that can grow.
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

// enter queues a vertex that has few arcs. It ignores vertices with long lists, though many of their arcs may lead to
// removed vertices.
func (c *contraction) enter(v uint32, most int) {
	if c.taken[v] || c.queued[v] || len(c.out[v])+len(c.in[v]) > longestList {
		return
	}
	if len(c.left(c.out, v))+len(c.left(c.in, v)) <= most {
		c.queued[v] = true
		c.queue = append(c.queue, v)
	}
}

// left drops the arcs of a list that lead to removed vertices.
func (c *contraction) left(lists [][]end, v uint32) []end {
	lists[v] = slices.DeleteFunc(lists[v], func(e end) bool { return c.taken[e.to] })
	return lists[v]
}

// take removes a vertex, unless that needs too many or too long shortcuts.
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

// find returns the length of an arc, 0 if there is none. It is unknown if both lists are too long.
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

// set adds an arc to a list, or replaces the arc to the same vertex.
func set(lists [][]end, v uint32, e end) {
	if i := slices.IndexFunc(lists[v], func(old end) bool { return old.to == e.to }); i >= 0 {
		lists[v][i] = e
		return
	}
	lists[v] = append(lists[v], e)
}

// hierarchy makes the hierarchy from the lists.
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

// largest returns the largest number of arcs of a vertex.
func (a *arcs) largest() (largest int64) {
	for v, first := range a.offsets[:len(a.offsets)-1] {
		largest = max(largest, a.offsets[v+1]-first)
	}
	return largest
}

// contractionBytes returns the memory of a hierarchy and of its making.
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

// contracts says whether a hierarchy pays. It never does for a part of a block, which is searched only once.
func contracts(b *preprocess.Block) bool { return b.Near == nil && len(b.Sources) >= contractFrom }
