package preprocess

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bcstage/internal/cpu/levels"
	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// No two vertices of a block are farther apart than its diameter, among pairs whose
// paths count. Where every vertex reaches every other, the diameter is often a
// better bound than the number of vertices.
func TestDiameter(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 5))
	told := 0 // rounds in which the bound is below the number of vertices
	for round := range max(400/testgraphs.OneIn, 40) {
		n := 5 + r.IntN(60)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		g := &csr.Graph{}
		var q question.Question
		if q.Directed = round%2 == 1; q.Directed {
			for _, e := range slices.Clone(edges) {
				if r.IntN(4) > 0 {
					edges = append(edges, testgraphs.Edge{e[1], e[0]})
				}
			}
			g.Offsets, g.Targets = testgraphs.OutRows(n, edges)
			g.In = &csr.Graph{}
			g.In.Offsets, g.In.Targets = testgraphs.OutRows(n, testgraphs.Reversed(edges))
		} else {
			g.Offsets, g.Targets = testgraphs.Rows(n, edges)
		}
		if r.IntN(3) == 0 {
			q.Cutoff = strconv.Itoa(2 + r.IntN(5))
		}
		p, err := Reduce(t.Context(), g, Options{Question: q})
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Blocks {
			b := &p.Blocks[i]
			most, err := b.Diameter(t.Context(), 2)
			if err != nil {
				t.Fatal(err)
			}
			if most < b.Vertices()-1 && b.Cutoff == 0 && q.Directed {
				told++
			}
			for _, s := range b.Sources {
				distance := make([]int, b.Vertices())
				queue := []uint32{s}
				distance[s] = 1
				for at := 0; at < len(queue); at++ {
					for _, v := range b.Neighbours(queue[at]) {
						if distance[v] == 0 {
							distance[v] = distance[queue[at]] + 1
							queue = append(queue, v)
						}
					}
				}
				farthest := slices.Max(distance) - 1
				depth, reached, err := levels.Of(t.Context(), &b.Graph, b.Reverse(), s, nil, 2)
				if err != nil || depth != farthest || reached != len(queue) {
					t.Fatalf("round %d, block %d: %d levels from %d reach %d, %v, want %d and %d", round, i, depth, s, reached, err, farthest, len(queue))
				}
				if b.Cutoff > 0 {
					farthest = min(farthest, b.Cutoff)
				}
				if farthest > most {
					t.Fatalf("round %d, block %d: %d arcs from %d, at most %d were announced", round, i, farthest, s, most)
				}
			}
		}
	}
	if told == 0 {
		t.Error("of no directed block more was known than its number of vertices")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &Block{}
	b.Offsets, b.Targets = testgraphs.Rows(9, testgraphs.Ring(0, 9))
	if _, err := b.Diameter(ctx, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended: %v", err)
	}
}
