package csr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows do not depend on threads, also where the first bucket has most arcs and is divided.
func TestRowsOnManyThreads(t *testing.T) {
	const n, edges = 40_000, 150_000
	r := rand.New(rand.NewPCG(3, 3))
	var large, small []uint32
	for range edges {
		x := r.Float64()
		a, b := uint32(x*x*x*x*n), r.Uint32N(n)
		if a != b {
			large, small = append(large, max(a, b)), append(small, min(a, b))
		}
	}
	l := BucketsFor(n, edges)
	fill := func(bucket int, deal func(large, small []uint32)) {
		for i, v := range large {
			if int(l.Of(v)) == bucket {
				deal(large[i:i+1], small[i:i+1])
			}
		}
	}
	for _, directed := range []bool{false, true} {
		var want Graph
		for _, threads := range []int{1, 2, 7} {
			h, err := MakeHalves(t.Context(), l, directed, threads, nil, fill)
			if err != nil {
				t.Fatal(err)
			}
			got, err := h.Rows(t.Context(), threads, nil)
			if err != nil || got.Check() != nil {
				t.Fatal(err, got.Check())
			}
			if threads == 1 {
				want = got
				continue
			}
			same := slices.Equal(got.Offsets, want.Offsets) && slices.Equal(got.Targets, want.Targets)
			if directed {
				same = same && slices.Equal(got.In.Offsets, want.In.Offsets) && slices.Equal(got.In.Targets, want.In.Targets)
			}
			if !same {
				t.Errorf("directed %v: %d threads make other rows than one", directed, threads)
			}
		}
	}
}
