package change

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// chained draws a chain of blocks, with some trees on it, and a copy of which each block has lost or got an edge, or neither.
func chained(r *rand.Rand) (yesterday, today *graph) {
	yesterday, today = &graph{edges: map[[2]uint64]bool{}}, &graph{edges: map[[2]uint64]bool{}}
	join := func(some []*graph, u, v uint64) {
		for _, g := range some {
			g.edges[[2]uint64{min(u, v), max(u, v)}] = true
		}
	}
	both, n := []*graph{yesterday, today}, uint64(1)
	for range 2 + r.IntN(2) {
		first, size := n-1, 4+r.Uint64N(3)
		for v := range size {
			join(both, first+v, first+(v+1)%size)
		}
		if r.IntN(2) > 0 {
			join(both, first, first+2)
		}
		if kind := r.IntN(3); kind < 2 {
			join(both[kind:kind+1], first+1, first+3)
		}
		n += size - 1
	}
	for range r.IntN(3) {
		join(both, r.Uint64N(n), n)
		n++
	}
	for v := range n {
		yesterday.ids, today.ids = append(yesterday.ids, v), append(today.ids, v)
	}
	r.Shuffle(int(n), func(i, j int) { today.ids[i], today.ids[j] = today.ids[j], today.ids[i] })
	return yesterday, today
}

// Flows between masses follow from those of yesterday and searches in the blocks of the changed edges, or in whole components where
// blocks are not enough. That holds in fractions, on 800 changes of graphs with trees, blocks and several components. Masses are
// absent, of both kinds, equal, or of sources alone, and many are 0.
func TestInsideIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	inside, several := 0, 0
	for i := range 800 {
		old, now := random(r)
		if i%3 == 0 {
			old, now = chained(r)
		}
		d := compared(t, old, now)
		_, yesterdayIDs := old.csr()
		today, ids := now.csr()
		n, masses := len(ids.Ints), map[uint64][2]int64{}
		of := func(side int) (list []int64) { // by vertex of the union
			for _, id := range slices.Concat(ids.Ints, yesterdayIDs.Ints) {
				if _, there := masses[id]; !there {
					masses[id] = [2]int64{max(r.Int64N(9)-3, 0), max(r.Int64N(9)-3, 0)}
				}
				list = append(list, masses[id][side])
			}
			return list
		}
		ones := slices.Repeat([]int64{1}, n+len(yesterdayIDs.Ints))
		origins, destinations := ones, ones
		switch i % 4 {
		case 1:
			origins, destinations = of(0), of(1)
			d.Weigh(origins, destinations)
		case 2:
			origins, destinations = of(0), of(0)
			d.Weigh(origins, destinations)
		case 3:
			origins = of(0)
			d.Weigh(origins, nil)
		}
		if len(d.changed) == 0 {
			continue
		}
		within, err := d.Inside(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if within == nil {
			within = d
		} else if inside++; within.Blocks > 1 {
			several++
		}
		union := within.Union()
		peeled, err := within.Peel(t.Context(), union)
		if err != nil {
			t.Fatal(err)
		}
		from, to, err := within.Sides(t.Context(), union, peeled, 1, 1000)
		if err != nil || from == nil {
			continue
		}
		g, begin, end := within.Flows(union, from, to)
		parts, all := make([]*big.Rat, len(d.twin)), d.Parts(make([]float64, g.Vertices()))
		for v := range parts {
			parts[v] = new(big.Rat)
		}
		for v, flow := range flows(g, func(s, t int) int64 { return begin[s] * end[t] }) {
			if !d.weighed {
				flow.Mul(flow, big.NewRat(1, 2))
			}
			part := parts[d.searched[v]]
			part.Add(part, flow)
		}
		if len(all) != len(d.twin) {
			t.Fatalf("change %d: %d parts", i, len(all))
		}
		yesterday, _ := old.csr()
		before := flows(yesterday, func(s, t int) int64 { return origins[n+s] * destinations[n+t] })
		for _, was := range before {
			if !d.weighed {
				was.Mul(was, big.NewRat(1, 2))
			}
		}
		for v, want := range flows(today, func(s, t int) int64 { return origins[s] * destinations[t] }) {
			if !d.weighed {
				want.Mul(want, big.NewRat(1, 2))
			}
			if got := d.updated(v, parts, before); got.Cmp(want) != 0 {
				t.Fatalf("change %d, %d blocks: vertex %d has %v, want %v\n%v\n%v", i, within.Blocks, ids.Ints[v], got, want, old.edges, now.edges)
			}
		}
	}
	if inside < 250 || several < 50 {
		t.Errorf("%d changes inside blocks, %d of them in several", inside, several)
	}
}
