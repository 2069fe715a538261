package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/cpu/independent"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
)

// numberWhole finds the components for a question that asks for their names or for
// distances. Questions that only count paths get sizes from numberCore.
func (r *reducer) numberWhole(ctx context.Context, _ wholes.Forms) error {
	q := r.opts.Question
	if q.Asks(measures.Degree, measures.Degree+measures.Out) {
		r.plan.Degrees = r.graph.Degrees()
	}
	if q.Asks(measures.Degree + measures.In) {
		r.plan.InDegrees = r.graph.Reverse().Degrees()
	}
	if r.opts.keepEnds() {
		n := r.graph.Vertices()
		r.plan.IsSource, r.plan.IsTarget = ownMass(n, q.Sources, r.opts.Sources), ownMass(n, q.Targets, r.opts.Targets)
	}
	byTheWay := q.Searches(measures.Paths) && !q.Searches(measures.Distances) && !q.Asks(measures.Component)
	if byTheWay && !q.Asks(measures.IndependentSet) {
		return nil
	}
	under, err := r.graph.Shadow(ctx, r.opts.Threads)
	if err != nil {
		return err
	}
	if q.Asks(measures.IndependentSet) {
		if find := r.opts.Independent; find != nil {
			if r.plan.IndependentSet, err = find(ctx, under); err != nil {
				return err
			}
		}
		if r.plan.IndependentSet == nil {
			if r.plan.IndependentSet, err = independent.Set(ctx, under, r.opts.Threads); err != nil {
				return err
			}
		}
	}
	if byTheWay {
		return nil
	}
	s := newNumbering(under, under.Degrees(), r.opts.Threads)
	roots, err := s.components(ctx, s.level)
	if err != nil {
		return err
	}
	n := r.graph.Vertices()
	w := &entire{s.vertex, append(roots, uint32(len(s.vertex))), s.depths}
	r.plan.Components = len(roots) + n - len(s.vertex)
	r.size = slices.Repeat([]uint32{1}, n)
	first := slices.Repeat([]uint32{csr.None}, n) // by vertex: the first of its component; none: itself, and alone
	for i := range roots {
		list := w.component(i)
		least := slices.Min(list)
		for _, v := range list {
			r.size[v] = uint32(len(list))
			first[v] = least
		}
	}
	if r.opts.keepSizes() {
		r.plan.ComponentSizes = r.size
	}
	if q.Asks(measures.Component) {
		r.plan.ComponentOf = inOrder(first)
	}
	if q.Searches(measures.Distances) {
		r.whole = w
	}
	return nil
}

// keepSizes reports whether results contain, or are made of, the sizes of components.
func (o Options) keepSizes() bool {
	q := o.Question
	return o.ComponentSizes || q.Asks(measures.ComponentSize) || !q.Reaches() && q.Asks(measures.Reach, measures.Closeness, measures.ClosenessClassic)
}

// keepEnds reports whether results contain, or are made of, the places where paths
// begin and end. A prepared graph keeps them for all measures of the same distances.
func (o Options) keepEnds() bool {
	q := o.Question
	asks := q.Asks(measures.Closeness, measures.Closeness+measures.In, measures.Closeness+measures.Out)
	return chosenEnds(q) && (asks || o.ComponentSizes && q.Searches(measures.Distances))
}

// inOrder numbers components from 0 in the order of their first vertices. It
// overwrites its list.
func inOrder(first []uint32) []uint32 {
	count := uint32(0)
	for v, f := range first {
		if f == csr.None || f == uint32(v) {
			first[v] = count
			count++
		} else {
			first[v] = first[f]
		}
	}
	return first
}

// component lists the vertices of a component.
func (w *entire) component(i int) []uint32 { return w.vertex[w.roots[i]:w.roots[i+1]:w.roots[i+1]] }
