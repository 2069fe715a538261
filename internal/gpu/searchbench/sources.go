package searchbench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/splitmix"
)

// looksEvery is the number of vertices that a loop over a graph visits between looks at the context.
const looksEvery = 1 << 14

// draw draws sources, without repeats while there are enough vertices.
func (c *contest) draw(ctx context.Context) error {
	members, err := largestComponent(ctx, c.graph)
	if err != nil {
		return err
	}
	c.component = len(members)
	if len(members) == 0 {
		return fmt.Errorf("searches: %w: a graph without vertices", searches.ErrProblem)
	}
	random := rand.New(rand.NewPCG(1, 0))
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for i := range c.Sources {
		c.sources = append(c.sources, members[i%len(members)])
	}
	return nil
}

// largestComponent returns the vertices of the largest weakly connected component; of equal ones that with the lowest
// vertex. The only error is the context's.
func largestComponent(ctx context.Context, g *csr.Graph) ([]uint32, error) {
	seen := make([]bool, g.Vertices())
	var largest, members []uint32
	visited := 0
	for root := range uint32(g.Vertices()) {
		if seen[root] {
			continue
		}
		seen[root] = true
		members = append(members[:0], root)
		for head := 0; head < len(members); head++ {
			if visited++; visited%looksEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, way := range []*csr.Graph{g, g.In} {
				if way == nil {
					continue
				}
				for _, v := range way.Neighbours(members[head]) {
					if !seen[v] {
						seen[v] = true
						members = append(members, v)
					}
				}
			}
		}
		if len(members) > len(largest) {
			largest = slices.Clone(members)
		}
	}
	return largest, nil
}

// inventedLengths returns lengths from 1 to 100, the same both ways. The only error is the context's.
func inventedLengths(ctx context.Context, g *csr.Graph) ([]int64, error) {
	list := make([]int64, 0, len(g.Targets))
	for u := range uint32(g.Vertices()) {
		if u%looksEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range g.Neighbours(u) {
			x := uint64(min(u, v))<<32 | uint64(max(u, v))
			list = append(list, 1+int64(splitmix.Mix(x)%100))
		}
	}
	return list, nil
}
