package searches

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// An order has all vertices, by the highest power of two in their degrees, else in their
// own order. The graph with its numbers has the same arcs, and ascending rows.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for i := range 40 {
		n := 1 + r.IntN(150)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(4*n))
		g := &testblocks.Of(n, edges, 64).Graph
		if i%2 == 1 {
			g = &testblocks.Directed(n, edges, 64).Graph
		}
		o := orderOf(g)
		degree := func(v uint32) int {
			if g.In == nil {
				return len(g.Neighbours(v))
			}
			return len(g.Neighbours(v)) + len(g.In.Neighbours(v))
		}
		want := make([]uint32, n)
		for v := range want {
			want[v] = uint32(v)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return bits.Len(uint(degree(b))) - bits.Len(uint(degree(a))) })
		joined := n
		for joined > 0 && degree(want[joined-1]) == 0 {
			joined--
		}
		if !slices.Equal(o.vertices, want) || o.joined != joined {
			t.Fatalf("graph %d: %v, %d with arcs; want %v, %d", i, o.vertices, o.joined, want, joined)
		}
		same := func(got, from *csr.Graph) {
			for v := range uint32(n) {
				row := slices.Clone(from.Neighbours(v))
				for k := range row {
					row[k] = o.numbers[row[k]]
				}
				slices.Sort(row)
				if !slices.Equal(got.Neighbours(o.numbers[v]), row) {
					t.Fatalf("graph %d: the row of %d is %v, want %v", i, v, got.Neighbours(o.numbers[v]), row)
				}
			}
		}
		ordered := o.graph(g)
		same(ordered, g)
		if (ordered.In == nil) != (g.In == nil) {
			t.Fatalf("graph %d: one way", i)
		}
		if g.In != nil {
			same(ordered.In, g.In)
		}
		for i, v := range o.old(o.numbers) { // by new number i of vertex v': numbers[i]
			if v != o.numbers[o.numbers[i]] {
				t.Fatalf("back to the old numbers: %d at %d", v, i)
			}
		}
	}
}

// A crew is as large as local memory allows.
func TestCrewsFitLocalMemory(t *testing.T) {
	for local, want := range map[int]int{48 << 10: 1024, 32 << 10: 743, 16 << 10: 370, 0: 1, 1 << 20: 1024} {
		if got := crewOf(local); got != want {
			t.Errorf("a crew of %d in %d bytes, want %d", got, local, want)
		}
	}
}
