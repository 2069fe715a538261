package gpu

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
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
	o.Searches, o.MinBlock = []measures.Search{measures.Paths, measures.Flows}, 1
	return o
}

func checkFlows(t *testing.T, s *session, plan *preprocess.Plan, want *outcome) {
	t.Helper()
	for _, s.options.Strategy = range methods.Strategies()[1:] {
		compare(t, fmt.Sprint(s.options.Strategy, " ", s.options), runAll(t, s, plan), want, tolerance(s.options.Precision))
	}
}

// Blocks of few edges are searched by patches.
func TestFlowsByPatches(t *testing.T) {
	plan := overEdges()
	want := reference(t, plan)
	for i, o := range matrixOf([]int{32, 96, 256}) {
		if testing.Short() && i%5 != 1 {
			continue
		}
		o.Strategy = methods.Levels
		s := simulate(t, forFlows(o))
		if got := patchedOf(t, engineOf(t, s, plan).(*runner)); got == 0 || got == len(plan.Blocks) {
			t.Errorf("%v: %d of %d blocks by patches", o, got, len(plan.Blocks))
		}
		compare(t, fmt.Sprint(o.Precision, o.WorkGroup), runAll(t, s, plan), want, tolerance(o.Precision))
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

// Meshes are searched by the same strategy as without edges, and go through lists
// otherwise.
func TestFlowStrategies(t *testing.T) {
	band := func(o ...func(*preprocess.Block)) *preprocess.Block {
		b := testblocks.Flows(testblocks.Of(700, testgraphs.Join(testgraphs.Band(700, 1, 2), testgraphs.Band(700, 1, 3)), 64))
		for _, change := range o {
			change(b)
		}
		return b
	}
	plan := testblocks.Plan(band(), testblocks.Flows(grid(7, 90, 64)), testblocks.Flows(random(rand.New(rand.NewPCG(2, 2)), 600, 3000, 600, 64)),
		band(func(b *preprocess.Block) { b.Cutoff = 400 }))
	for i, want := range []wave.Strategy{methods.Ragged, methods.Solo, methods.Levels, methods.Frontier} {
		t1 := engineOf(t, simulate(t, forFlows(Options{})), plan).(*runner).blocks[i]
		if t1.choice.Strategy != string(want) || (t1.shape.Arcs > 0) != (i < 2) && i != 2 {
			t.Errorf("block %d: %+v, %d arcs", i, t1.choice, t1.shape.Arcs)
		}
	}
}

// Where searches do not reach all vertices, the reached mass is summed, not assumed.
func TestFlowsOfParts(t *testing.T) {
	plan := testblocks.Plan(
		testblocks.Flows(testblocks.Of(200, testgraphs.Join(testgraphs.Path(0, 99), testgraphs.Path(100, 199)), 64)),
		testblocks.Flows(weigh(rand.New(rand.NewPCG(1, 6)), testblocks.Of(40, testgraphs.Join(testgraphs.Ring(0, 20), testgraphs.Ring(20, 20)), 64), false)),
	)
	want := reference(t, plan)
	for _, strategy := range methods.Strategies() {
		for _, mdeg := range []int{0, 30} { // by patches, and not
			s := simulate(t, forFlows(Options{Strategy: strategy, Mdeg: mdeg}))
			if got := wave.Strategy(engineOf(t, s, plan).(*runner).blocks[0].choice.Strategy); got != methods.Levels && got != methods.Frontier {
				t.Errorf("%s: strategy %s", strategy, got)
			}
			compare(t, string(strategy), runAll(t, s, plan), want, 1e-12)
		}
	}
}

// A mesh in which searches cross vertices with more neighbours than an entry stores.
func TestFlowsOfCrowdedMesh(t *testing.T) {
	fans := testgraphs.Path(0, 39)
	for hub := range uint32(4) {
		for spoke := range uint32(13) {
			at := 40 + 13*hub + spoke
			fans = append(fans, testgraphs.Edge{10 * hub, at}, testgraphs.Edge{at, 10*hub + 1})
		}
	}
	plan := testblocks.Plan(testblocks.Flows(weigh(rand.New(rand.NewPCG(8, 1)), farness(testblocks.Of(92, fans, 64)), true)))
	want := reference(t, plan)
	for _, precision := range engine.Precisions() {
		o := forFlows(Options{Strategy: methods.Ragged, Precision: precision, WorkGroup: 32, Packs: 2})
		compare(t, string(precision), runAll(t, simulate(t, o), plan), want, tolerance(precision))
	}
}

// Devices that were not asked for edges leave them to others.
func TestFlowsAreAskedFor(t *testing.T) {
	plan := overEdges()
	if engineOf(t, simulate(t, Options{MinBlock: 1}), plan).Accepts(0) {
		t.Error("a device takes edges that its kernels know nothing of")
	}
}

// Arrays of edges are the same however the work is divided.
func TestEdgeArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, b := range []*preprocess.Block{random(r, 3000, 40000, 50, 64), arcs(r, 2000, 50000, 64), stars(5000, 3, 64)} {
		testblocks.Flows(b)
		if resident.RowsGrain(b) >= b.Vertices()/2 && len(b.Targets) > 3*resident.Grain {
			t.Errorf("%d vertices at a time, of %d", resident.RowsGrain(b), b.Vertices())
		}
		var from, to, of []uint32
		for v := range uint32(b.Vertices()) {
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				if u := b.Targets[e]; b.In != nil || u > v {
					from, to, of = append(from, v), append(to, u), append(of, b.Flows.Of[e])
				}
			}
		}
		want := map[string][]uint32{"EdgeFrom": from, "EdgeTo": to, "EdgeOf": of}
		for _, part := range resident.EdgeParts(b) {
			if !bytes.Equal(part.Data, driver.Bytes(want[part.Name])) {
				t.Errorf("%d vertices: %s", b.Vertices(), part.Name)
			}
		}
	}
}
