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
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// checkLanes compares the rows of sources with those of cores.
func checkLanes(t testing.TB, s *Searches, what string, g *csr.Graph, cutoff int64, sources []uint32) {
	t.Helper()
	plain := *g
	plain.Lengths = nil
	l, err := s.NewLanes(&plain, cutoff, len(sources), 3)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	cores := searches.New(&plain, searches.Options{Cutoff: cutoff})
	for first := 0; first < len(sources); first += l.Lanes() {
		some := sources[first:min(first+l.Lanes(), len(sources))]
		var want []searches.Rows
		for at := 0; at < len(some); at += cores.Lanes() {
			err := cores.Run(t.Context(), some[at:min(at+cores.Lanes(), len(some))], func(r searches.Rows) error {
				want = append(want, r)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		at := 0
		err := l.Run(t.Context(), some, func(r searches.Rows) error {
			if !slices.Equal(r.Vertices, want[at].Vertices) || !slices.Equal(r.Distances, want[at].Distances) || r.Paths != nil {
				return fmt.Errorf("from %d: %v, want %v", some[at], r, want[at])
			}
			at++
			return nil
		})
		if err != nil || at != len(some) {
			t.Fatalf("%s: %d of %d sources, %v", what, at, len(some), err)
		}
	}
}

// checkIndependent compares the set with that of Reduce, which is checked there.
func checkIndependent(t testing.TB, s *Searches, what string, g *csr.Graph) {
	t.Helper()
	asked := question.Question{Measures: []string{measures.IndependentSet}}
	plan, err := preprocess.Reduce(t.Context(), g, preprocess.Options{Question: asked})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Independent(t.Context(), g)
	if err != nil || !slices.Equal(got, plan.IndependentSet) {
		t.Fatalf("%s: set %v, want %v, %v", what, got, plan.IndependentSet, err)
	}
}

// sourcesOf draws count vertices, some twice.
func sourcesOf(r *rand.Rand, g *csr.Graph, count int) (list []uint32) {
	for range count {
		list = append(list, uint32(r.IntN(g.Vertices())))
	}
	return list
}

// checkMany compares Lanes, ByLengths and Independent with cores, on graphs of every shape.
func checkMany(t testing.TB, s *Searches, small bool, counts ...int) {
	r := rand.New(rand.NewPCG(11, 12))
	for name, g := range shapes(r, small) {
		for _, count := range counts {
			checkLanes(t, s, name, g, int64(r.IntN(3)*4-1), sourcesOf(r, g, count))
		}
		checkByLengths(t, s, name, g, int64(r.IntN(3)*60-1), sourcesOf(r, g, 4))
		if g.In == nil {
			g.Lengths = nil
			checkIndependent(t, s, name, g)
		}
	}
}

func TestLanes(t *testing.T) {
	checkMany(t, New(&simulator{}), false, 1, 32, 33, 300)
	r := rand.New(rand.NewPCG(13, 14))
	s := New(&simulator{})
	for i := range 60 {
		n := 1 + r.IntN(200)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(3*n))
		block := testblocks.Of(n, edges, 64)
		checkIndependent(t, s, fmt.Sprint("graph ", i), &block.Graph)
		if i%2 == 1 {
			block = testblocks.Directed(n, edges, 64)
		}
		checkLanes(t, s, fmt.Sprint("graph ", i), &block.Graph, int64(r.IntN(6))-1, sourcesOf(r, &block.Graph, 1+r.IntN(270)))
	}
}

// Whichever call to the device fails, the search ends with its error or, where allocation
// fails, uses fewer lanes; nothing is held after that.
func TestEveryFailureOfLanes(t *testing.T) {
	g := shapes(rand.New(rand.NewPCG(8, 9)), true)["grid"]
	g.Lengths = nil
	sources := sourcesOf(rand.New(rand.NewPCG(1, 1)), g, 70)
	narrower := 0
	for failing, failed := 1, true; failed; failing++ {
		d := &counting{simulator: &simulator{}, failing: failing}
		l, err := New(d).NewLanes(g, -1, len(sources), 2)
		lanes := 0
		if err == nil {
			lanes = l.Lanes()
			if d.held != l.Bytes() {
				t.Errorf("%d bytes held, %d told", d.held, l.Bytes())
			}
			err = l.Run(t.Context(), sources[:lanes/32*20], func(searches.Rows) error { return nil })
			l.Release()
		}
		failed = d.calls >= failing
		if failed && err == nil && lanes == 32 {
			narrower++
		} else if failed != errors.Is(err, errBroken) {
			t.Fatalf("call %d: %v", failing, err)
		}
		if d.held != 0 {
			t.Fatalf("call %d: %d bytes held", failing, d.held)
		}
	}
	if narrower != 6 {
		t.Errorf("fewer lanes for %d refusals of memory, not 6", narrower)
	}
	for failing, failed := 1, true; failed; failing++ {
		d := &counting{simulator: &simulator{}, failing: failing}
		_, err := New(d).Independent(t.Context(), g)
		if failed = d.calls >= failing; failed != errors.Is(err, errBroken) || d.held != 0 {
			t.Fatalf("set, call %d: %v, %d bytes held", failing, err, d.held)
		}
	}
}

func TestLanesRefusedAndStopped(t *testing.T) {
	s := New(&simulator{})
	g := &testblocks.Of(200, testgraphs.Path(0, 199), 64).Graph
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := s.NewLanes(g, -1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	emitted := errors.New("emitted")
	for want, ctx := range map[error]context.Context{context.Canceled: ctx, emitted: t.Context()} {
		if err := l.Run(ctx, []uint32{0}, func(searches.Rows) error { return emitted }); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := s.Independent(ctx, g); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	g.Lengths = slices.Repeat([]int64{1}, len(g.Targets))
	if _, err := s.NewLanes(g, -1, 1, 1); !errors.Is(err, ErrProblem) {
		t.Error(err)
	}
}
