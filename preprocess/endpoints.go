package preprocess

import (
	"context"
	"slices"

	"bcstage/preprocess/question"
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
	begins, ends := marked(len(component), q.Sources, r.opts.Sources), marked(len(component), q.Targets, r.opts.Targets)
	sources, targets := make([]int64, count), make([]int64, count)
	for v, c := range component {
		sources[c] += begins[v]
		targets[c] += ends[v]
	}
	for v, c := range component {
		closed[v] += begins[v]*(targets[c]-ends[v]) + ends[v]*(sources[c]-begins[v])
	}
	return nil
}

// marked is 1 for every vertex where paths begin, or end; 0 for others.
func marked(n int, set question.Set, list []uint32) []int64 {
	if set == (question.Set{}) {
		return slices.Repeat([]int64{1}, n)
	}
	marks := make([]int64, n)
	for _, v := range list {
		marks[v] = 1
	}
	return marks
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
