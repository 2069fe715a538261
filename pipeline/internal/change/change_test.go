package change

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// graph is a graph by pairs of ids; some ids may have no edge.
type graph struct {
	ids   []uint64
	edges map[[2]uint64]bool // smaller id first
}

// csr numbers the vertices in the order of ids.
func (g *graph) csr() (*csr.Graph, building.Keys) {
	place := map[uint64]uint32{}
	for i, id := range g.ids {
		place[id] = uint32(i)
	}
	rows := make([][]uint32, len(g.ids))
	for e := range g.edges {
		u, v := place[e[0]], place[e[1]]
		rows[u], rows[v] = append(rows[u], v), append(rows[v], u)
	}
	c := &csr.Graph{Offsets: []int64{0}}
	for _, row := range rows {
		slices.Sort(row)
		c.Targets = append(c.Targets, row...)
		c.Offsets = append(c.Offsets, int64(len(c.Targets)))
	}
	return c, building.Keys{Ints: g.ids}
}

// paths returns all distances and counts of shortest paths from s; -1 and 0: there is none.
func paths(c *csr.Graph, s uint32) (distances []int, counts []int64) {
	distances, counts = slices.Repeat([]int{-1}, c.Vertices()), make([]int64, c.Vertices())
	distances[s], counts[s] = 0, 1
	for queue := []uint32{s}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, v := range c.Neighbours(u) {
			if distances[v] < 0 {
				distances[v] = distances[u] + 1
				queue = append(queue, v)
			}
			if distances[v] == distances[u]+1 {
				counts[v] += counts[u]
			}
		}
	}
	return distances, counts
}

// flows returns, by vertex, the sum of weight(s,t) times the share of the shortest paths through it, over ordered pairs
// s, t. It uses fractions, distances and counts of all pairs, and no code of the package.
func flows(c *csr.Graph, weight func(s, t int) int64) []*big.Rat {
	n := c.Vertices()
	d, p, sums := make([][]int, n), make([][]int64, n), make([]*big.Rat, n)
	for v := range n {
		d[v], p[v] = paths(c, uint32(v))
		sums[v] = new(big.Rat)
	}
	for s := range n {
		for t := range n {
			w := weight(s, t)
			if s == t || d[s][t] < 0 || w == 0 {
				continue
			}
			for v := range n {
				if v != s && v != t && d[s][v] >= 0 && d[v][t] >= 0 && d[s][v]+d[v][t] == d[s][t] {
					sums[v].Add(sums[v], big.NewRat(w*p[s][v]*p[v][t], p[s][t]))
				}
			}
		}
	}
	return sums
}

// random draws a graph with trees, cycles and several components, and a changed copy.
func random(r *rand.Rand) (yesterday, today *graph) {
	n := 4 + r.IntN(16)
	yesterday = &graph{edges: map[[2]uint64]bool{}}
	for id := range n {
		yesterday.ids = append(yesterday.ids, uint64(id))
	}
	dense := r.IntN(3)
	for v := 1; v < n; v++ {
		for range 1 + r.IntN(1+dense) {
			if u := r.IntN(v); r.IntN(8) > 0 {
				yesterday.edges[[2]uint64{uint64(u), uint64(v)}] = true
			}
		}
	}
	today = &graph{ids: slices.Clone(yesterday.ids), edges: map[[2]uint64]bool{}}
	for e := range yesterday.edges {
		today.edges[e] = true
	}
	kind := r.IntN(4)
	for range r.IntN(4) {
		switch id := uint64(len(yesterday.ids) + len(today.ids)); kind {
		case 0: // leaves
			today.edges[[2]uint64{today.ids[r.IntN(len(today.ids))], id}] = true
			today.ids = append(today.ids, id)
		case 1: // a vertex goes
			i := r.IntN(len(today.ids))
			gone := today.ids[i]
			today.ids = slices.Delete(today.ids, i, i+1)
			for e := range today.edges {
				if e[0] == gone || e[1] == gone {
					delete(today.edges, e)
				}
			}
			if len(today.ids) < 3 {
				return yesterday, today
			}
		default:
			u, v := today.ids[r.IntN(len(today.ids))], today.ids[r.IntN(len(today.ids))]
			e := [2]uint64{min(u, v), max(u, v)}
			if today.edges[e] {
				delete(today.edges, e)
			} else if u != v && kind == 2 {
				today.edges[e] = true
			}
		}
	}
	r.Shuffle(len(today.ids), func(i, j int) { today.ids[i], today.ids[j] = today.ids[j], today.ids[i] })
	return yesterday, today
}

