package parallel

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bcstage/internal/testending"
)

// SortUntil sorts like slices.SortFunc, unless the context ends: then it stops, with the
// list's elements in some order.
func TestSortUntil(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	list := make([]int, 4*Interval)
	for i := range list {
		list[i] = r.IntN(len(list))
	}
	want := slices.Sorted(slices.Values(list))
	for k := 0; ; k += 7 {
		ctx := testending.After(t.Context(), k)
		got := slices.Clone(list)
		err := SortUntil(ctx, got, cmp.Compare)
		if sorted := slices.Equal(got, want); sorted != (err == nil) {
			t.Fatalf("look %d: sorted %t, %v", k, sorted, err)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("look %d: other elements", k)
		}
		if err == nil {
			return
		}
	}
}

// TestSpreadRows: every row is in one range, whatever the lengths of rows. A range has
// many members only if it is a single row.
func TestSpreadRows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for _, c := range []struct {
		name string
		rows int
		long func(v int) int64
	}{
		{"no rows", 0, nil},
		{"a row without members", 1, func(int) int64 { return 0 }},
		{"rows without members", 3*spreadVertices + 1, func(int) int64 { return 0 }},
		{"hubs first", 10_000, func(v int) int64 { return int64(3_000_000 / (v + 1)) }},
		{"one hub", 100, func(v int) int64 { return int64(v/99) * 10 * spreadArcs }},
		{"any lengths", 50_000, func(int) int64 { return random.Int64N(100) }},
	} {
		for _, start := range []int64{0, 1 << 40} { // a part of a graph's rows, too
			offsets := make([]int64, c.rows+1)
			offsets[0] = start
			for v := range c.rows {
				offsets[v+1] = offsets[v] + c.long(v)
			}
			var lock sync.Mutex
			times := make([]int, c.rows)
			err := SpreadRows(context.Background(), 3, offsets, func(lo, hi int) {
				lock.Lock()
				defer lock.Unlock()
				for v := lo; v < hi; v++ {
					times[v]++
				}
				if arcs := offsets[hi] - offsets[lo]; hi-lo > spreadVertices || arcs > spreadArcs && offsets[hi-1]-offsets[lo] > spreadArcs {
					t.Errorf("%s: rows %d to %d have %d members", c.name, lo, hi, arcs)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for v, count := range times {
				if count != 1 {
					t.Fatalf("%s: row %d in %d ranges", c.name, v, count)
				}
			}
		}
	}
}
