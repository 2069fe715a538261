package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// Arcs between a vertex that folds and the one it folds into.
const (
	arcIn  uint8 = 1 << iota // from the first to the second
	arcOut                   // and back
)

// foldMasses moves the masses of folded vertices, in their order; begin and end are
// the vertices' own. It adds to the closed forms, for u that folds into v, the
// paths through v between u's branch and the vertices folded into v before.
func foldMasses(ctx context.Context, g *csr.Graph, f *folding, begin, end []int64, closed wholes.Forms) (*masses, error) {
	m := &masses{from: slices.Clone(begin), to: slices.Clone(end), begin: begin, end: end, arcs: make([]uint8, len(f.order))}
	for i, u := range parallel.Over(ctx, f.order) {
		v := f.into[i]
		if u == v {
			continue
		}
		var into, outof int64 // source mass that reaches v through u, and target mass that v reaches through u
		if g.Arc(u, v) {
			m.arcs[i] |= arcIn
			into = m.from[u]
		}
		if g.Arc(v, u) {
			m.arcs[i] |= arcOut
			outof = m.to[u]
		}
		closed.Add(v, into, m.to[v]-end[v]) // with the branches before
		closed.Add(v, m.from[v]-begin[v], outof)
		m.from[v] += into
		m.to[v] += outof
	}
	return m, ctx.Err()
}

// unfold adds to the closed forms, for every vertex, the paths between the vertices
// folded into it and the rest. By graph vertex, in and out are the source mass of the
// rest that reaches it, and the target mass there that it reaches. They are known for the
// core, and completed here for folded vertices, the last of them first.
func (m *masses) unfold(f *folding, in, out []int64, closed wholes.Forms) {
	for i := len(f.order) - 1; i >= 0; i-- {
		u, v := f.order[i], f.into[i]
		if u == v {
			continue
		}
		// v keeps the masses with which it left, u's among them.
		if m.arcs[i]&arcOut != 0 {
			in[u] = m.from[v] + in[v]
			if m.arcs[i]&arcIn != 0 {
				in[u] -= m.from[u]
			}
		}
		if m.arcs[i]&arcIn != 0 {
			out[u] = m.to[v] + out[v]
			if m.arcs[i]&arcOut != 0 {
				out[u] -= m.to[u]
			}
		}
	}
	for v := range in {
		closed.Add(uint32(v), in[v], m.to[v]-m.end[v])
		closed.Add(uint32(v), m.from[v]-m.begin[v], out[v])
	}
}
