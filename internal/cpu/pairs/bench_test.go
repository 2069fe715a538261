package pairs

import (
	"context"
	"strings"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// BenchmarkDraw draws pairs of the largest block on one core. arcs/pair is the
// number of arcs looked at before the sides meet.
func BenchmarkDraw(b *testing.B) {
	for _, name := range []string{
		"wiki-Vote.txt.gz", "soc-Epinions1.txt.gz", "deezer_HU_edges.csv.gz", "rome99.gr.gz", "power.graph.gz", "delaunay_n16.graph.gz", "luxembourg.osm.graph.gz",
	} {
		b.Run(name[:strings.Index(name, ".")], func(b *testing.B) {
			plan := testblocks.Published(b, name, preprocess.Options{})
			s := New(&plan.Blocks[0], 2)
			var counts Counts
			stage := uint64(0)
			for b.Loop() {
				c, err := s.Draw(context.Background(), Draws{Seed: 1, Stage: stage, Count: 2000, Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				counts.Add(c)
				stage++
			}
			draws := float64(counts.Draws)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/draws, "us/pair")
			b.ReportMetric(float64(counts.Arcs)/draws, "arcs/pair")
			b.ReportMetric(float64(counts.Length)/draws, "inner/pair")
		})
	}
}
