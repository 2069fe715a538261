package lengths

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// distances returns the distances from a source by a hierarchy: up until no distance changes, then down once.
func (h *hierarchy) distances(source uint32) []int64 {
	found := make([]int64, len(h.up.offsets)-1)
	for v := range found {
		found[v] = unreached
	}
	found[source] = 0
	relax := func(a *arcs, v uint32) (changed bool) {
		for e := a.offsets[v]; e < a.offsets[v+1] && found[v] != unreached; e++ {
			if d := found[v] + a.lengths[e]; d < found[a.targets[e]] {
				found[a.targets[e]], changed = d, true
			}
		}
		return changed
	}
	for again := true; again; {
		again = false
		for v := range uint32(len(found)) {
			again = relax(&h.up, v) || again
		}
	}
	for _, v := range h.order {
		relax(&h.down, v)
	}
	return found
}

// drawn draws the lengths of arcs, the same both ways in undirected blocks.
func drawn(r *rand.Rand, b *preprocess.Block, longest int64) {
	if b.Directed() {
		testblocks.ArcLengths(b, func() int64 { return 1 + r.Int64N(longest) })
		return
	}
	testblocks.Lengths(r, b, longest)
}

// Distances by a hierarchy equal those of the graph, for all limits of shortcuts.
func TestHierarchy(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 8))
	longer, out := 0, 0
	for number := range 60 {
		n := 2 + r.IntN(60)
		b := testblocks.Random(r, n, r.IntN(2*n), 8)
		if number%2 == 1 {
			b = testblocks.RandomDirected(r, n, r.IntN(4*n), 8)
		}
		longest := 1 + r.Int64N(30)
		drawn(r, b, longest)
		limit := int64(farNarrow)
		if number%3 == 0 {
			limit = longest + 1
		}
		h, err := contract(t.Context(), &b.Graph, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, length := range h.up.lengths {
			if length >= limit {
				t.Fatalf("graph %d: a shortcut of %d, the limit being %d", number, length, limit)
			}
			if length > longest {
				longer++
			}
		}
		out += len(h.down.targets)
		var textbook settler
		for source := range uint32(b.Vertices()) {
			if err := textbook.search(t.Context(), &b.Graph, source, unreached-1); err != nil {
				t.Fatal(err)
			}
			got, want := fmt.Sprint(h.distances(source)), fmt.Sprint(textbook.distance)
			if got != want {
				t.Fatalf("graph %d, source %d: %s, want %s", number, source, got, want)
			}
		}
	}
	if longer == 0 || out == 0 {
		t.Errorf("%d shortcuts longer than any arc, %d arcs down: nothing was tested", longer, out)
	}
}

// A hierarchy changes no bit of a search's results.
func TestHierarchyOfSearches(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 9))
	for number := range 8 {
		b := testblocks.Random(r, contractFrom+50, 500, 64)
		if number%2 == 1 {
			b = testblocks.RandomDirected(r, contractFrom+50, 2000, 64)
		}
		drawn(r, b, 50)
		if b.Distances = number/2%2 == 1; b.Distances {
			b.Multiplicity = nil
		}
		if number >= 4 {
			b.Cutoff = 60
		}
		if !contracts(b) {
			t.Fatalf("%d sources are too few", len(b.Sources))
		}
		with, without := New(false), New(false)
		for _, batch := range testblocks.Plan(b).Batches[:3] {
			got, want := runBoth(t, with, b, batch), ""
			without.block = nil
			sources := b.Sources
			b.Sources = sources[:contractFrom-1] // the first batches stay whole
			want = runBoth(t, without, b, batch)
			b.Sources = sources
			if got != want {
				t.Fatalf("block %d, batch %d: %s, want %s", number, batch.Index, got, want)
			}
		}
		if len(with.hierarchy.order) == 0 || len(without.hierarchy.order) > 0 {
			t.Errorf("block %d: %d vertices have arcs down, and %d without a hierarchy", number, len(with.hierarchy.order), len(without.hierarchy.order))
		}
	}
}

// runBoth prints the result of a batch, of paths or distances.
func runBoth(t *testing.T, s *Search, b *preprocess.Block, batch engine.Batch) string {
	run := s.Run
	if b.Distances {
		run = s.RunDistances
	}
	result, err := run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	result.Work = engine.Work{}
	return fmt.Sprintf("%x %+v %x %x", result.Scores, result.Found, result.Got, result.Want)
}
