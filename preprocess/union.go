package preprocess

import (
	"context"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// sampled is the number of smallest neighbours, apart from its parent, that a
// vertex is united with before the largest tree is looked for.
const sampled = 2

// uniteEdges joins, in a union-find forest over the core's vertices, the ends of
// every edge outside the breadth-first tree. First it unites a few edges of each
// vertex. Vertices of the largest tree so far need not look at their other
// edges: an edge that leaves the tree is seen from its other end. M. Sutton, T.
// Ben-Nun, A. Barak, "Optimizing parallel graph connectivity computation via
// subgraph sampling" (Afforest), IPDPS 2018.
func (c *core) uniteEdges(ctx context.Context, label []uint32, threads int) error {
	n := len(c.vertex)
	err := parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			row := c.graph.Neighbours(v)
			for _, u := range row[:min(len(row), 1+sampled)] {
				if u < v && u != c.parent[v] {
					unite(label, u, v)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	largest := frequent(label)
	return parallel.SpreadRows(ctx, threads, c.graph.Offsets, func(lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			if root := find(label, v); root == largest || root == find(label, largest) {
				continue
			}
			for _, u := range c.graph.Neighbours(v) {
				if u != c.parent[v] && c.parent[u] != v {
					unite(label, u, v)
				}
			}
		}
	})
}

// frequent returns the most frequent root in a sample of the vertices.
func frequent(label []uint32) uint32 {
	const wanted = 1 << 10
	count := make(map[uint32]int, wanted)
	most := uint32(csr.None)
	for v := 0; v < len(label); v += max(len(label)/wanted, 1) {
		root := find(label, uint32(v))
		if count[root]++; most == csr.None || count[root] > count[most] {
			most = root
		}
	}
	return most
}

// unite joins the trees of u and v in a union-find forest that several
// goroutines change at once. Links go to smaller numbers only, so that the
// roots do not depend on the order of the calls.
func unite(label []uint32, u, v uint32) {
	for {
		u, v = find(label, u), find(label, v)
		if u == v {
			return
		}
		if u > v {
			u, v = v, u
		}
		if atomic.CompareAndSwapUint32(&label[v], v, u) {
			return
		}
	}
}

// find returns the root of v's tree, and halves the path to it.
func find(label []uint32, v uint32) uint32 {
	for {
		up := atomic.LoadUint32(&label[v])
		if up == v {
			return v
		}
		upper := atomic.LoadUint32(&label[up])
		if upper != up {
			atomic.CompareAndSwapUint32(&label[v], up, upper)
		}
		v = up
	}
}
