package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// hanging is what folded where the share of a way is the product of the shares of its parts (question.Parts). A branch
// then acts like a mass at the vertex that it hangs on, times the share of its way there. Let h(v) be the masses of v's
// branches so, and q the share of an arc. For u that folds into v, with 1 for every vertex's own mass,
//
//	h(v) = sum over its branches u of q(u) (1 + h(u))
//	sees(u) = q(u) (1 + the other branches of v + sees(v))        beyond v
//
// Pairs of two branches of v, and those between its branches and the rest, pass v: h(v) sees(v) of these each way. Let c
// be the vertex of the core that u hangs on, at a share of way(u). In c's place of sees counts what its search sees, which
// reaches u times way(u). Each search adds that, so folding needs none of its own. No sum is a difference.
type hanging struct {
	mass     []float64 // by graph vertex: 1 + h
	first    []uint32  // by graph vertex of the core, and the end: where what hangs on it begins
	vertices []uint32  // graph vertices that have branches
	each     []float64 // of these: 2 h way, the ordered pairs for each unit that the search sees
}

// foldShares is the part of folding that hanging describes. It adds to the closed forms all but what searches add.
func (r *reducer) foldShares(ctx context.Context, closed wholes.Forms) (*hanging, error) {
	f, n := r.folding, r.plan.Vertices
	branches, before, share := make([]float64, n), make([]float64, len(f.order)), make([]float64, len(f.order))
	for i, u := range f.order {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := f.into[i]
		if u == v {
			continue
		}
		share[i], before[i] = r.shares().Share(r.graph.Length(u, v)), branches[v]
		each := float64(share[i] * (1 + branches[u]))
		closed.AddPart(v, 2*each*branches[v])
		branches[v] += each
	}
	h := &hanging{mass: branches, first: make([]uint32, n+1)}
	way, behind, sees := make([]float64, n), make([]float64, n), make([]float64, n)
	on := csr.Ascending(n) // by graph vertex: what it hangs on
	for v := range way {
		way[v] = 1
	}
	for i := len(f.order) - 1; i >= 0; i-- {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u, v := f.order[i], f.into[i]
		if u == v {
			on[u] = csr.None
			continue
		}
		on[u], way[u] = on[v], float64(share[i]*way[v])
		sees[u] = float64(share[i] * (1 + before[i] + behind[v] + sees[v]))
		behind[v] += float64(share[i] * (1 + branches[u]))
		closed.AddPart(u, 2*branches[u]*sees[u])
	}
	for v, c := range on {
		if c != csr.None && branches[v] > 0 {
			h.first[c+1]++
		}
	}
	for v := range n {
		h.first[v+1] += h.first[v]
	}
	h.vertices, h.each = make([]uint32, h.first[n]), make([]float64, h.first[n])
	next := slices.Clone(h.first)
	for v, c := range on {
		if c != csr.None && branches[v] > 0 {
			h.vertices[next[c]], h.each[next[c]] = uint32(v), 2*branches[v]*way[v]
			next[c]++
		}
		h.mass[v]++
	}
	return h, nil
}

// hangs reports whether something hangs on a vertex of a block.
func (r *reducer) hangs(e outline) bool {
	h, k := r.hanging, r.copier
	on := func(v uint32) bool { return h.some(k.vertex[v]) }
	return h != nil && (on(k.head[e.block]) || slices.ContainsFunc(k.members[k.first[e.block]:k.first[e.block+1]], on))
}

// some reports whether something hangs on a graph vertex.
func (h *hanging) some(v uint32) bool { return h.first[v] < h.first[v+1] }

// hang gives all blocks the masses of their vertices with what hangs on them.
func (r *reducer) hang() {
	h := r.hanging
	if h == nil {
		return
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		for local, v := range b.vertices {
			b.From[local] = h.mass[v]
			b.Sees = b.Sees || h.some(v)
		}
		if b.Sees {
			b.hanging = h
		}
	}
	r.hanging = nil
}

// EachHanging calls add for the vertices that hang on sources of the batches and on members of their classes, and for
// these themselves. sees is the batches' Result.Sees.
func (b *Block) EachHanging(batches []engine.Batch, sees []float64, add func(vertex uint32, value float64)) {
	if b.hanging == nil {
		return
	}
	h := b.hanging
	for _, batch := range batches {
		for i, s := range b.Sources[batch.First : batch.First+batch.Count] {
			for j, v := range b.members(s) {
				all := sees[i]
				if b.beside != nil {
					all += b.beside[int(b.classes[s])+j]
				}
				for at := h.first[v]; at < h.first[v+1]; at++ {
					add(h.vertices[at], h.each[at]*all)
				}
			}
		}
		sees = sees[batch.Count:]
	}
}

// bytes returns the memory of what hangs on the blocks' vertices.
func (h *hanging) bytes() int64 {
	if h == nil {
		return 0
	}
	return budget.Held(h.mass) + budget.Held(h.first) + budget.Held(h.vertices) + budget.Held(h.each)
}
