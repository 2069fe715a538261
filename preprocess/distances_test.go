package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
)

// The sums of a batch fit 64 bits where every source is next to the vertex, however
// large the component is.
func TestDistanceBatchesFit(t *testing.T) {
	for _, vertices := range []int{1, 1000, 1 << 17, 1 << 20, csr.MaxVertices} {
		if lanes := distanceLanes(vertices, 0); lanes < 1 || uint64(lanes) > (1<<64-1)>>engine.HarmonicBits {
			t.Errorf("%d vertices: batches of %d sources", vertices, lanes)
		}
	}
}

// Hubs come first, and vertices of one degree in the order of the list.
func TestByDegree(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	for range 300 {
		g := randomGraph(r)
		var list []uint32 // some vertices, in any order
		for _, v := range r.Perm(g.Vertices())[:r.IntN(g.Vertices()+1)] {
			list = append(list, uint32(v))
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(u, v uint32) int { return len(g.Neighbours(v)) - len(g.Neighbours(u)) })
		if got := byDegree(g, list); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// Rows have the numbers of their neighbours, ascending, and their lengths.
func TestLayRows(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	for i := range 300 {
		g := randomGraph(r)
		if i%2 == 1 {
			var arcs []edge
			for range r.IntN(90) {
				arcs = append(arcs, edge{r.Uint32N(30), r.Uint32N(30)})
			}
			g = digraphOf(30, arcs)
		}
		if i%3 == 0 {
			g = withLengths(r, g, 9)
		}
		n := g.Vertices()
		list, number := make([]uint32, n), make([]uint32, n)
		var laid Block
		laid.Offsets = make([]int64, n+1)
		for i, v := range r.Perm(n) {
			list[i], number[v] = uint32(v), uint32(i)
			laid.Offsets[i+1] = laid.Offsets[i] + int64(len(g.Neighbours(uint32(v))))
		}
		if err := laid.layRows(t.Context(), g, list, number, 1+i%3); err != nil {
			t.Fatal(err)
		}
		for i, v := range list {
			want := slices.Sorted(slices.Values(csr.Pick(number, g.Neighbours(v))))
			if row := laid.Neighbours(uint32(i)); !slices.Equal(row, want) {
				t.Fatalf("row %d: %v, want %v", i, row, want)
			}
			for _, u := range want {
				if got, want := laid.Length(uint32(i), u), g.Length(v, list[u]); got != want {
					t.Fatalf("from %d to %d: length %d, want %d", i, u, got, want)
				}
			}
		}
	}
}
