package preprocess

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// hanging is what folded where the share of a way is the product of the shares of its parts (question.Parts). A branch
// then acts like a mass at the vertex that it hangs on, times the share of its way there. Branches hang on a vertex alone,
// as leaves, or as the members of a block. With a and b for a vertex's own source and target mass, and q(x,y) for the share
// of the distance in a block,
//
//	below(v) = sum over its branches u of q(u,v) (b(u) + below(u))       target mass of v's branches
//	above(u) = q(u,v) (b(v) + the other blocks of v + above(v))          target mass of the rest of the tree; 0 at the root
//	           + sum over the others w of its block of q(u,w) (b(w) + below(w))
//	sees(u) = below(u) + above(u) + way(u) S                             all that u reaches
//
// The root c of a tree is a vertex of the core, and S is what its search sees. It reaches u at a share of way(u). So u
// sends sent(u) = a(u), or its part of a(u) for each unit of sees(u), once S is known. That gives the tree's source mass
// in the search from c, and the flows between vertices of the tree and from them. Flows from outside that pass v are a
// multiple (passed) of the source mass that arrives at c: to its branches, and to the others of its block. That mass is S
// where source and target masses are equal. Else searches add it up (Block.Hung). So folding needs no search of the core,
// but one of each block that hangs (search). No sum is a difference.
type hanging struct {
	from, to []float64 // by graph vertex: its masses and those of what hangs on it, where nothing is spread
	first    []uint32  // by graph vertex, and the end: where the branches of its tree begin, if it is a root
	branches []branch  // of each tree: the root, then the others, each behind the one that it hangs on
	decay    *decay
	lengths  []int64 // of arcs in blocks that hang: see measure
}

// branch is a vertex of a tree.
type branch struct {
	vertex, on          uint32  // graph vertex; the place in the tree of the vertex that it hangs on
	size, lengths       uint32  // of the first branch of a block: how many it has, else 0; where its lengths begin
	joins               uint64  // its neighbours in the block: see foldBlocks
	share, way          float64 // of the distance there, and of the way to the root
	mass, target        float64 // its source and target mass
	below, above, other float64 // target masses: see hanging; those of the other blocks of on
	passed              float64 // target mass to which all that arrives at the root passes it
}

// foldShares is the part of folding that hanging describes. It adds to the closed forms the flows in components that fold
// whole.
func (r *reducer) foldShares(ctx context.Context, closed wholes.Forms) (*hanging, error) {
	joins, sizes, err := r.foldHung(ctx)
	if err != nil {
		return nil, err
	}
	f, n := r.folding, r.plan.Vertices
	h := &hanging{from: wholes.Floats(r.opts.begin(n)), to: wholes.Floats(r.opts.end(n)), first: make([]uint32, n+1), decay: r.decay}
	below, before, share, lengths := make([]float64, n), make([]float64, len(f.order)), make([]float64, len(f.order)), make([]uint32, len(f.order))
	root, place := csr.Ascending(n), make([]uint32, n)
	own := slices.Clone(h.from)
	var block [hungBlock]branch
	var from, to, arrives [hungBlock]float64
	for i, u := range f.order {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		size, v := int(sizes[i]), f.into[i]
		if size == 0 {
			continue
		}
		for j := range size {
			block[j].joins, from[j+1], arrives[j+1] = joins[i-j], 0, 0
		}
		lengths[i] = uint32(len(h.lengths))
		if from[0], block[0].lengths = 1, lengths[i]; size == 1 {
			block[0].share = h.decay.Share(r.graph.Length(u, v))
		} else if r.graph.HasLengths() {
			h.measure(r.graph, append(f.order[i-size+1:i+1:i+1], v), nearby(block[:size]))
		}
		h.search(block[:size], from[:size+1], to[:size+1], arrives[:size+1], nil)
		before[i] = below[v]
		for j := range size {
			u := f.order[i-j]
			share[i-j] = arrives[j+1]
			below[v] += float64(share[i-j] * (h.to[u] + below[u]))
			h.from[v] += float64(share[i-j] * h.from[u])
		}
	}
	for i := len(f.order) - 1; i >= 0; i-- {
		u := f.order[i]
		if root[u] = root[f.into[i]]; root[u] != u {
			h.first[root[u]+1]++
		}
	}
	for v := range n {
		if h.first[v+1] > 0 {
			h.first[v+1]++
		}
		h.first[v+1] += h.first[v]
	}
	h.branches = make([]branch, h.first[n])
	for v := range n {
		if h.some(uint32(v)) {
			h.branches[h.first[v]] = branch{vertex: uint32(v), way: 1, mass: own[v], target: h.to[v], below: below[v], passed: below[v]}
		}
	}
	behind, count := make([]float64, n), make([]uint32, n)
	for i := len(f.order) - 1; i >= 0; i-- {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		size, v := int(sizes[i]), f.into[i]
		if size == 0 {
			continue
		}
		tree := h.branches[h.first[root[v]]:]
		on, at := &tree[place[v]], count[root[v]]+1
		block, other := tree[at:][:size], before[i]+behind[v]
		from[0], to[0], arrives[0] = on.target+other+on.above, 0, 0
		for j := range block {
			u := f.order[i-j]
			place[u] = at + uint32(j)
			block[j] = branch{vertex: u, on: place[v], joins: joins[i-j], share: share[i-j], way: share[i-j] * on.way, mass: own[u], target: h.to[u], below: below[u]}
			block[j].passed = float64(block[j].way * below[u])
			to[j+1], arrives[j+1] = h.to[u]+below[u], 0
			from[j+1] = to[j+1]
			behind[v] += float64(share[i-j] * to[j+1])
		}
		count[root[v]] += uint32(size)
		block[0].size, block[0].lengths, block[0].other = uint32(size), lengths[i], other
		h.search(block, from[:size+1], to[:size+1], arrives[:size+1], nil)
		for j := range block {
			block[j].above, from[j+1] = arrives[j+1], 0
		}
		from[0] = on.way
		h.search(block, from[:size+1], to[:size+1], arrives[:size+1], func(place int, value float64) { block[place-1].passed += value })
	}
	for i, u := range f.order {
		if u == f.into[i] {
			h.flow(u, 0, 0, closed.AddPart)
		}
	}
	for v, mass := range below {
		h.to[v] += mass
	}
	return h, nil
}

