package preprocess

import (
	"context"
	"slices"
	"sort"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// mergeSources is the step "out-sets": one search per distinct set of out-arcs in
// a directed block, instead of one per source.
//
// A vertex with one out-arc has the paths of the vertex that it leads to. Its mass moves on, along the only path,
// to the next vertex with a choice. Vertices with the same out-arcs have the same paths from there on. A vertex
// without out-arcs has none. Merging leaves out
//
//   - the forced part of the path: closed forms (see forcedWays.settle);
//   - that a source is not a target of its own, and that the vertices of its forced way
//     count once: those that the search returns to count for less (Block.Waived).
//
// docs/algorithm.md has the proof.
func (r *reducer) mergeSources(ctx context.Context, closed wholes.Forms) error {
	if !r.graph.Directed() {
		return nil
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if !b.Directed() || b.HasFlows() { // of a contracted block, arcs have vertices inside
			continue
		}
		w, err := newForcedWays(ctx, b)
		if err != nil {
			return err
		}
		source, virtual, err := w.groups(ctx)
		if err != nil {
			return err
		}
		if waivable, err := w.waivable(ctx, source, len(virtual)); err != nil {
			return err
		} else if !waivable {
			continue
		}
		if err := w.settle(ctx, closed, r.opts.Threads); err != nil {
			return err
		}
		if err := w.merge(ctx, source, virtual); err != nil {
			return err
		}
	}
	r.plan.keepBlocks(func(_ int, b *Block) bool { return b.begins() > 0 })
	return nil
}

// forcedWays of a directed block lead from a vertex on while there is one out-arc, to its root. A root has none, or
// several, or is on a cycle of such vertices. The ways form trees.
type forcedWays struct {
	*Block
	strong
	alone []bool // by strong component: it has one vertex
	apart bool   // vertices of others have searches of their own, since searches in topological order know no waivers

	next    []uint32 // by vertex: the one that it leads to; none for a root
	order   []uint32 // vertices other than roots, each before the one it leads to
	root    []uint32 // by vertex
	through []int64  // by vertex: source mass of the vertices whose forced way passes it, its own included
}

func newForcedWays(ctx context.Context, b *Block) (*forcedWays, error) {
	n := b.Vertices()
	w := &forcedWays{Block: b, apart: csr.NearlyAscends(&b.Graph), next: make([]uint32, n), root: make([]uint32, n), through: make([]int64, n)}
	var find strongSearch
	var err error
	if w.strong, err = find.find(ctx, &b.Graph); err != nil {
		return nil, err
	}
	w.alone = make([]bool, w.count)
	met := make([]bool, w.count)
	for v := range parallel.Until(ctx, uint32(n)) {
		i := w.of[v]
		w.alone[i], met[i] = !met[i], true
		w.next[v] = csr.None
		if row := b.Neighbours(v); len(row) == 1 {
			w.next[v] = row[0]
		}
	}
	for v, of := range w.of {
		if w.apart && !w.alone[of] {
			w.next[v] = csr.None
		}
	}
	if err := w.breakCycles(ctx); err != nil {
		return nil, err
	}
	before := make([]uint32, n) // by vertex: predecessors that are not in order yet
	for v := range parallel.Until(ctx, n) {
		w.root[v], w.through[v] = uint32(v), int64(b.From[v])
		if u := w.next[v]; u != csr.None {
			before[u]++
		}
	}
	for v := range parallel.Until(ctx, uint32(n)) {
		for u := v; before[u] == 0 && w.next[u] != csr.None; { // and the vertices that wait for it
			w.order = append(w.order, u)
			before[u] = csr.None
			u = w.next[u]
			before[u]--
			if u > v {
				break // its turn comes
			}
		}
	}
	for _, v := range parallel.Over(ctx, w.order) {
		w.through[w.next[v]] += w.through[v]
	}
	for i, v := range slices.Backward(w.order) {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.root[v] = w.root[w.next[v]]
	}
	return w, ctx.Err()
}

// breakCycles makes roots of the vertices that lead to each other in a circle. The only error is the context's.
func (w *forcedWays) breakCycles(ctx context.Context) error {
	walk := make([]uint32, len(w.next)) // by vertex: where the walk that met it began, plus one
	for start := range parallel.Until(ctx, uint32(len(w.next))) {
		v := start
		for v != csr.None && walk[v] == 0 {
			walk[v] = start + 1
			v = w.next[v]
		}
		if v == csr.None || walk[v] != start+1 {
			continue
		}
		for v != csr.None { // once around: roots lead nowhere
			v, w.next[v] = w.next[v], csr.None
		}
	}
	return ctx.Err()
}

// returned reports whether paths from the end of the forced way of v reach v again, or v itself if it is a root.
func (w *forcedWays) returned(v uint32) bool {
	of := w.of[v]
	return !w.alone[of] && of == w.of[w.root[v]]
}

// settle adds to the closed forms the scores that sources give to their forced ways. Let F(u) be the forced way of
// u, with u. Let R be the target mass of all vertices reached from its end, and Q(u) that of the vertices of F(u)
// among them. A vertex y != u in F(u) is on the paths from u to the vertices after it in F(u), and to all others
// that are reached:
//
//	BC(y) += From(u) * (target mass of F(u) after y + R - Q(u))
func (w *forcedWays) settle(ctx context.Context, closed wholes.Forms, threads int) error {
	if len(w.order) == 0 {
		return nil
	}
	reached, err := w.reachedFrom(ctx, threads)
	if err != nil {
		return err
	}
	n := w.Vertices()
	after, back := make([]int64, n), make([]int64, n) // target mass of F(v) after v; Q(v)
	for v := range parallel.Until(ctx, uint32(n)) {
		if w.next[v] == csr.None && w.returned(v) {
			back[v] = int64(w.To[v])
		}
	}
	for i, v := range slices.Backward(w.order) {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := w.next[v]
		after[v], back[v] = after[u]+int64(w.To[u]), back[u]
		if w.returned(v) {
			back[v] += int64(w.To[v])
		}
	}
	lost := make([]wholes.Wide, n) // sum of From(u) * Q(u) over the other vertices whose way passes the vertex
	for _, v := range parallel.Over(ctx, w.order) {
		lost[w.next[v]] = lost[w.next[v]].And(lost[v]).Plus(int64(w.From[v]), back[v])
	}
	for v := range parallel.Until(ctx, uint32(n)) {
		others := w.through[v] - int64(w.From[v])
		closed.AddWide(w.vertices[v], wholes.Wide{}.Plus(others, after[v]+reached[w.of[w.root[v]]]).Less(lost[v]))
	}
	return ctx.Err()
}

// reachedFrom returns, by strong component of a root that ends a forced way, the target mass of all vertices
// reached from there by an arc or more.
func (w *forcedWays) reachedFrom(ctx context.Context, threads int) ([]int64, error) {
	reached := make([]int64, w.count)
	wanted := make([]bool, w.count)
	var about []uint32
	for _, v := range w.order {
		if of := w.of[w.root[v]]; !wanted[of] {
			wanted[of] = true
			about = append(about, of)
		}
	}
	c, err := condense(ctx, &w.Graph, w.strong, w.To)
	if err != nil {
		return nil, err
	}
	out, err := c.reached(ctx, about, threads)
	for i, of := range about {
		reached[of] = out[i]
		if w.alone[of] {
			reached[of] -= c.mass[of] // its vertex is not reached again
		}
	}
	return reached, err
}

// sourceMass returns the source mass of the vertices that groups has chosen to search from, by vertex; virtual is
// the number of virtual ones. The only error is the context's.
func (w *forcedWays) sourceMass(ctx context.Context, source []uint32, virtual int) ([]float64, error) {
	mass := make([]float64, w.Vertices()+virtual)
	for v, next := range parallel.Over(ctx, w.next) {
		if next == csr.None && source[v] != csr.None {
			mass[source[v]] += float64(w.through[v])
		}
	}
	return mass, ctx.Err()
}

// merge leaves in the block one source of each out-set that groups has found. The only error is the context's.
func (w *forcedWays) merge(ctx context.Context, source, virtual []uint32) error {
	mass, err := w.sourceMass(ctx, source, len(virtual))
	if err != nil {
		return err
	}
	if err := w.addVirtual(ctx, virtual); err != nil {
		return err
	}
	w.From = mass
	for v := range parallel.Until(ctx, uint32(len(w.next))) {
		if s := source[w.root[v]]; w.waives(s, v) {
			w.Waive(s, v, w.To[v]*float64(w.through[v])/mass[s])
		}
	}
	sort.SliceStable(w.Waived, func(i, j int) bool { return w.Waived[i].Source < w.Waived[j].Source })
	return ctx.Err()
}

// groups chooses, by root, the vertex that is searched from for its sources; none: no search is needed. Roots with
// equal out-arcs share one of them that paths do not return to, since a source is not a target. Where there is
// none, they share a virtual vertex, which has their out-arcs and no in-arcs. The i-th virtual vertex has the
// out-arcs of virtual[i]. The only error is the context's.
func (w *forcedWays) groups(ctx context.Context) (source, virtual []uint32, err error) {
	n := len(w.next)
	source = slices.Repeat([]uint32{csr.None}, n)
	like := make(map[uint64]uint32, n)  // by hash of out-arcs: the last root that has them first
	before := make([]uint32, n)         // by first root: the one before with its hash, or none
	group := make([]uint32, n)          // by root: the first with its out-arcs
	several := make([]bool, n)          // by first root: others have its out-arcs, too
	const often = parallel.Interval / 8 // most vertices make an entry of like, and hash a row
	for v := range uint32(n) {
		if v%often == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row := w.Neighbours(v)
		if w.next[v] != csr.None || len(row) == 0 || w.through[v] == 0 {
			continue
		}
		group[v], source[v] = v, v
		if w.apart && !w.alone[w.of[v]] {
			continue
		}
		key := hashRow(row)
		first, met := like[key]
		for met && first != csr.None && !slices.Equal(w.Neighbours(first), row) {
			first = before[first]
		}
		if !met || first == csr.None {
			if before[v] = csr.None; met {
				before[v] = like[key]
			}
			like[key] = v
			continue
		}
		group[v], several[first] = first, true
		if w.returned(source[first]) && !w.returned(v) {
			source[first] = v
		}
	}
	for v := range parallel.Until(ctx, uint32(n)) {
		if several[v] && w.returned(source[v]) {
			source[v] = uint32(n + len(virtual))
			virtual = append(virtual, v)
		}
	}
	for v := range uint32(n) {
		if source[v] != csr.None {
			source[v] = source[group[v]]
		}
	}
	return source, virtual, ctx.Err()
}

// hashRow is equal for equal rows, and rarely for others (FNV-1a, by number).
func hashRow(row []uint32) uint64 {
	hash := uint64(14695981039346656037)
	for _, u := range row {
		hash = (hash ^ uint64(u)) * 1099511628211
	}
	return hash ^ hash>>29
}

// addVirtual adds, for each listed vertex, a virtual vertex with its out-arcs. The only error is the context's; the
// block is then unchanged.
func (w *forcedWays) addVirtual(ctx context.Context, rows []uint32) error {
	if len(rows) == 0 {
		return nil
	}
	b, n := w.Block, w.Vertices()
	arcs := int64(0)
	for _, v := range rows {
		arcs += int64(len(b.Neighbours(v)))
	}
	out := csr.Graph{Offsets: append(make([]int64, 0, n+len(rows)+1), b.Offsets...), Targets: append(make([]uint32, 0, int64(len(b.Targets))+arcs), b.Targets...)}
	in := &csr.Graph{Offsets: make([]int64, n+len(rows)+1), Targets: make([]uint32, 0, cap(out.Targets))}
	from := make([][]uint32, n) // by vertex: virtual vertices that lead to it
	for i, v := range parallel.Over(ctx, rows) {
		out.Targets = append(out.Targets, b.Neighbours(v)...)
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
		for _, u := range b.Neighbours(v) {
			from[u] = append(from[u], uint32(n+i))
		}
	}
	for v := range parallel.Until(ctx, n) {
		in.Targets = append(append(in.Targets, b.In.Neighbours(uint32(v))...), from[v]...)
		in.Offsets[v+1] = int64(len(in.Targets))
	}
	for v := n; v < n+len(rows); v++ {
		in.Offsets[v+1] = int64(len(in.Targets))
	}
	out.In = in
	b.Graph = out
	b.To = append(slices.Clip(b.To), make([]float64, len(rows))...)
	return ctx.Err()
}
