package gpu

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// layered has 10^(count-2) shortest paths from end to end.
func layered(count uint32, lanes int) *preprocess.Block {
	return testblocks.Of(int(10*count), testgraphs.Layers(10, count), lanes)
}

// A block whose path counts exceed float32 is searched in float64, and the others
// of the same plan are not.
func TestPathCountsDecideThePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	plan := testblocks.Plan(weigh(r, layered(45, 32), true), weigh(r, layered(12, 32), true))
	for _, strategy := range methods.Strategies()[1:] {
		s := simulate(t, Options{Precision: engine.Float32, Strategy: strategy, MinBlock: 1})
		choices := engineOf(t, s, plan).Choices()
		if choices[0].Precision != engine.Float64 || !strings.Contains(choices[0].Reason, "too many for float32") {
			t.Errorf("deep block: %+v", choices[0])
		}
		if choices[1].Precision != engine.Float32 || strings.Contains(choices[1].Reason, "too many") {
			t.Errorf("shallow block: %+v", choices[1])
		}
		compare(t, string(strategy), runAll(t, s, plan), reference(t, plan), tolerance(engine.Float32))
	}
}