// measure adds the lengths of a block's arcs, by place and then by neighbour. The vertices are in order of place, the last
// first.
func (h *hanging) measure(g *csr.Graph, vertices []uint32, near [hungBlock]uint64) {
	last := len(vertices) - 1
	for place, left := range near[:len(vertices)] {
		for ; left != 0; left &= left - 1 {
			h.lengths = append(h.lengths, g.Length(vertices[last-place], vertices[last-bits.TrailingZeros64(left)]))
		}
	}
}

// sharesFold reports whether a tree may be folded as hanging says. Shares are 0 beyond a limit, and products of shares are
// not. That matters where a source may reach nothing but what is about as far: all of its mass ends somewhere.
func (r *reducer) sharesFold(ctx context.Context) (bool, error) {
	q, longest := r.plan.Question, int64(1)
	shares, err := r.shares(ctx)
	if err != nil {
		return false, err
	}
	if len(r.graph.Lengths) > 0 {
		longest = slices.Max(r.graph.Lengths)
	}
	if q.Gravity == (question.Gravity{}) || q.Targets == (question.Set{}) && q.Destinations.Column == "" && shares.Share(longest) > 0x1p-400 {
		return true, nil
	}
	enough := r.limit / longest / 2
	depth, err := depthOf(ctx, r.graph, enough)
	return depth <= enough, err
}

// some reports whether something hangs on a graph vertex of the core.
func (h *hanging) some(v uint32) bool { return h != nil && h.first[v] < h.first[v+1] }

// tree returns the branches of a root.
func (h *hanging) tree(v uint32) []branch { return h.branches[h.first[v]:h.first[v+1]] }

// sent returns what a vertex of a tree sends whose root sees that much target mass outside.
func (h *hanging) sent(x *branch, sees float64) float64 {
	return h.decay.spread(x.mass, x.below+x.above+float64(x.way*sees))
}

// send returns the source mass of a graph vertex of the core, which sees that much target mass outside its tree.
func (h *hanging) send(v uint32, sees float64) (mass float64) {
	switch {
	case !h.decay.spreading():
		return h.from[v]
	case !h.some(v):
		return h.decay.spread(h.from[v], sees)
	}
	tree := h.tree(v)
	for i := range tree {
		mass += float64(tree[i].way * h.sent(&tree[i], sees))
	}
	return mass
}

// flow calls add for the vertices of a tree with the flows from its vertices, and with those of the source mass that
// arrives at its root. The root sees that much target mass outside.
func (h *hanging) flow(v uint32, sees, arrives float64, add func(vertex uint32, value float64)) {
	tree := h.tree(v)
	type flows struct{ sent, up, before, behind, arrives, between float64 }
	of := make([]flows, len(tree))
	for i := len(tree) - 1; i >= 0; i-- {
		x := &tree[i]
		of[i].sent = h.sent(x, sees)
		each, on := 0.0, &of[x.on]
		for j := range tree[i:][:x.size] {
			each += float64(tree[i+j].share * (of[i+j].sent + of[i+j].up))
		}
		of[i].before = on.up
		on.up += each
		on.between += float64(each * x.other)
	}
	var from, to, arrived [hungBlock]float64
	for i := range tree {
		x, at := &tree[i], &of[i]
		if i == 0 {
			at.arrives = arrives
		}
		if block := tree[i:][:x.size]; len(block) > 0 {
			y, on := &tree[x.on], &of[x.on]
			from[0], to[0], arrived[0] = on.sent+at.before+on.behind+on.arrives, y.target+x.other+y.above+float64(y.way*sees), 0
			for j := range block {
				from[j+1], to[j+1], arrived[j+1] = of[i+j].sent+of[i+j].up, block[j].target+block[j].below, 0
				on.behind += float64(block[j].share * from[j+1])
			}
			h.search(block, from[:len(block)+1], to[:len(block)+1], arrived[:len(block)+1], func(place int, value float64) {
				if place == 0 {
					add(y.vertex, value)
				} else {
					add(block[place-1].vertex, value)
				}
			})
			for j := range block {
				of[i+j].arrives = arrived[j+1]
			}
		}
		if x.below > 0 || at.up > 0 {
			add(x.vertex, at.between+float64(at.up*(x.above+float64(x.way*sees)))+float64(x.below*at.arrives))
		}
	}
}

