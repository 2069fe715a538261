package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// A block within a short cutoff is searched from one source at a time where few sources share a vertex.
func TestWorkerSearchesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 4))
	for name, c := range map[string]struct {
		b    *preprocess.Block
		want bool
	}{
		"sparse":     {testblocks.Of(4000, testgraphs.Random(r, 4000, 4000, 8000), lanes.MaxLanes), true},
		"dense":      {testblocks.Of(400, testgraphs.Random(r, 400, 400, 8000), lanes.MaxLanes), false},
		"a long way": {testblocks.Grid(60, 60, lanes.MaxLanes), false},
	} {
		c.b.Entries, c.b.Cutoff = 4*c.b.Vertices(), 2
		if name == "a long way" {
			c.b.Cutoff = 30
		}
		if walk := walkOf(c.b); (walk == "alone") != c.want {
			t.Errorf("%s: walk %s", name, walk)
		}
	}
}

// An acyclic block is searched whole, by hops and within a cutoff, unless few sources share an arc.
func TestWorkerSearchesAcyclicWithin(t *testing.T) {
	var arcs []testgraphs.Edge
	for v := range uint32(3990) {
		arcs = append(arcs, testgraphs.Edge{v, v + 1}, testgraphs.Edge{v, v + 3}, testgraphs.Edge{v, v + 10})
	}
	r := rand.New(rand.NewPCG(31, 3))
	sparse, band := testblocks.Acyclic(r, 4000, 12000, lanes.MaxLanes), testblocks.Directed(4000, arcs, lanes.MaxLanes)
	sparse.Cutoff, band.Cutoff = 2, 5
	if of, beside := walkOf(sparse), walkOf(band); of != "alone" || beside != "acyclic" {
		t.Errorf("walks %s, %s", of, beside)
	}
	if testblocks.ArcLengths(band, func() int64 { return 1 }); walkOf(band) != "balls" {
		t.Errorf("lengths: walk %s", walkOf(band))
	}
}

// A block with lengths is searched from one source at a time where sources share few arcs, and not where distances are long.
func TestWorkerSearchesAloneByLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 6))
	for name, c := range map[string]struct {
		b    *preprocess.Block
		most int64
		want bool
	}{
		"sparse":         {testblocks.Of(4000, testgraphs.Random(r, 4000, 4000, 8000), lanes.MaxLanes), 100, true},
		"long distances": {testblocks.Of(1200, testgraphs.Random(r, 1200, 1200, 2400), lanes.MaxLanes), 3000, false},
		"few sources":    {testblocks.Of(900, testgraphs.Random(r, 900, 900, 1800), lanes.MaxLanes), 100, false},
		"a mesh":         {testblocks.Grid(60, 60, lanes.MaxLanes), 100, false},
		"directed":       {testblocks.RandomDirected(r, 4000, 16000, lanes.MaxLanes), 100, true},
		"no cycles":      {testblocks.Acyclic(r, 4000, 16000, lanes.MaxLanes), 100, false},
	} {
		testblocks.Lengths(r, c.b, c.most)
		c.b.Lengths[0] = 1
		if !c.b.Directed() {
			c.b.Lengths[slices.Index(c.b.Neighbours(c.b.Targets[0]), 0)+int(c.b.Offsets[c.b.Targets[0]])] = 1
		}
		if walk := walkOf(c.b); (walk == "alone-lengths") != c.want {
			t.Errorf("%s: walk %s", name, walk)
		}
		c.b.Distances = true
		for set, want := range map[string]bool{"avx512": c.want && !c.b.Directed(), "avx2": false} {
			if pays, _ := paysAloneLengths(&testblocks.Plan(c.b).Blocks[0], core{set: lanes.Set{Name: set}}); pays != want {
				t.Errorf("%s, distances alone, set %s: pays %v", name, set, pays)
			}
		}
	}
}

