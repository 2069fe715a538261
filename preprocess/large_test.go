package preprocess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// rowsOf makes a graph of n vertices from their ascending rows.
func rowsOf(n int, row func(v int, add func(u int))) *csr.Graph {
	g := &csr.Graph{Offsets: make([]int64, n+1)}
	for v := range n {
		row(v, func(u int) { g.Targets = append(g.Targets, uint32(u)) })
		g.Offsets[v+1] = int64(len(g.Targets))
	}
	return g
}

func longPath(n int) *csr.Graph {
	return rowsOf(n, func(v int, add func(int)) {
		if v > 0 {
			add(v - 1)
		}
		if v+1 < n {
			add(v + 1)
		}
	})
}

func longCycle(n int) *csr.Graph {
	return rowsOf(n, func(v int, add func(int)) {
		switch v {
		case 0:
			add(1)
			add(n - 1)
		case n - 1:
			add(0)
			add(n - 2)
		default:
			add(v - 1)
			add(v + 1)
		}
	})
}

// caterpillar is a path of the even vertices with a leaf at each.
func caterpillar(n int) *csr.Graph {
	return rowsOf(n, func(v int, add func(int)) {
		if v%2 == 1 {
			add(v - 1)
			return
		}
		if v > 1 {
			add(v - 2)
		}
		if v+1 < n {
			add(v + 1)
		}
		if v+2 < n {
			add(v + 2)
		}
	})
}

// fans is a hub, and groups of three vertices in a row, each joined to the hub.
// It has as many blocks as groups, all with the same head, none with a closed
// form.
func fans(n int) *csr.Graph {
	n = n/3*3 + 1
	return rowsOf(n, func(v int, add func(int)) {
		if v == 0 {
			for u := 1; u < n; u++ {
				add(u)
			}
			return
		}
		add(0)
		if v%3 != 1 {
			add(v - 1)
		}
		if v%3 != 0 {
			add(v + 1)
		}
	})
}

// houses is a hub that is the roof of many houses, each a square of four more
// vertices: blocks without twins or closed forms.
func houses(n int) *csr.Graph {
	n = n/4*4 + 1
	return rowsOf(n, func(v int, add func(int)) {
		if v == 0 {
			for u := 1; u < n; u += 4 {
				add(u)
				add(u + 3)
			}
			return
		}
		switch first := (v-1)/4*4 + 1; v - first {
		case 0:
			add(0)
			add(first + 1)
			add(first + 3)
		case 1, 2:
			add(v - 1)
			add(v + 1)
		case 3:
			add(0)
			add(first)
			add(first + 2)
		}
	})
}

// cliqueChain is a path of cliques of four, each sharing a vertex with the next.
func cliqueChain(n int) *csr.Graph {
	n = n/3*3 + 1
	return rowsOf(n, func(v int, add func(int)) {
		for u := max((v-1)/3*3, 0); u <= min((v+3)/3*3, n-1); u++ {
			if u != v && (v%3 == 0 || u/3 == v/3 || u == v/3*3+3) {
				add(u)
			}
		}
	})
}

var long = map[string]func(int) *csr.Graph{
	"path": longPath, "cycle": longCycle, "caterpillar": caterpillar, "fans": fans, "houses": houses, "cliques": cliqueChain,
}

func TestLongGraphs(t *testing.T) {
	n := 1_000_000
	if testing.Short() { // still deeper than a stack of calls could be
		n = 200_000
	}
	for name, of := range long {
		t.Run(name, func(t *testing.T) {
			small := of(40)
			compare(t, scoresOf(t, small, Options{}), brandes(small))
			p, err := Reduce(context.Background(), of(n), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if one, err := Reduce(context.Background(), of(n), Options{Threads: 1}); err != nil || one.Fingerprint != p.Fingerprint {
				t.Errorf("one thread: another plan, %v", err)
			}
			if want := p.Vertices / 4; name == "houses" && len(p.Blocks) != want || name != "houses" && len(p.Blocks) != 0 {
				t.Errorf("%d blocks left", len(p.Blocks))
			}
		})
	}
}

// Threads share wide levels of the search tree. Here subtrees, blocks and the children of one vertex begin and end
// anywhere in two of them, in each of several components.
func TestWideLevels(t *testing.T) {
	const n = 300_000
	for roots := 1; roots < 4; roots++ { // of components: the vertices with equal remainders
		random := rand.New(rand.NewPCG(uint64(roots), 11))
		var edges [][2]uint32
		join := func(u, v int) { edges = append(edges, [2]uint32{uint32(u), uint32(v)}) }
		for v := roots; v < n; v++ {
			root := v % roots
			if v < n/2 {
				join(v, root)
				if random.IntN(2) == 0 {
					join(v, v+roots)
				}
				continue
			}
			parent := root + roots*(1+random.IntN(n/3/roots))
			join(v, parent)
			if random.IntN(3) == 0 { // else it ends or hangs
				join(v, parent+roots*random.IntN(3))
			}
		}
		var g csr.Graph
		g.Offsets, g.Targets = testgraphs.Rows(n, edges)
		var plans []*Plan
		for _, threads := range []int{1, 4} {
			p, err := Reduce(t.Context(), &g, Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			plans = append(plans, p)
		}
		if plans[0].Fingerprint != plans[1].Fingerprint || plans[0].BlockCount != plans[1].BlockCount {
			t.Errorf("%d components: %d and %d blocks; other plans", roots, plans[0].BlockCount, plans[1].BlockCount)
		}
		if plans[0].BlockCount < 100 || plans[0].Components != roots {
			t.Errorf("%d blocks, %d components, want %d", plans[0].BlockCount, plans[0].Components, roots)
		}
	}
}

// In a path, vertex i has i vertices before it and n-1-i after it.
func TestLongPathScores(t *testing.T) {
	const n = 1_000_000
	p, err := Reduce(context.Background(), longPath(n), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range p.ClosedForm(measures.Betweenness).Low {
		if want := 2 * int64(i) * int64(n-1-i); got != want {
			t.Fatalf("vertex %d: %d, want %d", i, got, want)
		}
	}
}

func BenchmarkReduceLong(b *testing.B) {
	for name, of := range long {
		for _, n := range []int{1_000_000, 10_000_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				g := of(n)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Reduce(context.Background(), g, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
