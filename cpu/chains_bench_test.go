package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// BenchmarkChains computes graphs by chains and by lanes: a square grid and a
// random cubic graph, with edges cut into chains to give about
// 6000 vertices. gain is n*m / chains^2, by which preprocess chooses.
func BenchmarkChains(b *testing.B) {
	for shape, cut := range map[string]func(r *rand.Rand, n, inside float64) []testgraphs.Edge{
		"grid": testgraphs.CutGrid, "random": testgraphs.CutCubic,
	} {
		for _, inside := range []float64{1.5, 2, 3, 5} { // mean number of vertices in a chain
			lanes := testblocks.Reduced(b, cut(rand.New(rand.NewPCG(1, 1)), 6000, inside), preprocess.Options{Off: []string{"chains"}})
			block := lanes.Blocks[0]
			var err error
			if block.Chains, err = csr.FindChains(b.Context(), &block.Graph); err != nil {
				b.Fatal(err)
			}
			block.Sources, block.Lanes = block.Chains.Sources(), 512
			gain := float64(block.Vertices()) * float64(block.Edges()) /
				math.Pow(float64(len(block.Chains.Ends)), 2)
			for _, by := range []string{"chains", "lanes"} {
				plan := map[string]*preprocess.Plan{"chains": testblocks.Plan(&block), "lanes": lanes}[by]
				b.Run(fmt.Sprintf("%s/inside=%v/%s", shape, inside, by), func(b *testing.B) {
					for b.Loop() {
						results(b, plan, Options{}, plan.Batches)
					}
					b.ReportMetric(gain, "gain")
				})
			}
		}
	}
}
