package preprocess

import (
	"context"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/spill"
	"bcstage/internal/wholes"
)

// numberCore makes the core, and with it the sizes of components, which the
// closed forms of folded vertices need.
func (r *reducer) numberCore(ctx context.Context, closed wholes.Forms) (err error) {
	f := r.folding
	r.folding = nil
	edgeBytes := int64(coreEdgeBytes)
	if r.spends() {
		edgeBytes = spentEdgeBytes
	}
	var files *spill.Files
	if err = r.fits(r.held() + r.coreBytes(f, edgeBytes)); err != nil && r.spends() && r.opts.Files != nil {
		files = r.opts.Files
		err = r.fits(r.held() + r.coreBytes(f, filedEdgeBytes))
	}
	if err != nil {
		return err
	}
	r.copying = r.coreBytes(f, blockEdgeBytes)
	if r.core, err = findCore(ctx, r.graph, r.shadow, f, r.spends(), files, r.opts.Threads); err != nil {
		return err
	}
	r.shadow = nil
	r.plan.Components = f.trees + len(r.core.roots)
	r.size = make([]uint32, r.graph.Vertices())
	for i, total := range r.core.size {
		lo, hi := r.core.component(i)
		component := r.core.vertex[lo:hi]
		parallel.SpreadWhole(r.opts.Threads, len(component), parallel.Interval, func(lo, hi int) {
			for _, v := range component[lo:hi] {
				r.size[v] = total
			}
		})
	}
	if f.sizes(r.size, r.opts.Threads); r.masses == nil && r.hanging == nil {
		f.outside(r.size, closed, r.opts.Threads)
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
// its edges. With spend, the core's rows take the memory of g, which is not directed. With files, edges wait there.
func findCore(ctx context.Context, g, shadow *csr.Graph, f *folding, spend bool, files *spill.Files, threads int) (*core, error) {
	s := newNumbering(shadow, f.degree, threads)
	roots, err := s.components(ctx, s.level)
	if err != nil {
		return nil, err
	}
	c := &core{vertex: s.vertex, parent: s.parent, roots: roots}
	c.weight = make([]uint32, len(c.vertex))
	parallel.SpreadWhole(threads, len(c.vertex), parallel.Interval, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c.weight[i] = f.weight[c.vertex[i]]
		}
	})
	number, room := s.number, []uint32(nil)
	if spend {
		room = g.Targets
		err := parallel.Spread(ctx, threads, len(room), parallel.Interval, func(lo, hi int) {
			for i, u := range room[lo:hi] {
				room[lo+i] = number[u]
			}
		})
		if err != nil {
			return nil, err
		}
		number = nil // rows have the numbers now, and are read twice
	}
	_, edges := f.core(threads)
	if c.graph, err = c.renumber(ctx, shadow, number, edges, threads, files, room); err != nil {
		return nil, err
	}
	c.arcs = &c.graph
	if g.Directed() {
		arcs, err := c.renumber(ctx, g, s.number, g.Edges(), threads, nil, nil)
		if err != nil {
			return nil, err
		}
		c.arcs = &arcs
	} else if spend {
		g.Targets = nil // they are the core's
	}
	c.size = make([]uint32, len(c.roots))
	for i := range c.roots {
		lo, hi := c.component(i)
		component := c.weight[lo:hi]
		parallel.SpreadWhole(threads, len(component), parallel.Interval, func(lo, hi int) {
			weight := uint32(0)
			for _, w := range component[lo:hi] {
				weight += w
			}
			atomic.AddUint32(&c.size[i], weight)
		})
	}
	return c, nil
}

// fewArcs reports whether the rows of a graph fit near caches, so that its arcs are dealt out at once, by one thread.
func fewArcs(g *csr.Graph) bool { return len(g.Targets) <= 1<<18 }

// component gives the core vertices lo..hi-1 of the i-th component.
func (c *core) component(i int) (lo, hi uint32) {
	lo, hi = c.roots[i], uint32(len(c.vertex))
	if i+1 < len(c.roots) {
		hi = c.roots[i+1]
	}
	return lo, hi
}

// renumber makes the core's rows of those of g, directed or not, with at most that many edges. They take the memory of
// room, if that is enough, which may be the rows of g. number has the new numbers of its vertices; nil: its rows do.
func (c *core) renumber(ctx context.Context, g *csr.Graph, number []uint32, edges int64, threads int, files *spill.Files, room []uint32) (csr.Graph, error) {
	if fewArcs(g) && number != nil && files == nil {
		there := csr.Graph{Offsets: g.Offsets, Targets: g.Targets}
		back := csr.Graph{Offsets: g.Reverse().Offsets, Targets: g.Reverse().Targets}
		out, err := back.Turned(ctx, c.vertex, number)
		if g.Directed() && err == nil {
			out.In = new(csr.Graph)
			*out.In, err = there.Turned(ctx, c.vertex, number)
		}
		return out, err
	}
	l := csr.BucketsFor(len(c.vertex), edges)
	halves, err := csr.MakeHalves(ctx, l, g.Directed(), threads, files, func(bucket int, deal func(large, small []uint32)) {
		const together = 1 << 10
		large, small := make([]uint32, 0, together), make([]uint32, 0, together)
		for v := uint32(l.First(bucket)); v < uint32(l.First(bucket+1)) && ctx.Err() == nil; v++ {
			below := v
			if g.Directed() {
				below = folded
			}
			for _, to := range g.Neighbours(c.vertex[v]) {
				if number != nil {
					to = number[to]
				}
				if to < below {
					if len(small) == together {
						deal(large, small)
						large, small = large[:0], small[:0]
					}
					large, small = append(large, v), append(small, to)
				}
			}
		}
		deal(large, small)
	})
	if err != nil {
		return csr.Graph{}, err
	}
	return halves.Rows(ctx, threads, room)
}
