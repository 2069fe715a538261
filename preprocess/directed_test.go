package preprocess

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

func directed() Options { return Options{Question: question.Question{Directed: true}} }

// randomArcs draws the arcs of a directed graph of one of several kinds, with its
// vertices shuffled. A third of the edges run both ways, or all of some blocks.
func randomArcs(r *rand.Rand, most int) (n int, arcs []edge) {
	n = 1 + r.IntN(most)
	twoWay := r.IntN(4) == 0
	add := func(u, v int) {
		arcs = append(arcs, edge{uint32(u), uint32(v)})
		if twoWay || r.IntN(3) == 0 {
			arcs = append(arcs, edge{uint32(v), uint32(u)})
		}
	}
	either := func(u, v int) {
		if r.IntN(2) == 0 {
			u, v = v, u
		}
		add(u, v)
	}
	switch kind := r.IntN(9); kind {
	case 0, 1, 2: // sparse to dense, in parts
		for range n * (1 + kind*kind) / 2 {
			add(r.IntN(n), r.IntN(n))
		}
	case 3: // tree
		for v := 1; v < n; v++ {
			either(r.IntN(v), v)
		}
	case 4: // without cycles
		for range 2 * n {
			u, v := r.IntN(n), r.IntN(n)
			arcs = append(arcs, edge{uint32(min(u, v)), uint32(max(u, v))})
		}
	case 5: // blocks hung on each other
		for v := 1; v < n; {
			k, at := min(1+r.IntN(5), n-v), r.IntN(v)
			twoWay = r.IntN(2) == 0
			ring := append([]int{at}, make([]int, k)...)
			for i := range k {
				ring[i+1] = v + i
			}
			for i := range ring {
				either(ring[i], ring[(i+1)%len(ring)])
			}
			for range r.IntN(4) {
				either(ring[r.IntN(k+1)], ring[r.IntN(k+1)])
			}
			v += k
		}
	case 6: // twins
		k := max(2, n/3)
		for range 2 * k {
			a, b := r.IntN(k), r.IntN(k)
			for u := a; u < n; u += k {
				for v := b; v < n; v += k {
					arcs = append(arcs, edge{uint32(u), uint32(v)})
				}
			}
		}
	case 7: // most vertices with one arc
		for v := range n {
			for range []int{0, 1, 1, 1, 2}[r.IntN(5)] {
				arcs = append(arcs, edge{uint32(v), uint32(r.IntN(n))})
			}
		}
	case 8: // a dense part with leaves and tails
		k := max(1, n/2)
		for range 3 * k {
			add(r.IntN(k), r.IntN(k))
		}
		for v := k; v < n; v++ {
			either(r.IntN(v), v)
		}
	}
	shuffled := r.Perm(n)
	for i, a := range arcs {
		arcs[i] = edge{uint32(shuffled[a[0]]), uint32(shuffled[a[1]])}
	}
	return n, arcs
}

// oneWay makes most edges of a graph run one way only.
func oneWay(g *csr.Graph) *csr.Graph {
	var arcs []edge
	for v := range uint32(g.Vertices()) {
		for _, u := range g.Neighbours(v) {
			if (u < v) == ((u+v)%3 == 0) || (u^v)%3 == 0 {
				arcs = append(arcs, edge{v, u})
			}
		}
	}
	return digraphOf(g.Vertices(), arcs)
}

