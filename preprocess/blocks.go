package preprocess

import (
	"context"
	"slices"
	"sync/atomic"

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
	r.blocks = gather(r.core, label, r.opts.Threads)
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
	levels := c.stretches(threads)
	enter, leave := preorder(c, levels, threads)
	low, high, err := reach(ctx, c, levels, enter, leave, threads)
	if err != nil {
		return nil, err
	}
	// A union-find forest whose trees have their smallest vertex as root.
	label := make([]uint32, len(c.vertex))
	down(levels, threads, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			p := c.parent[v]
			fence := enter[p] <= low[v] && high[v] <= leave[p]
			if label[v] = label[p]; fence {
				label[v] = uint32(v) // a root too: it does not leave its own subtree
			}
		}
	})
	if err := c.uniteEdges(ctx, label, threads); err != nil {
		return nil, err
	}
	return gather(c, label, threads), nil
}

// preorder numbers the breadth-first forest so that the subtree of v is
// enter[v]..leave[v].
func preorder(c *core, levels []stretch, threads int) (enter, leave []uint32) {
	n := len(c.vertex)
	size := make([]uint32, n) // of the subtree of v
	up(levels, threads, func(lo, hi int) {
		for v := hi - 1; v >= lo; {
			p, sum := c.parent[v], uint32(0)
			first := c.siblings(v, lo)
			for ; v >= first; v-- {
				size[v]++
				sum += size[v]
			}
			if int(p) != first {
				atomic.AddUint32(&size[p], sum)
			}
		}
	})
	after := size // the sum of the sizes up to v, modulo 2^32
	parallel.Sums(threads, after)
	enter, leave = make([]uint32, n), make([]uint32, n)
	down(levels, threads, func(lo, hi int) {
		ahead := uint32(0) // enter of a vertex, less the sizes before it: the same for siblings
		for v := lo; v < hi; v++ {
			before := uint32(0)
			if v > 0 {
				before = after[v-1]
			}
			switch p := c.parent[v]; {
			case int(p) == v:
				ahead = p - before // as many vertices are in the trees before
			case v == lo:
				first, _ := slices.BinarySearch(c.parent[p+1:v+1], p)
				ahead = enter[p] + 1 - after[int(p)+first]
			case p != c.parent[v-1] || int(p) == v-1:
				ahead = enter[p] + 1 - before
			}
			enter[v] = ahead + before
			leave[v] = ahead + after[v] - 1
		}
	})
	return enter, leave
}

// siblings returns the first child of v's parent, at least lo; v if it is a root.
func (c *core) siblings(v, lo int) int {
	p := c.parent[v]
	for v > lo && int(p) != v && c.parent[v-1] == p && int(p) != v-1 {
		v--
	}
	return v
}

// reach gives the smallest and the largest preorder number among the vertices of each
// subtree and their neighbours, except the parent of its root. A branch is the subtree
// of a child of the root. A vertex that has a neighbour in another branch need not look
// at its other neighbours: no subtree that contains it has a fence, except the branch
// itself, which always has one.
func reach(ctx context.Context, c *core, levels []stretch, enter, leave []uint32, threads int) (low, high []uint32, err error) {
	n := len(c.vertex)
	branch := make([]uint32, n) // the child of the root that each vertex descends from, or is
	down(levels, threads, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			p := c.parent[v]
			if branch[v] = branch[p]; c.parent[p] == p {
				branch[v] = uint32(v)
			}
		}
	})
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
	up(levels, threads, func(lo, hi int) {
		for v := hi - 1; v >= lo; {
			p, l, h := c.parent[v], low[v], high[v]
			for first := c.siblings(v, lo); v >= first; v-- {
				l, h = min(l, low[v]), max(h, high[v])
			}
			replace(&low[p], l, func(old uint32) bool { return l < old })
			replace(&high[p], h, func(old uint32) bool { return h > old })
		}
	})
	return low, high, err
}

// replace writes a value over one that it is better than.
func replace(at *uint32, value uint32, better func(old uint32) bool) {
	for old := atomic.LoadUint32(at); better(old); old = atomic.LoadUint32(at) {
		if atomic.CompareAndSwapUint32(at, old, value) {
			return
		}
	}
}

// gather turns labels into blocks: a tree's root is its block's topmost member,
// the child of its head. It writes over the labels.
func gather(c *core, label []uint32, threads int) *blocks {
	n := len(c.vertex)
	b := &blocks{of: make([]uint32, n)}
	parts := make([][]uint32, (n+parallel.Interval-1)/parallel.Interval) // topmost members
	parallel.SpreadWhole(threads, n, parallel.Interval, func(lo, hi int) {
		var tops []uint32
		for v := lo; v < hi; v++ {
			switch b.of[v] = find(label, uint32(v)); {
			case int(c.parent[v]) == v:
				b.of[v] = csr.None
			case int(b.of[v]) == v:
				tops = append(tops, uint32(v))
			}
		}
		parts[lo/parallel.Interval] = tops
	})
	tops := slices.Concat(parts...)
	b.head = make([]uint32, len(tops))
	for i, top := range tops {
		b.head[i], label[top] = c.parent[top], uint32(i)
	}
	b.first = make([]uint32, len(tops)+1)
	parallel.SpreadWhole(threads, n, parallel.Interval, func(lo, hi int) {
		for v := lo; v < hi; {
			top, first := b.of[v], v
			if top == csr.None {
				v++
				continue
			}
			for ; v < hi && b.of[v] == top; v++ {
				b.of[v] = label[top]
			}
			atomic.AddUint32(&b.first[label[top]+1], uint32(v-first))
		}
	})
	for i := range tops {
		b.first[i+1] += b.first[i]
	}
	if len(tops) == 1 {
		b.members = parallel.Listed(threads, n, parallel.Interval, func(list []uint32, lo, hi int) []uint32 {
			for v := lo; v < hi; v++ {
				if b.of[v] != csr.None {
					list = append(list, uint32(v))
				}
			}
			return list
		})
		return b
	}
	b.members = make([]uint32, n-len(c.roots))
	next := slices.Clone(b.first)
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
	up(c.stretches(threads), threads, func(lo, hi int) {
		for v := hi - 1; v >= lo; {
			block, sum := b.of[v], uint32(0)
			for ; v >= lo && b.of[v] == block; v-- {
				sum += b.beyond[v]
			}
			if block != csr.None {
				atomic.AddUint32(&b.inside[block], sum)
				atomic.AddUint32(&b.beyond[b.head[block]], sum)
			}
		}
	})
	if !closed.Some() {
		return nil
	}
	square := func(to func(uint32, int64, int64), v, r uint32) { to(c.vertex[v], int64(r), int64(r)) }
	err := parallel.Spread(ctx, threads, len(b.of), 1<<12, func(lo, hi int) {
		component, found := slices.BinarySearch(c.roots, uint32(lo))
		if !found {
			component--
		}
		for v := uint32(lo); v < uint32(hi); v++ {
			if component+1 < len(c.roots) && v == c.roots[component+1] {
				component++
			}
			square(closed.Add, v, c.size[component]-c.weight[v])
			if b.of[v] != csr.None {
				square(closed.Sub, v, c.size[component]-b.beyond[v])
			}
		}
	})
	for i, head := range b.head {
		square(closed.Sub, head, b.inside[i])
	}
	return err
}
