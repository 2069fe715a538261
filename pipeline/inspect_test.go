package pipeline

import (
	"math/rand/v2"
	"testing"

	"bcstage/preprocess"
	"bcstage/preprocess/question"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// A sample has fewer sources at once where a block is searched by lanes, and as many as in a run elsewhere:
// a row of bits of 64 sources takes as long as one of 512.
func TestSampleWithFewerLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 4))
	random, streets := testgraphs.Random(r, 3000, 3000, 12_000), testgraphs.CutGrid(r, 6000, 5)
	for name, c := range map[string]struct {
		edges []testgraphs.Edge
		asked question.Question
		fewer bool
	}{
		"lanes":     {random, question.Question{}, true},
		"distances": {random, question.Question{Measures: []string{question.Harmonic}}, false},
		"chains":    {streets, question.Question{}, false},
	} {
		plan := testblocks.Reduced(t, c.edges, preprocess.Options{Question: c.asked, Threads: 1})
		fewer := withLanes(plan, 8)
		all, sampled := plan.Blocks[0].Lanes, fewer.Blocks[0].Lanes
		if all < 64 || sampled != all && !c.fewer || sampled != 8 && c.fewer {
			t.Errorf("%s: %d lanes, in a sample %d", name, all, sampled)
		}
		for _, batch := range plan.Batches {
			want := batch.Count
			if c.fewer {
				want = min(want, 8)
			}
			if got := withFewer(batch, plan, fewer).Count; got != want {
				t.Errorf("%s: a batch of %d sources has %d in a sample, want %d", name, batch.Count, got, want)
			}
			if got := withFewer(batch, plan, plan); got != batch {
				t.Errorf("%s: batch %+v is %+v where lanes are as many", name, batch, got)
			}
		}
		if plan.Blocks[0].Lanes != all {
			t.Errorf("%s: the plan itself has %d lanes now", name, plan.Blocks[0].Lanes)
		}
	}
}
