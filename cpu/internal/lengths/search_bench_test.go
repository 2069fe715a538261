package lengths_test

import (
	"strings"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/engine"
	"bcstage/internal/splitmix"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// hashed returns a length from 1 to 100, equal for both arcs of an edge.
func hashed(u, v uint32) int64 {
	mix := func(x uint64) uint64 { return splitmix.Mix(x + splitmix.Golden) }
	return 1 + int64(mix(mix(1)^mix(uint64(min(u, v))<<32|uint64(max(u, v))))%100)
}

// BenchmarkSearch computes some batches of the largest block of a graph with hashed
// lengths, without pruning, and reports the time per source.
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"delaunay_n16.graph.gz", "t60k.graph.gz", "rome99.gr.gz", "luxembourg.osm.graph.gz", "ca-CondMat.txt.gz"} {
		b.Run(name[:strings.Index(name, ".")], func(b *testing.B) {
			plan := testblocks.Published(b, name, preprocess.Options{Off: []string{"chains", "twins", "cliques"}})
			block := &plan.Blocks[0]
			for v := range uint32(block.Vertices()) {
				for _, u := range block.Neighbours(v) {
					block.Lengths = append(block.Lengths, hashed(u, v))
				}
			}
			s := lengths.New(false)
			batches, sources, work, n := plan.Batches[:(block.Vertices()+63)/64], 0, engine.Work{}, 0
			for b.Loop() {
				for i := range 4 {
					batch := batches[(2*i+1)*len(batches)/8]
					result, err := s.Run(b.Context(), block, batch)
					if err != nil {
						b.Fatal(err)
					}
					sources += batch.Count
					work.FrontierEntries += result.Work.FrontierEntries
					n += block.Vertices()
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(sources), "ms/source")
			b.ReportMetric(float64(work.FrontierEntries)/float64(n), "visits/v")
		})
	}
}
