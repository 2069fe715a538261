package preprocess

// masses are how many paths begin and end where, while vertices fold. Where edges
// have directions, what hangs on a vertex counts in part: as a source as far as it
// reaches the vertex, as a target as far as the vertex reaches it. (Without
// directions both are one number, the weight of folding.) Sums are at most the
// number of vertices.
//
// The idea of counting what can be reached is from A.E. Sariyuce et al., "Graph
// manipulations for fast centrality computation", TKDD 2017, and L. Wang et al.,
// "Articulation points guided redundancy elimination for betweenness centrality",
// PPoPP 2016; docs/algorithm.md derives the formulas.
type masses struct {
	from, to []uint32 // by graph vertex: its own, and that of all that folded into it
	arcs     []uint8  // by place in the order of folding: which arcs run between the vertex and the one it folded into
}

// own is what each vertex begins and ends with.
const own = 1

// Arcs between a vertex that folds and the one it folds into.
const (
	arcIn  uint8 = 1 << iota // from the first to the second
	arcOut                   // and back
)

// foldMasses moves the masses of folded vertices, in their order. It adds to the
// closed forms, for u that folds into v, the paths through v between u's branch
// and what had folded into v before.
func foldMasses(g *Graph, f *folding, closed []int64) *masses {
	n := g.Vertices()
	m := &masses{from: make([]uint32, n), to: make([]uint32, n), arcs: make([]uint8, len(f.order))}
	for v := range n {
		m.from[v], m.to[v] = own, own
	}
	for i, u := range f.order {
		v := f.into[i]
		if u == v {
			continue
		}
		var into, outof uint32 // what comes to v by way of u, and what v reaches by way of u
		if g.arc(u, v) {
			m.arcs[i] |= arcIn
			into = m.from[u]
		}
		if g.arc(v, u) {
			m.arcs[i] |= arcOut
			outof = m.to[u]
		}
		closed[v] += int64(into)*int64(m.to[v]-own) + int64(m.from[v]-own)*int64(outof) // with those before
		m.from[v] += into
		m.to[v] += outof
	}
	return m
}

// unfold adds to the closed forms, for every vertex, the paths between what had
// folded into it and the rest. in and out are, by graph vertex, the masses from
// the rest that reach it, and there that it reaches: known for those that are left,
// and completed here for those that folded, the last of them first.
func (m *masses) unfold(f *folding, in, out []uint32, closed []int64) {
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
	for v := range closed {
		closed[v] += int64(in[v])*int64(m.to[v]-own) + int64(m.from[v]-own)*int64(out[v])
	}
}
