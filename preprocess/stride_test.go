package preprocess

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// rowOf collects the neighbours that the parts of v read.
func (s *Stride) rowOf(v uint32) []uint32 {
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
		b := Block{Graph: *randomGraph(r)}
		for _, mdeg := range []int{0, 1, 2, 3, 7, 1 << 40} {
			s, err := b.Stride(mdeg)
			if err != nil {
				t.Fatal(err)
			}
			parts := 0
			for v := range uint32(b.Vertices()) {
				if got, want := s.rowOf(v), b.Neighbours(v); !slices.Equal(got, want) {
					t.Fatalf("mdeg %d: vertex %d reads %v, want %v", mdeg, v, got, want)
				}
				parts += s.Ways(len(b.Neighbours(v)))
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
		b := Block{Graph: *c.g}
		s, err := b.Stride(0)
		if err != nil {
			t.Fatal(err)
		}
		if s.Most != c.want {
			t.Errorf("%s: mdeg %d, want %d", c.name, s.Most, c.want)
		}
	}
}

func TestStrideRefuses(t *testing.T) {
	b := Block{Graph: *graphOf(3, testgraphs.Ring(0, 3))}
	if _, err := b.Stride(-1); !errors.Is(err, ErrOptions) {
		t.Errorf("mdeg -1: %v", err)
	}
}
