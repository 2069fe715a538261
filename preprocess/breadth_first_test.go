package preprocess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/wholes"
)

// A graph has one numbering, however its levels are searched.
func TestNumbering(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	graphs := shapesOfGraphs()
	for i := range 200 {
		n := 1 + random.IntN(300)
		var edges []edge
		for range random.IntN(4 * n) {
			edges = append(edges, edge{random.Uint32N(uint32(n)), uint32(random.IntN(n) * random.IntN(n) / n)})
		}
		graphs[fmt.Sprint("random ", i)] = graphOf(n, edges)
	}
	for name, g := range graphs {
		f, err := foldBelow(t.Context(), g, 2, nil, wholes.NewForms(g.Vertices(), false), 2)
		if err != nil {
			t.Fatal(err)
		}
		want := newNumbering(g, f.degree, 1)
		roots := numberBy(t, want, want.walk)
		for range 5 {
			got := newNumbering(g, f.degree, 3)
			if !slices.Equal(numberBy(t, got, got.walk, got.push, got.pull), roots) {
				t.Fatalf("%s: other roots", name)
			}
			if !slices.Equal(got.number, want.number) || !slices.Equal(got.vertex, want.vertex) || !slices.Equal(got.parent, want.parent) {
				t.Fatalf("%s: other numbers", name)
			}
		}
	}
}

// numberBy searches each level in one of the ways, drawn at random.
func numberBy(t *testing.T, s *numbering, ways ...func(ctx context.Context, lo, hi int) error) []uint32 {
	t.Helper()
	roots, err := s.components(t.Context(), func(ctx context.Context, lo, hi int) error {
		return ways[rand.IntN(len(ways))](ctx, lo, hi)
	})
	if err != nil {
		t.Fatal(err)
	}
	return roots
}

// The choice of direction counts edges; the counts must be right.
func TestNumberingUnseen(t *testing.T) {
	g := kron(10, 16)
	f, err := foldBelow(t.Context(), g, 2, nil, wholes.NewForms(g.Vertices(), false), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := newNumbering(g, f.degree, 1)
	if _, err := want.components(t.Context(), want.level); err != nil {
		t.Fatal(err)
	}
	got := newNumbering(g, f.degree, 3)
	got.wide = 1
	if _, err := got.components(t.Context(), got.level); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.number, want.number) || !slices.Equal(got.parent, want.parent) {
		t.Error("other numbers")
	}
	for _, v := range got.vertex[got.settled:] {
		got.unseen -= g.Offsets[v+1] - g.Offsets[v]
	}
	if got.settled == 0 || got.unseen != 0 {
		t.Errorf("%d vertices settled, %d edges left over", got.settled, got.unseen)
	}
}

func TestNumberingCancelled(t *testing.T) {
	g := kron(10, 16)
	f, err := foldBelow(t.Context(), g, 2, nil, wholes.NewForms(g.Vertices(), false), 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, wide := range []int64{1, wideLevel} {
		s := newNumbering(g, f.degree, 2)
		s.wide = wide
		if _, err := s.components(ctx, s.level); err != context.Canceled {
			t.Errorf("levels from %d edges on are wide: error %v", wide, err)
		}
	}
}
