package pipeline

import (
	"context"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// A sample searches fewer sources at once in blocks that are searched by lanes, and as many as a run in other
// blocks: a row of bits of 64 sources takes as long as one of 512.
func TestSampleWithFewerLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 4))
	random, streets := testgraphs.Random(r, 3000, 3000, 12_000), testgraphs.CutGrid(r, 6000, 5)
	for name, c := range map[string]struct {
		edges []testgraphs.Edge
		asked question.Question
		fewer bool
	}{
		"lanes":     {random, question.Question{}, true},
		"distances": {random, question.Question{Measures: []string{measures.Harmonic}}, false},
		"chains":    {streets, question.Question{}, false},
	} {
		plan := testblocks.Reduced(t, c.edges, preprocess.Options{Question: c.asked, Threads: 1})
		all, sampled := plan.Blocks[0].Lanes, withLanes(plan, 8).Blocks[0].Lanes
		if all < 64 || sampled != all && !c.fewer || sampled != 8 && c.fewer {
			t.Errorf("%s: %d lanes, in a sample %d", name, all, sampled)
		}
		if plan.Blocks[0].Lanes != all {
			t.Errorf("%s: the plan itself has %d lanes now", name, plan.Blocks[0].Lanes)
		}
	}
}

// Batches that take a core long are not tried, so that inspecting a large graph takes seconds. Other batches
// of the plan are.
func TestLongBatchesAreNotTried(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	// Only the size of the graph is read: a search would panic.
	large := preprocess.Block{Graph: csr.Graph{Offsets: make([]int64, 1001), Targets: make([]uint32, mostTried/2)}, Lanes: 64}
	plan := &preprocess.Plan{Blocks: []preprocess.Block{large}, Batches: []engine.Batch{{Count: 64}, {Index: 1, First: 64, Count: 64}}}
	opts := Options{Compute: Compute{Threads: 4}}
	want := 2 * plan.Cost(plan.Batches[0]) / farSpeed / 4
	if got, err := estimate(ended, opts, plan, 64, usualTrial); err != nil || got != want {
		t.Errorf("%v seconds, want %v; %v", got, want, err)
	}

	small := testblocks.Reduced(t, testgraphs.Random(rand.New(rand.NewPCG(19, 4)), 300, 300, 1200), preprocess.Options{Threads: 1})
	if _, err := estimate(ended, opts, small, 64, usualTrial); err == nil {
		t.Error("of a small graph no batch is tried")
	}
	both := *small
	both.Blocks = append(both.Blocks, large)
	for _, batch := range plan.Batches {
		batch.Index, batch.Block = len(both.Batches), len(both.Blocks)-1
		both.Batches = append(both.Batches, batch)
	}
	if got, err := estimate(t.Context(), opts, &both, 64, usualTrial); err != nil || got <= want {
		t.Errorf("%v seconds, but the large block takes %v of them; %v", got, want, err)
	}
	if tried, thought := isTried(plan, plan.Batches[0]), untried(plan, plan.Batches[0]); tried || thought != 2*want {
		t.Errorf("a batch that is tried: %v; %v seconds of a core", tried, thought)
	}
}
