//go:build opencl || device

package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// anyDevice is a device to test on: one that a session would take, else any usable
// one. With BCSTAGE_REQUIRE_OPENCL=1 it fails if there is none.
func anyDevice(t testing.TB) driver.Device {
	t.Helper()
	list, err := Machine.Devices()
	if err == nil {
		if chosen, err := driver.Choose(list, "all"); err == nil {
			return chosen[0]
		}
		for _, d := range list {
			if d.Unusable == "" {
				return d
			}
		}
		err = driver.ErrNoDevice
	}
	if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
		t.Fatalf("BCSTAGE_REQUIRE_OPENCL=1, but %v (%d devices)", err, len(list))
	}
	t.Skipf("%v (%d devices); BCSTAGE_REQUIRE_OPENCL=1 makes this a failure", err, len(list))
	return driver.Device{}
}

func openOn(t testing.TB, d driver.Device, options Options) *session {
	t.Helper()
	s, err := openSelected(context.Background(), Machine, fmt.Sprint(d.Number), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// matrix lists options with every precision, number of lanes and size of
// work-group.
func matrix() []Options {
	var list []Options
	for _, precision := range engine.Precisions() {
		for _, lanes := range []int{32, 64} {
			for _, group := range []int{32, 96, 256} {
				list = append(list, Options{Precision: precision, Lanes: lanes, WorkGroup: group, MinBlock: 1, Packs: 3, Mdeg: 40})
			}
		}
	}
	return list
}

func (o Options) String() string {
	return fmt.Sprintf("%s/%d lanes/groups of %d", o.Precision, o.Lanes, o.WorkGroup)
}

// The kernels on a device, with two waves in flight. All options run on a device
// that has kernels of its own; elsewhere TestKernelsEqualTwins has tested them,
// and a few suffice.
func TestDevice(t *testing.T) {
	d := anyDevice(t)
	plan := sample()
	want := reference(t, plan)
	for i, o := range matrix() {
		if !d.PTX && i%4 != 1 {
			continue
		}
		t.Run(o.String(), func(t *testing.T) {
			s := openOn(t, d, o)
			for _, s.options.Strategy = range methods.Strategies()[1:] {
				compare(t, string(s.options.Strategy), runAll(t, s, plan), want, tolerance(o.Precision))
			}
		})
	}
}

// Flows over edges are the textbook's.
func TestFlowsOnDevice(t *testing.T) {
	d := anyDevice(t)
	plan := overEdges()
	want := reference(t, plan)
	for i, o := range matrix() {
		if !d.PTX && i%4 != 1 {
			continue
		}
		checkFlows(t, openOn(t, d, forFlows(o)), plan, want)
	}
}

// Two runs give the same bits, whatever the order of lists.
func TestDeviceIsDeterministic(t *testing.T) {
	plan := sample()
	s := openOn(t, anyDevice(t), Options{MinBlock: 1, Packs: 2, Streams: 1})
	for _, s.options.Strategy = range methods.Strategies()[1:] {
		first := runAll(t, s, plan)
		compare(t, "second run", runAll(t, s, plan), first, 0)
	}
}

// See TestManyEqualTerms. A device with kernels of its own runs those here.
func TestManyEqualTermsOnDevice(t *testing.T) {
	d := anyDevice(t)
	for _, precision := range engine.Precisions() {
		for _, group := range []int{32, 256} {
			checkEqualTerms(t, openOn(t, d, Options{Precision: precision, WorkGroup: group}))
		}
	}
}

// See TestCountsThatPass32Bits.
func TestCountsOnDevice(t *testing.T) {
	d := anyDevice(t)
	wideCounts(t, func(o Options) *session { return openOn(t, d, o) })
}

// Shares by distance give the textbook's scores, and the same bits twice.
func TestSharesOnDevice(t *testing.T) {
	s := openOn(t, anyDevice(t), Options{MinBlock: 1, Packs: 2, Streams: 1})
	checkShares(t, s, "power:1", false)
	checkShares(t, s, "exp:0.00001", true)
	for _, s.options.Strategy = range []Strategy{methods.Levels, methods.Solo, methods.Frontier} {
		plan := decaying(t, "exp:0.1", true, sample())
		compare(t, "second run", runAll(t, s, plan), runAll(t, s, plan), 0)
	}
}

// See TestDrawnTwins.
func TestDrawnOnDevice(t *testing.T) {
	d := anyDevice(t)
	for _, precision := range engine.Precisions() {
		for _, linear := range []bool{false, true} {
			checkDrawn(t, openOn(t, d, Options{Precision: precision, MinBlock: 1, Packs: 3, Mdeg: 40}), drawable(), linear)
		}
	}
}

// Searches along chains give the same bits twice, and the textbook's scores.
func TestChainsOnDevice(t *testing.T) {
	d := anyDevice(t)
	plan := roads(t, 64)
	want := textbookScores(t, plan)
	for _, o := range []Options{{}, {WorkGroup: 32, Streams: 1}, {WorkGroup: 96, Packs: 2, Streams: 1}} {
		o.MinBlock = 1
		s := openOn(t, d, o)
		first, again := checkChains(t, o.String(), s, plan, want), checkChains(t, o.String(), s, plan, want)
		if o.Streams != 1 {
			continue // chance decides which batches share a wave
		}
		for i := range again.scores {
			wantClose(t, "again", again.scores[i], first.scores[i], 0)
		}
	}
}

// Lengths give the textbook's scores, and the same bits twice.
func TestLengthsOnDevice(t *testing.T) {
	d := anyDevice(t)
	plan := measured()
	want := reference(t, plan)
	for _, o := range matrixOf([]int{32, 256}) {
		o.Streams = 1
		s := openOn(t, d, o)
		first := runAll(t, s, plan)
		compare(t, o.String(), first, want, tolerance(o.Precision))
		compare(t, "again", runAll(t, s, plan), first, 0)
	}
}

// Distances are the textbook's to the bit, with rows of every size.
func TestDistancesOnDevice(t *testing.T) {
	d := anyDevice(t)
	plan := distant()
	want := textbookDistances(t, plan)
	for _, o := range []Options{{}, {WorkGroup: 32, Mdeg: 40}, {WorkGroup: 96, Packs: 2, Mdeg: 5}} {
		runDistances(t, openOn(t, d, forDistances(o)), plan).check(t, o.String(), want)
	}
}

// Small enough for a simulator that checks every access: make oclgrind.
func TestTinyOnDevice(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	distances := alone(stars(40, 2, 13), within(arcs(r, 20, 50, 20), 3),
		within(few(testblocks.Of(140, testgraphs.Path(0, 139), 4), 1), 5))
	small := Options{Packs: 2, Streams: 1, WorkGroup: 64, Mdeg: 8}
	runDistances(t, openOn(t, anyDevice(t), forDistances(small)), distances).check(t, "distances", textbookDistances(t, distances))
	streets := chained(t, 11, grid(3, 4, 11), testblocks.Of(9, theta(), 11))
	checkChains(t, "chains", openOn(t, anyDevice(t), Options{MinBlock: 1, Packs: 2, Streams: 1, WorkGroup: 64}), streets, textbookScores(t, streets))
	edges := testblocks.Plan(testblocks.Flows(weigh(r, stars(14, 2, 5), false)), testblocks.Flows(farness(grid(2, 7, 6))), testblocks.Flows(within(arcs(r, 14, 40, 5), 3)))
	checkFlows(t, openOn(t, anyDevice(t), forFlows(Options{MinBlock: 1, Packs: 2, Streams: 1, WorkGroup: 64, Lanes: 32, Mdeg: 8})), edges, reference(t, edges))
	for _, precision := range engine.Precisions() { // by patches, with one type of counts or two
		s := openOn(t, anyDevice(t), forFlows(Options{MinBlock: 1, Packs: 2, Streams: 1, WorkGroup: 64, Lanes: 32, Strategy: methods.Levels, Precision: precision}))
		compare(t, "edges by patches", runAll(t, s, edges), reference(t, edges), tolerance(precision))
	}
	blocks := []*preprocess.Block{long(r, weigh(r, stars(14, 2, 5), true), 3), long(r, grid(2, 7, 6), 2), within(long(r, weigh(r, arcs(r, 14, 40, 5), false), 4), 7)}
	if anyDevice(t).Atomics64 {
		blocks = append(blocks, long(r, grid(2, 7, 6), 1<<40))
	}
	measured := testblocks.Plan(blocks...)
	compare(t, "lengths", runAll(t, openOn(t, anyDevice(t), Options{MinBlock: 1, Packs: 2, Streams: 1, WorkGroup: 64}), measured), reference(t, measured), 1e-12)
	for _, o := range []Options{{Strategy: methods.Levels}, {Strategy: methods.Levels, Mdeg: 8}, {Strategy: methods.Solo}, {Strategy: methods.Frontier}} {
		o.MinBlock, o.Packs, o.Streams, o.WorkGroup, o.Lanes = 1, 2, 1, 64, 32
		plan := decaying(t, "power:1", o.Strategy != methods.Solo, testblocks.Plan(weigh(r, stars(14, 2, 5), true), weigh(r, arcs(r, 14, 40, 5), false), farness(grid(2, 7, 6)), within(long(r, grid(2, 7, 6), 2), 7)))
		compare(t, "shares", runAll(t, openOn(t, anyDevice(t), o), plan), reference(t, plan), 1e-12)
	}
	plan := testblocks.Plan(weigh(r, stars(14, 2, 5), true), farness(grid(2, 7, 6)), waived(r, weigh(r, arcs(r, 14, 40, 5), false)), within(grid(2, 7, 6), 3))
	want := reference(t, plan)
	s := openOn(t, anyDevice(t), Options{MinBlock: 1, Packs: 2, Streams: 1, WorkGroup: 64, Lanes: 32, Mdeg: 8})
	for _, s.options.Strategy = range methods.Strategies()[1:] {
		compare(t, string(s.options.Strategy), runAll(t, s, plan), want, 1e-12)
	}
	checkDrawn(t, s, testblocks.Plan(farness(grid(2, 7, 6)), waived(r, weigh(r, arcs(r, 14, 40, 5), false))), true)
}
