package change

import (
	"context"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
)

// Removals finds regions of removals from an undirected graph. A pair of vertices counts the mass that begins at the one times the
// mass that ends at the other.
type Removals struct {
	blocks *Blocks
	own    [2][]int64  // by vertex: what begins and ends there
	hangs  [2]*Hanging // of own
	equal  bool        // as much begins as ends at each vertex
}

// NewRemovals prepares them. Origins and destinations are by vertex of the graph; nil: 1 each.
func NewRemovals(b *Blocks, origins, destinations []int64) *Removals {
	r := &Removals{blocks: b, equal: slices.Equal(origins, destinations)}
	for side, masses := range [2][]int64{origins, destinations} {
		if masses == nil {
			masses = slices.Repeat([]int64{1}, b.graph.Vertices())
		}
		if r.own[side], r.hangs[side] = masses, r.hangs[0]; side == 0 || !r.equal {
			r.hangs[side] = b.Hang(masses)
		}
	}
	return r
}

// Held is the memory, with that of the blocks; 0 of nil.
func (r *Removals) Held() int64 {
	if r == nil {
		return 0
	}
	return r.blocks.held() + r.hangs[0].held() + r.hangs[1].held() + budget.Held(r.own[0]) + budget.Held(r.own[1])
}

// Region is what a removal changes, as seen from blocks: all blocks of one removed vertex, or the one
// block of some removed edges. In a block, masses stand for what hangs on its vertices. A piece is what stays connected of the block;
// its masses are W of the component's N.
//
//	inside    A pair within a piece changes its paths only in the block. A pair of two pieces loses them. Both have an end
//	          in a cover (see Difference.Sides).
//	outside   A pair of two pieces also loses its way from a vertex y of the block to what hangs on y: a flow to all that
//	          hangs there, of which N - W begin at y, and another one back.
//	over y    what hangs on y, without y itself, times N - W, in both directions
//
// Lengths change only the cover. A removed vertex is in no piece: what hangs on it is in its other blocks.
type Region struct {
	Before, After *csr.Graph // of the blocks, one after the other; a removed vertex is there in each, without an edge After
	At            []uint32   // by vertex of the region: the same vertex of the graph
	Lost          float64    // by all pairs that lose their paths, in both directions

	of      *Removals
	cover   Cover
	hangs   [2][]int64 // by vertex of the region: what begins and ends at all that hangs on it
	severed [2][]int64 // by vertex of the region: N - W of its piece; 0 of a removed vertex
}

// Ends are what begins and ends at the vertices of a graph.
type Ends struct{ Origins, Destinations []int64 }

// Removal is a removed vertex, or some removed edges of the graph, each once.
type Removal struct {
	Vertex uint32 // csr.None: Edges
	Edges  [][2]uint32
}

// Region finds the region of a removal. It is nil for edges of several blocks, and if searches from its cover are expected to
// cost as much as a run.
//
// local is scratch memory by vertex of the graph, all csr.None before and after. The error is the context's.
func (h *Removals) Region(ctx context.Context, removal Removal, local []uint32) (*Region, error) {
	b, x := h.blocks, removal.Vertex
	edges := removal.Edges
	if x != csr.None {
		for _, w := range b.graph.Neighbours(x) {
			edges = append(edges, [2]uint32{x, w})
		}
	}
	var blocks []uint32
	for _, e := range edges {
		blocks = append(blocks, b.Of(e[0], e[1]))
	}
	slices.Sort(blocks)
	if blocks = slices.Compact(blocks); x == csr.None && len(blocks) > 1 {
		return nil, nil
	}
	r := &Region{Before: b.empty(), After: b.empty(), of: h}
	worth := b.work / 2 // of searches in both graphs
	for _, block := range blocks {
		gone := h.lay(r, block, removal, local)
		cover, err := b.cover(ctx, r, block, gone, int(worth/float64(b.edges[block])))
		if err != nil || cover == nil {
			return nil, err
		}
		worth -= float64(cover.size()) * float64(b.edges[block])
		r.cover = append(r.cover, cover...)
	}
	return r, r.pieces(ctx, x)
}

// empty is a graph without vertices, with lengths if the graph has some.
func (b *Blocks) empty() *csr.Graph {
	g := &csr.Graph{Offsets: []int64{0}}
	if b.graph.HasLengths() {
		g.Lengths = []int64{}
	}
	return g
}

// lay appends a block to the region. It returns the removed edges of the block, in numbers of the region.
func (h *Removals) lay(r *Region, block uint32, removal Removal, local []uint32) (gone [][2]uint32) {
	b := h.blocks
	first := len(r.At)
	vertices := b.vertices(block)
	r.At = append(r.At, vertices...)
	for i, v := range vertices {
		local[v] = uint32(first + i)
		for side, hangs := range h.hangs {
			r.hangs[side] = append(r.hangs[side], hangs.at(block, v))
		}
	}
	x, is := removal.Vertex, map[[2]uint32]bool{}
	for _, e := range removal.Edges {
		u, v := local[e[0]], local[e[1]]
		gone, is[[2]uint32{u, v}], is[[2]uint32{v, u}] = append(gone, [2]uint32{u, v}), true, true
	}
	add := func(g *csr.Graph, to uint32, arc int64) {
		if g.Targets = append(g.Targets, to); g.HasLengths() {
			g.Lengths = append(g.Lengths, b.graph.Lengths[arc])
		}
	}
	for _, v := range vertices {
		if v == x { // its arcs are in many blocks
			for _, w := range vertices {
				if arc := b.graph.ArcTo(x, w); arc >= 0 {
					add(r.Before, local[w], arc)
					gone = append(gone, [2]uint32{local[x], local[w]})
				}
			}
		} else {
			for arc := b.graph.Offsets[v]; arc < b.graph.Offsets[v+1]; arc++ {
				w := b.graph.Targets[arc]
				to := local[w]
				if to == csr.None {
					continue
				}
				if add(r.Before, to, arc); w != x && !is[[2]uint32{local[v], to}] {
					add(r.After, to, arc)
				}
			}
		}
		r.Before.Offsets = append(r.Before.Offsets, int64(len(r.Before.Targets)))
		r.After.Offsets = append(r.After.Offsets, int64(len(r.After.Targets)))
	}
	for _, v := range vertices {
		local[v] = csr.None
	}
	return gone
}

