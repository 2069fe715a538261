package preprocess

import (
	"context"
	"slices"
)

// countEndpoints adds to the closed forms, where a path counts for its own ends
// too, what every vertex has as an end: as many paths as there are targets that it
// reaches, if paths begin at it, and sources that reach it, if they end there. The
// graph is undirected, so that those are what its component has.
func (r *reducer) countEndpoints(ctx context.Context, closed []int64) error {
	q := r.plan.Question
	if !q.Endpoints {
		return nil
	}
	component, count, err := r.graph.components(ctx)
	if err != nil {
		return err
	}
	begin, end := ownMass(len(component), q.Sources, r.opts.Sources), ownMass(len(component), q.Targets, r.opts.Targets)
	sources, targets := make([]int64, count), make([]int64, count)
	for v, c := range component {
		sources[c] += int64(begin[v])
		targets[c] += int64(end[v])
	}
	for v, c := range component {
		a, b := int64(begin[v]), int64(end[v])
		closed[v] += a*(targets[c]-b) + b*(sources[c]-a)
	}
	return nil
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
