package chains_test

import (
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/chains"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// BenchmarkLuxembourg computes some batches of a road network with lengths from 1 to
// 100, and scales the time up.
func BenchmarkLuxembourg(b *testing.B) {
	plan := testblocks.Published(b, "luxembourg.osm.graph.gz", preprocess.Options{})
	block := &plan.Blocks[0]
	testblocks.Lengths(rand.New(rand.NewPCG(1, 1)), block, 100)
	var s chains.Search
	batches, roots := plan.Batches[:(block.Vertices()+block.Lanes-1)/block.Lanes], 0
	for b.Loop() {
		for i := range 8 {
			batch := batches[(2*i+1)*len(batches)/16]
			if _, err := s.Run(b.Context(), block, batch); err != nil {
				b.Fatal(err)
			}
			roots += batch.Roots
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(roots), "ms/root")
	b.ReportMetric(b.Elapsed().Seconds()/float64(8*b.N)*float64(len(batches)), "s/graph")
}
