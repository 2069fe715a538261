package csr_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// graphOf makes an undirected graph of n vertices.
func graphOf(n int, edges []testgraphs.Edge) *csr.Graph {
	g := new(csr.Graph)
	g.Offsets, g.Targets = testgraphs.Rows(n, edges)
	return g
}

// rowOf collects the neighbours that the parts of v read.
func rowOf(s *csr.Stride, v uint32) []uint32 {
	lo, hi := s.Ptr[v], s.Ptr[v+1]
	ways := s.Ways(int(hi - lo))
	if ways == 0 {
		return s.Adj[lo:hi]
	}
	var row []uint32
	first, _ := slices.BinarySearch(s.Map, v)
	for i := first; i < first+ways; i++ {
		count := 0
		for e := s.Off[i]; e < hi; e += uint32(ways) {
			row = append(row, s.Adj[e])
			count++
		}
		if s.Map[i] != v || count == 0 || count > s.Most {
			return nil
		}
	}
	slices.Sort(row)
	return row
}

func TestStrideCoversEveryEdgeOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + r.IntN(28)
		g := graphOf(n, testgraphs.Random(r, n, n, r.IntN(3*n)))
		for _, mdeg := range []int{0, 1, 2, 3, 7, 1 << 40} {
			s, err := g.Stride(mdeg)
			if err != nil {
				t.Fatal(err)
			}
			parts := 0
			for v := range uint32(g.Vertices()) {
				if got, want := rowOf(s, v), g.Neighbours(v); !slices.Equal(got, want) {
					t.Fatalf("mdeg %d: vertex %d reads %v, want %v", mdeg, v, got, want)
				}
				parts += s.Ways(len(g.Neighbours(v)))
			}
			if len(s.Map) != parts || len(s.Off) != parts {
				t.Fatalf("mdeg %d: %d virtual vertices, %d first edges, want %d", mdeg, len(s.Map), len(s.Off), parts)
			}
		}
	}
}

func TestStrideChoosesThreshold(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *csr.Graph
		want int
	}{
		{"no vertex", graphOf(0, nil), 32},
		{"low degrees", graphOf(100, testgraphs.Ring(0, 100)), 32},
		{"one hub", graphOf(1000, testgraphs.Join(testgraphs.Star(0, 999), testgraphs.Path(1, 999))), 32},
		{"equal high degrees", graphOf(100, testgraphs.Clique(0, 100)), 128},
		{"a power of two", graphOf(65, testgraphs.Clique(0, 65)), 64},
	} {
		s, err := c.g.Stride(0)
		if err != nil {
			t.Fatal(err)
		}
		if s.Most != c.want {
			t.Errorf("%s: mdeg %d, want %d", c.name, s.Most, c.want)
		}
	}
}

func TestStrideRefuses(t *testing.T) {
	if _, err := graphOf(3, testgraphs.Ring(0, 3)).Stride(-1); err == nil {
		t.Error("mdeg -1 is taken")
	}
}
