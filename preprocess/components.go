package preprocess

import (
	"context"
	"math/bits"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// numberCore makes the core, and with it the sizes of components, which the
// closed forms of folded vertices need.
func (r *reducer) numberCore(ctx context.Context, closed Forms) (err error) {
	f := r.folding
	r.folding = nil
	vertices, edges := f.core()
	core := coreBytes(vertices, edges, r.opts.Lanes, r.plan.Question.Directed) + r.graph.LengthBytes(edges)
	if r.edges != nil {
		core += splitBytes * edges
	}
	if err := r.fits(r.held() + core); err != nil {
		return err
	}
	if r.core, err = findCore(ctx, r.graph, r.shadow, f, r.opts.Threads); err != nil {
		return err
	}
	r.shadow = nil
	r.plan.Components = f.trees + len(r.core.roots)
	r.size = make([]uint32, r.graph.Vertices())
	for i, total := range r.core.size {
		lo, hi := r.core.component(i)
		for _, v := range r.core.vertex[lo:hi] {
			r.size[v] = total
		}
	}
	if f.sizes(r.size); r.masses == nil {
		f.outside(r.size, closed)
		if err := r.foldedEdges(ctx, f); err != nil {
			return err
		}
	}
	if r.opts.keepSizes() {
		r.plan.ComponentSizes = r.size
	}
	return nil
}

// findCore searches the core breadth first. shadow is that of g; degrees count
// its edges.
func findCore(ctx context.Context, g, shadow *csr.Graph, f *folding, threads int) (*core, error) {
	s := newNumbering(shadow, f.degree, threads)
	roots, err := s.components(ctx, s.level)
	if err != nil {
		return nil, err
	}
	c := &core{vertex: s.vertex, parent: s.parent, roots: roots}
	c.weight = make([]uint32, len(c.vertex))
	for i, v := range c.vertex {
		c.weight[i] = f.weight[v]
	}
	if c.graph, err = c.renumber(ctx, shadow, s.number, f.degree, threads); err != nil {
		return nil, err
	}
	c.arcs = &c.graph
	if g.Directed() {
		if c.arcs, err = c.renumberArcs(ctx, g, s.number, threads); err != nil {
			return nil, err
		}
	}
	c.size = make([]uint32, len(c.roots))
	for i := range c.roots {
		lo, hi := c.component(i)
		for v := lo; v < hi; v++ {
			c.size[i] += c.weight[v]
		}
	}
	return c, nil
}

// component gives the core vertices lo..hi-1 of the i-th component.
func (c *core) component(i int) (lo, hi uint32) {
	lo, hi = c.roots[i], uint32(len(c.vertex))
	if i+1 < len(c.roots) {
		hi = c.roots[i+1]
	}
	return lo, hi
}

// renumberArcs copies the core's arcs out of g, which is directed.
func (c *core) renumberArcs(ctx context.Context, g *csr.Graph, number []uint32, threads int) (*csr.Graph, error) {
	var ways [2]csr.Graph
	for i, way := range [2]*csr.Graph{g, g.In} {
		degree := make([]uint32, g.Vertices())
		err := parallel.Spread(ctx, threads, len(c.vertex), 1<<12, func(lo, hi int) {
			for _, v := range c.vertex[lo:hi] {
				for _, u := range way.Neighbours(v) {
					if number[u] != folded {
						degree[v]++
					}
				}
			}
		})
		if err == nil {
			ways[i], err = c.renumber(ctx, way, number, degree, threads)
		}
		if err != nil {
			return nil, err
		}
	}
	ways[0].In = &ways[1]
	return &ways[0], nil
}

// renumber copies the core's rows out of g. degree counts, by vertex, the
// neighbours that are in the core.
func (c *core) renumber(ctx context.Context, g *csr.Graph, number, degree []uint32, threads int) (csr.Graph, error) {
	left := len(c.vertex)
	out := csr.Graph{Offsets: make([]int64, left+1)}
	for i, v := range c.vertex {
		out.Offsets[i+1] = out.Offsets[i] + int64(degree[v])
	}
	out.Targets = make([]uint32, out.Offsets[left])
	width := bits.Len(uint(left))
	return out, parallel.SpreadRows(ctx, threads, out.Offsets, func(lo, hi int) {
		first, at := out.Offsets[lo], out.Offsets[lo]
		for _, v := range c.vertex[lo:hi] {
			for _, u := range g.Neighbours(v) {
				if number[u] != folded {
					out.Targets[at] = number[u]
					at++
				}
			}
		}
		csr.SortRows(ctx, out.Offsets[lo:hi+1], out.Targets[first:at], width)
	})
}
