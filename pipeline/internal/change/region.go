package change

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Region is what a removal changes of an undirected graph, as seen from blocks: all blocks of one removed vertex, or the one
// block of some removed edges. In a block, masses stand for what hangs on its vertices. A piece is what stays connected of the block;
// its masses are W vertices of the component's N.
//
//	inside    A pair within a piece changes its paths only in the block. A pair of two pieces loses them. Both have an end
//	          in a cover (see Difference.Sides).
//	outside   A pair of two pieces also loses its way from a vertex y of the block to what hangs on y: a flow to all that
//	          hangs there, of which N - W begin at y.
//	at y      (mass of y - 1) (N - W) such pairs led over y itself.
//
// Lengths change only the cover. A removed vertex is in no piece: what hangs on it is in its other blocks.
type Region struct {
	Before, After *csr.Graph // of the blocks, one after the other; a removed vertex is there in each, without an edge After
	At            []uint32   // by vertex of the region: the same vertex of the graph
	Mass          []int64    // by vertex of the region
	Cover         Cover      // of the region
	Severed       []int64    // by vertex of the region: N - W of its piece; 0 of a removed vertex
	Pairs         int64      // ordered pairs of the graph's vertices that lose all paths
}

// Removal is a removed vertex, or some removed edges of the graph, each once.
type Removal struct {
	Vertex uint32 // csr.None: Edges
	Edges  [][2]uint32
}

// Region finds the region of a removal. It is nil for edges of several blocks, and if searches from its cover are expected to
// cost as much as a run.
//
// local is scratch memory by vertex of the graph, all csr.None before and after. The error is the context's.
func (h *Hanging) Region(ctx context.Context, removal Removal, local []uint32) (*Region, error) {
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
	r := &Region{Before: b.empty(), After: b.empty()}
	worth := b.work / 2 // of searches in both graphs
	for _, block := range blocks {
		gone := h.lay(r, block, removal, local)
		cover, err := b.cover(ctx, r, block, gone, int(worth/float64(b.edges[block])))
		if err != nil || cover == nil {
			return nil, err
		}
		worth -= float64(cover.size()) * float64(b.edges[block])
		r.Cover = append(r.Cover, cover...)
	}
	return r, r.pieces(ctx, h, x)
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
func (h *Hanging) lay(r *Region, block uint32, removal Removal, local []uint32) (gone [][2]uint32) {
	b := h.blocks
	first := len(r.At)
	vertices := b.vertices(block)
	r.At = append(r.At, vertices...)
	for i, v := range vertices {
		local[v] = uint32(first + i)
		r.Mass = append(r.Mass, h.at(block, v))
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
	cover, _, err := smallerSides(ctx, seeking{g, edges, [2][]bool{}, most * size / 16, func(cover, _ Cover) bool { return cover.size() <= most }})
	return cover, err
}

// pieces finds what stays connected. The error is the context's.
func (r *Region) pieces(ctx context.Context, h *Hanging, x uint32) error {
	r.Severed = make([]int64, len(r.At))
	met := make([]bool, len(r.At))
	if len(r.At) == 0 {
		return nil // a vertex without edges
	}
	whole := h.component[r.At[0]]
	r.Pairs = whole * (whole - 1)
	for v := range r.At {
		if met[v] || r.At[v] == x {
			continue
		}
		piece, mass := []uint32{uint32(v)}, int64(0)
		met[v] = true
		for i := 0; i < len(piece); i++ {
			if i%parallel.Interval == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			mass += r.Mass[piece[i]]
			for _, w := range r.After.Neighbours(piece[i]) {
				if !met[w] {
					met[w] = true
					piece = append(piece, w)
				}
			}
		}
		r.Pairs -= mass * (mass - 1)
		for _, v := range piece {
			r.Severed[v] = whole - mass
		}
	}
	return nil
}

// Masses are what begins and ends at the region's vertices, such that an unordered pair with an end in the cover counts for
// 2, and any other for nothing.
func (r *Region) Masses() (origins, destinations []int64) {
	return Masses(r.Cover, r.Mass)
}

// Outside is the graph without the edges of the region, and what begins at its vertices. It is nil if nothing hangs where pairs are lost.
func (r *Region) Outside(ctx context.Context, g *csr.Graph, threads int) (*csr.Graph, []int64, error) {
	origins, some := make([]int64, g.Vertices()), false
	for v, severed := range r.Severed {
		origins[r.At[v]] += severed
		some = some || severed > 0 && r.Mass[v] > 1
	}
	if !some {
		return nil, nil, nil
	}
	gone := make([]bool, len(g.Targets))
	for v, u := range r.At {
		for _, w := range r.Before.Neighbours(uint32(v)) {
			gone[g.ArcTo(u, r.At[w])] = true
		}
	}
	outside, err := g.Without(ctx, gone, threads)
	return outside, origins, err
}
