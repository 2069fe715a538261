package acyclic_test

import (
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// layers returns a block of layers, with four arcs from each vertex to the next layer.
func layers(b *testing.B, rows, columns int) (*preprocess.Block, []engine.Batch) {
	r := rand.New(rand.NewPCG(30, 9))
	var edges []testgraphs.Edge
	for u := range (rows - 1) * columns {
		for range 4 {
			edges = append(edges, testgraphs.Edge{uint32(u), uint32((u/columns+1)*columns + int(float64(columns)*r.Float64()*r.Float64()))})
		}
	}
	n := rows * columns
	var g csr.Graph
	g.Offsets, g.Targets = testgraphs.OutRows(n, edges)
	g.In = new(csr.Graph)
	g.In.Offsets, g.In.Targets = testgraphs.OutRows(n, testgraphs.Reversed(edges))
	p, err := preprocess.Reduce(b.Context(), &g, preprocess.Options{Question: question.Question{Directed: true}})
	if err != nil {
		b.Fatal(err)
	}
	return &p.Blocks[0], p.Batches
}

// BenchmarkRun searches shallow graphs, in which a source reaches few vertices, and deep ones.
func BenchmarkRun(b *testing.B) {
	for name, size := range map[string][2]int{"shallow": {8, 3000}, "deep": {30, 400}} {
		block, batches := layers(b, size[0], size[1])
		for _, set := range []string{"go", "avx2", "avx512"} {
			b.Run(name+"/"+set, func(b *testing.B) {
				s, entries := acyclic.New(set), int64(0)
				for i := 0; b.Loop(); i++ {
					r, err := s.Run(b.Context(), block, batches[i*17%len(batches)])
					if err != nil {
						b.Fatal(err)
					}
					entries += r.Work.FrontierEntries
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(entries), "ns/visit")
			})
		}
	}
}
