package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// count is the number of blocks.
func (b *blocks) count() int { return len(b.head) }

// findBlocks is the step "blocks". For its closed forms see weigh.
func (r *reducer) findBlocks(ctx context.Context, closed wholes.Forms) (err error) {
	if r.blocks, err = findBlocks(ctx, r.core, r.opts.Threads); err != nil {
		return err
	}
	r.plan.BlockCount = r.blocks.count()
	return r.weighBlocks(ctx, closed)
}

// weighBlocks weighs the blocks, unless the weights of their vertices depend on
// directions (see spreadMasses).
func (r *reducer) weighBlocks(ctx context.Context, closed wholes.Forms) error {
	if r.masses != nil {
		closed = wholes.Forms{}
	}
	return r.blocks.weigh(ctx, r.core, closed, r.opts.Threads)
}

// keepComponents takes every component of the core for one block.
func (r *reducer) keepComponents(ctx context.Context, closed wholes.Forms) error {
	label := make([]uint32, len(r.core.vertex))
	for i, root := range r.core.roots {
		lo, hi := r.core.component(i)
		label[lo] = root
		for v := lo + 1; v < hi; v++ {
			label[v] = root + 1 // its parent is the root
		}
	}
	r.blocks = gather(r.core, label)
	r.plan.BlockCount = r.blocks.count()
	return r.weighBlocks(ctx, closed) // adds nothing: no vertex is in two blocks
}

// findBlocks finds the biconnected components by breadth-first tree, subtree
// ranges and connected components, without depth-first search: X. Dong, L. Wang,
// Y. Gu, Y. Sun, "Provably fast and space-efficient parallel biconnectivity",
// PPoPP 2023, after R.E. Tarjan, U. Vishkin, "An efficient parallel
// biconnectivity algorithm", 1985.
//
// A tree edge (p, v) is a fence if no edge leads from v's subtree out of p's. Vertices
// are in one block, apart from its head, if they are joined by tree edges other than
// fences and by edges outside the tree. (In a breadth-first tree only tree edges join a
// vertex to its ancestor.)
func findBlocks(ctx context.Context, c *core, threads int) (*blocks, error) {
	enter, leave := preorder(c)
	low, high, err := reach(ctx, c, enter, leave, threads)
	if err != nil {
		return nil, err
	}
	// A union-find forest whose trees have their smallest vertex as root.
	n := len(c.vertex)
	label := make([]uint32, n)
	for v := range label {
		p := c.parent[v]
		fence := enter[p] <= low[v] && high[v] <= leave[p]
		if label[v] = label[p]; fence {
			label[v] = uint32(v) // a root too: it does not leave its own subtree
		}
	}
	if err := c.uniteEdges(ctx, label, threads); err != nil {
		return nil, err
	}
	return gather(c, label), nil
}

// preorder numbers the breadth-first forest so that the subtree of v is
// enter[v]..leave[v].
func preorder(c *core) (enter, leave []uint32) {
	n := len(c.vertex)
	enter, leave = make([]uint32, n), make([]uint32, n)
	for v := n - 1; v >= 0; v-- { // leave: vertices in the subtree
		leave[v]++
		if p := c.parent[v]; p != uint32(v) {
			leave[p] += leave[v]
		}
	}
	next := make([]uint32, n) // where the next child's subtree begins
	start := uint32(0)
	for v := range enter {
		if p := c.parent[v]; p == uint32(v) {
			enter[v] = start
			start += leave[v]
		} else {
			enter[v] = next[p]
			next[p] += leave[v]
		}
		next[v] = enter[v] + 1
		leave[v] += enter[v] - 1
	}
	return enter, leave
}

// reach gives the smallest and the largest preorder number among the vertices of each
// subtree and their neighbours, except the parent of its root. A branch is the subtree
// of a child of the root. A vertex that has a neighbour in another branch need not look
// at its other neighbours: no subtree that contains it has a fence, except the branch
// itself, which always has one.
func reach(ctx context.Context, c *core, enter, leave []uint32, threads int) (low, high []uint32, err error) {
	n := len(c.vertex)
	branch := make([]uint32, n) // the child of the root that each vertex descends from, or is
	for v, p := range c.parent {
		branch[v] = branch[p]
		if c.parent[p] == p {
			branch[v] = uint32(v)
		}
	}
	low, high = make([]uint32, n), make([]uint32, n)
	err = parallel.SpreadRows(ctx, threads, c.graph.Offsets, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			l, h := enter[v], enter[v]
			first, last := enter[branch[v]], leave[branch[v]]
			for _, u := range c.graph.Neighbours(uint32(v)) {
				if u != c.parent[v] {
					l, h = min(l, enter[u]), max(h, enter[u])
					if l < first || h > last {
						break
					}
				}
			}
			low[v], high[v] = l, h
		}
	})
	for v := n - 1; v >= 0; v-- {
		p := c.parent[v]
		low[p], high[p] = min(low[p], low[v]), max(high[p], high[v])
	}
	return low, high, err
}

// gather turns labels into blocks: a tree's root is its block's topmost member,
// the child of its head.
func gather(c *core, label []uint32) *blocks {
	n := len(c.vertex)
	b := &blocks{of: make([]uint32, n), members: make([]uint32, n-len(c.roots))}
	var sizes []uint32
	for v := range b.of {
		switch top := find(label, uint32(v)); {
		case c.parent[v] == uint32(v):
			b.of[v] = csr.None
		case top == uint32(v):
			b.of[v] = uint32(len(b.head))
			b.head = append(b.head, c.parent[v])
			sizes = append(sizes, 1)
		default:
			b.of[v] = b.of[top]
			sizes[b.of[v]]++
		}
	}
	b.first = make([]uint32, len(b.head)+1)
	for i, size := range sizes {
		b.first[i+1] = b.first[i] + size
	}
	next := sizes
	copy(next, b.first)
	for v, i := range b.of {
		if i != csr.None {
			b.members[next[i]] = uint32(v)
			next[i]++
		}
	}
	return b
}

// weigh sums the weights up the block-cut tree, so that the weights of a block sum to N,
// the size of its component: a member weighs beyond, the head the rest. It adds to the
// closed forms, for every vertex v, the pairs that v separates. With r the weights of
// the parts that remain without v (and without what folded into v), these are (sum of
// r)^2 - sum of r^2 ordered pairs.
func (b *blocks) weigh(ctx context.Context, c *core, closed wholes.Forms, threads int) error {
	b.beyond = append([]uint32(nil), c.weight...)
	b.inside = make([]uint32, b.count())
	for v := len(b.of) - 1; v >= 0; v-- { // children before parents
		if block := b.of[v]; block != csr.None {
			b.inside[block] += b.beyond[v]
			b.beyond[b.head[block]] += b.beyond[v]
		}
	}
	if !closed.Some() {
		return nil
	}
	square := func(r uint32) int64 { return int64(r) * int64(r) }
	err := parallel.Spread(ctx, threads, len(b.of), 1<<12, func(lo, hi int) {
		component, found := slices.BinarySearch(c.roots, uint32(lo))
		if !found {
			component--
		}
		for v := uint32(lo); v < uint32(hi); v++ {
			if component+1 < len(c.roots) && v == c.roots[component+1] {
				component++
			}
			pairs := square(c.size[component] - c.weight[v])
			if b.of[v] != csr.None {
				pairs -= square(c.size[component] - b.beyond[v])
			}
			closed.Low[c.vertex[v]] += pairs
		}
	})
	for i, head := range b.head {
		closed.Low[c.vertex[head]] -= square(b.inside[i])
	}
	return err
}
