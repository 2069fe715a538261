package pipeline

import (
	"context"
	"errors"
	"math"
	"testing"

	"bcstage/gpu"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// A device is tried on a few waves, which gives the joint speed of the device and the cores.
func TestDevicesInThePlan(t *testing.T) {
	plan := testblocks.Plan(testblocks.Of(900, testgraphs.Grid(30, 30), 2))
	for _, fails := range []int64{0, 3} {
		set := &fakeSet{count: 1, failTake: fails}
		engines, err := set.Engines(t.Context(), plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		speed, err := deviceSpeed(t.Context(), plan, 0, engines[0])
		if fails > 0 && !errors.Is(err, errFake) || fails == 0 && (err != nil || !(speed > 0) || math.IsInf(speed, 1)) {
			t.Errorf("failing at %d: speed %v, %v", fails, speed, err)
		}
	}
	total := 0.0
	for _, batch := range plan.Batches {
		total += plan.Cost(batch)
	}
	tried := &trial{exact: 100, ways: []spread{{way: "pairs", seconds: 1}, {way: "sources", seconds: math.Inf(1)}}}
	tried.share(plan, total/25) // devices alone: 25 seconds
	source := 25 * plan.Cost(plan.Batches[0]) / float64(plan.Batches[0].Count) / total / drawnSpeed
	if math.Abs(tried.exact-20) > 1e-9 || tried.ways[0].seconds != 1 || math.Abs(tried.ways[1].seconds-source) > 1e-9*source {
		t.Errorf("%+v; want exact 20, a source %v", tried, source)
	}
}

// Without coming devices nobody waits for them.
func TestPlanWithoutDevices(t *testing.T) {
	plan := testblocks.Plan(testblocks.Of(900, testgraphs.Grid(30, 30), 2))
	opts := Options{Compute: Compute{Engine: EngineCPU, Threads: 1}}
	r := &run{opts: opts, devices: newDeviceStart(opts, func(context.Context) (gpu.Set, error) { panic("started") })}
	before := trial{exact: 5}
	if err := r.askDevices(t.Context(), plan, &before); err != nil || before.exact != 5 {
		t.Errorf("%+v, %v", before, err)
	}
}

// Devices are asked where another way could become the cheapest, or what they share takes long.
func TestMayChange(t *testing.T) {
	for _, c := range []struct {
		exact, pairs, sources float64
		want                  bool
	}{
		{exact: 1, pairs: 20, sources: 30, want: false}, // done before they are up
		{exact: 20, pairs: 30, sources: 40, want: true}, // they share it
		{exact: 300, pairs: 6, sources: 900, want: true},
		{exact: 300_000, pairs: 6, sources: 300, want: true},
		{exact: 300_000, pairs: 6, sources: 900_000, want: false}, // cannot come near the pairs
	} {
		trial := &trial{exact: c.exact}
		if got := trial.mayChange([]outlook{{"pairs", c.pairs}, {"sources", c.sources}}, 16); got != c.want {
			t.Errorf("exact %v s, by pairs %v s, by sources %v s: %v", c.exact, c.pairs, c.sources, got)
		}
	}
}
