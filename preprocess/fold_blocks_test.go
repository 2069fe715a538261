package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/wholes"
)

// What folds together is a block with the vertex that it folds into, and nothing else hangs on its members then. In the
// end, at most one small block of a component hangs on a vertex. Folded blocks of the component are no larger.
func TestFoldBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	blocks := 0
	for turn := range 3000 / testgraphs.OneIn {
		g := randomGraph(r)
		if turn%2 == 0 {
			g = blockGraph(r)
		}
		n, most := g.Vertices(), 3+r.IntN(8)
		f, err := foldBelow(t.Context(), g, 2, nil, wholes.NewForms(n, false), 2)
		if err != nil {
			t.Fatal(err)
		}
		c, err := findCore(t.Context(), g, g, f, false, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		b, err := findBlocks(t.Context(), c, 2)
		if err != nil {
			t.Fatal(err)
		}
		before := len(f.order)
		joins, sizes, err := f.foldBlocks(t.Context(), c, b, most, make([]uint64, before), make([]uint8, before))
		if err != nil {
			t.Fatal(err)
		}
		left := slices.DeleteFunc(csr.Ascending(n), func(v uint32) bool { return slices.Contains(f.order[:before], v) })
		largest := make([]int, n) // by vertex that blocks folded into, and by what it is joined to
		for i := before; i < len(f.order); {
			end, on := i, f.into[i]
			for sizes[end] == 0 {
				end++
			}
			block := append([]uint32{on}, f.order[i:end+1]...)
			slices.Reverse(block[1:])
			if i = end + 1; int(sizes[end])+1 != len(block) || len(block) > most || !hangs(g, left, block) {
				t.Fatalf("turn %d: %v is no block of at most %d vertices that hangs on its first, among %v", turn, block, most, left)
			}
			for j, v := range block {
				for k, w := range block[1:] {
					if g.Arc(v, w) != (joins[end-k]>>j&1 == 1) {
						t.Fatalf("turn %d: %v: neighbours of %d are %b", turn, block, w, joins[end-k])
					}
				}
			}
			left = slices.DeleteFunc(left, func(v uint32) bool { return slices.Contains(block[1:], v) })
			for _, v := range reached(g, csr.Ascending(n), on) {
				largest[v] = max(largest[v], len(block))
			}
			blocks++
		}
		weight := uint32(0)
		for i, v := range f.order[:before] {
			if f.into[i] == v {
				weight += f.weight[v]
			}
		}
		found := map[uint32]int{} // by first vertex of a component
		for _, v := range left {
			if weight += f.weight[v]; f.degree[v] != uint32(len(joined(g, v, left))) || f.degree[v] < 2 {
				t.Fatalf("turn %d: %d neighbours of %d, among %v", turn, f.degree[v], v, left)
			}
			rest := slices.DeleteFunc(slices.Clone(left), func(u uint32) bool { return u == v })
			for len(rest) > 0 {
				part := reached(g, rest, rest[0])
				rest = slices.DeleteFunc(rest, func(u uint32) bool { return slices.Contains(part, u) })
				block, all := append([]uint32{v}, part...), reached(g, left, v)
				if !slices.Contains(all, part[0]) || len(block) == len(all) || !hangs(g, left, block) || len(block) > most {
					continue
				}
				if found[slices.Min(all)]++; found[slices.Min(all)] > 1 || len(block) < largest[v] {
					t.Fatalf("turn %d: %v hangs on %d, among %v", turn, part, v, left)
				}
			}
		}
		if weight != uint32(n) {
			t.Fatalf("turn %d: weights are %d, want %d", turn, weight, n)
		}
		if _, _, err := f.foldBlocks(testending.After(t.Context(), 0), c, b, most, nil, nil); b.count() > 1 && len(f.order) > before && err == nil {
			t.Fatal("an ended context passed")
		}
	}
	if blocks < 100 {
		t.Errorf("%d blocks folded", blocks)
	}
}

// hangs reports whether a list is a block that only its first vertex joins to others left.
func hangs(g *csr.Graph, left, block []uint32) bool {
	for i, v := range block {
		rest := slices.Delete(slices.Clone(block), i, i+1)
		if len(reached(g, rest, rest[0])) < len(rest) || i > 0 && len(joined(g, v, left)) > len(joined(g, v, block)) {
			return false
		}
	}
	return true
}

// joined returns the neighbours of a vertex in a list.
func joined(g *csr.Graph, v uint32, list []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(g.Neighbours(v)), func(u uint32) bool { return !slices.Contains(list, u) })
}

// reached returns the vertices of a list that a vertex reaches in it.
func reached(g *csr.Graph, list []uint32, v uint32) []uint32 {
	met := []uint32{v}
	for i := 0; i < len(met); i++ {
		for _, u := range joined(g, met[i], list) {
			if !slices.Contains(met, u) {
				met = append(met, u)
			}
		}
	}
	return met
}

// blockGraph draws cliques that share one vertex each, often without some edges, and rarely an edge more.
func blockGraph(r *rand.Rand) *csr.Graph {
	n := uint32(1)
	var edges []edge
	for range 1 + r.IntN(8) {
		on, k := r.Uint32N(n), 1+r.Uint32N(5)
		block := testgraphs.Clique(n, k)
		for v := n; v < n+k; v++ {
			block = append(block, edge{on, v})
		}
		out := r.IntN(2)
		edges, n = append(edges, slices.DeleteFunc(block, func(edge) bool { return out > 0 && r.IntN(5) == 0 })...), n+k
	}
	for range max(0, r.IntN(5)-3) {
		edges = append(edges, edge{r.Uint32N(n), r.Uint32N(n)})
	}
	name := r.Perm(int(n))
	for i, e := range edges {
		edges[i] = edge{uint32(name[e[0]]), uint32(name[e[1]])}
	}
	return graphOf(int(n), edges)
}
