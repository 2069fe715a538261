package preprocess

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// A Builder makes the same graph of arcs as the plain code does, whatever the
// number of threads.
func TestBuildDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	for round := range 60 {
		n, rows := 1+r.IntN(300), r.IntN(3000)
		if round%20 == 0 {
			n, rows = 1<<17, 1<<16
		}
		var arcs []edge
		src, dst := building.Keys{Ints: make([]uint64, rows)}, building.Keys{Ints: make([]uint64, rows)}
		ids := building.Keys{Ints: make([]uint64, n)}
		for v := range n {
			ids.Ints[v] = uint64(v)
		}
		loops := int64(0)
		for i := range rows {
			u, v := r.IntN(n), r.IntN(n)
			if r.IntN(20) == 0 {
				v = u
			}
			if u == v {
				loops++
			}
			src.Ints[i], dst.Ints[i] = uint64(u), uint64(v)
			arcs = append(arcs, edge{uint32(u), uint32(v)})
		}
		want := digraphOf(n, arcs)
		b := building.NewBuilder(1 + round%3)
		b.Directed = true
		if err := b.AddVertices(ids, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.AddEdges(src, dst); err != nil {
			t.Fatal(err)
		}
		in, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Graph.Check(); err != nil {
			t.Fatal(err)
		}
		for _, way := range [2][2]*csr.Graph{{&in.Graph, want}, {in.Graph.In, want.In}} {
			if !slices.Equal(way[0].Offsets, way[1].Offsets) || !slices.Equal(way[0].Targets, way[1].Targets) {
				t.Fatalf("round %d: another graph", round)
			}
		}
		if in.SelfLoops != loops || in.Duplicates != int64(rows)-loops-in.Graph.Edges() || in.Graph.Edges() != int64(len(want.Targets)) {
			t.Fatalf("%d loops, %d duplicates, %d arcs of %d rows", in.SelfLoops, in.Duplicates, in.Graph.Edges(), rows)
		}
	}
}

func TestPreparedDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	blocks := 0
	for range 60 {
		n, arcs := randomArcs(r, 40)
		want := prepare(t, digraphOf(n, arcs), numbered(n), directed())
		got, err := open(t, fileOf(t, want))
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Blocks) == 0 {
			want.Blocks = nil
		}
		blocks += len(want.Blocks)
		if !reflect.DeepEqual(got.Plan, want.Plan) {
			t.Fatalf("%v: %+v, want %+v", arcs, got.Plan, want.Plan)
		}
		if again, err := fingerprint(t.Context(), got.Plan, 1); err != nil || again != want.Fingerprint {
			t.Fatalf("fingerprint %x, want %x: %v", again, want.Fingerprint, err)
		}
	}
	if blocks < 20 {
		t.Errorf("only %d blocks", blocks)
	}
}

// The direction of one arc is part of the fingerprint.
func TestFingerprintOfDirections(t *testing.T) {
	seen := map[[32]byte]int{}
	for turned := -1; turned < 7; turned++ {
		arcs := append(testgraphs.Ring(0, 6), edge{0, 3})
		if turned >= 0 {
			arcs[turned] = edge{arcs[turned][1], arcs[turned][0]}
		}
		p, err := Reduce(context.Background(), digraphOf(6, arcs), directed())
		if err != nil {
			t.Fatal(err)
		}
		if other, found := seen[p.Fingerprint]; found {
			t.Errorf("arcs %d and %d turned: one fingerprint", turned, other)
		}
		seen[p.Fingerprint] = turned
	}
}
