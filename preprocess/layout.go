package preprocess

import (
	"cmp"
	"context"
	"slices"
)

// shape is what is known of a block before it is laid out.
type shape struct {
	block uint32
	size  int   // vertices, the head included
	edges int64 // directed
}

// clique: every two vertices are neighbours, so that nothing lies between.
func (s shape) clique() bool { return s.edges == int64(s.size)*int64(s.size-1) }

// cycle: every vertex has two neighbours.
func (s shape) cycle() bool { return s.edges == 2*int64(s.size) }

// work of the block's traversal, in edge visits.
func (s shape) work() int64 { return int64(s.size) * s.edges }

// layout copies blocks out of a core.
type layout struct {
	*core
	*blocks
	local []uint32 // by core vertex: number in the block it is a member of; a head is 0 in its blocks
	inner []uint32 // by core vertex: neighbours in its block, times 2, plus 1 if the head is one of them
	heads []bool   // by core vertex: whether it is the head of a block
}

// newLayout numbers the members of each block in the core's order, which is
// breadth first from the head, and counts edges. All edges of a vertex are in
// its block, unless it is a head: only heads need a look at their neighbours.
func newLayout(ctx context.Context, c *core, b *blocks, threads int) (*layout, error) {
	n := len(c.vertex)
	l := &layout{core: c, blocks: b, local: make([]uint32, n), inner: make([]uint32, n), heads: make([]bool, n)}
	for block, head := range b.head {
		l.heads[head] = true
		for i, v := range b.members[b.first[block]:b.first[block+1]] {
			l.local[v] = uint32(i + 1)
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
			if l.heads[v] {
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
			l.inner[v] = inner
		}
	})
	return l, err
}

// shapes of the blocks, most work first.
func (l *layout) shapes() []shape {
	shapes := make([]shape, l.count())
	for block := range shapes {
		members := l.members[l.first[block]:l.first[block+1]]
		s := shape{block: uint32(block), size: len(members) + 1}
		for _, v := range members {
			s.edges += int64(l.inner[v]>>1 + l.inner[v]&1)
		}
		shapes[block] = s
	}
	slices.SortFunc(shapes, func(x, y shape) int {
		return cmp.Or(cmp.Compare(y.work(), x.work()), cmp.Compare(x.block, y.block))
	})
	return shapes
}

// copyBlocks lays the blocks of the given shapes out, the head first in each. A
// core that is one block is its graph already.
func (l *layout) copyBlocks(ctx context.Context, shapes []shape, threads int) ([]Block, error) {
	if len(shapes) == 1 && shapes[0].size == len(l.vertex) {
		b := Block{Graph: l.graph, vertices: make([]uint32, len(l.vertex))}
		b.setMass(make([]float64, len(l.vertex)))
		l.describe(&b, shapes[0].block)
		return []Block{b}, nil
	}
	// All blocks share one array of each kind, so that a million small blocks
	// are no burden. rows numbers the rows of all blocks, one after the other.
	rows := make([]int, len(shapes)+1)
	edges := int64(0)
	for i, s := range shapes {
		rows[i+1] = rows[i] + s.size
		edges += s.edges
	}
	total := rows[len(shapes)]
	offsets := make([]int64, total+len(shapes))
	targets := make([]uint32, edges)
	mass := make([]float64, total)
	vertices := make([]uint32, total)
	out := make([]Block, len(shapes))
	edges = 0
	for i, s := range shapes {
		lo, hi := rows[i], rows[i+1]
		out[i] = Block{
			Graph:    Graph{Offsets: offsets[lo+i : hi+i+1 : hi+i+1], Targets: targets[edges : edges+s.edges : edges+s.edges]},
			vertices: vertices[lo:hi:hi],
		}
		out[i].setMass(mass[lo:hi:hi])
		edges += s.edges
		l.describe(&out[i], s.block)
		l.countRows(&out[i], s.block)
	}
	err := spread(ctx, threads, total, 1<<12, func(lo, hi int) {
		i, found := slices.BinarySearch(rows, lo)
		if !found {
			i--
		}
		for ; i < len(shapes) && rows[i] < hi; i++ {
			l.copyRows(&out[i], shapes[i].block, max(lo-rows[i], 1), min(hi, rows[i+1])-rows[i])
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
func (l *layout) describe(out *Block, block uint32) {
	out.vertices[0] = l.vertex[l.head[block]]
	out.From[0] = float64(l.headWeight(block))
	for i, v := range l.members[l.first[block]:l.first[block+1]] {
		out.vertices[i+1] = l.vertex[v]
		out.From[i+1] = float64(l.beyond[v])
	}
}

// countRows makes the offsets.
func (l *layout) countRows(out *Block, block uint32) {
	degree := int64(0) // of the head
	for i, v := range l.members[l.first[block]:l.first[block+1]] {
		out.Offsets[i+2] = int64(l.inner[v] >> 1)
		degree += int64(l.inner[v] & 1)
	}
	out.Offsets[1] = degree
	for i := range out.vertices {
		out.Offsets[i+1] += out.Offsets[i]
	}
}

// headWeight is what the members of the block leave to its head.
func (l *layout) headWeight(block uint32) uint32 {
	component, found := slices.BinarySearch(l.roots, l.head[block])
	if !found {
		component--
	}
	return l.size[component] - l.inside[block]
}

// copyRows writes the rows lo..hi-1 of the block, none of which is the head's.
// They stay in order, since members are numbered as in the core.
func (l *layout) copyRows(out *Block, block uint32, lo, hi int) {
	members := l.members[l.first[block]:]
	for i := lo; i < hi; i++ {
		v := members[i-1]
		from, to := l.graph.Neighbours(v), out.Neighbours(uint32(i))
		if from[0] == l.head[block] {
			to[0] = 0
			from, to = from[1:], to[1:]
		}
		at := 0
		for _, u := range from {
			if !l.heads[v] || l.of[u] == block {
				to[at] = l.local[u]
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
