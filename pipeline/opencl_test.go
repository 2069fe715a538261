//go:build opencl || device

package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/gpu"
	"bcstage/gpu/opencl"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// onDevice runs on an available device, and fails unless the device did its part with the strategy.
// With BCSTAGE_REQUIRE_OPENCL=1 a missing device is a failure.
func onDevice(t *testing.T, e *edgeList, opts Options, strategy gpu.Strategy) (table tables.Table) {
	t.Helper()
	list, err := opencl.Platform{}.Devices()
	opts.Device = ""
	for _, d := range list {
		if d.Unusable == "" && opts.Device == "" {
			opts.Device = strconv.Itoa(d.Number)
		}
	}
	if opts.Device == "" {
		if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatalf("BCSTAGE_REQUIRE_OPENCL=1, but %v (%d devices)", err, len(list))
		}
		t.Skipf("%v (%d devices); BCSTAGE_REQUIRE_OPENCL=1 makes this a failure", err, len(list))
	}
	opts.Devices, opts.Engine, opts.Question.Directed = opencl.Devices(), EngineGPU, e.directed
	if opts.Source == nil {
		opts.Source = sourceOf(e)
	}
	stats, err := Run(context.Background(), opts, into(&table))
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	chosen := false
	for _, c := range stats.DeviceChoices {
		chosen = chosen || c.Strategy == string(strategy) && c.Declined == "" && c.Levels > 0
	}
	if !chosen || len(stats.Warnings) > 0 || stats.Engines[0].Batches == 0 {
		t.Errorf("%s: choices %+v, engines %+v, warnings %q", e.name, stats.DeviceChoices, stats.Engines, stats.Warnings)
	}
	return table
}

// Columns from a device are those of cores, to the bit, and the textbook's.
func TestColumnsOnDevice(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 21))
	e := listed("random", testgraphs.Random(random, 700, 700, 1500))
	for _, e := range []*edgeList{e, {e.name, e.src, e.dst, true}} {
		names := e.everyMeasure(random, false)
		table := onDevice(t, e, asking(names...), "bitlanes")
		checkColumns(t, e, names, table)
		for i, column := range run1(t, e, asking(names...)).Columns {
			if names[i] == measures.IndependentSet {
				continue
			}
			for v, want := range column.Values.Numbers() {
				if got := table.Columns[i].Values.Numbers()[v]; got != want {
					t.Fatalf("%s of %d: %v, by cores %v", names[i], v, got, want)
				}
			}
		}
	}
}

// Columns of a mesh beside betweenness are equal, too, with two engines at once.
func TestColumnsBesidePathsOnDevice(t *testing.T) {
	e := listed("mesh", testgraphs.Grid(20, 40))
	names := []string{measures.Betweenness, measures.Closeness, measures.Harmonic, measures.Eccentricity, measures.Farness, measures.Reach}
	want := run1(t, e, asking(names...)).Columns
	for i, column := range onDevice(t, e, asking(names...), "ragged").Columns {
		for v, got := range column.Values.Numbers() {
			if x := want[i].Values.Numbers()[v]; got != x && (i > 0 || !(math.Abs(got-x) <= 1e-9*x)) {
				t.Fatalf("%s of %d: %v, by cores %v", names[i], v, got, x)
			}
		}
	}
}

// Scores of a road network on a device are those of cores, except for rounding.
func TestRoadsOnDevice(t *testing.T) {
	e := listed("roads", testgraphs.CutGrid(rand.New(rand.NewPCG(71, 22)), 2500, 4))
	table := onDevice(t, e, Options{}, "chains")
	for v, want := range scoresIn(run1(t, e, Options{})) {
		if got := scoresIn(table)[v]; !(math.Abs(got-want) <= 1e-12*max(want, 1)) {
			t.Fatalf("vertex %d: %v, by cores %v", v, got, want)
		}
	}
}

// Scores of edges on a device are right, by both strategies, directed and undirected; the blocks'
// chains have middles.
func TestEdgesOnDevice(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 23))
	for strategy, edges := range map[gpu.Strategy][]testgraphs.Edge{
		"level":    testgraphs.Random(random, 700, 700, 1500),
		"frontier": testgraphs.Random(random, 1500, 3, 1500),
		"chains":   testgraphs.CutGrid(random, 2500, 4),
	} {
		undirected := listed(string(strategy), edges)
		for _, e := range []*edgeList{undirected, {undirected.name, undirected.src, undirected.dst, true}} {
			if e.directed && strategy == "chains" {
				continue
			}
			var byDevice, byCore tables.Table
			opts := Options{}
			opts.Edges = into(&byDevice)
			opts.Strategy = string(strategy)
			if strategy == "chains" {
				opts.Strategy = ""
			}
			vertices := onDevice(t, e, opts, strategy)
			opts = Options{}
			opts.Edges = into(&byCore)
			wantNear(t, e.name, scoresIn(vertices), scoresIn(run1(t, e, opts)), 1e-12)
			wantNear(t, e.name+" edges", edgeScores(byDevice), edgeScores(byCore), 1e-12)
		}
	}
}

// Scores by lengths on a device are right, for few values, which tie, and for many, beyond 31 bits;
// directed and undirected, also within a cutoff.
func TestLengthsOnDevice(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 24))
	for i := range 8 {
		w := &weighted{edgeList: *listed("random", testgraphs.Random(random, 700, 20, 1200))}
		w.directed = i%2 > 0
		for range w.src {
			w.weights.Digits = append(w.weights.Digits, 1+random.Int64N([]int64{3, 1e12}[i/2%2]))
			w.weights.Exponents = append(w.weights.Exponents, 0)
		}
		var opts Options
		opts.Source, opts.Question.Lengths.Column = w.source, "km"
		if i > 3 {
			opts.Question.Cutoff = []string{"7", "2000000000000"}[i/2%2]
		}
		want := w.run(t, opts)
		wantNear(t, fmt.Sprint("by lengths, ", i), scoresIn(onDevice(t, &w.edgeList, opts, "lengths")), want, 1e-12)
	}
}
