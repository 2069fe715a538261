package cpu

import (
	"math/rand/v2"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Positions of arcs around 2^32 give the scores of small ones, with every walk and instruction set.
func TestFarArcs(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 2))
	for name, b := range map[string]*preprocess.Block{"random": testblocks.Random(r, 300, 900, 64), "grid": testblocks.Grid(15, 20, 64)} {
		far := *b
		far.Offsets, far.Targets = testgraphs.Far(t, b.Offsets, b.Targets)
		near, plan := testblocks.Plan(b), testblocks.Plan(&far)
		taken := 0
		for _, walk := range Walks() {
			for _, set := range Sets() {
				opts := Options{Walk: walk, Set: set}
				if _, err := Choices(near, opts); err != nil {
					continue // it does not suit the block
				}
				taken++
				want, got := results(t, near, opts, near.Batches), results(t, plan, opts, plan.Batches)
				for i, w := range want {
					testblocks.WantClose(t, name+" by "+walk+" "+set, got[i].Scores, w.Scores, tolerance[engine.Float64])
				}
			}
		}
		if taken < 3 {
			t.Errorf("%s: %d walks and sets", name, taken)
		}
	}
}
