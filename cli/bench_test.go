package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/generate"
	"bcstage/pipeline"
)

func TestBenchSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{2}, spread{2, 2, 2}},
		{[]float64{4, 1}, spread{2.5, 1, 4}},
		{[]float64{9, 1, 2}, spread{2, 1, 9}},
		{[]float64{8, 1, 4, 2}, spread{3, 1, 8}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("spreadOf(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

// Batches carry every edge once, in order, whatever remains for the last one.
func TestBenchSource(t *testing.T) {
	kind, err := generate.Find("path")
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{0, 1, rowsPerBatch - 1, rowsPerBatch, rowsPerBatch + 1, 3 * rowsPerBatch} {
		edges, err := kind.Edges(generate.Parameters{N: rows + 1})
		if err != nil {
			t.Fatal(err)
		}
		out := make(chan tables.Batch, 8)
		summary, err := sourceOf(edges)(context.Background(), out)
		if err != nil || summary.Rows != int64(rows) {
			t.Fatalf("%d edges: %d rows, error %v", rows, summary.Rows, err)
		}
		var src, dst []uint64
		for batch := range out {
			src, dst = slices.Concat(src, batch.Src.Ints), slices.Concat(dst, batch.Dst.Ints)
		}
		if len(src) != rows || len(dst) != rows {
			t.Fatalf("%d edges: got %d and %d ends", rows, len(src), len(dst))
		}
		for i := range src {
			if src[i] != uint64(i) || dst[i] != uint64(i+1) {
				t.Fatalf("%d edges: edge %d is %d-%d", rows, i, src[i], dst[i])
			}
		}
	}
}

func TestBenchSourceStops(t *testing.T) {
	kind, _ := generate.Find("path")
	edges, err := kind.Edges(generate.Parameters{N: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sourceOf(edges)(ctx, make(chan tables.Batch)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
}

// A row is written when it is measured; rows before the first that could run are written with it.
func TestBenchTableAsRowsCome(t *testing.T) {
	var out strings.Builder
	table := newRunTable(&out, []string{"a", "long-name"}, []pipeline.Options{{Compute: pipeline.Compute{Engine: "gpu", Strategy: "frontier", Precision: "float32"}}})
	good := measurement{configuration: configuration{Graph: "a", Engine: "cpu", Strategy: "auto", Precision: "float64"}, Vertices: 5, Edges: 4}
	for i, step := range []struct {
		row   measurement
		lines int
	}{
		{measurement{configuration: configuration{Graph: "a", Engine: "gpu"}, Failed: "no device"}, 0},
		{good, 3},
		{measurement{configuration: configuration{Graph: "long-name", Engine: "gpu"}, Failed: "no device"}, 4},
		{good, 5},
	} {
		if err := table(step.row); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got != step.lines {
			t.Errorf("%d lines after row %d, want %d", got, i, step.lines)
		}
	}
	at := strings.Index(out.String(), "engine")
	for line := range strings.Lines(out.String()) {
		if at >= len(line) || line[at-1] != ' ' || line[at] == ' ' {
			t.Errorf("%q: columns do not stand below each other", line)
		}
	}
}
