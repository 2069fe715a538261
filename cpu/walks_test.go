package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// walkOf returns the walk of a block on a processor without AVX-512.
func walkOf(b *preprocess.Block) string {
	b = &testblocks.Plan(b).Blocks[0]
	c := chooser{walks: walks(), core: core{set: lanes.Portable()}}
	w, _ := c.choose(b, c.core.of(b))
	return w.name
}

// A block of every kind has a walk in either precision.
func TestEveryKindHasAWalk(t *testing.T) {
	seen := make(map[engine.Kind]bool)
	draw := blockDrawer{t, rand.New(rand.NewPCG(29, 1))}
	for range 20 {
		for _, b := range []*preprocess.Block{draw.any(), draw.full(), draw.mesh(), draw.drawn(), draw.withLengths(), draw.chained(), draw.streets(), draw.distances(), draw.ofMesh(), draw.roads(), draw.lengthReach(), draw.acyclic(), draw.acyclicReach()} {
			seen[b.Kind()] = true
			for _, precision := range engine.Precisions() {
				choices, err := Choices(testblocks.Plan(b), Options{Precision: precision})
				if err != nil || len(choices) != 1 || choices[0].Why == "" || choices[0].Kind != b.Kind().String() {
					t.Fatalf("kind %s: %+v, %v", b.Kind(), choices, err)
				}
			}
		}
	}
	if len(seen) != int(engine.KindChainReach)+1 {
		t.Errorf("kinds drawn: %v", seen)
	}
}

// All walks that suit a block find the same as the walk that pays, with every instruction set.
func TestForcedWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 2))
	draw, streets := blockDrawer{t, r}, blockDrawer{t, rand.New(rand.NewPCG(30, 5))}
	taken := make(map[string]int)
	for round := range max(60/testgraphs.OneIn, 6) {
		for name, b := range map[string]*preprocess.Block{"any": draw.any(), "full": draw.full(), "mesh": draw.mesh(), "drawn": draw.drawn(), "lengths": draw.withLengths(), "chains": draw.chained(), "streets": draw.streets(), "distances": draw.distances(), "distances of a mesh": draw.ofMesh(), "roads": draw.roads(), "distances by lengths": draw.lengthReach(), "acyclic": draw.acyclic(), "acyclic distances": draw.acyclicReach(), "balls": draw.ball(), "near": draw.near(), "near streets": streets.nearStreets()} {
			plan := testblocks.Plan(b)
			want := forced(t, plan, Options{Set: "go", Walk: plain(b)})
			for _, walk := range Walks() {
				for _, set := range Sets() {
					opts := Options{Walk: walk, Set: set}
					if _, err := Choices(plan, opts); err != nil {
						if !strings.Contains(err.Error(), walk) {
							t.Fatalf("%s: refused without its name: %v", walk, err)
						}
						continue
					}
					taken[walk]++
					wantSame(t, fmt.Sprintf("round %d, %s by walk %s, set %s", round, name, walk, set), forced(t, plan, opts), want)
				}
			}
		}
	}
	for _, walk := range Walks() {
		if taken[walk] == 0 {
			t.Errorf("walk %s suited no block", walk)
		}
	}
}

// plain returns the simplest walk that suits a block.
func plain(b *preprocess.Block) string {
	switch b.Kind() {
	case engine.KindHops:
		return "rows"
	}
	return b.Kind().String()
}

