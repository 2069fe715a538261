package gpu

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

func engineFor(t *testing.T, d driver.Device, o Options, p *preprocess.Plan) *runner {
	t.Helper()
	o, err := o.check()
	if err != nil {
		t.Fatal(err)
	}
	s, err := openAll(context.Background(), []driver.Device{d}, o, (&simulator{}).open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	engines, err := s.Engines(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return engines[0].(*runner)
}

// The SC 2014 rule: deep blocks by lists, shallow ones by levels, small ones
// not at all; blocks of few edges and middling depth by solo.
func TestStrategies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	band := testblocks.Of(1000, testgraphs.Join(testgraphs.Band(1000, 1, 2), testgraphs.Band(1000, 1, 3)), 64)
	drawn := testblocks.Of(1000, testgraphs.Join(testgraphs.Band(1000, 1, 2), testgraphs.Band(1000, 1, 3)), 64)
	drawn.Draws = make([]float64, drawn.Vertices())
	shallow := grid(12, 44, 64) // nearly deep
	shallow.Draws = make([]float64, shallow.Vertices())
	plan := testblocks.Plan(grid(10, 100, 64), random(r, 2000, 8000, 2000, 64), grid(20, 30, 64), band, grid(4, 5, 8), drawn, shallow, testblocks.Of(1000, testgraphs.Join(testgraphs.Band(1000, 1, 60), testgraphs.Band(1000, 1, 20)), 64))
	e := engineFor(t, simulatedDevice(), Options{}, plan)
	want := map[int]string{0: string(methods.Solo), 1: string(methods.Levels), 2: string(methods.Solo), 3: string(methods.Ragged), 5: string(methods.Solo), 6: string(methods.Solo), 7: string(methods.Levels)}
	choices := e.Choices()
	if len(choices) != len(want) {
		t.Fatalf("choices %+v", choices)
	}
	for _, c := range choices {
		if c.Strategy != want[c.Block] || !strings.Contains(c.Reason, "median depth") || c.Declined != "" || c.Packs < 1 || c.Lanes != 64 {
			t.Errorf("%+v, want strategy %s", c, want[c.Block])
		}
	}
	if !e.Accepts(0) || e.Accepts(4) || e.Accepts(8) {
		t.Error("accepts the wrong blocks")
	}
	for _, c := range engineFor(t, simulatedDevice(), Options{Strategy: methods.Frontier}, plan).Choices() {
		if c.Strategy != string(methods.Frontier) || c.Reason != "asked for" {
			t.Errorf("%+v", c)
		}
	}
}

// Less memory: fewer packs, then fewer lanes, then none.
func TestMemoryPlan(t *testing.T) {
	plan := testblocks.Plan(grid(40, 50, 64))
	for _, strategy := range methods.Strategies()[1:] {
		d := simulatedDevice()
		d.ComputeUnits = 64
		seen := map[string]bool{}
		last := 1 << 30
		for memory := int64(1 << 30); memory > 100_000; memory = memory * 3 / 4 {
			for _, largest := range []int64{memory, memory / 8} {
				d.Memory, d.MaxAlloc = memory, largest
				c := engineFor(t, d, Options{Strategy: strategy}, plan).Choices()[0]
				switch {
				case c.Declined != "":
					seen["declined"] = true
					if !strings.Contains(c.Declined, "out of device memory") {
						t.Errorf("declined for %q", c.Declined)
					}
				case c.Bytes > memory/10*9:
					t.Errorf("%s: %d bytes planned of %d", strategy, c.Bytes, memory)
				case c.Lanes == 32:
					seen["lanes"] = true
				case c.Packs < 32:
					seen["packs"] = true
				default:
					seen["all"] = true
				}
				if largest == memory && c.Declined == "" && c.Packs*c.Lanes > last {
					t.Errorf("%s: more lanes with less memory: %+v", strategy, c)
				} else if largest == memory {
					last = c.Packs * c.Lanes
				}
			}
		}
		if len(seen) != 4 {
			t.Errorf("%s: saw %v, want all, packs, lanes and declined", strategy, seen)
		}
	}
}

// For every possible number of wanted packs, waves are whole and every device
// gets a share.
func TestWavesAreEven(t *testing.T) {
	s := wave.Shape{Method: methods.Named(methods.Levels), Vertices: 100, Words: 2, Levels: 10, Number: 8}
	for wanted := 1; wanted < 100; wanted++ {
		for most := 1; most < 100; most++ {
			got, err := s.Plan(wave.Room{All: 1 << 40, Largest: 1 << 40}, wanted, most)
			if err != nil {
				t.Fatal(err)
			}
			waves := (wanted + got.Packs - 1) / got.Packs
			if got.Packs > min(most, wanted) || waves != (wanted+most-1)/most {
				t.Fatalf("%d packs, at most %d: %d at once", wanted, most, got.Packs)
			}
		}
	}
}

// A search deeper than its estimate continues where it stopped.
func TestDepthIsUnderestimated(t *testing.T) {
	plan := testblocks.Plan(farness(grid(3, 70, 50)))
	want := reference(t, plan)
	for _, strategy := range methods.Strategies()[1:] {
		e := engineFor(t, simulatedDevice(), Options{Strategy: strategy, MinBlock: 1, Packs: 2}, plan)
		e.blocks[0].block.Depth = 0
		o := newOutcome(plan)
		if err := e.Run(context.Background(), taker(plan), o.add); err != nil {
			t.Fatal(err)
		}
		compare(t, string(strategy), o, want, 1e-12)
	}
}

// Lists that are too short are noticed and grow.
func TestListsGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	plan := testblocks.Plan(weigh(r, random(r, 300, 60, 2, 64), true))
	want := reference(t, plan)
	for _, perRow := range []int{0, 1, 3} {
		e := engineFor(t, simulatedDevice(), Options{Strategy: methods.Frontier, MinBlock: 1, Packs: 2}, plan)
		e.blocks[0].shape.PerRow = max(perRow, 1)
		o := newOutcome(plan)
		if err := e.Run(context.Background(), taker(plan), o.add); err != nil {
			t.Fatal(err)
		}
		compare(t, "short lists", o, want, 1e-12)
		if e.blocks[0].shape.PerRow <= max(perRow, 1) {
			t.Error("the list did not grow: no test")
		}
	}
}
