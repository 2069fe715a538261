package building

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/budget"
	"bcstage/internal/spill"
)

// A graph of edges that go to files, from any batch on, is that of edges in memory.
func TestSpill(t *testing.T) {
	if spill.New("") == nil {
		t.Skip("this system has no such files")
	}
	r := rand.New(rand.NewPCG(32, 1))
	for round := range 40 {
		directed, bipartite, threads := r.IntN(2) == 0, r.IntN(4) == 0, 1+r.IntN(4)
		files := spill.New(t.TempDir())
		plain, spilled := NewBuilder(threads), NewBuilder(threads)
		spilled.Files = files
		asked := int64(0)
		spilled.Fits = func(bytes int64) error { asked = bytes; return nil }
		n, from := 1+r.Uint64N(1+r.Uint64N(20_000)), r.IntN(6)
		for _, b := range []*Builder{plain, spilled} {
			b.Directed, b.Bipartite = directed, bipartite
		}
		for batch := range 6 {
			if batch == from && batch > 0 {
				if !spilled.Spills() {
					t.Fatal("edges cannot go to files")
				}
				if err := spilled.Spill(); err != nil {
					t.Fatal(err)
				}
			}
			var src, dst Keys
			for range r.IntN(30_000) + 1 {
				src.Ints, dst.Ints = append(src.Ints, r.Uint64N(n)), append(dst.Ints, r.Uint64N(1+r.Uint64N(n)))
			}
			for _, b := range []*Builder{plain, spilled} {
				if err := b.AddEdges(src, dst); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, err := plain.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := spilled.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Graph, want.Graph) || got.SelfLoops != want.SelfLoops || got.Duplicates != want.Duplicates || got.Overlap != want.Overlap {
			t.Fatalf("round %d: directed %v, bipartite %v, %d threads, %d ids: another graph from files", round, directed, bipartite, threads, n)
		}
		if written := files.Written() > 0; written != (from > 0) || written != (asked > 4*int64(len(got.Graph.Targets))) {
			t.Fatalf("files from batch %d on: %d bytes written, %d asked for", from, files.Written(), asked)
		}
		if err := files.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A graph that does not fit, and a file that cannot be made, are errors of the Builder.
func TestSpillFails(t *testing.T) {
	if spill.New("") == nil {
		t.Skip("this system has no such files")
	}
	edges := Keys{Ints: []uint64{1, 2, 3}}
	b := NewBuilder(1)
	b.Files = spill.New(t.TempDir() + "/missing")
	if err := b.AddEdges(edges, edges); err != nil {
		t.Fatal(err)
	}
	if b.Spill() == nil || b.AddEdges(edges, edges) == nil {
		t.Error("edges go to a folder that is not there")
	}
	b = NewBuilder(1)
	b.Files, b.Fits = spill.New(t.TempDir()), func(int64) error { return budget.ErrMemory }
	if err := b.AddEdges(edges, Keys{Ints: []uint64{2, 3, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := b.Spill(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context()); !errors.Is(err, budget.ErrMemory) {
		t.Error(err)
	}
	if err := b.Files.Close(); err != nil {
		t.Error(err)
	}
}
