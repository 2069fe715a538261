package pipeline

import (
	"testing"

	"bcstage/preprocess"
)

// Where memory is for few lanes, a sample has few, but of bits, which cost the same however few they are.
func TestSomeLanes(t *testing.T) {
	plan := &preprocess.Plan{Blocks: []preprocess.Block{{}, {Distances: true}, {Chains: &preprocess.Chains{}}}}
	for block, want := range []int{8, 512, 512} {
		if got := someLanes(plan, preprocess.Batch{Block: block, Count: 512}, 8); got.Count != want {
			t.Errorf("block %d: %d sources, want %d", block, got.Count, want)
		}
	}
}
