package preprocess

import (
	"cmp"
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/splitmix"
	"bcstage/internal/wholes"
)

// A directed block with no cycles, or few, is searched in topological order of its strong components. One sweep over its
// arcs finds all distances and path counts of several sources, with lengths or without. Its arcs lead from lower to
// higher local numbers, except inside components.

// sortAcyclic numbers the vertices of such blocks such that arcs ascend, or nearly: see csr.Knots.
func (r *reducer) sortAcyclic(ctx context.Context, _ wholes.Forms) error {
	var find strongSearch
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if !b.Directed() {
			continue
		}
		components, err := find.find(ctx, &b.Graph)
		if err != nil {
			return err
		}
		if components.knotted(&b.Graph) {
			continue
		}
		if err := b.renumber(ctx, components.topological()); err != nil {
			return err
		}
	}
	return nil
}

// knotted reports whether too many arcs are inside components for searches in topological order to pay.
func (s strong) knotted(g *csr.Graph) bool {
	if s.count == len(s.of) {
		return false
	}
	left := g.FewInside()
	for v, of := range s.of {
		for _, y := range g.Neighbours(uint32(v)) {
			if s.of[y] == of {
				left--
			}
		}
		if left < 0 {
			return true
		}
	}
	return false
}

// topological returns the vertices in topological order of components. The order is that of depth-first search, so
// vertices reached from one vertex stand close together.
func (s strong) topological() []uint32 {
	n := len(s.of)
	order, ends := make([]uint32, n), make([]uint32, s.count)
	for _, of := range s.of {
		ends[s.count-1-int(of)]++
	}
	for i := range ends[1:] {
		ends[i+1] += ends[i]
	}
	for _, v := range s.left {
		end := &ends[s.count-1-int(s.of[v])]
		*end--
		order[*end] = v
	}
	return order
}

// renumber puts the vertices of a block in another order, before twins are merged and sources
// ordered. The only error is the context's; the block is then unchanged.
func (b *Block) renumber(ctx context.Context, order []uint32) error {
	number := make([]uint32, len(order))
	for i, v := range order {
		number[v] = uint32(i)
	}
	out, err := b.In.Turned(ctx, order, number)
	if err != nil {
		return err
	}
	in, err := b.Graph.Turned(ctx, order, number)
	if err != nil {
		return err
	}
	from, to, vertices := make([]float64, len(order)), make([]float64, len(order)), make([]uint32, len(order))
	for i, v := range order {
		from[i], to[i], vertices[i] = b.From[v], b.To[v], b.vertices[v]
	}
	if b.OneMass() {
		to = from
	}
	b.Graph, b.From, b.To, b.vertices = out, from, to, vertices
	b.In = &in
	return nil
}

// signatureSize is the number of hashes in a signature. Two would do for most sources; more
// separate the sources that reach much.
const signatureSize = 8

// A signature of a vertex holds, for each of several hashes, the smallest value among all
// vertices that it reaches. Two vertices agree in one number with the probability that a
// vertex reached by either is reached by both. Vertices that reach much have small numbers (A.
// Broder, "On the resemblance and containment of documents", 1997; E. Cohen, "Size-estimation
// framework with applications to transitive closure and reachability", 1997).
type signature [signatureSize]uint32

// arrangeAcyclic orders the sources of a block whose arcs ascend or descend, or nearly. Sources
// with similar signatures stand together, as they reach nearly the same vertices. Against
// depth-first order, 32 sources of a citation graph together reach 0.84 times as many
// vertices. The only error is the context's.
func (b *Block) arrangeAcyclic(ctx context.Context, sources []uint32) error {
	n := b.Vertices()
	signatures := make([]signature, n)
	descends := !csr.NearlyAscends(&b.Graph)
	for i := range n {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := n - 1 - i
		if descends {
			v = i
		}
		own := &signatures[v]
		for j := range own {
			own[j] = uint32(splitmix.Nth(uint64(v*signatureSize + j)))
		}
		for _, u := range b.Neighbours(uint32(v)) {
			if (int(u) > v) == descends {
				continue // on a cycle, and not known yet
			}
			for j, x := range signatures[u] {
				own[j] = min(own[j], x)
			}
		}
	}
	b.Sources = sources
	return parallel.SortUntil(ctx, sources, func(u, v uint32) int {
		x, y := &signatures[u], &signatures[v]
		for i := range x { // slices.Compare takes twice as long
			if x[i] < y[i] {
				return -1
			} else if x[i] > y[i] {
				return 1
			}
		}
		return cmp.Compare(u, v)
	})
}
