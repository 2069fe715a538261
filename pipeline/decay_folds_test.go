package pipeline

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// hung draws a core of some form and hangs trees, cliques and other blocks on it, and beside it some trees and a second core.
func hung(r *rand.Rand) *trips {
	g := &trips{seed: r.Uint64()}
	join := func(u, v int) { g.edges = append(g.edges, [2]int{u, v}) }
	for range 1 + r.IntN(2) {
		first, k := g.n, 3+r.IntN(3)
		switch r.IntN(5) {
		case 0: // a ring
			for v := range k {
				join(first+v, first+(v+1)%k)
			}
		case 1: // twins, joined in half of the cases
			for v := 2; v < k; v++ {
				join(first, first+v)
				join(first+v, first+1)
			}
			if r.IntN(2) == 0 {
				join(first, first+1)
			}
		case 2: // a clique
			for v := range k {
				for u := range v {
					join(first+u, first+v)
				}
			}
		case 3: // two cycles that share a vertex
			join(first, first+1)
			join(first+1, first+2)
			join(first+2, first)
			if k == 5 {
				join(first+2, first+3)
				join(first+3, first+4)
				join(first+4, first+2)
			}
		default: // nothing but a tree
			k = 1
		}
		g.n += k
		for range r.IntN(5) {
			on, fresh, all := first+r.IntN(g.n-first), g.n, r.IntN(2) == 0
			for range 1 + max(0, r.IntN(6)-2) {
				for u := fresh; u < g.n; u++ {
					if all || r.IntN(3) > 0 {
						join(u, g.n)
					}
				}
				if all || g.n < fresh+2 || r.IntN(3) == 0 {
					join(on, g.n)
				}
				g.n++
			}
		}
	}
	for range g.n {
		g.from, g.to = append(g.from, []string{"0", "1", "2.5"}[r.IntN(3)]), append(g.to, []string{"0", "1", "0.25"}[r.IntN(3)])
	}
	g.spreads, g.stay = r.IntN(2) == 0, []string{"0", "0.5"}[r.IntN(2)]
	if r.IntN(2) == 0 {
		for range g.edges {
			g.lengths = append(g.lengths, 1+r.IntN(3))
		}
		g.keep = r.IntN(3) == 0
	}
	if g.keep && len(g.edges) > 0 {
		g.edges, g.lengths = append(g.edges, g.edges[0]), append(g.lengths, g.lengths[0])
	}
	number := math.Round(1000*r.Float64()) / 400
	if r.IntN(4) == 0 {
		number *= 24 // shares of long paths are 0
	}
	g.decay, g.share = "exp:"+strconv.FormatFloat(number, 'f', -1, 64), func(x float64) float64 { return math.Exp(-number * x) }
	return g
}

// Where shares of pairs are exponential, trees and, by hops, hanging blocks fold, whatever the masses, and where these
// are spread. Scores are those of a list of all paths, by every walk that suits, and bits do not depend on shards or
// threads.
func TestDecayFolds(t *testing.T) {
	random := rand.New(rand.NewPCG(36, 31))
	forced, folded, searched := map[string]int{}, 0, 0
	for range 800 / testgraphs.OneIn {
		g := hung(random)
		if len(g.edges) == 0 {
			continue
		}
		sides, name, each := []string{"", "", "a", "b", "ab"}[random.IntN(5)], "flow", 1.0
		if sides == "" && !g.spreads {
			name, each = "betweenness_centrality", 2
		}
		vertices, _, _ := g.listed(sides)
		g.byWalks(t, random, forced, sides, func(o *Options) {}, func(walk string, table *tables.Table, stats *Stats) {
			g.holdColumn(t, walk, table, name, each, vertices, g.products(sides))
			for _, r := range stats.Reductions {
				if r.Name == "folding" && r.Off == "" {
					folded++
				}
			}
			searched += stats.SelfCheck.Sources
		})
		run := func(change func(o *Options)) (table tables.Table) {
			opts := g.options(t, sides)
			opts.Question.Measures = []string{measures.Betweenness}
			change(&opts)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			return table
		}
		want := run(func(o *Options) { o.Threads = 1 })
		merged := inShards(t, func(change func(o *Options)) tables.Table {
			return run(func(o *Options) { o.Threads = 3; change(o) })
		})
		if !sameBits(columnOf(t, &merged, name), columnOf(t, &want, name)) {
			t.Errorf("%+v: shards have %v, want %v", g, merged.Floats(name), want.Floats(name))
		}
	}
	holdWalks(t, forced, "auto", "rows", "meshes", "lengths", "balls")
	if folded == 0 || searched == 0 {
		t.Errorf("%d graphs were folded, %d sources searched", folded, searched)
	}
}
