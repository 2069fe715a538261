package building

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// TestMixedEdges compares edges with ways of their own with their arcs, and every row with the number and the length of
// its arcs.
func TestMixedEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	for round := range 400 / testgraphs.OneIn {
		n, rows := 2+r.IntN(9), r.IntN(40)
		if round%50 == 0 {
			rows = 3000 // of several chunks
		}
		lengths := r.IntN(2) == 0
		var vertices, src, dst Keys
		var weights Weights
		var ways []int8
		for v := range n {
			vertices.Ints = append(vertices.Ints, uint64(v))
		}
		for range rows {
			src.Ints, dst.Ints = append(src.Ints, r.Uint64N(uint64(n))), append(dst.Ints, r.Uint64N(uint64(n)))
			ways = append(ways, int8(r.IntN(3)-1))
			if lengths {
				weights.Digits = append(weights.Digits, 1+r.Int64N(4))
			}
		}
		var arcs [2]Keys
		var ofArcs Weights
		arc := func(i int, from, to Keys) {
			arcs[0].Ints, arcs[1].Ints = append(arcs[0].Ints, from.Ints[i]), append(arcs[1].Ints, to.Ints[i])
			if lengths {
				ofArcs.Digits = append(ofArcs.Digits, weights.Digits[i])
			}
		}
		for i, way := range ways {
			if way >= 0 {
				arc(i, src, dst)
			}
			if way <= 0 {
				arc(i, dst, src)
			}
		}
		built := func(add func(b *Builder) error) *Input {
			b := NewBuilder(1 + r.IntN(3))
			b.Directed, b.KeepEdges, b.KeepRows = true, true, true
			if err := b.AddVertices(vertices, nil); err != nil {
				t.Fatal(err)
			}
			if err := add(b); err != nil {
				t.Fatal(err)
			}
			in, err := b.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return in
		}
		want := built(func(b *Builder) error {
			if lengths {
				return b.AddWeightedEdges(arcs[0], arcs[1], ofArcs)
			}
			return b.AddEdges(arcs[0], arcs[1])
		})
		batch := 1 + r.IntN(rows+1)
		got := built(func(b *Builder) error {
			for at := 0; at < rows; at += batch {
				end := min(at+batch, rows)
				var w Weights
				if lengths {
					w.Digits = weights.Digits[at:end]
				}
				if err := b.AddMixedEdges(src.slice(at, end), dst.slice(at, end), w, ways[at:end]); err != nil {
					return err
				}
			}
			return nil
		})
		if !reflect.DeepEqual(got.Graph, want.Graph) || got.EdgesRead != want.EdgesRead || got.SelfLoops != want.SelfLoops || got.Duplicates != want.Duplicates {
			t.Fatalf("round %d: another graph", round)
		}
		shortest := func(from, to uint32) int64 {
			least := int64(1) << 60
			for i := range ofArcs.Digits {
				if arcs[0].Ints[i] == uint64(from) && arcs[1].Ints[i] == uint64(to) {
					least = min(least, ofArcs.Digits[i])
				}
			}
			return least
		}
		edge := func(i int, from, to uint32) uint32 {
			if from == to || lengths && weights.Digits[i] > shortest(from, to) {
				return NoEdge
			}
			for e := range got.Edges.Ends[0] {
				if got.Edges.Ends[0][e] == from && got.Edges.Ends[1][e] == to {
					return uint32(e)
				}
			}
			return NoEdge
		}
		for i, way := range ways[:min(rows, 60)] {
			u, v := uint32(src.Ints[i]), uint32(dst.Ints[i])
			forth, back := edge(i, u, v), NoEdge
			switch {
			case way < 0:
				forth = edge(i, v, u)
			case way == 0:
				back = edge(i, v, u)
			}
			found := NoEdge
			if got.Rows.Back != nil {
				found = got.Rows.Back[i]
			}
			if got.Rows.Ends[0][i] != u || got.Rows.Ends[1][i] != v || got.Rows.Edge[i] != forth || found != back {
				t.Fatalf("round %d: row %d from %d to %d, way %d: edges %d and %d, want %d and %d", round, i, u, v, way, got.Rows.Edge[i], found, forth, back)
			}
		}
	}
}

// A row of an undirected graph has its edge, whichever end is first.
func TestRowsOfUndirectedEdges(t *testing.T) {
	b := NewBuilder(1)
	b.KeepEdges, b.KeepRows = true, true
	if err := b.AddWeightedEdges(ints(1, 2, 3, 1), ints(2, 1, 3, 3), Weights{Digits: []int64{5, 6, 1, 2}}); err != nil {
		t.Fatal(err)
	}
	in, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, NoEdge, NoEdge, 1}; !slices.Equal(in.Rows.Edge, want) || in.Rows.Back != nil {
		t.Errorf("edges %d and %d of rows, want %d", in.Rows.Edge, in.Rows.Back, want)
	}
}
