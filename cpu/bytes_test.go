package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// allocated returns the bytes that a new worker allocates for all batches of a plan.
func allocated(t testing.TB, plan *preprocess.Plan, precision engine.Precision) int64 {
	t.Helper()
	w, err := New(plan, Options{Precision: precision})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	left := plan.Batches
	take := func(_ context.Context, most int) []engine.Batch {
		taken := left[:min(most, len(left))]
		left = left[len(taken):]
		return taken
	}
	aside, _ := pages.Aside()
	runtime.ReadMemStats(&before)
	err = w.Run(t.Context(), take, func(engine.Result) error { return nil })
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	beyond, _ := pages.Aside()
	return int64(after.TotalAlloc-before.TotalAlloc) - (beyond - aside)
}

// exact says whether a count of allocated bytes is exact. From the size of large pages on, some bytes
// are allocated and not used; only the build tag invariants counts them.
func exact(bytes int64) bool {
	_, counted := pages.Aside()
	return counted || bytes < 2<<20
}

// Bytes equals the allocations of a worker from its first batch to its last. So
// the estimate is right, and no batch allocates anew.
func TestBytes(t *testing.T) {
	for name, plan := range bytesPlans(t) {
		for _, precision := range engine.Precisions() {
			got, want := allocated(t, plan, precision), Bytes(plan, Options{Precision: precision}, 0)
			t.Logf("%s, precision %s: %d bytes allocated, %d estimated", name, precision, got, want)
			// More is allocated for the layout of chains, and for pages. Less is allocated where
			// batches have fewer entries than estimated.
			if exact(got) && float64(got) > 1.1*float64(want)+128<<10 || float64(want) > 1.1*float64(got) {
				t.Errorf("%s, precision %s: %d bytes allocated, %d estimated", name, precision, got, want)
			}
		}
	}
}

