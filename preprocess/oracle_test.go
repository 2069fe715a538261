package preprocess

import (
	"context"
	"math"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

type edge = testgraphs.Edge

// graphOf makes an undirected simple graph of n vertices by slow, plain code.
func graphOf(n int, edges []edge) *csr.Graph {
	g := &csr.Graph{}
	g.Offsets, g.Targets = testgraphs.Rows(n, edges)
	return g
}

// digraphOf makes a directed simple graph, likewise.
func digraphOf(n int, arcs []edge) *csr.Graph {
	g := &csr.Graph{In: &csr.Graph{}}
	g.Offsets, g.Targets = testgraphs.OutRows(n, arcs)
	g.In.Offsets, g.In.Targets = testgraphs.OutRows(n, testgraphs.Reversed(arcs))
	return g
}

// brandes is the textbook algorithm: scores of a graph without any reduction, in unordered
// pairs if it is undirected.
// U. Brandes, "A faster algorithm for betweenness centrality", 2001.
func brandes(g *csr.Graph) []float64 {
	scores := make([]float64, g.Vertices())
	for s := range g.Vertices() {
		order, distance, sigma := search(g, uint32(s), nil)
		delta := make([]float64, g.Vertices())
		for _, t := range slices.Backward(order) {
			for _, v := range g.Reverse().Neighbours(t) {
				if distance[v]+int(g.Length(v, t)) == distance[t] {
					delta[v] += sigma[v] / sigma[t] * (1 + delta[t])
				}
			}
			if t != uint32(s) {
				scores[t] += delta[t]
			}
		}
	}
	if g.In == nil {
		for v := range scores {
			scores[v] /= 2
		}
	}
	return scores
}

// search returns the vertices that s reaches, nearest first, their distances, and S as
// Block defines it (the path count when mu is nil).
func search(g *csr.Graph, s uint32, mu []float64) (order []uint32, distance []int, S []float64) {
	distance, S = make([]int, g.Vertices()), make([]float64, g.Vertices())
	for v := range distance {
		distance[v] = math.MaxInt / 2
	}
	distance[s], S[s] = 0, 1
	if g.Lengths != nil {
		return searchLengths(g, mu, distance, S), distance, S
	}
	order = append(order, s)
	for i := 0; i < len(order); i++ {
		v := order[i]
		if mu != nil && v != s {
			S[v] *= mu[v]
		}
		for _, t := range g.Neighbours(v) {
			if distance[t] == math.MaxInt/2 {
				distance[t] = distance[v] + 1
				order = append(order, t)
			}
			if distance[t] == distance[v]+1 {
				S[t] += S[v]
			}
		}
	}
	return order, distance, S
}

// searchLengths is search from the vertex whose distance is 0, by the plainest form of
// Dijkstra's algorithm.
func searchLengths(g *csr.Graph, mu []float64, distance []int, S []float64) (order []uint32) {
	done := make([]bool, g.Vertices())
	for {
		v := -1
		for u := range done {
			if !done[u] && distance[u] < math.MaxInt/2 && (v < 0 || distance[u] < distance[v]) {
				v = u
			}
		}
		if v < 0 {
			return order
		}
		done[v] = true
		order = append(order, uint32(v))
		if mu != nil && len(order) > 1 {
			S[v] *= mu[v]
		}
		for _, t := range g.Neighbours(uint32(v)) {
			d := distance[v] + int(g.Length(uint32(v), t))
			if d < distance[t] {
				distance[t], S[t] = d, 0
			}
			if d == distance[t] {
				S[t] += S[v]
			}
		}
	}
}

// traverse computes what an engine does for all sources of a block, by Block's formulas,
// and fails the test if the self-check does not hold.
func traverse(t *testing.T, b *Block) []float64 {
	n := b.Vertices()
	mu := func(v uint32) float64 {
		if b.Multiplicity == nil {
			return 1
		}
		return b.Multiplicity[v]
	}
	scores := make([]float64, n)
	for _, s := range b.Sources {
		order, distance, S := search(&b.Graph, s, b.Multiplicity)
		if len(order) != n && b.In == nil {
			t.Fatalf("source %d reaches %d of %d vertices of its block", s, len(order), n)
		}
		for last := len(order) - 1; b.Cutoff > 0 && distance[order[last]] > b.Cutoff; last-- {
			distance[order[last]] = math.MaxInt / 2
			order = order[:last]
		}
		D, got, want := make([]float64, n), 0.0, 0.0
		to := slices.Clone(b.To)
		for _, x := range b.WaivedBy(s) {
			to[x.Target] -= x.Mass
		}
		for _, v := range slices.Backward(order) {
			sum := 0.0
			for _, u := range b.Neighbours(v) {
				if distance[u] == distance[v]+int(b.Length(v, u)) {
					sum += (to[u] + D[u]) * mu(u) / S[u]
				}
			}
			D[v] = S[v] * sum
			if v == s {
				break
			}
			scores[v] += b.From[s] * D[v] / mu(v)
			got += D[v]
			want += to[v] * float64(distance[v]-1)
		}
		if b.Lengths != nil {
			got, want = D[s], -b.To[s]
			for _, v := range order {
				want += b.To[v]
			}
		}
		if !near(got, want) {
			t.Fatalf("self-check of source %d: %g, want %g", s, got, want)
		}
	}
	return scores
}

// near compares with a relative tolerance of 1e-9.
func near(x, y float64) bool {
	return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y))
}

// scoresOf reduces g, traverses the rest and restores.
func scoresOf(t *testing.T, g *csr.Graph, opts Options) []float64 {
	t.Helper()
	p, err := Reduce(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	checkPlan(t, g, p)
	sums := make([]float64, g.Vertices())
	for i := range p.Blocks {
		b := &p.Blocks[i]
		batches := slices.DeleteFunc(slices.Clone(p.Batches), func(batch engine.Batch) bool { return batch.Block != i })
		b.Each(batches, traverse(t, b), func(v uint32, x float64) { sums[v] += x })
		flows := flowsOf(t, b)
		b.EachInside(func(number int, vertices []uint32) {
			for _, v := range vertices {
				sums[v] += flows[number]
			}
		})
	}
	p.ClosedForm(measures.Betweenness).Restore(p.Question.Ordered(), sums)
	return sums
}

// compare fails the test where two scores differ.
func compare(t *testing.T, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d scores, want %d", len(got), len(want))
	}
	for v := range want {
		if !near(got[v], want[v]) {
			t.Fatalf("vertex %d: %g, want %g", v, got[v], want[v])
		}
	}
}

// checkPlan fails the test where a plan breaks its invariants.
func checkPlan(t *testing.T, g *csr.Graph, p *Plan) {
	t.Helper()
	if p.Vertices != g.Vertices() || p.Edges != g.Edges() || len(p.ClosedForm(measures.Betweenness).Low) != g.Vertices() {
		t.Fatalf("plan of %d vertices (%d base terms) and %d edges, graph of %d and %d",
			p.Vertices, len(p.ClosedForm(measures.Betweenness).Low), p.Edges, g.Vertices(), g.Edges())
	}
	if err := p.check(componentSizes(g)); err != nil {
		t.Fatal(err)
	}
}

// componentSizes by vertex.
func componentSizes(g *csr.Graph) []uint32 {
	size := make([]uint32, g.Vertices())
	g, err := g.Shadow(context.Background(), 1)
	if err != nil {
		panic(err)
	}
	for v := range size {
		if size[v] == 0 {
			order, _, _ := search(g, uint32(v), nil)
			for _, u := range order {
				size[u] = uint32(len(order))
			}
		}
	}
	return size
}
