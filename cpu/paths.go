package cpu

import (
	"context"

	"bcstage/cpu/internal/invariants"
	"bcstage/preprocess"
)

// paths are the shortest paths from one source.
type paths struct {
	distance []int    // by vertex; -1: not reached
	sigma    []count  // by vertex
	order    []uint32 // vertices reached, near ones first
}

func newPaths(b *preprocess.Block) *paths {
	n := b.Vertices()
	return &paths{make([]int, n), make([]count, n), make([]uint32, 0, n)}
}

// search is the forward pass of Reference.
func (p *paths) search(ctx context.Context, b *preprocess.Block, source uint32) error {
	distance, sigma := p.distance, p.sigma
	for v := range distance {
		distance[v], sigma[v] = -1, count{}
	}
	distance[source], sigma[source] = 0, count{0.5, 1}
	order := append(p.order[:0], source)
	for head := 0; head < len(order); head++ {
		if head%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := order[head]
		if u != source {
			sigma[u] = sigma[u].times(multiplicity(b, u)) // every predecessor has added to the count by now
		}
		if preprocess.Invariants {
			if err := invariants.Paths(u, sigma[u].float64()); err != nil {
				return err
			}
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

// checkEvery is how many vertices pass between two looks at the context.
const checkEvery = 4096

// multiplicity of v: how many twins the vertex stands for.
func multiplicity(b *preprocess.Block, v uint32) float64 {
	if b.Multiplicity == nil {
		return 1
	}
	return b.Multiplicity[v]
}
