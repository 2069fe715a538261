package searchbench

import (
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// The largest component is weakly connected; of equal ones it is the first.
func TestLargestComponent(t *testing.T) {
	for _, c := range []struct {
		n     int
		edges []testgraphs.Edge
		want  []uint32
	}{
		{0, nil, nil},
		{2, nil, []uint32{0}},
		{6, []testgraphs.Edge{{0, 1}, {4, 3}, {5, 3}}, []uint32{3, 4, 5}},
		{4, []testgraphs.Edge{{0, 1}, {2, 3}}, []uint32{0, 1}},
	} {
		undirected, directed := new(csr.Graph), &csr.Graph{In: new(csr.Graph)}
		undirected.Offsets, undirected.Targets = testgraphs.Rows(c.n, c.edges)
		directed.Offsets, directed.Targets = testgraphs.OutRows(c.n, c.edges)
		directed.In.Offsets, directed.In.Targets = testgraphs.OutRows(c.n, testgraphs.Reversed(c.edges))
		for _, g := range []*csr.Graph{undirected, directed} {
			members, err := largestComponent(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(slices.Values(members)); !slices.Equal(got, c.want) {
				t.Errorf("%v: %v, want %v", c.edges, got, c.want)
			}
		}
	}
}

// Invented lengths are from 1 to 100, the same both ways, and not all equal.
func TestInventedLengths(t *testing.T) {
	g := new(csr.Graph)
	g.Offsets, g.Targets = testgraphs.Rows(60, testgraphs.Clique(0, 60))
	lengths, err := inventedLengths(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	for u := range uint32(60) {
		for i, v := range g.Neighbours(u) {
			length := lengths[g.Offsets[u]+int64(i)]
			back, _ := slices.BinarySearch(g.Neighbours(v), u)
			if length < 1 || length > 100 || length != lengths[g.Offsets[v]+int64(back)] {
				t.Fatalf("%d to %d: %d", u, v, length)
			}
			seen[length] = true
		}
	}
	if len(seen) < 95 {
		t.Errorf("only %d lengths", len(seen))
	}
}
