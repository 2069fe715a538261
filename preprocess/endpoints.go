package preprocess

import (
	"context"
	"slices"
)

// countEndpoints adds to the closed forms, where a path counts for its own ends
// too, what every vertex has as an end: as many paths as there are targets that it
// reaches, if paths begin at it, and sources that reach it, if they end there.
func (r *reducer) countEndpoints(ctx context.Context, closed []int64) error {
	q := r.plan.Question
	if !q.Endpoints {
		return nil
	}
	n := r.plan.Vertices
	begin, end := ownMass(n, q.Sources, r.opts.Sources), ownMass(n, q.Targets, r.opts.Targets)
	if r.cutoff != noCutoff {
		return r.countEndpointsWithin(ctx, begin, end, closed)
	}
	of, sources, targets, err := r.graph.reached(ctx, begin, end, r.opts.Threads)
	if err != nil {
		return err
	}
	for v, c := range of {
		a, b := int64(begin[v]), int64(end[v])
		closed[v] += a*(targets[c]-b) + b*(sources[c]-a)
	}
	return nil
}

// countEndpointsWithin is countEndpoints for a cutoff: a search from every source, and
// one against the arcs from every target, that count no paths.
func (r *reducer) countEndpointsWithin(ctx context.Context, begin, end []uint32, closed []int64) error {
	threads, err := r.threadsFor(r.held(), withinVertexBytes*int64(r.plan.Vertices))
	if err != nil {
		return err
	}
	in, err := r.graph.reachedWithin(ctx, verticesOf(begin), r.cutoff, threads)
	if err != nil {
		return err
	}
	out := in
	if r.graph.Directed() || chosenEnds(r.plan.Question) {
		if out, err = r.graph.Reverse().reachedWithin(ctx, verticesOf(end), r.cutoff, threads); err != nil {
			return err
		}
	}
	for v := range closed {
		closed[v] += int64(begin[v])*out[v] + int64(end[v])*in[v]
	}
	return nil
}

// verticesOf lists the vertices that have mass.
func verticesOf(mass []uint32) (list []uint32) {
	for v, x := range mass {
		if x > 0 {
			list = append(list, uint32(v))
		}
	}
	return list
}

// reached gives, by vertex, the part of the graph that it is in, and by part how
// many sources reach its vertices and how many targets these reach, their own
// included. Parts are components; of a directed graph strong ones, of which not
// each is asked about: see condensed.reach.
func (g *Graph) reached(ctx context.Context, begin, end []uint32, threads int) (of []uint32, sources, targets []int64, err error) {
	if !g.Directed() {
		of, count, err := g.components(ctx)
		sources, targets = make([]int64, count), make([]int64, count)
		for v, c := range of {
			sources[c] += int64(begin[v])
			targets[c] += int64(end[v])
		}
		return of, sources, targets, err
	}
	var search strongSearch
	strong, err := search.find(ctx, g)
	if err != nil {
		return nil, nil, nil, err
	}
	there, err := condense(ctx, g, strong, end)
	if err != nil {
		return nil, nil, nil, err
	}
	if targets, err = there.reach(ctx, threads); err != nil {
		return nil, nil, nil, err
	}
	back, err := condense(ctx, g.In, strong.reversed(), begin)
	if err != nil {
		return nil, nil, nil, err
	}
	sources, err = back.reach(ctx, threads)
	slices.Reverse(sources)
	return strong.of, sources, targets, err
}

// components are, by vertex, the numbers of an undirected graph's components, and
// how many there are.
func (g *Graph) components(ctx context.Context) (of []uint32, count int, err error) {
	of = slices.Repeat([]uint32{none}, g.Vertices())
	var queue []uint32
	for root := range uint32(len(of)) {
		if of[root] != none {
			continue
		}
		of[root] = uint32(count)
		queue = append(queue[:0], root)
		for head := 0; head < len(queue); head++ {
			if head%interval == interval-1 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			for _, v := range g.Neighbours(queue[head]) {
				if of[v] == none {
					of[v] = uint32(count)
					queue = append(queue, v)
				}
			}
		}
		count++
	}
	return of, count, nil
}
