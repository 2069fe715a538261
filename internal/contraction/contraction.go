// Package contraction removes vertices of a graph, those with few arcs first, and keeps the distances between the others. A
// shortcut replaces each path through a removed vertex, unless an arc is as short. Where shortcuts keep the numbers of shortest
// paths, they stand beside arcs that are as long.
package contraction

import (
	"context"
	"slices"

	"bcstage/internal/csr"
)

const (
	// fewArcs and mostArcs are the largest number of arcs, in and out, of a removed vertex: in the first round, and in
	// the last.
	fewArcs, mostArcs = 4, 32
	// mostShortcuts is the largest number of new arcs for every two removed arcs; 2 where shortcuts keep the numbers of
	// shortest paths.
	mostShortcuts = 3
	// longestList is the longest list of arcs that is searched for an arc.
	longestList = 256
	// takeEvery is the number of vertices tried between two looks at the context.
	takeEvery = 64
)

// An End is an arc as seen from one vertex.
type End struct {
	To     uint32 // the other vertex
	Way    uint32 // 0: an arc of the graph, or exact is not asked for; else a shortcut: Ways[Way-1]
	Length int64
}

// An Arc is an arc by its ends, with its Way.
type Arc struct{ From, To, Way uint32 }

// Contraction is a graph after the removal of vertices. The lists of removed vertices keep their arcs.
type Contraction struct {
	Out, In [][]End // by vertex; the same if undirected
	Taken   []bool  // by vertex: it is removed
	Order   []uint32
	Ways    [][2]Arc // the two arcs that each shortcut replaces

	exact    bool
	directed bool
	queued   []bool
	queue    []uint32
	shortcut []shortcut // of the current vertex
	limit    int64      // shortcuts are shorter
}

type shortcut struct {
	from uint32
	End
}

// Contract removes vertices, with shortcuts shorter than limit. If stay is given, the vertices that it marks stay, and so do
// the numbers of shortest paths between them: a shortcut as long as an arc repeats it. The graph may have repeats, too. Ways
// then has the shortcuts. The only error is the context's.
func Contract(ctx context.Context, g *csr.Graph, limit int64, stay []bool) (*Contraction, error) {
	n := g.Vertices()
	c := &Contraction{Out: ends(g), Taken: make([]bool, n), exact: stay != nil, directed: g.Directed(), queued: slices.Clone(stay), limit: limit}
	if c.In = c.Out; c.directed {
		c.In = ends(g.In)
	}
	if c.Order, c.queue = make([]uint32, 0, n), make([]uint32, 0, n); c.exact {
		c.Ways = make([][2]Arc, 0, n)
	} else {
		c.queued = make([]bool, n)
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
				for _, e := range c.In[v] {
					c.enter(e.To, most)
				}
				if c.directed {
					for _, e := range c.Out[v] {
						c.enter(e.To, most)
					}
				}
			}
		}
		c.queue = c.queue[:0]
	}
	for v, taken := range c.Taken {
		if !taken {
			c.arcs(uint32(v))
		}
	}
	return c, ctx.Err()
}

// Bytes returns the memory to contract a graph. exact says that shortcuts keep the numbers of shortest paths.
func Bytes(g *csr.Graph, exact bool) int64 {
	const end, vertex, way = 16 + 4, 24, 24 // lists grow
	n, m, lists := int64(g.Vertices()), int64(len(g.Targets)), int64(1)
	if g.Directed() {
		lists = 2
	}
	bytes := n*(vertex*lists+2) + m*end*lists
	if exact {
		bytes += m * way
	}
	return bytes
}

// ends returns the arcs of a graph in lists that can grow.
func ends(g *csr.Graph) [][]End {
	lists, all := make([][]End, g.Vertices()), make([]End, len(g.Targets))
	for e, u := range g.Targets {
		all[e] = End{u, 0, g.ArcLength(int64(e))}
	}
	for v := range lists {
		lists[v] = slices.Clip(all[g.Offsets[v]:g.Offsets[v+1]])
	}
	return lists
}

// enter queues a vertex that has few arcs. It ignores vertices with long lists, though many of their arcs may lead to
// removed vertices.
func (c *Contraction) enter(v uint32, most int) {
	if c.Taken[v] || c.queued[v] || len(c.Out[v])+len(c.In[v]) > longestList {
		return
	}
	if c.arcs(v) <= most {
		c.queued[v] = true
		c.queue = append(c.queue, v)
	}
}

