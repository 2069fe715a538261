package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline/internal/machine"
	"bcstage/preprocess"
)

// BenchmarkIngest reads, interns and symmetrises the edge tables that BCSTAGE_EDGES names (files
// separated by commas; make bench makes them). It reduces the graph and lays out its blocks for a
// device. Figure csr-Medges/s ends with the graph, Medges/s with stride-CSR. Figure peak-B/edge is
// the growth of the process's largest resident size until the graph. It counts the first iteration
// only, so run with -benchtime 1x and one file per process.
func BenchmarkIngest(b *testing.B) {
	files := os.Getenv("BCSTAGE_EDGES")
	if files == "" {
		b.Skip("BCSTAGE_EDGES names no edge tables")
	}
	for path := range strings.SplitSeq(files, ",") {
		b.Run(filepath.Base(path), func(b *testing.B) {
			opts, err := Options{
				Input:   Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}},
				Compute: Compute{Engine: EngineCPU},
			}.complete()
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			before := machine.Peak()
			var read, graphPeak int64
			var graphSeconds float64
			for b.Loop() {
				began := time.Now()
				r := newRun(opts)
				group, ctx := errgroup.WithContext(context.Background())
				graphs := r.in.start(ctx, group)
				if err := group.Wait(); err != nil {
					b.Fatal(err)
				}
				in := <-graphs
				graphSeconds += time.Since(began).Seconds()
				read, graphPeak = in.EdgesRead, machine.Peak()
				plan, err := preprocess.Reduce(context.Background(), &in.Graph, preprocess.Options{Threads: opts.Threads})
				if err != nil {
					b.Fatal(err)
				}
				for i := range plan.Blocks {
					if _, err := plan.Blocks[i].Stride(0); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(graphPeak-before)/float64(read), "peak-B/edge")
			b.ReportMetric(float64(read)*float64(b.N)/graphSeconds/1e6, "csr-Medges/s")
			b.ReportMetric(float64(read)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
		})
	}
}
