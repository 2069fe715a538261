package lengths_test

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// arc leads from one vertex to another.
type arc struct {
	from, to uint32
	length   int64
}

// graphOf makes a graph of n vertices from arcs. No two arcs have the same ends.
func graphOf(n int, arcs []arc) csr.Graph {
	slices.SortFunc(arcs, func(x, y arc) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	g := csr.Graph{Offsets: make([]int64, n+1)}
	for _, a := range arcs {
		g.Offsets[a.from+1]++
		g.Targets, g.Lengths = append(g.Targets, a.to), append(g.Lengths, a.length)
	}
	for v := range n {
		g.Offsets[v+1] += g.Offsets[v]
	}
	return g
}

// arcsOf returns the arcs of the edges of a simple graph; length draws the length of each
// edge.
func arcsOf(n int, edges []testgraphs.Edge, length func() int64) (arcs []arc) {
	offsets, targets := testgraphs.Rows(n, edges)
	for v := range uint32(n) {
		for _, u := range targets[offsets[v]:offsets[v+1]] {
			if u < v {
				l := length()
				arcs = append(arcs, arc{v, u, l}, arc{u, v, l})
			}
		}
	}
	return arcs
}

func reversed(arcs []arc) (out []arc) {
	for _, a := range arcs {
		out = append(out, arc{a.to, a.from, a.length})
	}
	return out
}

// blockOf makes a block from the edges of an undirected graph, with all masses 1.
func blockOf(n int, edges []testgraphs.Edge, sources int, length func() int64) *preprocess.Block {
	b := testblocks.Of(n, edges, sources)
	b.Graph = graphOf(n, arcsOf(n, edges, length))
	return b
}

// directedOf makes a directed block from three in four arcs of the edges, chosen at random.
func directedOf(r *rand.Rand, n int, edges []testgraphs.Edge, sources int, length func() int64) *preprocess.Block {
	b := testblocks.Of(n, edges, sources)
	kept := slices.DeleteFunc(arcsOf(n, edges, length), func(arc) bool { return r.IntN(4) == 0 })
	b.Graph = graphOf(n, kept)
	in := graphOf(n, reversed(kept))
	b.In = &in
	return b
}

// byDefinition computes scores by definition: distances by relaxing all arcs until none changes,
// path counts and dependencies in order of distance. Vertices beyond the cutoff are
// unreached.
func byDefinition(b *preprocess.Block, sources []uint32) (scores, got, want []float64) {
	n := b.Vertices()
	scores, got, want = make([]float64, n), make([]float64, len(sources)), make([]float64, len(sources))
	mu := func(v uint32) float64 {
		if b.Multiplicity == nil {
			return 1
		}
		return b.Multiplicity[v]
	}
	for i, s := range sources {
		distance := map[uint32]int64{s: 0}
		for changed := true; changed; {
			changed = false
			for v := range uint32(n) {
				at, ok := distance[v]
				for e := b.Offsets[v]; ok && e < b.Offsets[v+1]; e++ {
					there, d := b.Targets[e], at+b.Lengths[e]
					if old, met := distance[there]; (b.Cutoff == 0 || d <= int64(b.Cutoff)) && (!met || d < old) {
						distance[there], changed = d, true
					}
				}
			}
		}
		var order []uint32
		for v := range uint32(n) {
			if _, ok := distance[v]; ok {
				order = append(order, v)
			}
		}
		slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(distance[x], distance[y]) })
		sigma, delta := make([]float64, n), make([]float64, n)
		sigma[s] = 1
		on := func(v uint32, e int64) bool {
			d, met := distance[b.Targets[e]]
			return met && d == distance[v]+b.Lengths[e]
		}
		for _, v := range order {
			if v != s {
				sigma[v] *= mu(v)
				want[i] += b.To[v]
			}
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				if on(v, e) {
					sigma[b.Targets[e]] += sigma[v]
				}
			}
		}
		for _, v := range slices.Backward(order) {
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				if t := b.Targets[e]; on(v, e) {
					delta[v] += sigma[v] / sigma[t] * mu(t) * (b.To[t] + delta[t])
				}
			}
			if v != s {
				scores[v] += b.From[s] * delta[v] / mu(v)
			}
		}
		got[i] = delta[s]
	}
	return scores, got, want
}
