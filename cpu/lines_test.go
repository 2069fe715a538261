package cpu

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// A worker searches wide blocks by the walk lines, and all instruction sets give the same bits.
func TestWorkerGoesByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 9))
	b := testblocks.Directed(17_000, testgraphs.Random(r, 17_000, 17_000, 140_000), 64)
	b.Sources = b.Sources[:100]
	plan := testblocks.Plan(b)
	want := results(t, plan, Options{Set: "go"}, plan.Batches)
	for _, set := range lanes.Sets() {
		if got := results(t, plan, Options{Set: set.Name}, plan.Batches); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives other bits than go", set.Name)
		}
	}
	line, whole := lanes.NewLines(lanes.Portable()), lanes.NewRows(lanes.Portable(), false)
	for i, batch := range plan.Batches {
		got, err := line.Run(t.Context(), b, batch)
		if err != nil || !slices.Equal(got.Scores, want[i].Scores) {
			t.Errorf("batch %d: the worker's scores are not those of the walk lines (%v)", i, err)
		}
		other, err := whole.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		testblocks.WantClose(t, "scores", got.Scores, other.Scores, 1e-12)
	}
}

// A worker searches wide undirected blocks line by line, with the same bits of scores.
func TestUndirectedWorkerGoesByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 10))
	b := testblocks.Of(33_000, testgraphs.Random(r, 33_000, 33_000, 30_000), 64)
	b.Sources = b.Sources[:100]
	if pays, _ := paysByLines(b, core{set: lanes.Portable()}); !pays || suitsLines(b, core{}) != "" {
		t.Fatal("not by lines")
	}
	plan := testblocks.Plan(b)
	whole := lanes.NewRows(lanes.Portable(), false)
	for _, set := range lanes.Sets() {
		got := results(t, plan, Options{Set: set.Name}, plan.Batches)
		for i, batch := range plan.Batches {
			want, err := whole.Run(t.Context(), b, batch)
			if err != nil || !slices.Equal(got[i].Scores, want.Scores) {
				t.Errorf("%s, batch %d: scores have other bits (%v)", set.Name, i, err)
			}
		}
	}
}

// Wide blocks use the walk entries if the kernel set prefers it and the bits of scores do not depend on the choice.
func TestWideByEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 11))
	wide, other := lanes.Set{WideEntries: true}, lanes.Set{}
	for name, c := range map[string]struct {
		byEntries bool
		change    func(*preprocess.Block)
	}{
		"as it is":                 {true, func(b *preprocess.Block) {}},
		"sources are drawn":        {false, func(b *preprocess.Block) { b.Draws = make([]float64, b.Vertices()) }},
		"directed":                 {false, func(b *preprocess.Block) { b.In = b.Reverse() }},
		"nobody knows the entries": {false, func(b *preprocess.Block) { b.Entries = 0 }},
	} {
		b := testblocks.Random(r, 33_000, 140_000, lanes.MaxLanes)
		b.Entries = 4 * b.Vertices()
		clear(b.To)
		c.change(b)
		byWide, _ := paysByLines(b, core{set: wide})
		byOther, _ := paysByLines(b, core{set: other})
		if byWide == c.byEntries || !byOther {
			t.Errorf("%s: by lines %v and %v", name, byWide, byOther)
		}
	}
}
