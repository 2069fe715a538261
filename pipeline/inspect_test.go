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
		all, sampled := plan.Blocks[0].Lanes, withLanes(plan, 8).Blocks[0].Lanes
		if all < 64 || sampled != all && !c.fewer || sampled != 8 && c.fewer {
			t.Errorf("%s: %d lanes, in a sample %d", name, all, sampled)
		}
		if plan.Blocks[0].Lanes != all {
			t.Errorf("%s: the plan itself has %d lanes now", name, plan.Blocks[0].Lanes)
		}
	}
}
