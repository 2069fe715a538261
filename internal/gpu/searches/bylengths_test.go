package searches

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// checkByLengths compares the rows of sources of a graph with lengths with those of cores.
func checkByLengths(t testing.TB, s *Searches, what string, g *csr.Graph, cutoff int64, sources []uint32) {
	t.Helper()
	l, err := s.NewByLengths(t.Context(), g, cutoff, sources[0], 3)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	var want []searches.Rows
	take := func(r searches.Rows) error {
		want = append(want, r)
		return nil
	}
	if err := searches.New(g, searches.Options{Cutoff: cutoff}).Run(t.Context(), sources, take); err != nil {
		t.Fatal(err)
	}
	at := 0
	err = l.Run(t.Context(), sources, func(r searches.Rows) error {
		if !slices.Equal(r.Vertices, want[at].Vertices) || !slices.Equal(r.Distances, want[at].Distances) || r.Paths != nil {
			return fmt.Errorf("from %d: %v, want %v", sources[at], r, want[at])
		}
		at++
		return nil
	})
	if err != nil || at != len(sources) {
		t.Fatalf("%s: %d of %d sources, %v", what, at, len(sources), err)
	}
}

func TestByLengths(t *testing.T) {
	s := New(&simulator{})
	r := rand.New(rand.NewPCG(21, 22))
	for name, g := range shapes(r, false) {
		checkByLengths(t, s, name, g, int64(r.IntN(3)*60-1), sourcesOf(r, g, 5))
	}
	for i := range 40 {
		n := 1 + r.IntN(200)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		g := &testblocks.Of(n, edges, 64).Graph
		if i%2 == 1 {
			g = &testblocks.Directed(n, edges, 64).Graph
		}
		withLengths(r, g, 1+r.Int64N([]int64{5, 1000, 1 << 20}[i%3]))
		checkByLengths(t, s, fmt.Sprint("graph ", i), g, int64(r.IntN(3)*500-1), sourcesOf(r, g, 1+r.IntN(20)))
	}
}

// Whichever call to the device fails, one strategy continues without the other, or the search ends with its
// error. The same holds for lengths beyond 32 bits, a context that ended, and a receiver that stops.
func TestByLengthsFails(t *testing.T) {
	g := shapes(rand.New(rand.NewPCG(8, 9)), true)["grid"]
	sources := sourcesOf(rand.New(rand.NewPCG(1, 1)), g, 9)
	none := func(searches.Rows) error { return nil }
	without := 0 // times that one strategy continued without the other
	for failing, failed := 1, true; failed; failing++ {
		d := &counting{simulator: &simulator{}, failing: failing}
		l, err := New(d).NewByLengths(t.Context(), g, -1, 0, 2)
		if err == nil {
			if d.held != l.Bytes() {
				t.Errorf("%d bytes held, %d told", d.held, l.Bytes())
			}
			err = l.Run(t.Context(), sources, none)
			l.Release()
		}
		failed = d.calls >= failing
		if failed && err == nil {
			without++
		} else if failed != errors.Is(err, errBroken) {
			t.Fatalf("call %d: %v", failing, err)
		}
		if d.held != 0 {
			t.Fatalf("call %d: %d bytes held", failing, d.held)
		}
	}
	if without < 10 {
		t.Errorf("a strategy went on without the other %d times", without)
	}
	s := New(&simulator{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := s.NewByLengths(t.Context(), g, -1, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	emitted := errors.New("emitted")
	for want, ctx := range map[error]context.Context{context.Canceled: ctx, emitted: t.Context()} {
		if err := l.Run(ctx, sources, func(searches.Rows) error { return emitted }); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	path := &testblocks.Of(5, testgraphs.Path(0, 4), 64).Graph
	if _, err := s.NewByLengths(t.Context(), path, -1, 0, 1); !errors.Is(err, ErrProblem) {
		t.Error(err)
	}
	path.Lengths = slices.Repeat([]int64{1 << 31}, len(path.Targets))
	if _, err := s.NewByLengths(t.Context(), path, -1, 0, 1); !errors.Is(err, ErrRange) {
		t.Error(err)
	}
}
