package textbook

import (
	"context"

	"bcstage/internal/invariants"
	"bcstage/internal/nearest"
	"bcstage/preprocess"
)

// paths are the shortest paths from one source.
type paths struct {
	distance []int64  // by vertex; -1: not reached
	sigma    []count  // by vertex
	order    []uint32 // vertices reached, near ones first

	queue nearest.Queue // of a block with lengths
}

func newPaths(b *preprocess.Block) *paths {
	n := b.Vertices()
	return &paths{distance: make([]int64, n), sigma: make([]count, n), order: make([]uint32, 0, n)}
}

// search runs the forward pass of Scores.
func (p *paths) search(ctx context.Context, b *preprocess.Block, source uint32) error {
	for v := range p.distance {
		p.distance[v], p.sigma[v] = -1, count{}
	}
	p.distance[source], p.sigma[source] = 0, count{0.5, 1}
	if b.HasLengths() {
		return p.byLength(ctx, b, source)
	}
	return p.byHops(ctx, b, source)
}

// byHops searches breadth first.
func (p *paths) byHops(ctx context.Context, b *preprocess.Block, source uint32) error {
	distance, sigma := p.distance, p.sigma
	order := append(p.order[:0], source)
	for head := 0; head < len(order); head++ {
		if head%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := order[head]
		if err := p.counted(b, u, source); err != nil {
			return err
		}
		if b.Cutoff > 0 && distance[u] == int64(b.Cutoff) {
			continue
		}
		for _, v := range b.Neighbours(u) {
			if distance[v] < 0 {
				distance[v] = distance[u] + 1
				order = append(order, v)
			}
			if distance[v] == distance[u]+1 {
				sigma[v].add(sigma[u])
			}
		}
	}
	p.order = order
	return nil
}

// byLength searches vertices in the order of their distance.
func (p *paths) byLength(ctx context.Context, b *preprocess.Block, source uint32) error {
	distance, sigma := p.distance, p.sigma
	order := p.order[:0]
	p.queue = p.queue[:0]
	p.queue.Push(0, source)
	for steps := 0; len(p.queue) > 0; steps++ {
		if steps%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := p.queue.Pop()
		u := at.Vertex
		if at.Distance > distance[u] {
			continue
		}
		order = append(order, u)
		if err := p.counted(b, u, source); err != nil {
			return err
		}
		for e := b.Offsets[u]; e < b.Offsets[u+1]; e++ {
			v, d := b.Targets[e], at.Distance+b.Lengths[e]
			if b.Cutoff > 0 && d > int64(b.Cutoff) {
				continue
			}
			if distance[v] < 0 || d < distance[v] {
				distance[v], sigma[v] = d, count{}
				p.queue.Push(d, v)
			}
			if d == distance[v] {
				sigma[v].add(sigma[u])
			}
		}
	}
	p.order = order
	return nil
}

// counted completes the path count of u after every predecessor has added to it.
func (p *paths) counted(b *preprocess.Block, u, source uint32) error {
	if u != source {
		p.sigma[u] = p.sigma[u].times(multiplicity(b, u))
	}
	if invariants.On {
		return invariants.Paths(u, p.sigma[u].float64())
	}
	return nil
}

// checkEvery is the number of vertices between two looks at the context.
const checkEvery = 4096

// multiplicity returns the number of twins that v stands for.
func multiplicity(b *preprocess.Block, v uint32) float64 {
	if b.Multiplicity == nil {
		return 1
	}
	return b.Multiplicity[v]
}
