package gpu

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/cpu"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// alone makes blocks that are searched for distances alone.
func alone(blocks ...*preprocess.Block) *preprocess.Plan {
	for _, b := range blocks {
		b.Distances, b.From, b.To = true, nil, nil
	}
	return testblocks.Plan(blocks...)
}

// few keeps only a block's first sources, so that frontiers are small: see bitlanes.Fit.
func few(b *preprocess.Block, count int) *preprocess.Block {
	b.Sources = b.Sources[:count]
	return b
}

// distant has such blocks of every shape: shallow and deep, in pieces, with vertices of
// many edges, along arcs and against them. Batches share a pack, fill one or need
// several; some have few sources among many vertices, some cut paths off.
func distant() *preprocess.Plan {
	r := rand.New(rand.NewPCG(7, 3))
	outward := arcs(r, 400, 1100, 512)
	outward.Outward = true
	return alone(
		grid(9, 33, 512),
		grid(2, 130, 64),
		random(r, 300, 900, 300, 256),
		random(r, 700, 2000, 700, 2048),
		testblocks.Of(290, testgraphs.Random(r, 140, 4, 90), 100),
		stars(600, 3, 512),
		stars(130, 130/3, 13),
		arcs(r, 310, 1000, 512),
		outward,
		chase(300, 512),
		few(chase(300, 512), 2),
		few(grid(40, 20, 64), 1),
		few(testblocks.Of(900, append(testgraphs.Path(0, 880), testgraphs.Random(r, 20, 4, 60)...), 4), 3),
		within(grid(12, 25, 512), 4),
		within(arcs(r, 300, 900, 70), 2),
	)
}

// metBy is an engine's result by block and vertex, and how often each batch came.
type metBy struct {
	plan    *preprocess.Plan
	found   [][]engine.Found
	covered []int
	results int
}

func newMetBy(p *preprocess.Plan) *metBy {
	m := &metBy{plan: p, covered: make([]int, len(p.Batches))}
	for i := range p.Blocks {
		m.found = append(m.found, make([]engine.Found, p.Blocks[i].Vertices()))
	}
	return m
}

func (m *metBy) add(r engine.Result) error {
	if len(r.Got) != 1 || len(r.Want) != 1 || r.Got[0] != r.Want[0] || !r.Together || r.Scores != nil {
		return fmt.Errorf("batch %d: sums %v and %v, together %v, %d scores", r.Batch.Index, r.Got, r.Want, r.Together, len(r.Scores))
	}
	for v, f := range r.Found {
		sum := &m.found[r.Batch.Block][v]
		sum.Reach += f.Reach
		sum.Farness += f.Farness
		low, carry := bits.Add64(sum.Harmonic, f.Harmonic, 0)
		sum.Harmonic, sum.HarmonicHigh = low, sum.HarmonicHigh+f.HarmonicHigh+carry
		sum.Eccentricity = max(sum.Eccentricity, f.Eccentricity)
	}
	for i := range r.More + 1 {
		m.covered[r.Batch.Index+i]++
	}
	m.results++
	return nil
}

// textbookDistances searches from one source after the other.
func textbookDistances(t *testing.T, p *preprocess.Plan) *metBy {
	t.Helper()
	m := newMetBy(p)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for _, s := range b.Sources {
			distance, err := textbook.Distances(t.Context(), b, s)
			if err != nil {
				t.Fatal(err)
			}
			for v, d := range distance {
				if d == 0 {
					continue
				}
				f := &m.found[i][v]
				f.Reach++
				f.Farness += d
				low, carry := bits.Add64(f.Harmonic, (1<<engine.HarmonicBits+d/2)/d, 0)
				f.Harmonic, f.HarmonicHigh = low, f.HarmonicHigh+carry
				f.Eccentricity = max(f.Eccentricity, d)
			}
		}
	}
	return m
}

func (m *metBy) came() []int { return m.covered }

func (m *metBy) right(t *testing.T, what string) {
	t.Helper()
	m.check(t, what, textbookDistances(t, m.plan))
}

func (m *metBy) check(t *testing.T, what string, want *metBy) {
	t.Helper()
	for i, times := range m.covered {
		if times != 1 {
			t.Fatalf("%s: batch %d covered %d times", what, i, times)
		}
	}
	for i := range want.found {
		for v, f := range want.found[i] {
			if m.found[i][v] != f {
				t.Fatalf("%s: block %d, vertex %d: %+v, want %+v", what, i, v, m.found[i][v], f)
			}
		}
	}
}

func runDistances(t testing.TB, s *session, p *preprocess.Plan) *metBy {
	t.Helper()
	m := newMetBy(p)
	if err := engineOf(t, s, p).Run(context.Background(), taker(p), m.add); err != nil {
		t.Fatal(err)
	}
	return m
}

// forDistances are options for blocks searched for distances, all of them.
func forDistances(o Options) Options {
	o.Searches, o.MinBlock = []measures.Search{measures.Distances}, 1
	return o
}

