package cpu

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// BenchmarkStages searches batches of exact mode and of a first stage in turn. The stage draws a
// sixteenth or an eighth of the sources. Reported are the microseconds per source of both, the least of all
// rounds, and the speed of the stage as a share of exact mode's.
func BenchmarkStages(b *testing.B) {
	for _, name := range []string{
		"wiki-Vote.txt.gz", "facebook_combined.txt.gz", "ca-GrQc.txt.gz", "soc-Epinions1.txt.gz", "deezer_HU_edges.csv.gz", "rome99.gr.gz", "t60k.graph.gz", "delaunay_n16.graph.gz",
	} {
		for _, part := range []int{16, 8} {
			b.Run(fmt.Sprint(name[:strings.Index(name, ".")], "/", part), func(b *testing.B) { benchmarkStage(b, name, part) })
		}
	}
}

// benchmarkStage runs the benchmark of a first stage that draws one source in part.
func benchmarkStage(b *testing.B, name string, part int) {
	exact := testblocks.Published(b, name, preprocess.Options{})
	block, ok := exact.Drawable(false)
	if !ok {
		b.Fatal("nothing to draw")
	}
	drawn, err := exact.Draw(b.Context(), block, draws.Drawing{Seed: 1, Linear: true}, 1)
	if err != nil {
		b.Fatal(err)
	}
	var stage []engine.Batch
	for _, s := range drawn.Drawn.Stages {
		if stage = drawn.Batches[s.First:s.End]; part*s.Sources >= len(exact.Blocks[block].Sources) {
			break
		}
	}
	var all []engine.Batch
	for _, batch := range exact.Batches {
		if batch.Block == block {
			all = append(all, batch)
		}
	}
	const most = 12 // batches of a round
	in, of := spread(all, most), spread(stage, most)
	searches, stages := newSourceClock(b, exact), newSourceClock(b, drawn)
	for b.Loop() {
		searches.run(b, in)
		stages.run(b, of)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(searches.least, "us/source")
	b.ReportMetric(stages.least, "us/source-in-stage")
	b.ReportMetric(searches.least/stages.least, "share")
}

// spread returns at most so many batches, spread over the list.
func spread(list []engine.Batch, most int) (some []engine.Batch) {
	for i := range min(most, len(list)) {
		some = append(some, list[i*len(list)/min(most, len(list))])
	}
	return some
}

// sourceClock times searches of sources.
type sourceClock struct {
	worker *Worker
	least  float64 // microseconds per source
}

func newSourceClock(b *testing.B, plan *preprocess.Plan) *sourceClock {
	worker, err := New(plan, Options{})
	if err != nil {
		b.Fatal(err)
	}
	return &sourceClock{worker, math.Inf(1)}
}

func (c *sourceClock) run(b *testing.B, batches []engine.Batch) {
	sources, began := 0, time.Now()
	err := c.worker.Run(b.Context(), func(context.Context, int) []engine.Batch {
		taken := batches
		batches = nil
		return taken
	}, func(result engine.Result) error {
		sources += result.Batch.Count
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	c.least = min(c.least, float64(time.Since(began).Microseconds())/float64(sources))
}
