package preprocess

import (
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Positions of arcs around 2^32 give the plan of small ones: none is held in 32 bits.
func TestReduceFarArcs(t *testing.T) {
	for name, g := range map[string]*csr.Graph{"kron": kron(13, 8), "fans": fans(500), "grid": graphOf(900, testgraphs.Grid(30, 30))} {
		far := func(g *csr.Graph) *csr.Graph {
			out := &csr.Graph{}
			out.Offsets, out.Targets = testgraphs.Far(t, g.Offsets, g.Targets)
			return out
		}
		twoWay := far(g)
		directed := oneWay(g)
		oneWay := far(directed)
		oneWay.In = far(directed.In)
		for _, c := range []struct {
			near, far *csr.Graph
			q         question.Question
		}{
			{g, twoWay, question.Question{}},
			{g, twoWay, question.Question{Endpoints: true, Cutoff: "3"}},
			{directed, oneWay, question.Question{Directed: true}},
		} {
			want, err := Reduce(t.Context(), c.near, Options{Question: c.q, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Reduce(t.Context(), c.far, Options{Question: c.q, Threads: 2})
			if err != nil || got.Fingerprint != want.Fingerprint {
				t.Errorf("%s, %s: another plan, error %v", name, c.q, err)
			}
		}
	}
}
