package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// fold is the step "folding". It adds to the closed forms, for every leaf u that folds into v, the pairs between u's
// branch and the vertices folded into v before: w(u)*(w(v)-1), in ordered pairs. See outside for the rest.
//
// The idea is A.E. Sariyuce et al., "Shattering and compressing networks for
// betweenness centrality", SDM 2013.
func (r *reducer) fold(ctx context.Context, closed wholes.Forms) (err error) {
	if err = r.foldBelow(ctx, 2, closed); err == nil {
		r.plan.Folded = len(r.folding.order)
	}
	return err
}

// keepLeaves removes only vertices without neighbours, and trees of vertices where no path begins or ends.
func (r *reducer) keepLeaves(ctx context.Context, closed wholes.Forms) (err error) {
	return r.foldBelow(ctx, 1, closed)
}

// foldBelow makes the folding, of the shadow of a directed graph. Where there are two masses, the closed forms use
// them.
func (r *reducer) foldBelow(ctx context.Context, least uint32, closed wholes.Forms) (err error) {
	q, n := r.plan.Question, r.plan.Vertices
	switch {
	case q.Parts() && least > 1:
		if fits, err := r.sharesFold(ctx); err != nil || !fits {
			if err == nil {
				err = r.keepLeaves(ctx, closed)
			}
			return err
		}
		if r.folding, err = foldBelow(ctx, r.shadow, least, nil, wholes.NewForms(n, false), r.opts.Threads); err == nil {
			r.hanging, err = r.foldShares(ctx, closed)
		}
		return err
	case !r.graph.Directed() && !r.opts.twoMasses():
		r.folding, err = foldBelow(ctx, r.shadow, least, nil, closed, r.opts.Threads)
		return err
	}
	if r.folding, err = foldBelow(ctx, r.shadow, least, r.massless(), wholes.NewForms(n, false), r.opts.Threads); err == nil {
		r.folds = r.folding
		r.masses, err = foldMasses(ctx, r.graph, r.folding, r.opts.begin(n), r.opts.end(n), closed)
	}
	return err
}

// foldBelow removes vertices of degree below least, 1 or 2, until none is left, and listed vertices of degree below
// 2. It takes linear time, without recursion.
func foldBelow(ctx context.Context, g *csr.Graph, least uint32, listed []bool, closed wholes.Forms, threads int) (*folding, error) {
	n := g.Vertices()
	folds := func(v, degree uint32) bool { return degree < least || degree < 2 && listed != nil && listed[v] }
	f := &folding{weight: make([]uint32, n)}
	peeled, err := csr.Peel(ctx, g, threads, folds)
	if err != nil {
		return nil, err
	}
	f.order, f.into, f.degree, f.leaves = peeled.Order, peeled.Into, peeled.Degree, peeled.First
	f.foldLeaves(closed, threads)
	for i, u := range parallel.Over(ctx, f.order[f.leaves:]) {
		v := f.into[f.leaves+i]
		if u == v {
			f.trees++
			continue
		}
		closed.Add(v, 2*int64(f.weight[u]), int64(f.weight[v]-1))
		f.weight[v] += f.weight[u]
	}
	return f, ctx.Err()
}

// foldLeaves folds the leaves of the graph itself, the first of the order, often nearly all. Each weighs 1. Every thread
// adds up the weights of vertices of its own, as most leaves fold into few of them.
func (f *folding) foldLeaves(closed wholes.Forms, threads int) {
	trees := make([]int, threads)
	parallel.EachWhole(threads, threads, func(_, share int) {
		for i, u := range f.order[:f.leaves] {
			v := f.into[i]
			if line := v / (pages.CacheLine / 4); line%uint32(threads) != uint32(share) {
				continue
			}
			if u == v {
				trees[share]++
			} else {
				f.weight[v]++
			}
		}
	})
	for _, some := range trees {
		f.trees += some
	}
	parallel.SpreadWhole(threads, len(f.weight), parallel.Interval, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			leaves := int64(f.weight[v])
			f.weight[v]++                                   // itself
			closed.Add(uint32(v), leaves, max(leaves-1, 0)) // the sum of 2*k for every k below leaves
		}
	})
}

// core returns how many vertices and edges are left.
func (f *folding) core(threads int) (vertices int, edges int64) {
	ends := parallel.Total(threads, len(f.degree), parallel.Interval, func(lo, hi int) (ends int64) {
		for _, degree := range f.degree[lo:hi] {
			ends += int64(degree)
		}
		return ends
	})
	return len(f.degree) - len(f.order), ends / 2
}

// sizes completes the sizes of components, by vertex: they are known for the core, and set here for folded vertices.
func (f *folding) sizes(size []uint32, threads int) {
	set := func(i int) {
		if u, v := f.order[i], f.into[i]; u == v {
			size[u] = f.weight[u]
		} else {
			size[u] = size[v]
		}
	}
	for i := len(f.order) - 1; i >= f.leaves; i-- {
		set(i)
	}
	for _, alone := range []bool{true, false} { // leaves fold into other leaves only if these fold into none
		parallel.SpreadWhole(threads, f.leaves, parallel.Interval, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if (f.order[i] == f.into[i]) == alone {
					set(i)
				}
			}
		})
	}
}

// outside adds, for every vertex, the pairs between the vertices folded into it when it left (without itself) and
// the rest of its component: (w-1)*(N-w), in ordered pairs. size is N by vertex.
func (f *folding) outside(size []uint32, closed wholes.Forms, threads int) {
	parallel.SpreadWhole(threads, len(size), parallel.Interval, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			w := f.weight[v]
			closed.Add(uint32(v), 2*int64(w-1), int64(size[v]-w))
		}
	})
}
