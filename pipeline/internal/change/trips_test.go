package change

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// The flows of the covered rows of both days turn yesterday's flows of trips into today's: in fractions, on 400 changes, also
// where a row's vertex came or went.
func TestRoutesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	searched, left := 0, 0
	for i := range 400 {
		old, now := random(r)
		d := compared(t, old, now)
		yesterday, _ := old.csr()
		today, ids := now.csr()
		var rows [2][]building.Trip
		for range r.IntN(40) {
			u, v, count := uint64(r.IntN(24)), uint64(r.IntN(24)), int64(r.IntN(5))
			for day, list := range [][]uint64{now.ids, old.ids} {
				if s, t := slices.Index(list, u), slices.Index(list, v); s >= 0 && t >= 0 {
					rows[day] = append(rows[day], building.Trip{Source: uint32(s), Target: uint32(t), Count: count})
				}
			}
		}
		for day := range rows {
			rows[day] = building.SumTrips(rows[day])
		}
		count := func(rows []building.Trip) func(s, t int) int64 {
			counts := map[[2]int]int64{}
			for _, x := range rows {
				counts[[2]int{int(x.Source), int(x.Target)}] = x.Count
			}
			return func(s, t int) int64 { return counts[[2]int{s, t}] }
		}
		d.Count(rows[0], rows[1])
		union := d.Union()
		peeled, err := d.Peel(t.Context(), union)
		if err != nil {
			t.Fatal(err)
		}
		from, to, err := d.Sides(t.Context(), union, peeled, 99, 1e6) // no cover is too large
		if err != nil {
			t.Fatal(err)
		}
		if branches, _ := d.Branches(peeled); branches != nil && i%2 > 0 {
			from, to = branches, branches
		}
		if from == nil { // nothing would be searched
			continue
		}
		g, trips := d.Routes(union, from, to)
		searched += len(trips)
		left += len(rows[0]) + len(rows[1]) - len(trips)
		parts := slices.Repeat([]*big.Rat{new(big.Rat)}, union.Vertices())
		for i, flow := range flows(g, count(trips)) {
			parts[d.searched[i]] = flow
		}
		before := flows(yesterday, count(rows[1]))
		for v, want := range flows(today, count(rows[0])) {
			if got := d.updated(v, parts, before); got.Cmp(want) != 0 {
				t.Fatalf("change %d: vertex %d has %v, want %v", i, ids.Ints[v], got, want)
			}
		}
	}
	if searched < 500 || left < 500 {
		t.Errorf("%d rows are searched, and %d are not: too few to tell", searched, left)
	}
}

// Within a cutoff, every pair whose paths differ has an end in the cover, and its source if masses spread. A shorter cutoff has
// a smaller cover.
func TestCoversWithinACutoff(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	var old, now *graph
	var sizes [5]int // of covers, by cutoff
	for i := range 1000 {
		cutoff, spreads := int64(i%5), i/5%2 > 0
		if cutoff == 0 {
			old, now = random(r)
		}
		d := compared(t, old, now)
		if d.Cutoff = cutoff; spreads {
			d.Spread()
		}
		union := d.Union()
		peeled, err := d.Peel(t.Context(), union)
		if err != nil {
			t.Fatal(err)
		}
		from, to, err := d.Sides(t.Context(), union, peeled, 99, 0) // no cover is too large
		if err != nil {
			t.Fatal(err)
		}
		if from == nil { // nothing would be searched
			continue
		}
		sizes[cutoff] += from.size()
		if i%3 > 0 {
			if from, to, err = d.Sides(t.Context(), union, peeled, 99, 1e6); err != nil {
				t.Fatal(err)
			}
		}
		today, _ := now.csr()
		yesterday, _ := old.csr()
		both := beside(today, yesterday) // union lacks components that did not change
		far, counts := make([][]int, both.Vertices()), make([][]int64, both.Vertices())
		for s := range both.Vertices() {
			far[s], counts[s] = paths(both, uint32(s))
		}
		passed := func(s, t uint32, v uint32) int64 { // paths from s to t through v that count
			if s == csr.None || t == csr.None || v == csr.None || far[s][t] < 0 || cutoff > 0 && far[s][t] > int(cutoff) ||
				far[s][v] < 0 || far[v][t] < 0 || far[s][v]+far[v][t] != far[s][t] {
				return 0
			}
			return counts[s][v] * counts[v][t]
		}
		for s := range uint32(both.Vertices()) {
			for v := range uint32(both.Vertices()) {
				covered := s == v || from[s] || !spreads && to[v]
				for w := range uint32(both.Vertices()) {
					if !covered && passed(s, v, w) != passed(d.twin[s], d.twin[v], d.twin[w]) {
						t.Fatalf("change %d, cutoff %d, spreads %t: from %d to %d through %d", i, cutoff, spreads, s, v, w)
					}
				}
			}
		}
	}
	if !(0 < sizes[1] && sizes[1] < sizes[2] && sizes[2] < sizes[3] && sizes[3] < sizes[0]) {
		t.Errorf("vertices in covers, by cutoff: %v", sizes)
	}
}
