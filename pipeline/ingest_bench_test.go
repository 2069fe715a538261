package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
)

// BenchmarkIngest reads, interns, symmetrises and lays out the edge tables that
// BCSTAGE_EDGES names (files separated by commas; docs/benchmarks/run makes
// them), as far as the CSR. peak-B/edge is what the process's largest resident
// size grew by; it is the first iteration's that counts, so run with
// -benchtime 1x and one file per process.
func BenchmarkIngest(b *testing.B) {
	files := os.Getenv("BCSTAGE_EDGES")
	if files == "" {
		b.Skip("BCSTAGE_EDGES names no edge tables")
	}
	for path := range strings.SplitSeq(files, ",") {
		b.Run(filepath.Base(path), func(b *testing.B) {
			opts, err := Options{
				Input:  arrowio.Options{Paths: []string{path}},
				Engine: EngineCPU,
				Sink:   func(context.Context, arrowio.Table) error { return nil },
			}.check()
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			before := peakMemory()
			var read int64
			for b.Loop() {
				r := newRun(opts)
				edges := make(chan arrowio.Batch, batchesInFlight)
				inputs := make(chan input, 1)
				group, ctx := errgroup.WithContext(context.Background())
				group.Go(func() error { return r.read(ctx, edges) })
				group.Go(func() error { return r.build(ctx, edges, inputs) })
				if err := group.Wait(); err != nil {
					b.Fatal(err)
				}
				read = (<-inputs).EdgesRead
			}
			b.ReportMetric(float64(peakMemory()-before)/float64(read), "peak-B/edge")
			b.ReportMetric(float64(read)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
		})
	}
}
