package cpu

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// BenchmarkWorker computes a whole graph with one worker. Of graphs that
// take long, it computes batches spread over the plan, and scales the time up. GTEPS is
// n*m/time of the graph before reductions, in 1e9, so that reductions count. The metrics entries/v
// and rows/e are frontier entries per vertex and batch, and row loads per edge
// and batch. The graph luxembourg is searched by chains.
func BenchmarkWorker(b *testing.B) {
	for _, name := range []string{
		"facebook_combined.txt.gz", "wiki-Vote.txt.gz", "ca-GrQc.txt.gz", "power.graph.gz", "rome99.gr.gz",
		"ca-CondMat.txt.gz", "musae_facebook_edges.csv.gz", "p2p-Gnutella31.txt.gz",
		"soc-Epinions1.txt.gz", "delaunay_n16.graph.gz", "t60k.graph.gz", "luxembourg.osm.graph.gz",
	} {
		b.Run(name[:strings.Index(name, ".")], func(b *testing.B) { benchmark(b, testblocks.Published(b, name, preprocess.Options{})) })
	}
	b.Run("luxembourg-by-lanes", func(b *testing.B) {
		benchmark(b, testblocks.Published(b, "luxembourg.osm.graph.gz", preprocess.Options{Off: []string{"chains"}}))
	})
	b.Run("rmat14", func(b *testing.B) { benchmark(b, rmat(b, 14, 16)) })
}

func benchmark(b *testing.B, plan *preprocess.Plan) {
	work := func(batch engine.Batch) float64 {
		return float64(len(plan.Blocks[batch.Block].Targets) * batch.Count)
	}
	const enough = 4e9 // edge visits
	total, part := 0.0, 0.0
	for _, batch := range plan.Batches {
		total += work(batch)
	}
	step := int(total/enough) + 1
	var some []engine.Batch
	for i := step / 2; i < len(plan.Batches); i += step {
		some = append(some, plan.Batches[i])
		part += work(plan.Batches[i])
	}
	for _, precision := range engine.Precisions() {
		b.Run(string(precision), func(b *testing.B) {
			w, err := New(plan, Options{Precision: precision})
			if err != nil {
				b.Fatal(err)
			}
			var entries, rows, vertices, edges float64
			for b.Loop() {
				left := some
				take := func(_ context.Context, most int) []engine.Batch {
					taken := left[:min(most, len(left))]
					left = left[len(taken):]
					return taken
				}
				err := w.Run(b.Context(), take, func(r engine.Result) error {
					block := &plan.Blocks[r.Batch.Block]
					entries += float64(r.Work.FrontierEntries)
					rows += float64(r.Work.RowLoads)
					vertices += float64(block.Vertices())
					edges += float64(block.Edges())
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			seconds := b.Elapsed().Seconds() / float64(b.N) * total / part
			b.ReportMetric(seconds, "s/graph")
			b.ReportMetric(float64(plan.Vertices)*float64(plan.Edges)/seconds/1e9, "GTEPS")
			b.ReportMetric(entries/vertices, "entries/v")
			b.ReportMetric(rows/edges, "rows/e")
		})
	}
}

// rmat makes a graph of 2^scale vertices and up to degree/2 times as many edges
// (D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT", SDM 2004; parameters of Graph500).
func rmat(b *testing.B, scale, degree int) *preprocess.Plan {
	r := rand.New(rand.NewPCG(1, uint64(scale)))
	var edges []testgraphs.Edge
	for range degree << scale {
		var u, v uint32
		for range scale {
			x := r.Float64()
			u, v = u<<1, v<<1
			switch {
			case x < 0.57:
			case x < 0.76:
				v++
			case x < 0.95:
				u++
			default:
				u, v = u+1, v+1
			}
		}
		edges = append(edges, testgraphs.Edge{u, v})
	}
	return testblocks.Reduced(b, edges, preprocess.Options{})
}
