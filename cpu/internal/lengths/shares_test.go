package lengths

import (
	"math"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Where origins are spread, a wrong share of the kernel fails the self-check: the other side is a sum of shares in Go.
func TestWrongShareFails(t *testing.T) {
	var g csr.Graph
	g.Offsets, g.Targets = testgraphs.Rows(64, testgraphs.Grid(8, 8))
	for v := range uint32(64) {
		for _, u := range g.Neighbours(v) {
			g.Lengths = append(g.Lengths, 1+int64(v+u)%7)
		}
	}
	asked := question.Question{Lengths: question.Lengths{Column: "metres"}, Decay: question.Decay{Share: "power:2"}}
	asked.Gravity.Constrained = question.ConstrainedOrigins
	plan, err := preprocess.Reduce(t.Context(), &g, preprocess.Options{Question: asked})
	if err != nil {
		t.Fatal(err)
	}
	block := slices.IndexFunc(plan.Blocks, func(b preprocess.Block) bool { return inKernels(&b) && len(b.Sources) > 1 })
	if block < 0 {
		t.Fatal("no block has shares in kernels")
	}
	b := &plan.Blocks[block]
	for _, set := range kernelSets() {
		for _, wrong := range []bool{false, true} {
			s := New(false)
			s.kernels = set
			if wrong {
				s.kernels.depend = func(f *frame, r int) uint16 {
					shares := f.shares
					defer func() { f.shares = shares }()
					f.shares = slices.Clone(shares)
					for i := range f.shares {
						f.shares[i] *= 1 + 1e-6
					}
					return set.depend(f, r)
				}
			}
			result, err := s.Run(t.Context(), b, engine.Batch{Block: block, Count: min(len(b.Sources), 20)})
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range result.Got {
				if differs := math.Abs(got-result.Want[i]) > 1e-9*got; differs != wrong {
					t.Errorf("kernels %s, source %d: shares are wrong %v: %v, want %v", set.name, i, wrong, got, result.Want[i])
				}
			}
		}
	}
}
