package preprocess

import (
	"context"
	"testing"

	"bcstage/internal/measures"
)

// BenchmarkReduce reports the undirected edges reduced per second, and the
// bytes that the plan holds per directed edge of the graph.
func BenchmarkReduce(b *testing.B) {
	for _, name := range []string{
		"facebook_combined.txt.gz", "delaunay_n16.graph.gz", "luxembourg.osm.graph.gz",
		"web-NotreDame.txt.gz", "kron20",
	} {
		b.Run(name, func(b *testing.B) {
			g := benchmarkGraph(b, name)
			b.ReportAllocs()
			var p *Plan
			for b.Loop() {
				var err error
				if p, err = Reduce(context.Background(), g, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(g.Edges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
			b.ReportMetric(float64(p.bytes())/float64(2*g.Edges()), "plan-B/edge")
		})
	}
}

// bytes returns the bytes that the plan's arrays hold.
func (p *Plan) bytes() int {
	sum := 8*len(p.ClosedForm(measures.Betweenness).Low) + 32*len(p.Batches)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		sum += 8*len(b.Offsets) + 4*len(b.Targets) + 8*len(b.From) + 8*len(b.Multiplicity)
		sum += 4*len(b.Sources) + 4*len(b.vertices)
	}
	return sum
}
