package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// wantCommon is the least number of common neighbours of two vertices for the
// edge between them to be close.
const wantCommon = 2

// knit returns the vertices of g in breadth-first order along close edges only.
// In a small-world graph, a lattice with some random edges, the close edges are
// the lattice: consecutive vertices are near each other in it. Breadth-first
// order along all edges would mix places that a far edge happens to join. To
// stay linear, only the first 64 neighbours of a vertex are compared.
func knit(ctx context.Context, g *csr.Graph) ([]uint32, error) {
	n := g.Vertices()
	order := make([]uint32, 0, n)
	seen := make([]bool, n)
	for root := range uint32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		head := len(order)
		order = append(order, root)
		for ; head < len(order); head++ {
			if head%parallel.Interval == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v := order[head]
			row := g.Neighbours(v)
			for _, u := range row {
				if !seen[u] && common(row, g.Neighbours(u)) >= wantCommon {
					seen[u] = true
					order = append(order, u)
				}
			}
		}
	}
	return order, nil
}

// common counts the common members of two ascending rows, up to wantCommon,
// within their first 64 members.
func common(x, y []uint32) int {
	x, y = x[:min(len(x), 64)], y[:min(len(y), 64)]
	count := 0
	for len(x) > 0 && len(y) > 0 && count < wantCommon {
		switch {
		case x[0] < y[0]:
			x = x[1:]
		case x[0] > y[0]:
			y = y[1:]
		default:
			x, y = x[1:], y[1:]
			count++
		}
	}
	return count
}