// cover is that of the region's last block: an end of every pair with a shortest path over an edge that is gone. It is nil if it
// has more than so many vertices, or takes more searches.
func (b *Blocks) cover(ctx context.Context, r *Region, block uint32, gone [][2]uint32, most int) (Cover, error) {
	size := b.size(int(block))
	first := uint32(len(r.At) - size)
	if size == 2 {
		return Cover{true, false}, nil // a bridge
	}
	g := &csr.Graph{Offsets: make([]int64, 0, size+1)}
	arcs := r.Before.Offsets[first]
	for _, at := range r.Before.Offsets[first:] {
		g.Offsets = append(g.Offsets, at-arcs)
	}
	for _, to := range r.Before.Targets[arcs:] {
		g.Targets = append(g.Targets, to-first)
	}
	edges := slices.Clone(gone)
	for i := range edges {
		edges[i][0] -= first
		edges[i][1] -= first
	}
	if r.Before.HasLengths() {
		if g.Lengths = r.Before.Lengths[arcs:]; 2*len(edges) > most {
			return nil, nil
		}
	}
	cover, _, err := smallerSides(ctx, seeking{g: g, edges: edges, budget: int(b.work / 64), small: func(cover, _ Cover) bool { return cover.size() <= most }})
	return cover, err
}

// pieces finds what stays connected. The error is the context's.
func (r *Region) pieces(ctx context.Context, x uint32) error {
	r.severed = [2][]int64{make([]int64, len(r.At)), make([]int64, len(r.At))}
	met := make([]bool, len(r.At))
	if len(r.At) == 0 {
		return nil // a vertex without edges
	}
	product := func(masses [2]int64) float64 { return float64(masses[0]) * float64(masses[1]) }
	var whole [2]int64
	for side, hangs := range r.of.hangs {
		whole[side] = hangs.component[r.At[0]]
	}
	if r.Lost = product(whole); x != csr.None {
		r.Lost -= product([2]int64{r.of.own[0][x], r.of.own[1][x]}) // to itself
	}
	for v := range r.At {
		if met[v] || r.At[v] == x {
			continue
		}
		piece, masses := []uint32{uint32(v)}, [2]int64{}
		met[v] = true
		piece, err := r.After.BreadthFirst(ctx, piece, met)
		if err != nil {
			return err
		}
		for _, v := range piece {
			for side := range masses {
				masses[side] += r.hangs[side][v]
			}
		}
		r.Lost -= product(masses)
		for _, v := range piece {
			for side := range masses {
				r.severed[side][v] = whole[side] - masses[side]
			}
		}
	}
	return nil
}

// Fits reports whether no flow of the region has more masses than that.
func (r *Region) Fits(most int64) bool {
	for side := range r.hangs {
		sums := [2]float64{}
		for v, hangs := range r.hangs[side] {
			sums[0] += 2 * float64(hangs)
			sums[1] += 2 * float64(r.severed[side][v])
		}
		if max(sums[0], sums[1]) > float64(most) {
			return false
		}
	}
	return true
}

// Inside are the flows Before and After. Together they count all pairs with an end in the cover, in both directions.
func (r *Region) Inside() []Ends {
	if r.of.equal {
		origins, destinations := Masses(r.cover, r.hangs[0])
		return []Ends{{origins, destinations}}
	}
	n := len(r.At)
	there, back := Ends{make([]int64, n), r.hangs[1]}, Ends{make([]int64, n), slices.Clone(r.hangs[0])}
	for v, is := range r.cover {
		if is {
			there.Origins[v], back.Origins[v], back.Destinations[v] = r.hangs[0][v], r.hangs[1][v], 0
		}
	}
	return []Ends{there, back}
}

// Outside is the graph without the edges of the region, and the flows that it loses. It is nil if nothing hangs where pairs are lost.
func (r *Region) Outside(ctx context.Context, g *csr.Graph, threads int) (*csr.Graph, []Ends, error) {
	flows := []Ends{{make([]int64, g.Vertices()), r.of.own[1]}, {make([]int64, g.Vertices()), r.of.own[0]}}
	some := false
	for v, at := range r.At {
		for side := range flows {
			flows[side].Origins[at] += r.severed[side][v]
		}
		some = some || r.Over(v) > 0
	}
	if !some {
		return nil, nil, nil
	}
	if r.of.equal {
		for v, back := range flows[1].Origins {
			flows[0].Origins[v] += back
		}
		flows = flows[:1]
	}
	gone := make([]bool, len(g.Targets))
	for v, u := range r.At {
		for _, w := range r.Before.Neighbours(uint32(v)) {
			gone[g.ArcTo(u, r.At[w])] = true
		}
	}
	outside, err := g.Without(ctx, gone, threads)
	return outside, flows, err
}

// Over is what was lost over a vertex of the region, to and from all that hangs on it.
func (r *Region) Over(v int) (lost float64) {
	for side := range r.hangs {
		lost += float64(r.hangs[side][v]-r.of.own[side][r.At[v]]) * float64(r.severed[1-side][v])
	}
	return lost
}
