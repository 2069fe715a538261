package gpu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// long gives a block's arcs lengths of 1 to most: small lengths tie often.
func long(r *rand.Rand, b *preprocess.Block, most int64) *preprocess.Block {
	if b.In == nil {
		testblocks.Lengths(r, b, most)
		return b
	}
	lengths := make(map[testgraphs.Edge]int64)
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			lengths[testgraphs.Edge{v, u}] = 1 + r.Int64N(most)
			b.Lengths = append(b.Lengths, lengths[testgraphs.Edge{v, u}])
		}
	}
	for u := range uint32(b.Vertices()) {
		for _, v := range b.In.Neighbours(u) {
			b.In.Lengths = append(b.In.Lengths, lengths[testgraphs.Edge{v, u}])
		}
	}
	return b
}

// measured has blocks with lengths of every shape: lanes that wait for each other, twins,
// many arcs at a vertex, unreached vertices, searches that end early. Some distances are
// just below 31 bits, some above.
func measured() *preprocess.Plan {
	r := rand.New(rand.NewPCG(7, 2))
	return testblocks.Plan(
		long(r, grid(9, 23, 50), 3),
		long(r, weigh(r, random(r, 170, 40, 2, 64), true), 100),
		long(r, weigh(r, random(r, 200, 600, 50, 64), false), 1<<23),
		long(r, weigh(r, stars(180, 5, 64), true), 9),
		long(r, weigh(r, random(r, 33, 5, 1, 7), true), 2),
		long(r, weigh(r, arcs(r, 190, 700, 64), true), 5),
		long(r, weigh(r, arcs(r, 140, 170, 9), false), 40),
		long(r, someSources(weigh(r, chase(90, 40), false)), 4),
		within(long(r, weigh(r, arcs(r, 120, 400, 33), true), 10), 25),
		within(long(r, grid(9, 14, 50), 6), 20),
		long(r, weigh(r, random(r, 100, 60, 3, 20), true), 1<<50),
		within(long(r, weigh(r, random(r, 100, 60, 9, 20), true), 1<<50), 1<<51),
		within(long(r, weigh(r, arcs(r, 100, 400, 20), true), 1<<40), 1<<30),
		within(long(r, weigh(r, random(r, 100, 60, 9, 20), true), 1<<28), 1<<29),
		long(r, weigh(r, arcs(r, 100, 250, 64), false), 1<<33),
	)
}

func TestLengthTwins(t *testing.T) {
	plan := measured()
	want := reference(t, plan)
	for _, o := range matrixOf([]int{32, 96, 256}) {
		s := simulate(t, o)
		compare(t, fmt.Sprintf("%+v", o), runAll(t, s, plan), want, tolerance(o.Precision))
	}
}

// matrixOf lists options with every precision and size of work-group.
func matrixOf(groups []int) (list []Options) {
	for _, precision := range engine.Precisions() {
		for _, group := range groups {
			list = append(list, Options{Precision: precision, WorkGroup: group, MinBlock: 1, Packs: 3})
		}
	}
	return list
}

// Random small blocks with lengths, all the way through an engine.
func FuzzLengths(f *testing.F) {
	f.Add(uint64(1), uint16(40), uint16(30), uint8(3), uint8(9), uint16(5))
	f.Add(uint64(2), uint16(100), uint16(0), uint8(1), uint8(64), uint16(1000))
	f.Add(uint64(3), uint16(65), uint16(400), uint8(65), uint8(40), uint16(1))
	f.Fuzz(func(t *testing.T, seed uint64, n, extra uint16, reach, lanes uint8, most uint16) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := random(r, 2+int(n)%150, int(extra)%500, 1+int(reach), 1+int(lanes)%64)
		switch seed % 4 {
		case 1:
			b = arcs(r, b.Vertices(), int(extra), b.Lanes)
		case 2:
			b = someSources(chase(uint32(3+b.Vertices()), b.Lanes))
		}
		long(r, weigh(r, b, seed%3 == 0), 2+int64(most))
		shift := []int{0, 0, 0, 26}[r.IntN(4)]
		for _, g := range []*csr.Graph{&b.Graph, b.In} {
			for e := 0; g != nil && e < len(g.Lengths); e++ {
				g.Lengths[e] <<= shift
			}
		}
		b.Cutoff = []int{0, 0, 2 + r.IntN(1+3*int(most)<<shift)}[r.IntN(3)]
		plan := testblocks.Plan(b)
		s := simulate(t, Options{MinBlock: 1, Packs: r.IntN(4), Streams: 1 + r.IntN(3)})
		compare(t, "random", runAll(t, s, plan), reference(t, plan), 1e-12)
	})
}

