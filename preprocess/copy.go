package preprocess

import (
	"cmp"
	"context"
	"slices"
)

// outline is what is known of a block before it is copied.
type outline struct {
	block uint32
	size  int   // vertices, the head included
	edges int64 // directed
}

// clique: every two vertices are neighbours, so that nothing lies between.
func (e outline) clique() bool { return e.edges == int64(e.size)*int64(e.size-1) }

// cycle: every vertex of a biconnected component has two neighbours.
func (e outline) cycle() bool { return e.edges == 2*int64(e.size) }

// work of the block's traversal, in edge visits.
func (e outline) work() int64 { return int64(e.size) * e.edges }

// copier copies blocks out of a core.
type copier struct {
	*core
	*blocks
	local []uint32 // by core vertex: number in the block it is a member of; a head is 0 in its blocks
	inner []uint32 // by core vertex: neighbours in its block, times 2, plus 1 if the head is one of them
	heads []bool   // by core vertex: whether it is the head of a block
}

// newCopier numbers the members of each block in the core's order, which is
// breadth first from the head, and counts edges. All edges of a vertex are in
// its block, unless it is a head: only heads need a look at their neighbours.
func newCopier(ctx context.Context, c *core, b *blocks, threads int) (*copier, error) {
	n := len(c.vertex)
	k := &copier{core: c, blocks: b, local: make([]uint32, n), inner: make([]uint32, n), heads: make([]bool, n)}
	for block, head := range b.head {
		k.heads[head] = true
		for i, v := range b.members[b.first[block]:b.first[block+1]] {
			k.local[v] = uint32(i + 1)
		}
	}
	err := spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			block := b.of[v]
			if block == none {
				continue
			}
			row := c.graph.Neighbours(uint32(v))
			inner := 2 * uint32(len(row))
			if k.heads[v] {
				inner = 0
				for _, u := range row {
					if u == b.head[block] || b.of[u] == block {
						inner += 2
					}
				}
			}
			if row[0] == b.head[block] { // heads are smaller than members
				inner++
			}
			k.inner[v] = inner
		}
	})
	return k, err
}

// outlines of the blocks, most work first.
func (k *copier) outlines() []outline {
	outlines := make([]outline, k.count())
	for block := range outlines {
		members := k.members[k.first[block]:k.first[block+1]]
		e := outline{block: uint32(block), size: len(members) + 1}
		for _, v := range members {
			e.edges += int64(k.inner[v]>>1 + k.inner[v]&1)
		}
		outlines[block] = e
	}
	slices.SortFunc(outlines, func(x, y outline) int {
		return cmp.Or(cmp.Compare(y.work(), x.work()), cmp.Compare(x.block, y.block))
	})
	return outlines
}

// measureBlocks sees how large the blocks are.
func (r *reducer) measureBlocks(ctx context.Context, _ []int64) (err error) {
	if r.copier, err = newCopier(ctx, r.core, r.blocks, r.opts.Threads); err != nil {
		return err
	}
	r.outlines = r.copier.outlines()
	for _, e := range r.outlines {
		r.plan.LargestBlock = max(r.plan.LargestBlock, e.size)
	}
	return nil
}

// copyBlocks makes the plan's blocks of those that are left.
func (r *reducer) copyBlocks(ctx context.Context, _ []int64) (err error) {
	if r.plan.Blocks, err = r.copier.copyAll(ctx, r.outlines, r.opts.Threads); err != nil {
		return err
	}
	err = r.copyLengths(ctx)
	r.core, r.blocks, r.copier, r.outlines = nil, nil, nil, nil
	return err
}

