package roads

import (
	"slices"
	"sort"

	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// skeleton has the tables of a block that all batches read.
type skeleton struct {
	*csr.Roads
	over     preprocess.Block // graph of the junctions: each joined pair has an arc as long as its shortest chain
	junction []group          // by junction
	hollow   []group          // chains with vertices inside
	group    []int32          // by chain: its number in hollow; -1: no vertices inside
	hanging  []uint32         // vertices that hang on others, ascending: parents first
	end      []uint32         // by vertex: end of the vertices that hang on it. They follow it, or begin at hung
	hung     []uint32         // by vertex inside a chain: where the vertices that hang on it begin
	depth    []uint32         // by vertex: edges up to the vertex at the root of its tree
	deepest  int              // the largest depth
	longest  int              // length of the longest chain
}

// group is a range of vertices: a junction or the inside of a chain, then the vertices
// that hang there.
type group struct {
	first, end uint32
	ends       [2]uint32 // of the chain
	length     int32     // of the chain
}

// inside returns the number of vertices inside the chain.
func (g *group) inside() uint32 { return uint32(g.length) - 1 }

func newSkeleton(b *preprocess.Block) *skeleton {
	n := uint32(b.Vertices())
	k := &skeleton{Roads: b.Roads, group: make([]int32, len(b.Roads.Ends)), end: make([]uint32, n), hung: make([]uint32, n), depth: make([]uint32, n)}
	e := 0
	for j, v := range k.Junctions {
		k.junction = append(k.junction, group{first: v})
		for ; e < len(k.Ends) && k.Ends[e][1] == uint32(j); e++ {
			k.longest = max(k.longest, k.Length(e))
			k.group[e] = -1
			if k.Length(e) > 1 {
				k.group[e] = int32(len(k.hollow))
				k.hollow = append(k.hollow, group{first: k.Inner[k.First[e]], ends: k.Ends[e], length: int32(k.Length(e))})
			}
		}
	}
	k.closeGroups(n)
	for v := range n {
		if u := k.Into[v]; u != v {
			k.hanging = append(k.hanging, v)
			k.depth[v] = k.depth[u] + 1
			k.deepest = max(k.deepest, int(k.depth[v]))
		}
		k.end[v] = v + 1
	}
	for _, v := range slices.Backward(k.hanging) { // children before parents
		if u := k.Into[v]; k.depth[u] > 0 {
			k.end[u] = max(k.end[u], k.end[v])
		}
	}
	for i := range k.junction {
		k.end[k.junction[i].first] = k.junction[i].end
	}
	for i := range k.hollow {
		g := &k.hollow[i]
		at := g.first + g.inside()
		for v := g.first; v < g.first+g.inside(); v++ {
			k.hung[v] = at
			for at < g.end && k.Into[at] == v {
				at = k.end[at]
			}
			k.end[v] = at
		}
	}
	k.over.Graph = *k.contract()
	return k
}

// closeGroups sets the end of each group to the beginning of the next.
func (k *skeleton) closeGroups(n uint32) {
	var all []*group
	for i := range k.junction {
		all = append(all, &k.junction[i])
	}
	for i := range k.hollow {
		all = append(all, &k.hollow[i])
	}
	slices.SortFunc(all, func(x, y *group) int { return int(x.first) - int(y.first) })
	for i, g := range all {
		g.end = n
		if i+1 < len(all) {
			g.end = all[i+1].first
		}
	}
}

// contract returns the graph of the junctions.
func (k *skeleton) contract() *csr.Graph {
	type arc struct {
		from, to uint32
		length   int
	}
	var arcs []arc
	for e, ends := range k.Ends {
		if ends[0] != ends[1] {
			arcs = append(arcs, arc{ends[0], ends[1], k.Length(e)}, arc{ends[1], ends[0], k.Length(e)})
		}
	}
	sort.Slice(arcs, func(i, j int) bool {
		switch x, y := arcs[i], arcs[j]; {
		case x.from != y.from:
			return x.from < y.from
		case x.to != y.to:
			return x.to < y.to
		default:
			return x.length < y.length
		}
	})
	arcs = slices.CompactFunc(arcs, func(x, y arc) bool { return x.from == y.from && x.to == y.to })
	g := &csr.Graph{Offsets: make([]int64, len(k.Junctions)+1), Lengths: []int64{}}
	for _, a := range arcs {
		g.Offsets[a.from+1]++
		g.Targets, g.Lengths = append(g.Targets, a.to), append(g.Lengths, int64(a.length))
	}
	for j := range k.Junctions {
		g.Offsets[j+1] += g.Offsets[j]
	}
	return g
}
