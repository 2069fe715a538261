package change

import (
	"context"
	"slices"

	"bcstage/internal/csr"
)

// Cover is a set of vertices of the union. It contains both copies of each vertex that both graphs have.
type Cover []bool

// Peeled is a graph whose vertices with one neighbour were removed until none was left.
type Peeled struct {
	order, into []uint32 // vertices in the order of removal, and the neighbour of each at that time; the vertex itself: the last of a tree
	place       []uint32 // by vertex: its place in order; csr.None: it was not removed
}

// Peel peels the union. Vertices without an edge stay. The error is the context's.
func (d *Difference) Peel(ctx context.Context, union *csr.Graph) (*Peeled, error) {
	joined := func(v, degree uint32) bool { return degree > 0 }
	peeled, err := csr.Peel(ctx, union, 1, joined)
	if err != nil {
		return nil, err
	}
	p := &Peeled{order: peeled.Order, into: peeled.Into, place: slices.Repeat([]uint32{csr.None}, union.Vertices())}
	for at, v := range p.order {
		p.place[v] = uint32(at)
	}
	return p, nil
}

// Branches returns the cover of the vertices that the changed edges cut off, if each edge hangs in a tree. left counts
// the edges that do not.
func (d *Difference) Branches(p *Peeled) (cover Cover, left int) {
	cover = make(Cover, len(d.twin))
	for _, e := range d.changed {
		u, v := e[0], e[1]
		if p.place[u] > p.place[v] { // csr.None is the largest
			u, v = v, u
		}
		if p.place[u] == csr.None || p.into[p.place[u]] != v {
			left++
			continue
		}
		cover[u] = true
	}
	if left > 0 {
		return nil, left
	}
	for at := len(p.order) - 1; at >= 0; at-- {
		if cover[p.into[at]] {
			cover[p.order[at]] = true
		}
	}
	d.close(cover)
	return cover, 0
}

// edgesAtOnce edges have two lanes each.
const edgesAtOnce = 32

// Sides returns the covers of the sides or balls of all changed edges: of sources, and of targets. They are one if edges are
// undirected. A whole run searches from the unpeeled vertices of today's graph. The covers are nil unless they have
// fewer than share times as many. Where Flows lays out the union twice, 1 - share counts twice. Searches for balls follow about
// budget arcs. p is nil for directed graphs. The error is the context's.
func (d *Difference) Sides(ctx context.Context, union *csr.Graph, p *Peeled, share float64, budget int) (from, to Cover, err error) {
	ends := [2][]bool{d.Sources, d.Targets}
	switch {
	case d.spreads:
		ends[1], budget = d.Sources, 0
	case !d.directed && d.ordered:
		ends = [2][]bool{either(d.Sources, d.Targets), either(d.Sources, d.Targets)}
	}
	searched := func(v int, ends []bool) bool {
		return (p == nil || p.place[v] == csr.None || d.trips != nil) && (ends == nil || ends[v])
	}
	most := 0.0 // searches of a whole run
	for v := range d.vertices {
		if searched(v, d.Sources) {
			most++
		}
	}
	most /= d.share
	from, to, err = smallerSides(ctx, seeking{union, d.changed, ends, d.Cutoff, budget, d.spreads, func(from, to Cover) bool {
		d.close(from)
		searches, room := from.count(func(v int) bool { return searched(v, ends[0]) }), share*most
		if d.turns() {
			d.close(to)
			searches = from.count(func(v int) bool { return searched(v, d.Sources) })
			back := to.count(func(v int) bool { return searched(v, d.Targets) })
			if searches > 0 && back > 0 {
				room -= (1 - share) * most
			}
			searches += back
		}
		return float64(searches) < room || most == 0
	}})
	if d.spreads && from != nil { // no pair is covered by its target
		to = make(Cover, len(from))
	}
	return from, to, err
}

// Seeking returns about how many searches of a run take as long as those of Sides.
func (d *Difference) Seeking() float64 {
	searches := 2 * float64(len(d.changed)) // from either end
	if d.directed {
		searches *= 2
	}
	if d.today.HasLengths() { // each alone, and no edge is pruned
		return 1.5 * searches
	}
	return searches / 4 // distances only
}

// either is where one of two sets is; nil: everywhere.
func either(a, b []bool) []bool {
	if a == nil || b == nil {
		return nil
	}
	list := make([]bool, len(a))
	for v := range list {
		list[v] = a[v] || b[v]
	}
	return list
}

// size is how many vertices a cover has.
func (c Cover) size() int { return c.count(func(int) bool { return true }) }

// count is how many vertices of a cover are of some.
func (c Cover) count(some func(v int) bool) (count int) {
	for v, is := range c {
		if is && some(v) {
			count++
		}
	}
	return count
}

// seeking is what smallerSides looks for.
type seeking struct {
	g       *csr.Graph
	edges   [][2]uint32
	ends    [2][]bool // where paths begin and end; nil: everywhere
	cutoff  int64     // of paths that count; 0: none
	budget  int       // arcs that the searches for balls may follow
	sources bool      // cover every pair by its source
	// small judges the covers after every edgesAtOnce edges, and may add vertices. The covers are nil once it says no.
	small func(from, to Cover) bool
}

// smallerSides returns covers of some edges: of each edge the vertices from which a path over it begins, or those where it ends, or
// some of both (see balls), whichever are fewest. They are one if edges are undirected. The error is the context's.
func smallerSides(ctx context.Context, q seeking) (from, to Cover, err error) {
	g, n := q.g, q.g.Vertices()
	from = make(Cover, n)
	to = from
	near := newSides(g.Reverse(), q.cutoff)
	far := near
	if g.Directed() {
		to, far = make(Cover, n), newSides(g, q.cutoff)
	}
	atOnce := edgesAtOnce
	if g.HasLengths() { // no search is shared
		atOnce = 1
	}
	var b *balls
	if q.budget > 0 {
		b = newBalls(q, from, to)
	}
	for some := range slices.Chunk(q.edges, atOnce) {
		if err := near.search(ctx, g, some); err != nil {
			return nil, nil, err
		}
		if g.Directed() {
			if err := far.search(ctx, g, some); err != nil {
				return nil, nil, err
			}
		}
		if q.sources {
			addSources(near, q.ends[0], from)
			if !q.small(from, to) {
				return nil, nil, nil
			}
			continue
		}
		few := 8
		if b == nil || b.budget <= 0 {
			few = n
		}
		for _, i := range addSmaller(near, far, len(some), q.ends, from, to, few) {
			for end, of := range []*sides{near, far} {
				if err := b.find(ctx, &b.sides[end], of, some[i][end], 2*i+end); err != nil {
					return nil, nil, err
				}
			}
			if err := b.smallest(ctx, g.Length(some[i][0], some[i][1])); err != nil {
				return nil, nil, err
			}
		}
		if !q.small(from, to) {
			return nil, nil, nil
		}
	}
	return from, to, nil
}
