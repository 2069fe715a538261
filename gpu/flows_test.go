package gpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/pipeline/engine"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
	"bcstage/preprocess/testblocks"
)

// overEdges has blocks with Flows of every shape: shallow, deep, directed, with late
// starts, cutoffs, two masses, and vertices of many edges.
func overEdges() *preprocess.Plan {
	r := rand.New(rand.NewPCG(4, 3))
	p := testblocks.Plan(
		farness(grid(9, 23, 50)),
		farness(weigh(r, random(r, 170, 40, 2, 64), false)),
		weigh(r, random(r, 200, 600, 50, 64), false),
		farness(weigh(r, random(r, 150, 300, 20, 64), true)),
		weigh(r, stars(180, 5, 64), false),
		weigh(r, arcs(r, 190, 700, 64), false),
		someSources(weigh(r, chase(90, 40), false)),
		within(weigh(r, arcs(r, 120, 400, 33), false), 3),
		within(farness(grid(9, 14, 50)), 5),
		within(weigh(r, stars(90, 3, 64), false), 1),
	)
	for i := range p.Blocks {
		testblocks.Flows(&p.Blocks[i])
	}
	return p
}

func forFlows(o Options) Options {
	o.Searches, o.MinBlock = []question.Search{question.Paths, question.Flows}, 1
	return o
}

func checkFlows(t *testing.T, s *Session, plan *preprocess.Plan, want *outcome) {
	t.Helper()
	for _, s.options.Strategy = range Strategies()[1:] {
		compare(t, fmt.Sprint(s.options.Strategy, " ", s.options), runAll(t, s, plan), want, tolerance(s.options.Precision))
	}
}

func TestFlowTwins(t *testing.T) {
	plan := overEdges()
	want := reference(t, plan)
	for i, packs := range []int{0, 1, 3} {
		for j, precision := range engine.Precisions() {
			o := Options{Precision: precision, Lanes: 32 + (i+j)%2*32, WorkGroup: []int{32, 0, 256}[i], Packs: packs, Mdeg: 40}
			checkFlows(t, simulate(t, forFlows(o)), plan, want)
		}
	}
}

// Random small blocks, all the way through an engine.
func FuzzFlows(f *testing.F) {
	f.Add(uint64(1), uint16(40), uint16(30), uint8(3), uint8(9))
	f.Add(uint64(2), uint16(100), uint16(0), uint8(1), uint8(64))
	f.Add(uint64(3), uint16(65), uint16(400), uint8(65), uint8(40))
	f.Fuzz(func(t *testing.T, seed uint64, n, extra uint16, reach, lanes uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := random(r, 2+int(n)%150, int(extra)%500, 1+int(reach), 1+int(lanes)%64)
		switch seed % 6 {
		case 0, 3:
			farness(b)
		case 1, 4:
			b = arcs(r, b.Vertices(), int(extra), b.Lanes)
		case 2:
			b = chase(uint32(3+b.Vertices()), b.Lanes)
		}
		weigh(r, b, seed%5 == 0)
		if seed%3 == 0 {
			someSources(b)
		}
		b.Cutoff = []int{0, 0, 0, 1, 2, 3, 9}[r.IntN(7)]
		plan := testblocks.Plan(testblocks.Flows(b))
		checkFlows(t, simulate(t, forFlows(Options{Packs: r.IntN(4), Mdeg: r.IntN(20), Lanes: 32 << r.IntN(2), Streams: 1 + r.IntN(3)})), plan, reference(t, plan))
	})
}

// Devices that are not told of edges leave them to others.
func TestFlowsAreAskedFor(t *testing.T) {
	plan := overEdges()
	if engineOf(t, simulate(t, Options{MinBlock: 1}), plan).Accepts(0) {
		t.Error("a device takes edges that its kernels know nothing of")
	}
}
