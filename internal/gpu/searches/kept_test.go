package searches

import (
	"errors"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
)

// Searches of a kept graph find the same as others, from arrays that are written once.
// Each reports the memory that it would hold alone, and all memory is freed.
func TestKeep(t *testing.T) {
	for name, g := range shapes(rand.New(rand.NewPCG(1, 3)), true) {
		d := &counting{simulator: &simulator{}}
		s := New(d)
		alone := map[Problem]map[Strategy]int64{}
		for _, p := range Problems() {
			alone[p] = map[Strategy]int64{}
			for _, strategy := range Solving(p) {
				alone[p][strategy] = search(t, s, g, p, strategy)
			}
		}
		s.Keep(g)
		checkAll(t, s, name, g, 0, 3)
		held := d.held
		checkAll(t, s, name, g, 0)
		if want := int64(4 * (len(g.Targets) + g.Vertices() + 1)); d.held != held || held < 2*want {
			t.Errorf("%s: %d bytes held between searches, then %d; want the graph twice, of %d bytes", name, held, d.held, want)
		}
		for _, p := range Problems() {
			for _, strategy := range Solving(p) {
				if got := search(t, s, g, p, strategy); got != alone[p][strategy] {
					t.Errorf("%s, %s by %s: %d bytes, %d alone", name, p, strategy, got, alone[p][strategy])
				}
			}
		}
		for other, h := range shapes(rand.New(rand.NewPCG(4, 4)), true) { // one of them kept, one not
			if other == "grid" {
				s.Keep(h)
			}
			checkAll(t, s, other, h, 0)
		}
		s.Release()
		if d.held != 0 {
			t.Errorf("%s: %d bytes held at the end", name, d.held)
		}
	}
}

// search searches once, and returns the bytes that it took.
func search(t *testing.T, s *Searches, g *csr.Graph, p Problem, name Strategy) int64 {
	t.Helper()
	search, err := s.Of(g, p, name)
	if err == nil {
		defer search.Release()
		err = search.Run(t.Context(), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return search.Bytes()
}

// Where memory is short, arrays of a kept graph that no search uses are freed. So a
// search that fits alone also fits then.
func TestKeepGivesWay(t *testing.T) {
	g := shapes(rand.New(rand.NewPCG(1, 3)), true)["shallow"]
	for _, p := range Problems() {
		for _, name := range Solving(p) {
			d := &small{counting: counting{simulator: &simulator{}}, most: 1 << 40}
			s := New(d)
			d.most = search(t, s, g, p, name)
			s.Keep(g)
			for _, before := range []Strategy{Edge, Queue} {
				if d.most >= search(t, New(&counting{simulator: &simulator{}}), g, p, before) {
					search(t, s, g, p, before)
				}
			}
			search(t, s, g, p, name)
			s.Release()
			if d.held != 0 {
				t.Errorf("%s by %s: %d bytes held at the end", p, name, d.held)
			}
		}
	}
}

// small is a device with little memory.
type small struct {
	counting
	most int64
}

func (s *small) Allocate(bytes int) (Buffer, error) {
	if s.held+int64(bytes) > s.most {
		return nil, errors.New("no memory")
	}
	return s.counting.Allocate(bytes)
}

// Whichever call fails, of a search that shares or of the one before it, all memory is
// freed. Allocation may succeed at the second attempt.
func TestEveryFailureOfKept(t *testing.T) {
	g := shapes(rand.New(rand.NewPCG(8, 9)), true)["grid"]
	for _, name := range []Strategy{Edge, Direction} {
		for failing, failed := 1, true; failed; failing++ {
			d := &counting{simulator: &simulator{}, failing: failing}
			s := New(d)
			s.Keep(g)
			var err error
			for range 2 {
				var one *Search
				if one, err = s.Of(g, BFS, name); err == nil {
					err = one.Run(t.Context(), 0)
					one.Release()
				}
				if err != nil {
					break
				}
			}
			s.Release()
			failed = d.calls >= failing
			if err != nil && !(failed && errors.Is(err, errBroken)) || d.held != 0 {
				t.Fatalf("%s, call %d: %v, %d bytes held", name, failing, err, d.held)
			}
		}
	}
}