// compared returns the difference of two graphs.
func compared(t *testing.T, old, now *graph) *Difference {
	t.Helper()
	yesterday, oldIDs := old.csr()
	today, ids := now.csr()
	of, err := Match(t.Context(), 1, Vertices{IDs: oldIDs}, Vertices{IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Compare(t.Context(), today, yesterday, of)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// updated is what a vertex of today has by an update: its part of the flows through both graphs and, if it was there
// before, yesterday's flow without that part.
func (d *Difference) updated(v int, parts, before []*big.Rat) *big.Rat {
	got := new(big.Rat).Set(parts[v])
	if twin := d.twin[v]; twin != csr.None {
		got.Add(got, before[int(twin)-d.vertices]).Sub(got, parts[twin])
	}
	return got
}

// Both covers contain an end of every changed pair, and their flows turn yesterday's scores into today's: in fractions,
// on 600 changes.
func TestCoversAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	branches, sides := 0, 0
	for i := range 600 {
		old, now := random(r)
		d := compared(t, old, now)
		yesterday, _ := old.csr()
		today, ids := now.csr()
		added, removed := int64(0), int64(0)
		for e := range now.edges {
			if !old.edges[e] {
				added++
			}
		}
		for e := range old.edges {
			if !now.edges[e] {
				removed++
			}
		}
		if d.Added != added || d.Removed != removed || d.Came-d.Went != len(now.ids)-len(old.ids) {
			t.Fatalf("change %d: %+v, want %d added, %d removed", i, d, added, removed)
		}
		if want := added+removed == 0 && len(now.ids) == len(old.ids); d.Equal() != want {
			t.Fatalf("change %d: equal %t, want %t", i, d.Equal(), want)
		}
		union := d.Union()
		peeled, err := d.Peel(t.Context(), union)
		if err != nil {
			t.Fatal(err)
		}
		check := func(way string, cover Cover) {
			t.Helper()
			origins, destinations := Masses(cover, nil)
			flow := flows(union, func(s, t int) int64 { return origins[s] * destinations[t] })
			before := flows(yesterday, func(s, t int) int64 { return 1 })
			for v, want := range flows(today, func(s, t int) int64 { return 1 }) {
				if got := d.updated(v, flow, before); got.Cmp(want) != 0 {
					t.Fatalf("change %d, %s: vertex %d has %v, want %v", i, way, ids.Ints[v], got, want)
				}
			}
		}
		if cover, left := d.Branches(peeled); left == 0 {
			branches++
			check("branches", cover)
		} else if cover != nil {
			t.Fatalf("change %d: a cover, and %d edges are in no tree", i, left)
		}
		cover, _, err := d.Sides(t.Context(), union, peeled, 1, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		if cover != nil {
			sides++
			check("sides", cover)
		}
	}
	if branches < 100 || sides < 100 {
		t.Errorf("%d covers of branches, %d of sides: too few to tell", branches, sides)
	}
}

// Flows leaves out a day on which nothing begins, and Union the edges of other components: of a leaf that came, only its
// component of today is left.
func TestFlowsOfALeaf(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 3))
	for range 20 {
		old, _ := random(r)
		now := &graph{ids: append(slices.Clone(old.ids), 99), edges: map[[2]uint64]bool{{old.ids[0], 99}: true}}
		for e := range old.edges {
			now.edges[e] = true
		}
		d := compared(t, old, now)
		today, _ := now.csr()
		union, leaf := d.Union(), uint32(today.Vertices()-1)
		cover := make(Cover, union.Vertices())
		cover[leaf] = true
		g, origins, _ := d.Flows(union, cover, cover)
		near, _ := paths(today, leaf)
		searched := []uint32(nil)
		for v, distance := range near {
			if distance >= 0 {
				searched = append(searched, uint32(v))
			}
		}
		if !slices.Equal(d.searched, searched) || g.Vertices() != len(searched) || origins[len(origins)-1] != 1 {
			t.Fatalf("vertices %v, want %v", d.searched, searched)
		}
		for i, v := range searched {
			list := []uint32(nil)
			for _, w := range g.Neighbours(uint32(i)) {
				list = append(list, searched[w])
			}
			if !slices.Equal(list, today.Neighbours(v)) {
				t.Fatalf("vertex %d has neighbours %v, want %v", v, list, today.Neighbours(v))
			}
		}
	}
}

// The smaller sides are those by distance, whichever edges share a search.
func TestSidesByDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 2))
	for range 20 {
		old, _ := random(r)
		now := &graph{ids: old.ids, edges: map[[2]uint64]bool{}}
		for e := range old.edges { // nearly all are removed: more than share a search
			if r.IntN(10) == 0 {
				now.edges[e] = true
			}
		}
		for range 80 {
			u, v := old.ids[r.IntN(len(old.ids))], old.ids[r.IntN(len(old.ids))]
			if u != v {
				now.edges[[2]uint64{min(u, v), max(u, v)}] = true
			}
		}
		d := compared(t, old, now)
		union := d.Union()
		want := make(Cover, union.Vertices())
		for _, e := range d.changed {
			a, _ := paths(union, e[0])
			b, _ := paths(union, e[1])
			var sides [2][]int
			for s := range a {
				if a[s] < 0 {
					continue
				}
				if a[s] < b[s] {
					sides[0] = append(sides[0], s)
				} else if a[s] > b[s] {
					sides[1] = append(sides[1], s)
				}
			}
			if len(sides[1]) < len(sides[0]) {
				sides[0] = sides[1]
			}
			for _, s := range sides[0] {
				want[s] = true
			}
		}
		d.close(want)
		never := &Peeled{place: make([]uint32, union.Vertices())} // nothing remains, so no cover is too large
		got, _, err := d.Sides(t.Context(), union, never, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("sides of %d edges: %v, want %v", len(d.changed), got, want)
		}
	}
}

