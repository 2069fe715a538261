package lengths

import (
	"context"
	"slices"

	"bcstage/internal/contraction"
	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// hierarchy is a graph in which distances take fewer visits than in the block's own, by contraction. Between two
// vertices some shortest path goes up, to vertices removed later or never, and down from there:
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

// contractFrom is the least number of sources of a block for which a hierarchy pays.
const contractFrom = 32 * lanes

// contract makes the hierarchy of a graph, with shortcuts shorter than limit. The only error is the context's.
func contract(ctx context.Context, g *csr.Graph, limit int64) (*hierarchy, error) {
	c, err := contraction.Contract(ctx, g, limit, nil)
	if err != nil {
		return nil, err
	}
	n, ups, downs := len(c.Out), 0, 0
	h := &hierarchy{up: arcs{offsets: make([]int64, n+1)}, down: arcs{offsets: make([]int64, n+1)}}
	for v := range uint32(n) {
		ups += len(c.Out[v])
		h.up.offsets[v+1] = int64(ups)
	}
	for _, v := range c.Order {
		downs += len(c.In[v])
		for _, e := range c.In[v] {
			h.down.offsets[e.To+1]++
		}
	}
	h.up.targets, h.up.lengths = make([]uint32, 0, ups), make([]int64, 0, ups)
	h.down.targets, h.down.lengths = make([]uint32, downs), make([]int64, downs)
	next := make([]int64, n)
	for v := range n {
		for _, e := range c.Out[v] {
			h.up.targets, h.up.lengths = append(h.up.targets, e.To), append(h.up.lengths, e.Length)
		}
		if h.down.offsets[v+1] > 0 && !c.Taken[v] {
			h.order = append(h.order, uint32(v))
		}
		h.down.offsets[v+1] += h.down.offsets[v]
		next[v] = h.down.offsets[v]
	}
	for _, v := range c.Order {
		for _, e := range c.In[v] {
			h.down.targets[next[e.To]], h.down.lengths[next[e.To]] = v, e.Length
			next[e.To]++
		}
	}
	for _, v := range slices.Backward(c.Order) {
		if h.down.offsets[v] < h.down.offsets[v+1] {
			h.order = append(h.order, v)
		}
	}
	return h, nil
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
		arc    = 12 * 3 / 2 // up or down
		vertex = 2*4 + 3*8
	)
	return contraction.Bytes(&b.Graph, false) + int64(b.Vertices())*vertex + int64(len(b.Targets))*arc
}

// contracts says whether a hierarchy pays. It never does for a part of a block, which is searched only once.
func contracts(b *preprocess.Block) bool { return b.Near == nil && len(b.Sources) >= contractFrom }
