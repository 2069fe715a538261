package acyclic_test

import (
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// withCycles adds back arcs to some blocks, if few arcs are on cycles then.
func withCycles(r *rand.Rand, b *preprocess.Block) *preprocess.Block {
	n, span := b.Vertices(), []int{1, 2, 5, 40}[r.IntN(4)]
	var arcs []testgraphs.Edge
	for v := range uint32(n) {
		for _, u := range b.Neighbours(v) {
			arcs = append(arcs, testgraphs.Edge{v, u})
		}
	}
	for range r.IntN(7) {
		v := r.IntN(n)
		if u := min(v+1+r.IntN(span), n-1); u > v {
			arcs = append(arcs, testgraphs.Edge{uint32(u), uint32(v)}, testgraphs.Edge{uint32(v), uint32(v + 1)}, testgraphs.Edge{uint32(u - 1), uint32(u)})
		}
	}
	more := testblocks.Directed(n, arcs, b.Lanes)
	if more.Sources = b.Sources; acyclic.Suits(more) {
		return more
	}
	return b
}

// Many of the blocks drawn have cycles, and some of these cycles are long.
func TestRandomBlocksHaveCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 8))
	cycles, longest := 0, 0
	for range 300 {
		count := 0
		knots, _ := csr.Knots(&randomBlock(r, 1500).Graph)
		for v, first := range knots {
			if first > 0 {
				count, longest = 1, max(longest, v+2-int(first))
			}
		}
		cycles += count
	}
	if cycles < 100 || longest < 12 {
		t.Errorf("%d of 300 blocks have cycles, of at most %d vertices", cycles, longest)
	}
}
