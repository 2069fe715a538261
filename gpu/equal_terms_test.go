package gpu

import (
	"fmt"
	"slices"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// wheels has three hubs, each joined to every vertex of a cycle: the hubs' sums
// have as many terms as the cycle has vertices, nearly all of them equal. Sources
// are in order, the hubs last.
func wheels(rim uint32, lanes int) *preprocess.Block {
	b := testblocks.Of(int(rim)+3, testgraphs.Hubs(3, rim), lanes)
	slices.Sort(b.Sources)
	return b
}

// checkEqualTerms searches wheels from a few vertices of their cycles, by every
// strategy. A hub's score from such a source has a closed form. Each of the two
// vertices at distance 2 along the cycle adds a quarter, every other vertex that is
// not joined to the source a third. Added up one by one, the terms of 20 000
// vertices give a float32 that is off by 5e-5.
func checkEqualTerms(t *testing.T, s *session) {
	t.Helper()
	for _, rim := range []uint32{2000, 20_000} {
		const hubs, sources = 3, 8
		plan := testblocks.Plan(wheels(rim, sources))
		plan.Batches = plan.Batches[:1]
		want := reference(t, plan)
		for _, s.options.Strategy = range methods.Strategies()[1:] {
			what := fmt.Sprintf("%s, %s, cycle of %d", s.options.Strategy, s.options.Precision, rim)
			o := runAll(t, s, plan)
			compare(t, what, o, want, tolerance(s.options.Precision))
			exact := make([]float64, hubs)
			for h := range exact {
				exact[h] = sources * (2./4 + float64(rim-5)/3)
			}
			few := map[engine.Precision]float64{engine.Float64: 1e-12, engine.Float32: 4e-7}[s.options.Precision]
			wantClose(t, what+": hubs", o.scores[0][rim:], exact, few)
		}
	}
}

// A float32 sum of thousands of equal terms is as good as a sum of a few, whether
// one team takes all of them or several share.
func TestManyEqualTerms(t *testing.T) {
	for _, precision := range engine.Precisions() {
		for _, group := range []int{32, 256} {
			checkEqualTerms(t, simulate(t, Options{Precision: precision, WorkGroup: group, Streams: 1}))
		}
	}
}