func bytesPlans(t testing.TB) map[string]*preprocess.Plan {
	mesh := testblocks.Grid(40, 50, 64)
	r := rand.New(rand.NewPCG(8, 8))
	random := testblocks.Random(r, 2000, 8000, 64)
	plans := make(map[string]*preprocess.Plan)
	for name, b := range map[string]*preprocess.Block{"mesh": mesh, "random": random} {
		var edges []testgraphs.Edge
		for v := range uint32(b.Vertices()) {
			for _, u := range b.Neighbours(v) {
				edges = append(edges, testgraphs.Edge{v, u})
			}
		}
		for _, lanes := range []int{0, 16} {
			plans[fmt.Sprintf("%s, %d lanes", name, lanes)] = testblocks.Reduced(t, edges, preprocess.Options{Lanes: lanes})
		}
	}
	far := testblocks.Reduced(t, testgraphs.Grid(160, 160), preprocess.Options{})
	if walkOf(&far.Blocks[0]) != "meshes" {
		t.Fatal("the large mesh is none")
	}
	picked, err := far.Draw(t.Context(), 0, draws.Drawing{Seed: 1, Linear: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if picked.Batches = picked.Batches[len(picked.Batches)-2:]; walkOf(&picked.Blocks[0]) != "mesh-draws" {
		t.Fatal("the large mesh that is drawn from is none")
	}
	plans["large mesh, drawn"] = picked
	far.Batches = far.Batches[:2] // all would take long
	plans["large mesh"] = far
	plans["chains"] = testblocks.Reduced(t, testgraphs.CutGrid(r, 6000, 5), preprocess.Options{})
	if !slices.ContainsFunc(plans["chains"].Blocks, func(b preprocess.Block) bool { return b.Chains != nil }) {
		t.Fatal("no block has chains")
	}
	for name, most := range map[string]int64{"short lengths": 100, "long lengths": 1 << 40} {
		b := testblocks.Of(2000, testgraphs.Random(rand.New(rand.NewPCG(8, uint64(most))), 2000, 2000, 8000), 16) // maps have no order
		b.Lengths = make([]int64, len(b.Targets))
		for v := range uint32(b.Vertices()) {
			for i, u := range b.Neighbours(v) {
				b.Lengths[b.Offsets[v]+int64(i)] = 1 + int64(u*v)*12345%most
			}
		}
		plans[name] = testblocks.Plan(b)
	}
	asked := preprocess.Options{Question: question.Question{Edges: true}}
	plans["edges"] = testblocks.Reduced(t, testgraphs.Random(r, 4000, 4000, 16000), asked)
	if plans["edges"].Blocks[0].Flows == nil {
		t.Fatal("nothing goes over edges")
	}
	wide := testblocks.Directed(17_000, testgraphs.Random(r, 17_000, 17_000, 140_000), 64)
	wide.Sources, wide.Entries = wide.Sources[:128], 8*17_000
	if walkOf(wide) != "lines" {
		t.Fatal("the directed block is not searched line by line")
	}
	plans["directed"] = testblocks.Plan(wide)
	grid := testgraphs.Grid(120, 120)
	for i, e := range testgraphs.Reversed(grid) {
		if i%5 > 0 {
			grid = append(grid, e)
		}
	}
	ways := testblocks.Reduced(t, grid, preprocess.Options{Question: question.Question{Directed: true}})
	if walkOf(&ways.Blocks[0]) != "meshes" {
		t.Fatal("the directed mesh is none")
	}
	ways.Batches = ways.Batches[:2]
	plans["directed mesh"] = ways
	drawn := testblocks.Reduced(t, testgraphs.Random(r, 4000, 4000, 16000), preprocess.Options{Lanes: 8})
	drawn, err = drawn.Draw(t.Context(), 0, draws.Drawing{Seed: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	plans["drawn"] = drawn
	streets := testblocks.Reduced(t, testgraphs.CutGrid(r, 6000, 5), preprocess.Options{})
	for i := range streets.Blocks {
		streets.Blocks[i].Lengths = slices.Repeat([]int64{3}, len(streets.Blocks[i].Targets))
	}
	plans["streets"] = streets
	return plans
}

// Fewer lanes need less memory: errors of runs short of memory advise it.
func TestBytesOfFewerLanes(t *testing.T) {
	for name, plan := range bytesPlans(t) {
		before := int64(0)
		for lanes := 1; lanes <= 512; lanes *= 2 {
			bytes := Bytes(plan, Options{}, lanes)
			if bytes < before {
				t.Errorf("%s: %d bytes with %d lanes, %d with half of them", name, bytes, lanes, before)
			}
			before = bytes
		}
		if name == "large mesh" && Bytes(plan, Options{}, 32) > before*3/4 {
			t.Errorf("%s: half the lanes need more than three quarters of %d bytes", name, before)
		}
		if fewer := madeFor(plan, 16); fewer != nil {
			got, want := allocated(t, fewer, engine.Float64), Bytes(plan, Options{}, 16)
			if exact(got) && float64(got) > 1.1*float64(want)+128<<10 {
				t.Errorf("%s: %d bytes allocated with 16 lanes, %d estimated", name, got, want)
			}
		}
		if all := Bytes(plan, Options{}, 0); all > before {
			t.Errorf("%s: %d bytes, %d if it had 512 lanes", name, all, before)
		}
	}
}

// madeFor returns a plan with some of the batches and at most so many lanes, or nil if a block has chains or lengths.
func madeFor(plan *preprocess.Plan, lanes int) *preprocess.Plan {
	fewer := *plan
	fewer.Blocks, fewer.Batches = slices.Clone(plan.Blocks), slices.Clone(plan.Batches[:min(len(plan.Batches), 2)])
	for i := range fewer.Blocks {
		b := &fewer.Blocks[i]
		if b.Chains != nil || b.Lengths != nil {
			return nil
		}
		b.Lanes = min(b.Lanes, lanes)
	}
	for i := range fewer.Batches {
		fewer.Batches[i].Count = min(fewer.Batches[i].Count, lanes)
	}
	return &fewer
}
