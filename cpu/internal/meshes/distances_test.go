package meshes

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// distancePlan returns the plan for the distances in a graph.
func distancePlan(t *testing.T, edges []testgraphs.Edge, lanes int) *preprocess.Plan {
	return testblocks.Reduced(t, edges, preprocess.Options{
		Question: question.Question{Measures: []string{measures.Harmonic}}, Lanes: lanes, Threads: 1,
	})
}

// Distances in connected graphs of all shapes and sizes equal the textbook's, batch after batch.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	searches := []*Distances{NewDistances(false), NewDistances(true)}
	check := func(edges []testgraphs.Edge) {
		for _, lanes := range []int{0, 1, 7} {
			plan := distancePlan(t, edges, lanes)
			for _, batch := range plan.Batches[:min(len(plan.Batches), 3)] {
				b := &plan.Blocks[batch.Block]
				if b.Roads != nil || int(b.Reach[0]) != b.Vertices()-1 {
					continue // not connected
				}
				batch.Count -= r.IntN(min(batch.Count, 70))
				want := testblocks.Found(b, batch)
				for _, s := range searches {
					got, err := s.Run(t.Context(), b, batch)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.Found, want) || got.Got[0] != got.Want[0] {
						t.Fatalf("%s, %d vertices, batch %+v: %v reached of %v,\n%v\nwant\n%v", s.byLevel.name, b.Vertices(), batch, got.Got, got.Want, got.Found, want)
					}
				}
			}
		}
	}
	for range max(1, 60/testgraphs.OneIn) {
		check(testgraphs.Grid(uint32(2+r.IntN(30)), uint32(2+r.IntN(30))))
		edges := testgraphs.Path(0, uint32(300+r.IntN(300)))
		for range r.IntN(60) {
			edges = append(edges, testgraphs.Edge{uint32(r.IntN(300)), uint32(r.IntN(300))})
		}
		check(edges)
	}
	for _, length := range []uint32{84, 127, 128, 129, 252, 253, 254, 255, 256, 257} { // about where levels pass 8 bits
		check(testgraphs.Grid(2, length))
	}
}

// The self-check shows a search that misses vertices.
func TestDistancesCheck(t *testing.T) {
	plan := distancePlan(t, testgraphs.Grid(30, 30), 0)
	b := plan.Blocks[0]
	b.Reach = slices.Clone(b.Reach)
	b.Reach[3]++
	got, err := NewDistances(false).Run(t.Context(), &b, plan.Batches[0])
	if err != nil || got.Got[0] == got.Want[0] {
		t.Errorf("%v reached, %v wanted; error %v", got.Got, got.Want, err)
	}
}

// Suits and Wide accept meshes, and reject graphs of small distances and paths too long for 16 bits.
func TestSuits(t *testing.T) {
	var star []testgraphs.Edge
	for v := uint32(1); v < 1300; v++ {
		star = append(star, testgraphs.Edge{0, v}, testgraphs.Edge{v, v%1299 + 1})
	}
	for _, c := range []struct {
		name  string
		edges []testgraphs.Edge
		want  bool
	}{
		{"grid", testgraphs.Grid(80, 80), true},
		{"small grid", testgraphs.Grid(63, 65), false},
		{"wheel", star, false},
		{"long ladder", testgraphs.Grid(2, mostLevels+500), false},
	} {
		plan := distancePlan(t, c.edges, 0)
		b := plan.Blocks[0]
		b.Roads = nil
		_, err := NewDistances(false).Run(t.Context(), &b, plan.Batches[0])
		if deep := errors.Is(err, ErrDeep); err != nil && !deep || !Suits(&b) || (Wide(&b) && !deep) != c.want {
			t.Errorf("%s: suits: %v, wide: %v, want %v; error %v", c.name, Suits(&b), Wide(&b), c.want, err)
		}
		b.Cutoff = 3
		if Suits(&b) {
			t.Errorf("%s suits within a cutoff", c.name)
		}
	}
}

// A search that is cancelled at any point returns an error, and the next one is right.
func TestDistancesCutShort(t *testing.T) {
	plan := distancePlan(t, testgraphs.Grid(40, 40), 0)
	b, batch := &plan.Blocks[0], plan.Batches[0]
	want := testblocks.Found(b, batch)
	s := NewDistances(false)
	for left := 0; ; left += 1 + left/3 {
		_, err := s.Run(testending.After(t.Context(), left), b, batch)
		got, after := s.Run(t.Context(), b, batch)
		if after != nil || !slices.Equal(got.Found, want) {
			t.Fatalf("after a search that ended at look %d: other distances; error %v", left, after)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || left > math.MaxInt/2 {
			t.Fatalf("look %d: error %v", left, err)
		}
	}
}
