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
		first, end := plan.BatchesOf(0)
		cost, lasted, err := tryDevice(t.Context(), plan, plan.Batches[first:end], engines[0], 0)
		if fails > 0 && !errors.Is(err, errFake) || fails == 0 && (err != nil || !(cost > 0) || !(lasted > 0)) {
			t.Errorf("failing at %d: cost %v in %v s, %v", fails, cost, lasted, err)
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
	h := &chooser{devices: newDeviceStart(opts, func(context.Context) (gpu.Set, error) { panic("started") })}
	before := trial{exact: 5}
	if err := h.askDevices(t.Context(), plan, &before); err != nil || before.exact != 5 {
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

// Inspect measures a device if one is demanded: at least a 500th of the work, from which the time of all of it follows.
func TestInspectDevice(t *testing.T) {
	edges := listed("grid", testgraphs.Grid(40, 41)[1:])
	inspect := func(e *edgeList, set *fakeSet, engine Engine, device string) (*Info, error) {
		return Inspect(t.Context(), Options{Input: Input{Source: sourceOf(e)}, Compute: Compute{Engine: engine, Device: device, Lanes: 2, Threads: 1}, startDevices: set.start})
	}
	for _, asked := range [][2]string{{"gpu", ""}, {"auto", "0"}} {
		set := &fakeSet{count: 2}
		info, err := inspect(edges, set, Engine(asked[0]), asked[1])
		if err != nil {
			t.Fatal(err)
		}
		d := info.Device
		if d == nil || d.Name == "" || d.Share < measuredShare || d.Share > 1 || !(d.Measured > 0) || math.Abs(d.Seconds*d.Share/d.Measured-1) > 1e-9 || set.closed.Load() != 1 {
			t.Errorf("%v: %+v, notes %q", asked, d, info.Notes)
		}
	}
	set := &fakeSet{count: 1}
	if info, err := inspect(edges, set, EngineAuto, "all"); err != nil || info.Device != nil || set.started.Load() > 0 {
		t.Errorf("a device that nobody asked for: %+v, %v", info, err)
	}
	if _, err := inspect(edges, &fakeSet{count: 1, failTake: 3}, EngineGPU, ""); !errors.Is(err, errFake) {
		t.Errorf("a device that fails: %v", err)
	}
	info, err := inspect(listed("a tree", [][2]uint32{{0, 1}, {1, 2}}), &fakeSet{count: 1}, EngineGPU, "")
	if err != nil || info.Device != nil || len(info.Notes) != 1 {
		t.Errorf("nothing to search: %+v, %v", info, err)
	}
}
