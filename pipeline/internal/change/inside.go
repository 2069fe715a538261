package change

import (
	"context"
	"maps"
	"slices"

	"bcstage/internal/csr"
)

// Inside returns the difference as seen from the blocks that have changed edges in both graphs together. It is nil if arcs have directions,
// or a block has parts that only one of the two graphs joins.
//
// If the edges of each graph join all vertices of such a block, then the same hangs on them in both. A pair changes its paths in these
// blocks only, and counts there at the two vertices on which its ends hang. So scores of other vertices stay, and blocks are searched with
// the masses that hang on their vertices. Flows of the result become Parts of d. Paths must count at any length: a cutoff would depend on
// the distances outside.
func (d *Difference) Inside(ctx context.Context) (*Difference, error) {
	if d.directed || len(d.changed) == 0 {
		return nil, nil
	}
	n := uint32(d.vertices)
	today := func(v uint32) uint32 { // number today; csr.None: it has none
		if v >= n {
			return d.twin[v]
		}
		return v
	}
	for _, e := range d.changed {
		for _, v := range e {
			if d.twin[v] == csr.None { // nothing joins it in the other graph
				return nil, nil
			}
		}
	}
	b, err := FindBlocks(ctx, d.superposed(today))
	if err != nil {
		return nil, err
	}
	changed := map[uint32][][2]uint32{} // by block
	for _, e := range d.changed {
		block := b.Of(today(e[0]), today(e[1]))
		changed[block] = append(changed[block], e)
	}
	empty := func() *csr.Graph { return rows(d.today, nil, nil) }
	in := &Difference{today: empty(), yesterday: empty(), counting: counting{ordered: d.ordered, weighed: d.weighed}, within: within{outer: d}}
	origins, destinations := b.Hang(d.effective(d.origins, d.Sources)), b.Hang(d.effective(d.destinations, d.Targets))
	local, work := slices.Repeat([]uint32{csr.None}, int(n)), 0.0
	var before [][2]uint32 // changed edges of yesterday
	for _, block := range slices.Sorted(maps.Keys(changed)) {
		vertices, first := b.vertices(block), len(in.at)
		for i, v := range vertices {
			local[v] = uint32(first + i)
			in.origins, in.destinations = append(in.origins, origins.at(block, v)), append(in.destinations, destinations.at(block, v))
		}
		in.at = append(in.at, vertices...)
		for _, v := range vertices {
			appendRow(in.today, d.today, v, func(w uint32) uint32 { return local[w] })
			appendRow(in.yesterday, d.yesterday, d.twin[v]-n, func(w uint32) uint32 {
				if w = d.twin[n+w]; w != csr.None {
					w = local[w]
				}
				return w
			})
		}
		if !joins(in.today, first) || !joins(in.yesterday, first) {
			return nil, ctx.Err()
		}
		for _, e := range changed[block] {
			ends := [2]uint32{local[today(e[0])], local[today(e[1])]}
			if e[0] < n {
				in.changed = append(in.changed, ends)
			} else {
				before = append(before, ends)
			}
		}
		for _, v := range vertices {
			local[v] = csr.None
		}
		work += float64(len(vertices)) * float64(b.edges[block])
	}
	in.share, in.Blocks = work/b.work, len(changed)
	same := csr.Ascending(len(in.at))
	*in.yesterday, err = in.yesterday.Turned(ctx, same, same) // rows ascend today alone, and an undirected graph is the same both ways
	in.copies(before)
	return in, err
}

// copies completes a difference of two graphs with the same vertices, of which each has its own copy.
func (d *Difference) copies(before [][2]uint32) {
	d.vertices = len(d.at)
	n := uint32(d.vertices)
	for _, e := range before {
		d.changed = append(d.changed, [2]uint32{n + e[0], n + e[1]})
	}
	d.twin = make([]uint32, 2*n)
	for v := range n {
		d.twin[v], d.twin[n+v] = n+v, v
		d.at = append(d.at, d.outer.twin[d.at[v]])
	}
	origins, destinations := append(d.origins, d.origins...), append(d.destinations, d.destinations...)
	ordered, weighed := d.ordered, d.weighed
	d.Weigh(origins, destinations)
	d.ordered, d.weighed = ordered, weighed
}

// superposed has the edges of both graphs, each once, between vertices of today. Rows do not ascend.
func (d *Difference) superposed(today func(uint32) uint32) *csr.Graph {
	gone := map[uint32][]uint32{}
	for _, e := range d.changed {
		if u, v := today(e[0]), today(e[1]); u != e[0] && !d.today.Arc(u, v) {
			gone[u], gone[v] = append(gone[u], v), append(gone[v], u)
		}
	}
	g := &csr.Graph{Offsets: make([]int64, 1, len(d.today.Offsets)), Targets: make([]uint32, 0, len(d.today.Targets)+2*len(d.changed))}
	for v := range uint32(d.vertices) {
		g.Targets = append(append(g.Targets, d.today.Neighbours(v)...), gone[v]...)
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	return g
}

// effective is the mass by vertex of today that begins or ends there; nil: 1 each.
func (d *Difference) effective(masses []int64, ends []bool) []int64 {
	if masses == nil && ends == nil {
		return nil
	}
	list := slices.Repeat([]int64{1}, d.vertices)
	if masses != nil {
		copy(list, masses)
	}
	if ends != nil {
		limit(list, ends[:d.vertices])
	}
	return list
}

// rows returns a graph of rows of another, each as appendRow has it.
func rows(g *csr.Graph, vertices []uint32, number func(uint32) uint32) *csr.Graph {
	some := &csr.Graph{Offsets: make([]int64, 1, len(vertices)+1)}
	if g.HasLengths() {
		some.Lengths = []int64{}
	}
	for _, v := range vertices {
		appendRow(some, g, v, number)
	}
	if g.Directed() {
		some.In = rows(g.In, vertices, number)
	}
	return some
}

// appendRow appends a row of a graph to another, with neighbours renumbered; csr.None: left out.
func appendRow(to, from *csr.Graph, v uint32, number func(uint32) uint32) {
	for arc := from.Offsets[v]; arc < from.Offsets[v+1]; arc++ {
		if w := number(from.Targets[arc]); w != csr.None {
			if to.Targets = append(to.Targets, w); from.HasLengths() {
				to.Lengths = append(to.Lengths, from.Lengths[arc])
			}
		}
	}
	to.Offsets = append(to.Offsets, int64(len(to.Targets)))
}

// joins reports whether edges join all vertices from the first.
func joins(g *csr.Graph, first int) bool {
	met, path := make([]bool, g.Vertices()-first), []uint32{uint32(first)}
	met[0] = true
	count := 0
	for ; len(path) > 0; count++ {
		v := path[len(path)-1]
		path = path[:len(path)-1]
		for _, w := range g.Neighbours(v) {
			if !met[int(w)-first] {
				met[int(w)-first] = true
				path = append(path, w)
			}
		}
	}
	return count == len(met)
}