// forced runs the batches of a plan.
func forced(t *testing.T, plan *preprocess.Plan, opts Options) []engine.Result {
	t.Helper()
	var all []engine.Result
	w, err := New(plan, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range plan.Batches {
		got, err := w.search(t.Context(), &plan.Blocks[batch.Block], batch)
		if err != nil {
			t.Fatal(err)
		}
		got.Scores, got.Got, got.Want = slices.Clone(got.Scores), slices.Clone(got.Got), slices.Clone(got.Want)
		got.Drawn, got.Squares, got.Flows, got.Found = slices.Clone(got.Drawn), slices.Clone(got.Squares), slices.Clone(got.Flows), slices.Clone(got.Found)
		got.At, got.FlowsAt = slices.Clone(got.At), slices.Clone(got.FlowsAt)
		all = append(all, got)
	}
	return all
}

func wantSame(t *testing.T, what string, got, want []engine.Result) {
	t.Helper()
	for i := range want {
		g, w := got[i], want[i]
		testblocks.WantClose(t, what+" scores", g.Scores, w.Scores, 1e-12)
		testblocks.WantClose(t, what+" got", g.Got, w.Got, 1e-12)
		testblocks.WantClose(t, what+" want", g.Want, w.Want, 1e-12)
		testblocks.WantClose(t, what+" drawn", g.Drawn, w.Drawn, 1e-12)
		testblocks.WantClose(t, what+" squares", g.Squares, w.Squares, 1e-12)
		testblocks.WantClose(t, what+" flows", g.Flows, w.Flows, 1e-12)
		testblocks.WantClose(t, what+" check of flows", []float64{g.FlowGot, g.FlowWant}, []float64{w.FlowGot, w.FlowWant}, 1e-12)
		for v := range w.Found {
			g, w := g.Found[v], w.Found[v]
			testblocks.WantClose(t, what+" inverse distances", []float64{g.Inverse}, []float64{w.Inverse}, 1e-12)
			if g.Inverse = w.Inverse; g != w {
				t.Fatalf("%s: found %+v at %d, want %+v", what, g, v, w)
			}
		}
	}
}

// A walk that suits no block is refused, with the reason. Unknown names are refused, too.
func TestRefusedWalks(t *testing.T) {
	plan := testblocks.Reduced(t, testgraphs.Grid(128, 128), preprocess.Options{Question: question.Question{Edges: true}})
	for opts, want := range map[Options]string{
		{Walk: "lines"}:           "walk lines does not suit the largest block (16384 vertices, kind hops): the walk has no scores of edges",
		{Walk: "chains"}:          "kind hops): the walk searches blocks of kind chains",
		{Walk: "sideways"}:        `no walk "sideways": want one of alone, alone-lengths, streets, balls, acyclic, mesh-draws, meshes`,
		{Set: "mmx"}:              `no instruction set "mmx" on this processor: want one of `,
		{Precision: "float16"}:    `unknown precision "float16"`,
		{Walk: "meshes"}:          "",
		{Walk: "rows", Set: "go"}: "",
	} {
		choices, err := Choices(plan, opts)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", opts, err, want)
		}
		if err == nil && (choices[0].Walk != opts.Walk || choices[0].Why != "asked for" || opts.Set != "" && choices[0].Set != opts.Set) {
			t.Errorf("%+v: %+v", opts, choices)
		}
	}
}

// Blocks with equal choices share one line.
func TestChoicesOfManyBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 3))
	small, other, lengths := testblocks.Random(r, 30, 40, 64), testblocks.Random(r, 20, 30, 64), testblocks.Random(r, 25, 25, 64)
	testblocks.Lengths(r, lengths, 5)
	choices, err := Choices(testblocks.Plan(small, lengths, other), Options{Set: "go"})
	want := []engine.WalkChoice{
		{Block: 0, Blocks: 2, Kind: "hops", Vertices: 50, Arcs: int64(len(small.Targets) + len(other.Targets)), Walk: "rows", Set: "go", Precision: engine.Float64, Why: "no other walk gains here"},
		{Block: 1, Blocks: 1, Kind: "lengths", Vertices: 25, Arcs: int64(len(lengths.Targets)), Walk: "lengths", Set: "go", Precision: engine.Float64, Why: "arcs have lengths"},
	}
	if err != nil || !slices.Equal(choices, want) {
		t.Errorf("%+v, %v; want %+v", choices, err, want)
	}
}