// Whatever the shape of work-groups and waves, sums are whole numbers and exact.
func TestDistanceTwins(t *testing.T) {
	plan := distant()
	want := textbookDistances(t, plan)
	for _, o := range []Options{{}, {WorkGroup: 32}, {WorkGroup: 96, Packs: 1, Mdeg: 5}, {Packs: 3, Streams: 1, Mdeg: 40}, {Strategy: methods.Frontier, Precision: engine.Float32, Lanes: 32}} {
		s := simulate(t, forDistances(o))
		runDistances(t, s, plan).check(t, fmt.Sprintf("%+v", o), want)
		for _, c := range engineOf(t, s, plan).Choices() {
			if c.Strategy != string(methods.Bitlanes) || c.Lanes != 256 || c.Declined != "" {
				t.Errorf("%+v: %+v", o, c)
			}
		}
	}
}

// Cores find the same bits.
func TestDistancesEqualCores(t *testing.T) {
	plan := alone(grid(20, 40, 512), random(rand.New(rand.NewPCG(1, 3)), 1100, 3000, 1100, 1024))
	core, err := cpu.New(plan, cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := newMetBy(plan)
	if err := core.Run(t.Context(), taker(plan), want.add); err != nil {
		t.Fatal(err)
	}
	runDistances(t, simulate(t, forDistances(Options{})), plan).check(t, "device", want)
}

// More sources than 64 bits hold the inverses of: every vertex of a star is a neighbour
// of its middle.
func TestManyInverses(t *testing.T) {
	var star []testgraphs.Edge
	for v := uint32(1); v < 9000; v++ {
		star = append(star, testgraphs.Edge{0, v})
	}
	plan := alone(testblocks.Of(9000, star, 2048))
	s := simulate(t, forDistances(Options{Streams: 1, Packs: 40}))
	got := runDistances(t, s, plan)
	if f := got.found[0][0]; got.results > 3 || f.HarmonicHigh != 8999>>12 || f.Harmonic != 8999%(1<<12)<<52 {
		t.Errorf("%d results, at the middle %+v", got.results, f)
	}
}

// There are many waves and few results: sums of batches taken together stay on the
// device.
func TestDistancesComeRarely(t *testing.T) {
	plan := alone(grid(64, 64, 64))
	s := simulate(t, forDistances(Options{Packs: 1, Streams: 1}))
	got := runDistances(t, s, plan)
	if got.results > shares || got.results < 2 {
		t.Errorf("%d results of %d batches", got.results, len(plan.Batches))
	}
	got.check(t, "few results", textbookDistances(t, plan))
}

// Streams take about equally many packs, in whole batches, so that none waits long for
// another.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		wanted, full, streams int
		batch                 float64
		packs                 int
	}{
		{297, 114, 2, 6, 78}, // soc-Epinions1: 50 batches as 13, 13, 13 and 11
		{353, 95, 2, 2, 90}, {235, 144, 2, 4, 120}, {16, 100, 2, 2, 8}, {16, 100, 1, 0.25, 16},
		{16, 127, 2, 2, 8}, {16, 128, 2, 2, 16}, // a small block
		{9000, 8, 2, 8, 568}, {1, 8, 2, 2, 2}, {1, 8, 3, 0.25, 1},
	} {
		if packs := share(c.wanted, c.full, c.streams, c.batch); packs != c.packs {
			t.Errorf("%+v: %d", c, packs)
		}
	}
}

// The last batches, which others may be computing too, are handed on one by one if they
// are few.
func TestLastDistancesComeApart(t *testing.T) {
	plan := alone(grid(20, 20, 64)) // seven batches, where eight would be taken
	for taken, results := range map[int]int{1: 7, 2: 7, 3: 3, 7: 1} {
		s := simulate(t, forDistances(Options{Streams: 1}))
		got := newMetBy(plan)
		take := taker(plan)
		err := engineOf(t, s, plan).Run(t.Context(), func(ctx context.Context, most int) []engine.Batch { return take(ctx, min(most, taken)) }, got.add)
		if err != nil || got.results != results {
			t.Errorf("%d at once: %d results, want %d, %v", taken, got.results, results, err)
		}
		got.right(t, "apart")
	}
}

// The limit of few follows from this block, not from the previous one, of which many
// more were asked for.
func TestFewDistances(t *testing.T) {
	e := engineFor(t, simulatedDevice(), forDistances(Options{}), alone(grid(20, 20, 64)))
	if most := e.blocks[0].most(); e.few(0, most) != most/4 || e.few(0, 100*most) != most/4 || e.few(0, 4) != min(most, 4)/4 {
		t.Errorf("few of %d: %d, %d, %d", most, e.few(0, most), e.few(0, 100*most), e.few(0, 4))
	}
}

