package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/meshes"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// Flows equal the textbook's, by lanes and by lengths, for all starts
// and cutoffs, and both sides of their check agree.
func TestFlowsMatchReference(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 3))
	for round := range 400 / testgraphs.OneIn {
		for _, lanes := range []int{1, 7, 16, 32, 64} {
			n := 1 + r.IntN(90)
			b := testblocks.Random(r, n, r.IntN(3*n), lanes)
			if r.IntN(2) == 0 {
				b = testblocks.RandomDirected(r, n, r.IntN(5*n), lanes)
			}
			if r.IntN(2) == 0 {
				testblocks.TwoMasses(r, b)
			}
			if b.In == nil && r.IntN(2) == 0 {
				testblocks.Lengths(r, b, []int64{1, 3, 1 << 33}[r.IntN(3)])
			} else {
				b.Farness = make([]uint16, n)
				for v := range b.Farness {
					b.Farness[v] = uint16(r.IntN(9))
				}
				if r.IntN(2) == 0 {
					testblocks.Multiply(r, b)
				}
			}
			b.Cutoff = max(0, r.IntN(12)-6)
			plan := testblocks.Plan(testblocks.Flows(b))
			for _, precision := range engine.Precisions() {
				for _, got := range results(t, plan, Options{Precision: precision}, plan.Batches) {
					want := engine.Result{
						Scores: make([]float64, n), Got: make([]float64, got.Batch.Count), Want: make([]float64, got.Batch.Count), Flows: make([]float64, b.Edges()),
					}
					if err := textbook.Result(t.Context(), b, b.Sources[got.Batch.First:][:got.Batch.Count], &want); err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("round %d lanes %d precision %s batch %+v", round, lanes, precision, got.Batch)
					testblocks.WantClose(t, name+" scores", got.Scores, want.Scores, tolerance[precision])
					testblocks.WantClose(t, name+" flows", got.Flows, want.Flows, tolerance[precision])
					sides := []float64{got.FlowGot, got.FlowWant, want.FlowGot}
					testblocks.WantClose(t, name+" check", sides, []float64{want.FlowWant, want.FlowWant, want.FlowWant}, tolerance[precision])
				}
			}
		}
	}
}

// Searches of meshes give the textbook's flows, too, with all kernels, and for
// whole edges of a mesh.
func TestMeshFlowsMatchReference(t *testing.T) {
	for _, set := range lanes.Sets() {
		r := rand.New(rand.NewPCG(16, 3))
		s := &flowSums{Search: meshes.New(set.Name), sums: set.SumFlows}
		for round := range 200 / testgraphs.OneIn {
			b := testblocks.Flows(randomMesh(r))
			if r.IntN(2) == 0 {
				testblocks.Multiply(r, b)
			}
			b.Multiplicity = nil
			for first := 0; first < min(b.Vertices(), 2*b.Lanes); first += b.Lanes {
				batch := engine.Batch{First: first, Count: min(b.Lanes, b.Vertices()-first)}
				got, err := s.Run(t.Context(), b, batch)
				if err != nil {
					t.Fatal(err)
				}
				n := b.Vertices()
				want := engine.Result{Scores: make([]float64, n), Got: make([]float64, batch.Count), Want: make([]float64, batch.Count), Flows: make([]float64, b.Edges())}
				if err := textbook.Result(t.Context(), b, b.Sources[first:][:batch.Count], &want); err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%s, round %d, batch %+v", set.Name, round, batch)
				testblocks.WantClose(t, name+" scores", got.Scores, want.Scores, 1e-12)
				testblocks.WantClose(t, name+" flows", got.Flows, want.Flows, 1e-12)
				testblocks.WantClose(t, name+" check", []float64{got.FlowGot, got.FlowWant}, []float64{want.FlowGot, want.FlowWant}, 1e-12)
				some := []uint32{}
				for e, x := range got.Flows {
					if x != 0 {
						some = append(some, uint32(e))
					}
				}
				if !slices.Equal(got.FlowsAt, some) {
					t.Fatalf("%s: flows said to be at %v, are at %v", name, got.FlowsAt, some)
				}
			}
		}
	}
}