// definition is the betweenness of a small graph by its definition, in ordered
// pairs: for all shortest paths from s to t, the share that v is on. Distances
// and path counts come from products with the matrix of arcs, not from a search.
func definition(g *csr.Graph) []*big.Rat {
	n := g.Vertices()
	distance, paths := make([][]int, n), make([][]int64, n)
	for s := range n {
		distance[s], paths[s] = slices.Repeat([]int{-1}, n), make([]int64, n)
		distance[s][s], paths[s][s] = 0, 1
		for length := 1; length < n; length++ {
			for v := range n {
				if distance[s][v] != length-1 {
					continue
				}
				for _, t := range g.Neighbours(uint32(v)) {
					if distance[s][t] < 0 || distance[s][t] == length {
						distance[s][t] = length
						paths[s][t] += paths[s][v]
					}
				}
			}
		}
	}
	scores := make([]*big.Rat, n)
	for v := range n {
		scores[v] = new(big.Rat)
		for s := range n {
			for t := range n {
				if s == v || v == t || s == t || distance[s][v] < 0 || distance[v][t] < 0 || distance[s][v]+distance[v][t] != distance[s][t] {
					continue
				}
				scores[v].Add(scores[v], big.NewRat(paths[s][v]*paths[v][t], paths[s][t]))
			}
		}
	}
	return scores
}

func floatsOf(exact []*big.Rat) []float64 {
	scores := make([]float64, len(exact))
	for v, x := range exact {
		scores[v], _ = x.Float64()
	}
	return scores
}

// The textbook algorithm that other tests compare with agrees with the
// definition.
func TestBrandesIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 400 {
		n, arcs := randomArcs(r, 12)
		g := digraphOf(n, arcs)
		want := definition(g)
		for v, got := range exactScores(g) {
			if got.Cmp(want[v]) != 0 {
				t.Fatalf("%v: vertex %d: %s, want %s", arcs, v, got, want[v])
			}
		}
		compare(t, brandes(g), floatsOf(want))
		undirected := graphOf(n, arcs)
		want = definition(undirected)
		for v, x := range brandes(undirected) {
			if half, _ := want[v].Float64(); !near(2*x, half) {
				t.Fatalf("%v, undirected: vertex %d: %g, want %g", arcs, v, x, half/2)
			}
		}
	}
}

func TestReduceDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	var arcs []edge
	virtual, waived := 0, 0
	defer func() {
		if t.Failed() {
			t.Log(arcs)
		}
	}()
	for range 4000 / testgraphs.OneIn {
		var n int
		n, arcs = randomArcs(r, 30)
		g := digraphOf(n, arcs)
		opts := directed()
		opts.Lanes, opts.Threads, opts.Off = r.IntN(5), 1+r.IntN(3), anyOff(r)
		compare(t, scoresOf(t, g, opts), brandes(g))
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Blocks {
			virtual, waived = virtual+p.Blocks[i].virtual(), waived+len(p.Blocks[i].Waived)
		}
	}
	if virtual < 500/testgraphs.OneIn || waived < 2000/testgraphs.OneIn {
		t.Errorf("%d virtual sources, %d waivers: too few to tell", virtual, waived)
	}
}

// Undirected shapes with an arc in each direction have twice the scores.
func TestBothWays(t *testing.T) {
	for name, g := range shapesOfGraphs() {
		var arcs []edge
		for v := range uint32(g.Vertices()) {
			for _, u := range g.Neighbours(v) {
				arcs = append(arcs, edge{v, u})
			}
		}
		want := brandes(g)
		for v := range want {
			want[v] *= 2
		}
		t.Run(name, func(t *testing.T) { compare(t, scoresOf(t, digraphOf(g.Vertices(), arcs), directed()), want) })
	}
}

// Closed forms of directed graphs are exact where no block is left.
func TestDirectedClosedFormsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 5))
	for checked := 0; checked < 500; {
		n, arcs := randomArcs(r, 16)
		g := digraphOf(n, arcs)
		opts := directed()
		opts.Off = anyOff(r)
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Blocks) > 0 {
			continue
		}
		checked++
		for v, want := range exactScores(g) {
			if got := new(big.Rat).SetInt64(p.ClosedForm(measures.Betweenness).Low[v]); got.Cmp(want) != 0 {
				t.Fatalf("%v: vertex %d: %s, want %s", arcs, v, got, want)
			}
		}
	}
}

