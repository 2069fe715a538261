package building

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// randomTable has edges between random ids of [0, ids), with destinations from
// first on.
func randomTable(t testing.TB, edges, ids, first int) *Builder {
	random := rand.New(rand.NewPCG(uint64(edges), uint64(first)))
	b := NewBuilder(2)
	for edges > 0 {
		rows := min(edges, 3000)
		edges -= rows
		src, dst := make([]uint64, rows), make([]uint64, rows)
		for i := range src {
			src[i], dst[i] = random.Uint64N(uint64(ids)), uint64(first)+random.Uint64N(uint64(ids))
		}
		if err := b.AddEdges(Keys{Ints: src}, Keys{Ints: dst}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// Two sets of ids that overlap by chance would otherwise silently become one
// set.
func TestOverlapByChance(t *testing.T) {
	for _, test := range []struct {
		name              string
		edges, ids, first int
		chance            bool
	}{
		{"users and things with sparse numbers", 20_000, 1 << 30, 0, false}, // nothing in both
		{"two ranges that touch", 50_000, 5000, 4990, true},
		{"one range", 50_000, 5000, 0, false},
		{"two ranges that share much", 50_000, 5000, 4000, false},
		{"two ranges apart", 50_000, 5000, 5000, false},
		{"few ids", 50_000, 500, 499, false},
		{"few edges of one range", 5000, 1_000_000, 0, true},
		{"nothing", 0, 1, 0, false},
	} {
		b := randomTable(t, test.edges, test.ids, test.first)
		sources, destinations := map[uint32]bool{}, map[uint32]bool{}
		for _, chunk := range b.edges {
			for i := range chunk.src {
				sources[chunk.src[i]], destinations[chunk.dst[i]] = true, true
			}
		}
		both := 0
		for v := range sources {
			if destinations[v] {
				both++
			}
		}
		in, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if in.Overlap.ByChance() != test.chance {
			t.Errorf("%s: %+v, %d in both", test.name, in.Overlap, both)
		}
		if want := (Overlap{len(sources), len(destinations), both}); test.chance && in.Overlap != want {
			t.Errorf("%s: %+v, want %+v", test.name, in.Overlap, want)
		}
	}
	b := randomTable(t, 50_000, 5000, 4990)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Build(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNoOverlapOfTwoSides(t *testing.T) {
	b := randomTable(t, 0, 1, 0)
	b.Bipartite = true
	keys := Keys{Ints: make([]uint64, 4000)}
	other := Keys{Ints: make([]uint64, 4000)}
	for i := range keys.Ints {
		keys.Ints[i], other.Ints[i] = uint64(i), uint64(i+3990)
	}
	if err := b.AddEdges(keys, other); err != nil {
		t.Fatal(err)
	}
	if in, err := b.Build(t.Context()); err != nil || in.Overlap != (Overlap{}) {
		t.Error(in, err)
	}
}