// copyAll copies the blocks of the given outlines, the head first in each. A core
// that is one block is its graph already.
func (k *copier) copyAll(ctx context.Context, outlines []outline, threads int) ([]Block, error) {
	if len(outlines) == 1 && outlines[0].size == len(k.vertex) {
		b := Block{Graph: k.graph, vertices: make([]uint32, len(k.vertex))}
		b.setMass(make([]float64, len(k.vertex)))
		k.describe(&b, outlines[0].block)
		return []Block{b}, nil
	}
	// All blocks share one array of each kind, so that a million small blocks
	// are no burden. rows numbers the rows of all blocks, one after the other.
	rows := make([]int, len(outlines)+1)
	edges := int64(0)
	for i, e := range outlines {
		rows[i+1] = rows[i] + e.size
		edges += e.edges
	}
	total := rows[len(outlines)]
	offsets := make([]int64, total+len(outlines))
	targets := make([]uint32, edges)
	mass := make([]float64, total)
	vertices := make([]uint32, total)
	out := make([]Block, len(outlines))
	edges = 0
	for i, s := range outlines {
		lo, hi := rows[i], rows[i+1]
		out[i] = Block{
			Graph:    Graph{Offsets: offsets[lo+i : hi+i+1 : hi+i+1], Targets: targets[edges : edges+s.edges : edges+s.edges]},
			vertices: vertices[lo:hi:hi],
		}
		out[i].setMass(mass[lo:hi:hi])
		edges += s.edges
		k.describe(&out[i], s.block)
		k.countRows(&out[i], s.block)
	}
	err := spread(ctx, threads, total, 1<<12, func(lo, hi int) {
		i, found := slices.BinarySearch(rows, lo)
		if !found {
			i--
		}
		for ; i < len(outlines) && rows[i] < hi; i++ {
			k.copyRows(&out[i], outlines[i].block, max(lo-rows[i], 1), min(hi, rows[i+1])-rows[i])
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].copyHead()
	}
	return out, nil
}

// setMass says that vertices count alike as sources and as targets.
func (b *Block) setMass(mass []float64) { b.From, b.To = mass, mass }

// describe fills in what the block's vertices are, and their weights.
func (k *copier) describe(out *Block, block uint32) {
	out.vertices[0] = k.vertex[k.head[block]]
	out.From[0] = float64(k.headWeight(block))
	for i, v := range k.members[k.first[block]:k.first[block+1]] {
		out.vertices[i+1] = k.vertex[v]
		out.From[i+1] = float64(k.beyond[v])
	}
}

// countRows makes the offsets.
func (k *copier) countRows(out *Block, block uint32) {
	degree := int64(0) // of the head
	for i, v := range k.members[k.first[block]:k.first[block+1]] {
		out.Offsets[i+2] = int64(k.inner[v] >> 1)
		degree += int64(k.inner[v] & 1)
	}
	out.Offsets[1] = degree
	for i := range out.vertices {
		out.Offsets[i+1] += out.Offsets[i]
	}
}

// headWeight is what the members of the block leave to its head.
func (k *copier) headWeight(block uint32) uint32 {
	component, found := slices.BinarySearch(k.roots, k.head[block])
	if !found {
		component--
	}
	return k.size[component] - k.inside[block]
}

// copyRows writes the rows lo..hi-1 of the block, none of which is the head's.
// They stay in order, since members are numbered as in the core.
func (k *copier) copyRows(out *Block, block uint32, lo, hi int) {
	members := k.members[k.first[block]:]
	for i := lo; i < hi; i++ {
		v := members[i-1]
		from, to := k.graph.Neighbours(v), out.Neighbours(uint32(i))
		if from[0] == k.head[block] {
			to[0] = 0
			from, to = from[1:], to[1:]
		}
		at := 0
		for _, u := range from {
			if !k.heads[v] || k.of[u] == block {
				to[at] = k.local[u]
				at++
			}
		}
	}
}

// copyHead writes the head's row: those whose row begins with the head.
func (b *Block) copyHead() {
	row := b.Targets[:0]
	for v := 1; v < b.Vertices(); v++ {
		if b.Targets[b.Offsets[v]] == 0 {
			row = append(row, uint32(v))
		}
	}
}