// Blocks that are large enough for sweeps over their strong components, with much
// hung on them.
func TestReduceDirectedBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 6))
	for range 12 {
		const core, n = 250, 600
		var arcs []edge
		for v := range core { // a ring and chords, many of them forward only
			u := (v + 1) % core
			if r.IntN(8) == 0 {
				v, u = u, v
			}
			arcs = append(arcs, edge{uint32(v), uint32(u)})
		}
		for range core * r.IntN(3) / 2 {
			u, v := r.IntN(core), r.IntN(core)
			arcs = append(arcs, edge{uint32(min(u, v)), uint32(max(u, v))})
		}
		for v := core; v < n; v++ { // trees and triangles
			u := uint32(r.IntN(v))
			switch r.IntN(4) {
			case 0:
				arcs = append(arcs, edge{u, uint32(v)})
			case 1:
				arcs = append(arcs, edge{uint32(v), u})
			case 2:
				arcs = append(arcs, edge{uint32(v), u}, edge{u, uint32(v)})
			case 3:
				if v+1 < n {
					arcs = append(arcs, edge{u, uint32(v)}, edge{uint32(v), uint32(v + 1)}, edge{uint32(v + 1), u})
				}
			}
		}
		g := digraphOf(n, arcs)
		compare(t, scoresOf(t, g, directed()), brandes(g))
	}
}

// Sweeps find the same masses as searches from every vertex, for any number of
// components.
func TestReached(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 7))
	for round, n := range []int{1, 2, 40, 600, 1500, 1500, 40, 700, 1300} {
		var arcs []edge
		for range n * (1 + round%2) {
			u, v := uint32(r.IntN(n)), uint32(r.IntN(n))
			if round >= 6 && u*7919%uint32(n) > v*7919%uint32(n) { // without cycles
				u, v = v, u
			}
			arcs = append(arcs, edge{u, v})
		}
		g := digraphOf(n, arcs)
		from, to := make([]float64, n), make([]float64, n)
		for v := range n {
			from[v], to[v] = float64(r.IntN(9)), float64(r.IntN(9))
		}
		var find strongSearch
		s, err := find.find(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		c, err := condense(t.Context(), g, s, to)
		if err != nil {
			t.Fatal(err)
		}
		if round >= 6 && c.vertex == nil {
			t.Fatalf("%d components of %d vertices without cycles", s.count, n)
		}
		for v := range uint32(s.count) {
			for _, u := range c.Neighbours(c.at(v)) {
				if c.vertex != nil {
					u = c.of[u]
				}
				if u >= v {
					t.Fatalf("arc from component %d to %d", v, u)
				}
			}
		}
		about := make([]uint32, s.count)
		for i, of := range r.Perm(s.count) {
			about[i] = uint32(of)
		}
		out, err := c.reached(t.Context(), about, 1+round%3)
		if err != nil {
			t.Fatal(err)
		}
		all, err := c.reach(t.Context(), 1+round%3)
		if err != nil {
			t.Fatal(err)
		}
		back := s.reversed()
		reverse, err := condense(t.Context(), g.In, back, from)
		if err != nil {
			t.Fatal(err)
		}
		in, err := reverse.reach(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var around reachSearch
		for i, of := range about {
			v := uint32(slices.Index(s.of, of))
			comes, goes, err := around.sums(t.Context(), &Block{Graph: *g, Paths: Paths{From: from, To: to}}, v)
			if err != nil {
				t.Fatal(err)
			}
			if want := int64(comes) + int64(from[v]); in[back.of[v]] != want {
				t.Fatalf("vertex %d of %d: %d comes in, want %d", v, n, in[back.of[v]], want)
			}
			if want := int64(goes) + int64(to[v]); out[i] != want || all[of] != want {
				t.Fatalf("vertex %d of %d: %d and %d go out, want %d", v, n, out[i], all[of], want)
			}
		}
	}
}
