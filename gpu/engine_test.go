package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/cpu"
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// simulate opens a session on the simulator.
func simulate(t testing.TB, options Options) *session {
	t.Helper()
	options, err := options.check()
	if err != nil {
		t.Fatal(err)
	}
	s, err := openAll(context.Background(), []driver.Device{simulatedDevice()}, options, (&simulator{}).open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// engineOf is the engine of a session's only device for a plan.
func engineOf(t testing.TB, s *session, p *preprocess.Plan) engine.Device {
	t.Helper()
	engines, err := s.Engines(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return engines[0]
}

func runAll(t testing.TB, s *session, p *preprocess.Plan) *outcome {
	t.Helper()
	o := newOutcome(p)
	if err := engineOf(t, s, p).Run(context.Background(), taker(p), o.add); err != nil {
		t.Fatal(err)
	}
	return o
}

// sample has blocks of every shape: shallow, deep, with twins, with vertices of many
// edges, with more paths than 32 bits count. Batches fill, split or share a pack.
func sample() *preprocess.Plan {
	r := rand.New(rand.NewPCG(4, 2))
	return testblocks.Plan(
		farness(grid(9, 23, 50)),
		farness(weigh(r, random(r, 170, 40, 2, 64), true)),
		weigh(r, random(r, 200, 600, 50, 64), false),
		weigh(r, random(r, 150, 30, 3, 40), true),
		weigh(r, grid(5, 31, 17), false),
		weigh(r, stars(180, 5, 64), true),
		weigh(r, random(r, 33, 5, 1, 7), true),
		weigh(r, arcs(r, 190, 700, 64), true),
		weigh(r, arcs(r, 140, 170, 9), false),
		someSources(weigh(r, chase(90, 40), false)),
		within(weigh(r, arcs(r, 120, 400, 33), true), 3),
		within(farness(grid(9, 14, 50)), 5),
		waived(r, weigh(r, arcs(r, 150, 500, 50), true)),
		waived(r, someSources(weigh(r, chase(70, 40), false))),
		within(waived(r, weigh(r, arcs(r, 120, 400, 33), false)), 3),
		within(farness(weigh(r, random(r, 170, 40, 2, 64), true)), 2),
		weigh(r, layered(12, 40), true),
	)
}

func TestTwins(t *testing.T) {
	plan := sample()
	want := reference(t, plan)
	groups := []int{32, 96, 256}
	if testing.Short() {
		groups = groups[1:2]
	}
	for _, precision := range engine.Precisions() {
		for _, lanes := range []int{32, 64} {
			for _, group := range groups {
				for _, packs := range []int{0, 3} {
					s := simulate(t, Options{Precision: precision, Lanes: lanes, WorkGroup: group, MinBlock: 1, Packs: packs, Mdeg: 40})
					for _, s.options.Strategy = range methods.Strategies()[1:] {
						name := fmt.Sprint(s.options.Strategy, " ", precision, lanes, group, packs)
						compare(t, name, runAll(t, s, plan), want, tolerance(precision))
					}
				}
			}
		}
	}
}

// Random small blocks, all the way through an engine.
func FuzzEngine(f *testing.F) {
	f.Add(uint64(1), uint16(40), uint16(30), uint8(3), uint8(9))
	f.Add(uint64(2), uint16(100), uint16(0), uint8(1), uint8(64))
	f.Add(uint64(3), uint16(65), uint16(400), uint8(65), uint8(40))
	f.Fuzz(func(t *testing.T, seed uint64, n, extra uint16, reach, lanes uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := random(r, 2+int(n)%150, int(extra)%500, 1+int(reach), 1+int(lanes)%64)
		weigh(r, b, seed%2 == 0)
		switch seed % 6 {
		case 0, 3:
			farness(b)
		case 1:
			b = weigh(r, arcs(r, b.Vertices(), int(extra), b.Lanes), seed%4 == 1)
		case 2:
			b = someSources(weigh(r, chase(uint32(3+b.Vertices()), b.Lanes), false))
		}
		if b.In != nil && seed%3 > 0 {
			waived(r, b)
		}
		b.Cutoff = []int{0, 0, 0, 2, 3, 9}[r.IntN(6)]
		plan := testblocks.Plan(b)
		want := reference(t, plan)
		s := simulate(t, Options{MinBlock: 1, Packs: r.IntN(4), Mdeg: r.IntN(20), Lanes: 32 << r.IntN(2), Streams: 1 + r.IntN(3)})
		for _, s.options.Strategy = range methods.Strategies()[1:] {
			compare(t, string(s.options.Strategy), runAll(t, s, plan), want, 1e-12)
		}
	})
}

func tolerance(p engine.Precision) float64 {
	if p == engine.Float32 {
		return 2e-6
	}
	return 1e-12
}

// Drawn sources have two more sums, under either weighting, and all strategies agree on
// them.
func TestDrawnTwins(t *testing.T) {
	for _, precision := range engine.Precisions() {
		for _, linear := range []bool{false, true} {
			checkDrawn(t, simulate(t, Options{Precision: precision, MinBlock: 1, Packs: 3, Mdeg: 40}), drawable(), linear)
		}
	}
}

// drawable has blocks of every shape that allow drawn sources.
func drawable() *preprocess.Plan {
	r := rand.New(rand.NewPCG(9, 2))
	return testblocks.Plan(weigh(r, random(r, 700, 2000, 700, 64), true), weigh(r, random(r, 150, 30, 3, 40), true), weigh(r, grid(5, 31, 17), false),
		farness(weigh(r, grid(9, 23, 50), true)), within(farness(grid(9, 14, 50)), 5), weigh(r, arcs(r, 140, 170, 9), false),
		waived(r, weigh(r, arcs(r, 150, 500, 50), true)), long(r, weigh(r, random(r, 150, 300, 9, 40), true), 9))
}

// checkDrawn compares the sums of draws with those of a core.
func checkDrawn(t *testing.T, s *session, plan *preprocess.Plan, linear bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 2))
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		b.Linear, b.Draws = linear && b.Lengths == nil, make([]float64, b.Vertices())
		for v := range b.Draws {
			b.Draws[v] = float64(r.IntN(4))
		}
	}
	of := func(e engine.Engine) (sums [3][][]float64) {
		for k := range sums {
			for i := range plan.Blocks {
				sums[k] = append(sums[k], make([]float64, plan.Blocks[i].Vertices()))
			}
		}
		err := e.Run(t.Context(), taker(plan), func(result engine.Result) error {
			for k, values := range [3][]float64{result.Scores, result.Drawn, result.Squares} {
				for v, x := range values {
					sums[k][result.Batch.Block][v] += x
				}
			}
			for i, got := range result.Got {
				if doubtful(got, result.Want[i], s.options.Precision) {
					t.Errorf("block %d: sums of the self-check are %v and %v", result.Batch.Block, got, result.Want[i])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return sums
	}
	core, err := cpu.New(plan, cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := of(core)
	for _, s.options.Strategy = range methods.Strategies()[1:] {
		for k, sums := range of(engineOf(t, s, plan)) {
			for i := range plan.Blocks {
				what := fmt.Sprintf("%s, block %d, linear %v, %s, sum %d", s.options.Strategy, i, linear, s.options.Precision, k)
				wantClose(t, what, sums[i], want[k][i], 2*tolerance(s.options.Precision))
			}
		}
	}
	s.options.Strategy = methods.Auto
}