// Ids are matched by value, integers and text.
func TestMatch(t *testing.T) {
	text := func(ids ...string) (k building.Keys) {
		k.Offsets = []int64{0}
		for _, id := range ids {
			k.Bytes = append(k.Bytes, id...)
			k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
		}
		return k
	}
	want := []uint32{2, csr.None, 0}
	for _, ids := range [][2]building.Keys{
		{{Ints: []uint64{7, 8, 9}}, {Ints: []uint64{9, 1, 7, 4}}},
		{text("b", "", "a"), text("a", "ab", "b")},
	} {
		of, err := Match(t.Context(), 1, Vertices{IDs: ids[0]}, Vertices{IDs: ids[1]})
		if err != nil || !slices.Equal(of, want) {
			t.Errorf("%v among %v: %v %v, want %v", ids[0], ids[1], of, err, want)
		}
	}
	if _, err := Match(t.Context(), 1, Vertices{IDs: text("a", "b")}, Vertices{IDs: text("b", "a", "a")}); err == nil {
		t.Error("an id twice is accepted")
	}
}

// Names are matched whether they come in one order, in nearly one, or in none.
func TestMatchInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 4))
	type name struct{ by, id uint64 }
	vertices := func(names []name) (v Vertices) {
		v.By = make([]building.Keys, 1)
		for _, of := range names {
			v.IDs.Ints, v.By[0].Ints, v.Side = append(v.IDs.Ints, of.id), append(v.By[0].Ints, of.by), append(v.Side, uint8(of.id%2))
		}
		return v
	}
	for i := range 200 {
		var some, others []name
		for id := range uint64(300) {
			of := name{id / 100, id / 3 % 50}
			if id%3 == 0 && r.IntN(20) > 0 {
				some = append(some, of)
			}
			if id%3 == 0 && r.IntN(20) > 0 {
				others = append(others, of)
			}
		}
		for range i % 4 {
			a, b := r.IntN(len(others)), r.IntN(len(others))
			others[a], others[b] = others[b], others[a]
		}
		if i%8 == 7 {
			r.Shuffle(len(others), func(a, b int) { others[a], others[b] = others[b], others[a] })
		}
		of, err := Match(t.Context(), 1, vertices(some), vertices(others))
		if err != nil {
			t.Fatal(err)
		}
		for v, name := range some {
			want := uint32(csr.None)
			if at := slices.Index(others, name); at >= 0 {
				want = uint32(at)
			}
			if of[v] != want {
				t.Fatalf("%d: %v is matched with %d, want %d", i, name, of[v], want)
			}
		}
	}
}