// Few sources are searched one at a time in any block with lengths, and so are draws from a large block. More of them share arcs.
func TestWorkerSearchesScattered(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 61))
	grid := func(side, sources int) *preprocess.Block {
		b := testblocks.Grid(side, side, lanes.MaxLanes)
		testblocks.Lengths(r, b, 10)
		b.Sources = b.Sources[:sources]
		return b
	}
	for sources, want := range map[int]string{1: "alone-lengths", 72: "alone-lengths", 73: "lengths", 999: "lengths"} {
		if walk := walkOf(grid(60, sources)); walk != want {
			t.Errorf("%d sources of 3 600 vertices: walk %s", sources, walk)
		}
	}
	for sources, want := range map[int]string{636: "alone-lengths", 637: "lengths"} { // .8 x 159 200 arcs / 200
		if walk := walkOf(grid(200, sources)); walk != want {
			t.Errorf("%d sources of 40 000 vertices: walk %s", sources, walk)
		}
	}
	for sources, want := range map[int]string{190: "alone-lengths", 191: "lengths"} { // .4 x 57 120 arcs / 120
		if walk := walkOf(testblocks.Flows(grid(120, sources))); walk != want {
			t.Errorf("flows from %d sources of 14 400 vertices: walk %s", sources, walk)
		}
	}
	directed := testblocks.RandomDirected(r, 3600, 14400, lanes.MaxLanes)
	testblocks.Lengths(r, directed, 10)
	for sources, want := range map[int]bool{72: true, 73: false} {
		for _, b := range []*preprocess.Block{grid(60, sources), directed} {
			b.Distances, b.Own, b.Sources = true, true, []uint32(nil)
			for v := range uint32(sources) {
				b.Sources = append(b.Sources, v)
			}
			if pays, _ := paysAloneLengths(&testblocks.Plan(b).Blocks[0], core{set: lanes.Set{Name: "avx512"}}); pays != want {
				t.Errorf("distances from %d sources of 3 600 vertices, directed %t: pays %t", sources, b.Directed(), pays)
			}
		}
	}
	for depth, want := range map[int]string{31: "rows", 32: "alone"} {
		b := testblocks.Layered(6, depth+1, lanes.MaxLanes)
		if b.Sources = b.Sources[:1]; walkOf(b) != want || walkOf(testblocks.Flows(b)) != want {
			t.Errorf("a source of %d levels: walk %s", depth, walkOf(b))
		}
	}
	for side, want := range map[int]string{113: "lengths", 114: "alone-lengths"} { // squares around 50 x 256
		drawn, err := testblocks.Plan(grid(side, side*side)).Draw(t.Context(), 0, draws.Drawing{Seed: 1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		probe, err := drawn.Probe(t.Context(), 0, 16, draws.Drawing{Seed: 1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, plan := range []*preprocess.Plan{drawn, probe} {
			if choices, err := Choices(plan, Options{}); err != nil || choices[0].Walk != want {
				t.Errorf("draws from %d vertices: %+v, %v", side*side, choices, err)
			}
		}
	}
}

// The walks and the textbook find the same, for every question with a cutoff. A result is 0
// outside the vertices and edges that it lists.
func TestBallsMatchReference(t *testing.T) {
	ballsMatchReference(t, "balls", 1500/testgraphs.OneIn, blockDrawer.ball)
}

func TestAloneMatchesReference(t *testing.T) {
	ballsMatchReference(t, "alone", 500/testgraphs.OneIn, blockDrawer.near)
}

func TestStreetsMatchReference(t *testing.T) {
	ballsMatchReference(t, "streets", 1500/testgraphs.OneIn, blockDrawer.nearStreets)
}

func ballsMatchReference(t *testing.T, walk string, rounds int, block func(blockDrawer) *preprocess.Block) {
	draw := blockDrawer{t, rand.New(rand.NewPCG(30, 3))}
	batches, some := 0, 0
	for round := range rounds {
		b := block(draw)
		plan := testblocks.Plan(b)
		for _, got := range forced(t, plan, Options{Walk: walk}) {
			name := fmt.Sprintf("round %d, kind %s, batch %+v", round, b.Kind(), got.Batch)
			batches++
			if len(got.At) < b.Vertices() {
				some++
			}
			sources := b.Sources[got.Batch.First:][:got.Batch.Count]
			if b.Distances {
				wantBalls(t, name, b, sources, got)
				continue
			}
			want := engine.Result{Scores: make([]float64, b.Vertices()), Got: make([]float64, len(sources)), Want: make([]float64, len(sources))}
			if b.Flows != nil {
				want.Flows = make([]float64, b.Flows.Count())
			}
			if err := textbook.Result(t.Context(), b, sources, &want); err != nil {
				t.Fatal(err)
			}
			testblocks.WantClose(t, name+" scores", got.Scores, want.Scores, 1e-12)
			testblocks.WantClose(t, name+" got", got.Got, want.Got, 1e-12)
			testblocks.WantClose(t, name+" want", got.Want, want.Want, 1e-12)
			testblocks.WantClose(t, name+" flows", got.Flows, want.Flows, 1e-12)
			wantOnlyAt(t, name+" scores", got.Scores, got.At)
			wantOnlyAt(t, name+" draws", got.Drawn, got.At)
			wantOnlyAt(t, name+" flows", got.Flows, got.FlowsAt)
			if !slices.IsSorted(got.FlowsAt) {
				t.Fatalf("%s: flows at %v", name, got.FlowsAt)
			}
		}
	}
	if some < batches/4 {
		t.Errorf("%d of %d batches reached less than all", some, batches)
	}
}

// wantBalls compares the distances of a result with textbook searches.
func wantBalls(t *testing.T, name string, b *preprocess.Block, sources []uint32, got engine.Result) {
	t.Helper()
	want := make([]engine.Found, b.Vertices())
	for _, s := range sources {
		distance, err := textbook.Distances(t.Context(), b, s)
		if err != nil {
			t.Fatal(err)
		}
		for v, d := range distance {
			f := &want[v]
			if d == 0 {
				continue
			}
			if b.Own {
				f = &want[s]
			}
			f.Reach++
			f.Farness += d
			f.Eccentricity = max(f.Eccentricity, d)
		}
	}
	for v, f := range got.Found {
		f.Harmonic, f.HarmonicHigh, f.Inverse = 0, 0, 0
		if f != want[v] {
			t.Fatalf("%s: found %+v at %d, want %+v", name, f, v, want[v])
		}
		if f.Reach > 0 && !slices.Contains(got.At, uint32(v)) {
			t.Fatalf("%s: found %+v at %d, which is not in %v", name, f, v, got.At)
		}
	}
}

func wantOnlyAt(t *testing.T, name string, values []float64, at []uint32) {
	t.Helper()
	for i, x := range values {
		if x != 0 && !slices.Contains(at, uint32(i)) {
			t.Fatalf("%s: [%d] = %v, which is not in %v", name, i, x, at)
		}
	}
}

// The cost of a batch depends on the part that it reaches: it is the same in a graph of sixteen times the size.
func TestBallsCostWhatTheyReach(t *testing.T) {
	for _, lengths := range []bool{false, true} {
		var work [2]engine.Work
		var reached [2]int
		for i, side := range []int{64, 256} {
			b := testblocks.Grid(side, side, 4)
			b.Cutoff = 9
			if lengths {
				testblocks.Lengths(rand.New(rand.NewPCG(1, 1)), b, 1)
				b.Cutoff = 9
			}
			if walk := walkOf(b); lengths && walk != "balls" {
				t.Fatalf("walk %s", walk)
			}
			middle := uint32(side*side/2 + side/2)
			b.Sources = []uint32{middle, middle + 1, middle + uint32(side), middle + 2}
			got := forced(t, testblocks.Plan(b), Options{Set: "go", Walk: "balls"})[0]
			work[i], reached[i] = got.Work, len(got.At)
		}
		if work[0] != work[1] || reached[0] != reached[1] || reached[0] > 300 {
			t.Errorf("lengths %t: %+v, %d vertices in all", lengths, work, reached)
		}
	}
}

// A sample of batches estimates the memory. It grows by half where a part needs more, so the sum of all
// allocations is a few times as much.
func TestBallBytes(t *testing.T) {
	for _, lengths := range []bool{false, true} {
		for _, distances := range []bool{false, true} {
			b := testblocks.Grid(150, 150, 64)
			b.Cutoff = 12
			if lengths {
				testblocks.Lengths(rand.New(rand.NewPCG(1, 1)), b, 3)
			}
			if distances {
				b.Distances, b.From, b.To = true, nil, nil
			}
			plan := testblocks.Plan(b)
			got, want := allocated(t, plan, engine.Float64), Bytes(plan, Options{}, 0)
			t.Logf("lengths %t, distances %t: %d bytes allocated, %d estimated", lengths, distances, got, want)
			if exact(got) && got > 3*want || want > got {
				t.Errorf("lengths %t, distances %t: %d bytes allocated, %d estimated", lengths, distances, got, want)
			}
		}
	}
}
