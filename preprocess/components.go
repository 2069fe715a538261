package preprocess

import (
	"context"
	"math"
)

// interval is how many vertices a sequential scan passes between two looks at
// its context.
const interval = 1 << 14

// none marks a vertex without a number.
const none = math.MaxUint32

// core is what folding leaves, renumbered breadth first, one component after
// the other. Each component is rooted at its first vertex.
type core struct {
	graph  Graph    // core numbers; the rows are not sorted
	vertex []uint32 // graph vertex of each core vertex
	parent []uint32 // in the breadth-first tree; a root is its own parent
	weight []uint32 // original vertices that folded into it, with itself
	size   []uint32 // by root: weight of the component
	roots  []uint32 // ascending
}

// findCore searches what folding has left breadth first.
func findCore(ctx context.Context, g *Graph, f *folding, threads int) (*core, error) {
	n := g.Vertices()
	left := n - len(f.order)
	c := &core{
		vertex: make([]uint32, 0, left),
		parent: make([]uint32, 0, left),
	}
	number := make([]uint32, n)
	for v, d := range f.degree {
		number[v] = none
		if d == 0 {
			number[v] = none - 1 // folded: never to be visited
		}
	}
	for r := range number {
		if number[r] != none {
			continue
		}
		root := uint32(len(c.vertex))
		c.roots = append(c.roots, root)
		number[r] = root
		c.vertex = append(c.vertex, uint32(r))
		c.parent = append(c.parent, root)
		for i := root; int(i) < len(c.vertex); i++ {
			if i%interval == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, v := range g.Neighbours(c.vertex[i]) {
				if number[v] == none {
					number[v] = uint32(len(c.vertex))
					c.vertex = append(c.vertex, v)
					c.parent = append(c.parent, i)
				}
			}
		}
	}
	if err := c.renumber(ctx, g, f, number, threads); err != nil {
		return nil, err
	}
	c.size = make([]uint32, len(c.roots))
	for i := range c.roots {
		lo, hi := c.component(i)
		for v := lo; v < hi; v++ {
			c.size[i] += c.weight[v]
		}
	}
	return c, nil
}

// component gives the core vertices lo..hi-1 of the i-th component.
func (c *core) component(i int) (lo, hi uint32) {
	lo, hi = c.roots[i], uint32(len(c.vertex))
	if i+1 < len(c.roots) {
		hi = c.roots[i+1]
	}
	return lo, hi
}

// renumber copies the core's rows out of g.
func (c *core) renumber(ctx context.Context, g *Graph, f *folding, number []uint32, threads int) error {
	left := len(c.vertex)
	c.weight = make([]uint32, left)
	c.graph.Offsets = make([]int64, left+1)
	for i, v := range c.vertex {
		c.weight[i] = f.weight[v]
		c.graph.Offsets[i+1] = c.graph.Offsets[i] + int64(f.degree[v])
	}
	c.graph.Targets = make([]uint32, c.graph.Offsets[left])
	return spread(ctx, threads, left, 1<<12, func(lo, hi int) {
		at := c.graph.Offsets[lo]
		for _, v := range c.vertex[lo:hi] {
			for _, u := range g.Neighbours(v) {
				if number[u] < none-1 {
					c.graph.Targets[at] = number[u]
					at++
				}
			}
		}
	})
}
