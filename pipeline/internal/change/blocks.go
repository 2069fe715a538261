package change

import (
	"context"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Blocks are the biconnected components of an undirected graph, bridges included. A block's head is its vertex nearest to the
// root of a depth-first tree. Every other vertex of it is its member, and of no other block. The mass of a vertex in a block is how many
// vertices only it joins to the block, itself included.
type Blocks struct {
	graph *csr.Graph

	enter  []uint32 // by vertex: its number in preorder
	of     []uint32 // by vertex: the block that it is a member of; csr.None: a root
	masses []int64  // by vertex: its mass in that block

	component []int64 // by vertex: vertices of its component

	head          []uint32 // by block
	headMass      []int64  // by block
	first, member []uint32 // by block: its members
	edges         []int64  // by block
	work          float64  // of all blocks: vertices times edges
}

// FindBlocks finds them by depth-first search: R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal
// on Computing 1, 1972. Time and memory are O(n + m). The error is the context's.
func FindBlocks(ctx context.Context, g *csr.Graph) (*Blocks, error) {
	n := g.Vertices()
	b := &Blocks{graph: g, enter: slices.Repeat([]uint32{csr.None}, n), of: slices.Repeat([]uint32{csr.None}, n)}
	parent, low, next := make([]uint32, n), make([]uint32, n), make([]int64, n)
	order := make([]uint32, 0, n)
	var path []uint32
	visit := func(v, from uint32) {
		b.enter[v], low[v], parent[v], next[v] = uint32(len(order)), uint32(len(order)), from, g.Offsets[v]
		order, path = append(order, v), append(path, v)
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
				if p := parent[v]; p != csr.None {
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
			} else if w != parent[v] {
				low[v] = min(low[v], b.enter[w])
			}
		}
	}
	b.number(order, parent, low)
	b.weigh(order, parent)
	return b, nil
}

// number numbers the blocks and lists their members. A vertex is in its parent's block if an edge leads from its subtree to
// above the parent.
func (b *Blocks) number(order, parent, low []uint32) {
	var sizes []uint32
	for _, v := range order {
		p := parent[v]
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
	for _, v := range order {
		if i := b.of[v]; i != csr.None {
			b.member[next[i]] = v
			next[i]++
		}
	}
}

// weigh finds the masses, and counts edges.
func (b *Blocks) weigh(order, parent []uint32) {
	b.component = slices.Repeat([]int64{1}, len(order)) // subtrees first
	for _, v := range slices.Backward(order) {
		if p := parent[v]; p != csr.None {
			b.component[p] += b.component[v]
		}
	}
	b.masses = slices.Clone(b.component)
	b.headMass, b.edges = make([]int64, len(b.head)), make([]int64, len(b.head))
	for _, v := range order {
		p, subtree := parent[v], b.component[v]
		if p == csr.None {
			continue
		}
		b.component[v] = b.component[p] // which comes before v
		if b.of[v] == b.of[p] {
			b.masses[p] -= subtree
		} else {
			b.headMass[b.of[v]] = b.component[p] - subtree
		}
		for _, w := range b.graph.Neighbours(v) {
			if b.enter[w] < b.enter[v] {
				b.edges[b.of[v]]++
			}
		}
	}
	for i, edges := range b.edges {
		b.work += float64(b.size(i)) * float64(edges)
	}
}

// size is how many vertices a block has.
func (b *Blocks) size(block int) int { return int(b.first[block+1]-b.first[block]) + 1 }

// Of is the block of the edge between two neighbours.
func (b *Blocks) Of(u, v uint32) uint32 {
	if b.enter[u] > b.enter[v] {
		return b.of[u]
	}
	return b.of[v]
}

// Held is its memory; 0 of nil.
func (b *Blocks) Held() int64 {
	if b == nil {
		return 0
	}
	return budget.Held(b.enter) + budget.Held(b.of) + budget.Held(b.masses) + budget.Held(b.component) + budget.Held(b.member) + 24*int64(len(b.head))
}
