package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// masses are how many paths begin and end where, while vertices fold, if these are
// two numbers: where paths begin and end at some vertices only, or vertices have masses, or edges have
// directions. With directions, what hangs on a vertex counts in part: as a source as far as it
// reaches the vertex, as a target as far as the vertex reaches it. (Between all
// pairs, and without directions, both are one number, the weight of folding.) Sums
// are at most mostMass.
//
// The idea of counting what can be reached is from A.E. Sariyuce et al., "Graph
// manipulations for fast centrality computation", TKDD 2017, and L. Wang et al.,
// "Articulation points guided redundancy elimination for betweenness centrality",
// PPoPP 2016; docs/algorithm.md derives the formulas.
type masses struct {
	from, to []int64 // by graph vertex: its own, and that of all that folded into it
	begin    []int64 // by graph vertex: its own source mass
	end      []int64 // likewise: its own target mass
	arcs     []uint8 // by place in the order of folding: which arcs run between the vertex and the one it folded into
}

// Arcs between a vertex that folds and the one it folds into.
const (
	arcIn  uint8 = 1 << iota // from the first to the second
	arcOut                   // and back
)

// foldMasses moves the masses of folded vertices, which have the given ones of
// their own, in their order. It adds to the closed forms, for u that folds into v,
// the paths through v between u's branch and what had folded into v before.
func foldMasses(ctx context.Context, g *csr.Graph, f *folding, begin, end []int64, closed Forms) (*masses, error) {
	m := &masses{from: slices.Clone(begin), to: slices.Clone(end), begin: begin, end: end, arcs: make([]uint8, len(f.order))}
	for i, u := range f.order {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := f.into[i]
		if u == v {
			continue
		}
		var into, outof int64 // what comes to v by way of u, and what v reaches by way of u
		if g.Arc(u, v) {
			m.arcs[i] |= arcIn
			into = m.from[u]
		}
		if g.Arc(v, u) {
			m.arcs[i] |= arcOut
			outof = m.to[u]
		}
		closed.add(v, into, m.to[v]-end[v]) // with those before
		closed.add(v, m.from[v]-begin[v], outof)
		m.from[v] += into
		m.to[v] += outof
	}
	return m, nil
}

// unfold adds to the closed forms, for every vertex, the paths between what had
// folded into it and the rest. in and out are, by graph vertex, the masses from
// the rest that reach it, and there that it reaches: known for those that are left,
// and completed here for those that folded, the last of them first.
func (m *masses) unfold(f *folding, in, out []int64, closed Forms) {
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
		closed.add(uint32(v), in[v], m.to[v]-m.end[v])
		closed.add(uint32(v), m.from[v]-m.begin[v], out[v])
	}
}