// hangs reports whether something hangs on a vertex of a block.
func (r *reducer) hangs(e outline) bool {
	h, k := r.hanging, r.copier
	on := func(v uint32) bool { return h.some(k.vertex[v]) }
	return h != nil && (on(k.head[e.block]) || slices.ContainsFunc(k.members[k.first[e.block]:k.first[e.block+1]], on))
}

// hang gives all blocks the masses of their vertices with what hangs on them.
func (r *reducer) hang() {
	h := r.hanging
	if h == nil {
		return
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if r.opts.twoMasses() {
			b.To = make([]float64, len(b.From))
		}
		for local, v := range b.vertices {
			b.From[local], b.To[local] = h.from[v], h.to[v]
			b.Sees = b.Sees || h.some(v)
		}
		if b.Sees {
			b.hanging = h
		}
	}
	r.hanging = nil
}

// markHung sets Hung of the blocks whose source and target masses differ.
func (r *reducer) markHung(context.Context, wholes.Forms) error {
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if !b.Sees || b.OneMass() {
			continue
		}
		b.Hung = make([]bool, b.Vertices())
		for local := range b.Hung {
			for _, v := range b.members(uint32(local)) {
				b.Hung[local] = b.Hung[local] || b.hanging.some(v) && b.hanging.tree(v)[0].below > 0
			}
		}
	}
	return nil
}

// EachHanging calls add for the vertices that hang on the block's vertices, and for these, with the flows that the
// batches' searches found.
func (b *Block) EachHanging(batches []engine.Batch, result *engine.Result, add func(vertex uint32, value float64)) {
	h, sees := b.hanging, result.Sees
	if h == nil {
		return
	}
	for _, batch := range batches {
		for i, s := range b.Sources[batch.First : batch.First+batch.Count] {
			members := b.members(s)
			if !slices.ContainsFunc(members, h.some) {
				continue
			}
			all, arrive := b.beside(s, func(_ int, v uint32) float64 { return h.to[v] }), []float64(nil)
			for j := range all {
				all[j] += sees[i]
			}
			if arrive = all; b.Hung != nil {
				arrive = b.beside(s, func(j int, v uint32) float64 { return h.send(v, all[j]) })
			}
			for j, v := range members {
				if h.some(v) {
					h.flow(v, all[j], arrive[j], add)
				}
			}
		}
		sees = sees[batch.Count:]
	}
	for local, mass := range result.Arrives {
		if mass == 0 {
			continue
		}
		for _, v := range b.members(uint32(local)) {
			for _, x := range h.tree(v) {
				if x.passed > 0 {
					add(x.vertex, x.passed*mass)
				}
			}
		}
	}
}

// beside returns, for each member of a local vertex, the masses of the others, times their share.
func (b *Block) beside(local uint32, mass func(place int, v uint32) float64) []float64 {
	members := b.members(local)
	beside, before := make([]float64, len(members)), 0.0
	if len(members) == 1 {
		return beside
	}
	for j, v := range members {
		beside[j] = before
		before += mass(j, v)
	}
	behind := 0.0
	for j, v := range slices.Backward(members) {
		beside[j] = float64((beside[j] + behind) * b.nearness[local])
		behind += mass(j, v)
	}
	return beside
}

// hanging returns what hangs on blocks, which share it.
func (p *Plan) hanging() *hanging {
	for i := range p.Blocks {
		if h := p.Blocks[i].hanging; h != nil {
			return h
		}
	}
	return nil
}

// arrays returns what scores are made from.
func (h *hanging) arrays() []array {
	if h == nil {
		return nil
	}
	var vertices []uint32
	var numbers []float64
	for _, x := range h.branches {
		vertices = append(vertices, x.vertex, x.on, x.size, uint32(x.joins), uint32(x.joins>>32))
		numbers = append(numbers, x.share, x.mass, x.below, x.above)
	}
	arrays := []array{arrayOf(h.first), arrayOf(vertices), arrayOf(numbers)}
	if h.lengths != nil {
		arrays = append(arrays, arrayOf(h.lengths))
	}
	return arrays
}

// bytes returns the memory of what hangs on the blocks' vertices.
func (h *hanging) bytes() int64 {
	if h == nil {
		return 0
	}
	return budget.Held(h.from) + budget.Held(h.to) + budget.Held(h.first) + budget.Held(h.branches) + budget.Held(h.lengths)
}