// For an undirected component the reach is known: a search that misses a part fails the
// check.
func TestDistancesAreChecked(t *testing.T) {
	plan := alone(grid(20, 20, 512))
	b := &plan.Blocks[0]
	b.Reach = slices.Repeat([]uint32{399}, 400)
	b.Reach[7]++
	err := engineOf(t, simulate(t, forDistances(Options{})), plan).Run(t.Context(), taker(plan), newMetBy(plan).add)
	if err == nil || !strings.Contains(err.Error(), "[159600] and [159601]") {
		t.Errorf("error %v", err)
	}
}

// An engine declines blocks with searches it was not opened for.
func TestSearches(t *testing.T) {
	plan := alone(grid(20, 40, 512))
	plan.Blocks = append(plan.Blocks, *grid(20, 40, 64))
	for i, searches := range [][]measures.Search{{measures.Distances}, {measures.Paths}, nil, {measures.Paths, measures.Distances}} {
		engines, err := simulate(t, Options{Searches: searches}).Engines(t.Context(), plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		accepted := func(block int) bool {
			return slices.ContainsFunc(engines, func(e engine.Device) bool { return e.Accepts(block) })
		}
		if distances, paths := i == 0 || i == 3, i > 0; accepted(0) != distances || accepted(1) != paths {
			t.Errorf("%v: accepts %v, %v", searches, accepted(0), accepted(1))
		}
	}
}

// A search deeper than the survey's goes on; where memory is short, there are smaller
// waves or none.
func TestDistancesDeeperAndShorter(t *testing.T) {
	plan := alone(grid(3, 170, 512))
	want := textbookDistances(t, plan)
	o := forDistances(Options{})
	e := engineFor(t, simulatedDevice(), o, plan)
	e.blocks[0].block.Depth = 0
	got := newMetBy(plan)
	if err := e.Run(t.Context(), taker(plan), got.add); err != nil {
		t.Fatal(err)
	}
	got.check(t, "deep", want)
	if depth := e.blocks[0].block.Deeper(0); depth < 86 {
		t.Errorf("depth %d is remembered", depth)
	}
	seen := map[bool]int{}
	for memory := int64(1 << 22); memory > 1<<12; memory = memory * 3 / 4 {
		d := simulatedDevice()
		d.Memory = memory
		c := engineFor(t, d, o, plan).Choices()[0]
		if c.Declined == "" && c.Bytes > memory/10*9 {
			t.Errorf("%d bytes planned of %d", c.Bytes, memory)
		}
		seen[c.Declined == ""] = c.Packs
	}
	if seen[true] != 1 || len(seen) != 2 {
		t.Errorf("packs with the least memory: %v", seen)
	}
}

// Random blocks, along edges and arcs, all the way through an engine.
func FuzzDistances(f *testing.F) {
	f.Add(uint64(1), uint16(400), uint16(300), uint16(512))
	f.Add(uint64(2), uint16(257), uint16(1500), uint16(60))
	f.Add(uint64(3), uint16(33), uint16(0), uint16(1))
	f.Fuzz(func(t *testing.T, seed uint64, n, extra, lanes uint16) {
		r := rand.New(rand.NewPCG(seed, 0))
		vertices := 2 + int(n)%600
		b := random(r, vertices, int(extra)%2000, 1+r.IntN(vertices), 1+int(lanes)%700)
		if seed%2 == 1 {
			b = arcs(r, vertices, 1+int(extra)%2000, b.Lanes)
		}
		b.Cutoff = []int{0, 0, 2, 5}[r.IntN(4)]
		plan := alone(b)
		s := simulate(t, forDistances(Options{Packs: r.IntN(4), Mdeg: r.IntN(20), Streams: 1 + r.IntN(3)}))
		runDistances(t, s, plan).check(t, "random", textbookDistances(t, plan))
	})
}

// If paths and distances are both asked for, a device has an engine for each. The two
// accept every block once, and share the memory.
func TestEnginesSideBySide(t *testing.T) {
	plan := distant()
	plan.Blocks = append(plan.Blocks, *grid(8, 9, 64), *stars(120, 3, 64))
	o := forDistances(Options{Memory: 1 << 24})
	o.Searches = append(o.Searches, measures.Paths)
	engines, err := simulate(t, o).Engines(t.Context(), plan, nil)
	if err != nil || len(engines) != 2 || engines[0].Name() == engines[1].Name() {
		t.Fatalf("engines %v, error %v", engines, err)
	}
	for i := range plan.Blocks {
		for kind, e := range engines {
			if want := plan.Blocks[i].Distances == (kind == 1); e.Accepts(i) != want {
				t.Errorf("%s accepts block %d: %v", e.Name(), i, !want)
			}
		}
	}
	most := [2]int64{}
	for kind, e := range engines {
		for _, c := range e.Choices() {
			most[kind] = max(most[kind], c.Bytes)
		}
	}
	if most[0]+most[1] > o.Memory || most[0] == 0 || most[1] == 0 {
		t.Errorf("waves of %d and %d bytes, there are %d", most[0], most[1], o.Memory)
	}
}