// arcs counts the arcs of a vertex, out and in, that do not lead to removed vertices, and drops the others.
func (c *Contraction) arcs(v uint32) int {
	out := len(c.left(c.Out, v))
	if !c.directed {
		return 2 * out
	}
	return out + len(c.left(c.In, v))
}

// left drops the arcs of a list that lead to removed vertices.
func (c *Contraction) left(lists [][]End, v uint32) []End {
	list, kept := lists[v], 0
	for i := range list {
		if !c.Taken[list[i].To] {
			if kept < i {
				list[kept] = list[i]
			}
			kept++
		}
	}
	lists[v] = list[:kept]
	return lists[v]
}

// take removes a vertex, unless that needs too many or too long shortcuts.
func (c *Contraction) take(v uint32) bool {
	more := c.arcs(v)
	if !c.exact {
		more = mostShortcuts * more / 2
	}
	out, in := c.Out[v], c.In[v]
	c.shortcut = c.shortcut[:0]
	ways := len(c.Ways)
	for i, a := range in {
		if !c.directed {
			out = in[i+1:] // a shortcut is two arcs
		}
		for _, b := range out {
			length := a.Length + b.Length
			if a.To == b.To {
				continue
			}
			old, known := c.find(a.To, b.To)
			if old > 0 && old < length || old == length && !c.exact || old <= length && c.exact && known && c.shorter(a.To, v, b.To, length) {
				continue
			}
			if old <= length {
				if more--; !c.directed {
					more--
				}
			}
			if !known || more < 0 || length >= c.limit {
				c.Ways = c.Ways[:ways]
				return false
			}
			if c.exact {
				c.Ways = append(c.Ways, [2]Arc{{a.To, v, a.Way}, {v, b.To, b.Way}})
			}
			c.shortcut = append(c.shortcut, shortcut{a.To, End{b.To, uint32(len(c.Ways)), length}})
		}
	}
	c.Taken[v] = true
	c.Order = append(c.Order, v)
	for _, s := range c.shortcut {
		c.set(c.Out, s.from, v, s.End)
		c.set(c.In, s.To, v, End{s.from, s.Way, s.Length})
	}
	return true
}

// find returns the length of an arc, 0 if there is none. It is unknown if both lists are too long.
func (c *Contraction) find(from, to uint32) (length int64, known bool) {
	list := c.Out[from]
	if in := c.In[to]; len(in) < len(list) {
		list, to = in, from
	}
	if len(list) > longestList {
		return 0, false
	}
	if i := place(list, to); i >= 0 {
		return list[i].Length, true
	}
	return 0, true
}

// place returns the place of the arc to a vertex in a list, -1 if there is none.
func place(list []End, to uint32) int {
	for i := range list {
		if list[i].To == to {
			return i
		}
	}
	return -1
}

// set replaces the longer arcs to a vertex in a list. An arc to another vertex, or as long as those there are, takes the place of
// an arc to the removed one, or is added.
func (c *Contraction) set(lists [][]End, v, removed uint32, e End) {
	list := lists[v]
	i := place(list, e.To)
	if i < 0 || list[i].Length == e.Length {
		i = place(list, removed)
	} else {
		for j := len(list) - 1; j > i; j-- {
			if list[j].To == e.To {
				list = slices.Delete(list, j, j+1)
			}
		}
		lists[v] = list
	}
	if i >= 0 {
		list[i] = e
		return
	}
	if n := len(lists[v]); n == cap(lists[v]) && n <= longestList {
		c.left(lists, v)
	}
	lists[v] = append(lists[v], e)
}

// shorter says whether two arcs, not over a vertex, are together shorter than length. It ignores long lists.
func (c *Contraction) shorter(from, over, to uint32, length int64) bool {
	out, in := c.Out[from], c.In[to]
	if len(out)+len(in) > 2*mostArcs {
		return false
	}
	for _, a := range out {
		if a.To == over || a.Length >= length {
			continue
		}
		for _, b := range in {
			if a.To == b.To && a.Length+b.Length < length {
				return true
			}
		}
	}
	return false
}
