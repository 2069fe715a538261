package change

import (
	"context"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Blocks are the biconnected components of an undirected graph, bridges included. A block's head is its vertex nearest to the
// root of a depth-first tree. Every other vertex of it is its member, and of no other block.
type Blocks struct {
	graph *csr.Graph

	order  []uint32 // vertices in preorder
	enter  []uint32 // by vertex: its place there
	parent []uint32 // by vertex; csr.None: a root
	of     []uint32 // by vertex: the block that it is a member of; csr.None: a root

	head          []uint32 // by block
	first, member []uint32 // by block: its members
	edges         []int64  // by block
	work          float64  // of all blocks: vertices times edges
}

// FindBlocks finds them by depth-first search: R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal
// on Computing 1, 1972. Time and memory are O(n + m). The error is the context's.
func FindBlocks(ctx context.Context, g *csr.Graph) (*Blocks, error) {
	n := g.Vertices()
	b := &Blocks{graph: g, order: make([]uint32, 0, n), enter: slices.Repeat([]uint32{csr.None}, n), parent: make([]uint32, n), of: slices.Repeat([]uint32{csr.None}, n)}
	low, next := make([]uint32, n), make([]int64, n)
	var path []uint32
	visit := func(v, from uint32) {
		at := uint32(len(b.order))
		b.enter[v], low[v], b.parent[v], next[v] = at, at, from, g.Offsets[v]
		b.order, path = append(b.order, v), append(path, v)
	}
	for root := range uint32(n) {
		if b.enter[root] != csr.None {
			continue
		}
		visit(root, csr.None)
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] == g.Offsets[v+1] {
				path = path[:len(path)-1]
				if p := b.parent[v]; p != csr.None {
					low[p] = min(low[p], low[v])
				}
				continue
			}
			w := g.Targets[next[v]]
			if next[v]++; next[v]%parallel.Interval == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if b.enter[w] == csr.None {
				visit(w, v)
			} else if w != b.parent[v] {
				low[v] = min(low[v], b.enter[w])
			}
		}
	}
	b.number(low)
	b.count()
	return b, nil
}

// number numbers the blocks and lists their members. A vertex is in its parent's block if an edge leads from its subtree to
// above the parent.
func (b *Blocks) number(low []uint32) {
	var sizes []uint32
	for _, v := range b.order {
		p := b.parent[v]
		switch {
		case p == csr.None:
			continue
		case low[v] >= b.enter[p]:
			b.of[v] = uint32(len(b.head))
			b.head, sizes = append(b.head, p), append(sizes, 0)
		default:
			b.of[v] = b.of[p]
		}
		sizes[b.of[v]]++
	}
	b.first = make([]uint32, len(sizes)+1)
	for i, size := range sizes {
		b.first[i+1] = b.first[i] + size
	}
	b.member = make([]uint32, b.first[len(sizes)])
	next := sizes
	copy(next, b.first)
	for _, v := range b.order {
		if i := b.of[v]; i != csr.None {
			b.member[next[i]] = v
			next[i]++
		}
	}
}

// count counts edges.
func (b *Blocks) count() {
	b.edges = make([]int64, len(b.head))
	for v, block := range b.of {
		for _, w := range b.graph.Neighbours(uint32(v)) {
			if b.enter[w] < b.enter[v] {
				b.edges[block]++
			}
		}
	}
	for i, edges := range b.edges {
		b.work += float64(b.size(i)) * float64(edges)
	}
}

// Hanging are masses as seen from blocks: those of all vertices that only one vertex of a block joins to it, itself included.
type Hanging struct {
	blocks    *Blocks
	member    []int64 // by vertex: in the block that it is a member of
	head      []int64 // by block: at its head
	component []int64 // by vertex: of all vertices of its component
}

// Hang finds what hangs on the vertices of all blocks, from masses by vertex; nil: 1 each.
func (b *Blocks) Hang(masses []int64) *Hanging {
	h := &Hanging{blocks: b, component: slices.Clone(masses), head: make([]int64, len(b.head))}
	if masses == nil {
		h.component = slices.Repeat([]int64{1}, len(b.order))
	}
	for _, v := range slices.Backward(b.order) { // subtrees first
		if p := b.parent[v]; p != csr.None {
			h.component[p] += h.component[v]
		}
	}
	h.member = slices.Clone(h.component)
	for _, v := range b.order {
		p, subtree := b.parent[v], h.component[v]
		if p == csr.None {
			continue
		}
		h.component[v] = h.component[p] // which comes before v
		if b.of[v] == b.of[p] {
			h.member[p] -= subtree
		} else {
			h.head[b.of[v]] += subtree
		}
	}
	for block, below := range h.head {
		h.head[block] = h.component[b.head[block]] - below
	}
	return h
}

// at is what hangs on a vertex of a block.
func (h *Hanging) at(block, v uint32) int64 {
	if v == h.blocks.head[block] {
		return h.head[block]
	}
	return h.member[v]
}

// size is how many vertices a block has.
func (b *Blocks) size(block int) int { return int(b.first[block+1]-b.first[block]) + 1 }

// vertices lists those of a block, ascending.
func (b *Blocks) vertices(block uint32) []uint32 {
	list := append([]uint32{b.head[block]}, b.member[b.first[block]:b.first[block+1]]...)
	slices.Sort(list)
	return list
}

// Of is the block of the edge between two neighbours.
func (b *Blocks) Of(u, v uint32) uint32 {
	if b.enter[u] > b.enter[v] {
		return b.of[u]
	}
	return b.of[v]
}

func (b *Blocks) held() int64 {
	return budget.Held(b.order) + budget.Held(b.enter) + budget.Held(b.parent) + budget.Held(b.of) + budget.Held(b.member) + 24*int64(len(b.head))
}

func (h *Hanging) held() int64 {
	return budget.Held(h.member) + budget.Held(h.head) + budget.Held(h.component)
}