// Cores take the blocks with lengths that a device does not search: with chains, with sums
// for edges, with targets that count for less, or for distances alone. They also take
// distances of more than 31 bits if the device has no 64-bit atomics.
func TestLengthsForCores(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	of := func(change func(b *preprocess.Block)) engine.Device {
		b := long(r, grid(12, 12, 64), 9)
		change(b)
		return engineOf(t, simulate(t, Options{MinBlock: 1}), testblocks.Plan(b))
	}
	if e := of(func(*preprocess.Block) {}); !e.Accepts(0) || e.Choices()[0].Strategy != string(methods.Lengths) || e.Choices()[0].Lanes != 32 {
		t.Errorf("%+v", e.Choices())
	}
	for what, change := range map[string]func(b *preprocess.Block){
		"chains":  func(b *preprocess.Block) { b.Chains = new(csr.Chains) },
		"flows":   func(b *preprocess.Block) { b.Flows = new(preprocess.Flows) },
		"waivers": func(b *preprocess.Block) { b.Waive(0, 0, 0) },
		"bits":    func(b *preprocess.Block) { b.Distances = true },
	} {
		if e := of(change); e.Accepts(0) || len(e.Choices()) != 0 {
			t.Errorf("%s: accepted as %+v", what, e.Choices())
		}
	}
	b := long(r, grid(12, 12, 64), 1<<31)
	d := simulatedDevice()
	d.Atomics64 = false
	if c := engineFor(t, d, Options{MinBlock: 1}, testblocks.Plan(b)).Choices()[0]; !strings.Contains(c.Declined, "31 bits") {
		t.Errorf("lengths of 32 bits without 64-bit atomics: declined for %q", c.Declined)
	}

}

// careless is a driver that makes one distance wrong, by a given number.
type careless struct {
	simulator
	at, by int
}

type carelessQueue struct {
	simQueue
	driver *careless
}

func (c *careless) open(driver.Device) (driver.Driver, error) { return c, nil }

func (c *careless) Queue() (driver.Queue, error) { return carelessQueue{driver: c}, nil }

func (q carelessQueue) Launch(k driver.Kernel, groups, items [2]int, call any) error {
	if err := q.simQueue.Launch(k, groups, items, call); err != nil {
		return err
	}
	if search, ok := call.(methods.LengthsSearch); ok && q.driver.by != 0 {
		away := memory[uint32](search.Away)
		away[q.driver.at] = uint32(int(away[q.driver.at]) + q.driver.by)
	}
	return nil
}

// A wrong distance shows in the self-check, also where no path ends or begins: a source's,
// a neighbour's, a far vertex's.
func TestWrongDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	b := long(r, grid(8, 9, 20), 9)
	b.To = make([]float64, b.Vertices())
	b.To[71] = 1
	plan := testblocks.Plan(b)
	plan.Batches = plan.Batches[:1]
	for _, v := range []int{0, 1, 9, 30, 70, 71} {
		for _, by := range []int{-1, 0, 1, 100} {
			opened := &careless{at: v*driver.Team + 7, by: by}
			options, err := Options{MinBlock: 1}.check()
			if err != nil {
				t.Fatal(err)
			}
			s, err := openAll(t.Context(), []driver.Device{simulatedDevice()}, options, opened.open)
			if err != nil {
				t.Fatal(err)
			}
			found := newOutcome(plan)
			opened.by, by = 0, opened.by
			e := engineOf(t, s, plan) // tries the device out
			opened.by = by
			if err := e.Run(t.Context(), taker(plan), found.add); err != nil {
				t.Fatal(err)
			}
			for lane, got := range found.got[0] {
				if doubtful(got, found.want[0][lane], engine.Float64) != (lane == 7 && by != 0) {
					t.Errorf("distance of vertex %d wrong by %d: lane %d: sums %v and %v", v, by, lane, got, found.want[0][lane])
				}
			}
			s.Close()
		}
	}
}

// Blocks are searched with the kernels of the device's trial: nothing is built during
// searches.
func TestLengthsAreBuiltOnce(t *testing.T) {
	s := simulate(t, Options{MinBlock: 1})
	plan := measured()
	e := engineOf(t, s, plan)
	built := len(s.devices[0].Programs)
	found := newOutcome(plan)
	if err := e.Run(t.Context(), taker(plan), found.add); err != nil {
		t.Fatal(err)
	}
	if now := len(s.devices[0].Programs); now != built {
		t.Errorf("%d programs after the search, %d before", now, built)
	}
}
