package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/meshes"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Searches vertex by vertex and level by level give the same bits, batch after batch: with all kernels,
// shapes, masses, classes of twins and sources.
func TestMeshesKeepBits(t *testing.T) {
	for _, set := range lanes.Sets() {
		meshesKeepBits(t, 100/testgraphs.OneIn, set, meshes.New(set.Name))
	}
}

func meshesKeepBits(t *testing.T, rounds int, set lanes.Set, s *meshes.Search) {
	r := rand.New(rand.NewPCG(18, 5))
	for round := range rounds {
		b := randomMesh(r)
		if round%2 == 1 {
			b = oneWays(r, b)
		}
		n := b.Vertices()
		plain := lanes.NewRows(set, false)
		eachBatch(t, b, s, plain, func(batch engine.Batch, got, want engine.Result) {
			same := func(x, y float64) bool { return x == y || x != x && y != y } // NaN where counts overflow
			if !slices.EqualFunc(got.Scores, want.Scores, same) {
				t.Fatalf("round %d, %d vertices, batch %d: scores %v, level by level %v", round, n, batch.First/b.Lanes, got.Scores, want.Scores)
			}
			wantNear(t, fmt.Sprintf("round %d, batch %+v: want", round, batch), got.Want, want.Want)
			if got.Flows != nil || got.FlowGot != want.FlowGot || got.FlowWant != want.FlowWant {
				t.Fatalf("round %d: flows %v, check %v and %v, of a block without", round, got.Flows, got.FlowGot, got.FlowWant)
			}
			for i, x := range got.Got {
				if y := want.Got[i]; x != x && y != y || math.IsInf(x, 0) && math.IsInf(y, 0) {
					continue
				}
				if !(max(x-want.Want[i], want.Want[i]-x) <= 1e-12*want.Want[i]) {
					t.Fatalf("round %d, %d vertices, batch %d: got %v, want %v", round, n, batch.First/b.Lanes, got.Got, want.Want)
				}
			}
		})
	}
}

// eachBatch runs the first three batches of a block by two searches.
func eachBatch(t *testing.T, b *preprocess.Block, s, plain lanes.Search, each func(batch engine.Batch, got, want engine.Result)) {
	t.Helper()
	n := b.Vertices()
	for first := 0; first < min(n, 3*b.Lanes); first += b.Lanes {
		batch := engine.Batch{First: first, Count: min(b.Lanes, n-first)}
		want, err := plain.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		each(batch, got, want)
	}
}

// Drawn sources of meshes give the sums of a search level by level, up to rounding: with
// all kernels, weights, draws and sources, batch after batch.
func TestDrawnMeshes(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 13))
	for _, set := range lanes.Sets() {
		s := meshes.NewDrawn(set.Name == lanes.Portable().Name)
		plain := lanes.NewRows(set, false)
		for round := range 120 / testgraphs.OneIn {
			b := randomMesh(r)
			n := b.Vertices()
			for v := range b.From {
				b.From[v]++
			}
			b.Linear, b.Draws = round%3 > 0, make([]float64, n)
			for v := range b.Draws {
				b.Draws[v] = float64(r.IntN(4))
			}
			eachBatch(t, b, s, plain, func(batch engine.Batch, got, want engine.Result) {
				name := fmt.Sprintf("round %d, batch %+v: ", round, batch)
				wantNear(t, name+"scores", got.Scores, want.Scores)
				wantNear(t, name+"drawn", got.Drawn, want.Drawn)
				wantNear(t, name+"squares", got.Squares, want.Squares)
				wantNear(t, name+"got", got.Got, want.Got)
				wantNear(t, name+"want", got.Want, want.Want)
			})
		}
	}
}

// wantNear compares numbers that may be infinite or NaN, where path counts overflow.
func wantNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, x := range got {
		if y := want[i]; !(math.Abs(x-y) <= 1e-12*max(1, math.Abs(y))) && !(notFinite(x) && notFinite(y)) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, x, y)
		}
	}
}

func notFinite(x float64) bool { return x != x || math.IsInf(x, 0) }

// A batch of a stage has the same bits alone and after other batches. A worker searches it as a mesh,
// in float64.
func TestWorkerTakesDrawnMeshes(t *testing.T) {
	plan := testblocks.Reduced(t, testgraphs.Grid(128, 128), preprocess.Options{})
	plan, err := plan.Draw(t.Context(), 0, draws.Drawing{Seed: 5, Linear: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	b := &plan.Blocks[0]
	if walkOf(b) != "mesh-draws" {
		t.Fatal("the grid is no mesh")
	}
	last := len(plan.Batches) - 1
	batch := plan.Batches[last]
	want, err := meshes.NewDrawn(false).Run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	got := results(t, plan, Options{}, []engine.Batch{plan.Batches[0], plan.Batches[last/2], batch})[2]
	if got.Work != want.Work || !slices.Equal(got.Scores, want.Scores) || !slices.Equal(got.Drawn, want.Drawn) || !slices.Equal(got.Squares, want.Squares) {
		t.Errorf("work %+v, want %+v, or sums differ", got.Work, want.Work)
	}
	choices, err := Choices(plan, Options{Precision: engine.Float32})
	if err != nil || choices[0].Walk != "rows" {
		t.Errorf("in float32 drawn sources are searched by %+v, %v", choices, err)
	}
}

// randomMesh draws a grid with holes and added edges, a path with added edges, or any graph.
// Some masses are 0.
func randomMesh(r *rand.Rand) *preprocess.Block {
	n, lanes := 2+r.IntN(200), 1+r.IntN(lanes.MaxLanes)
	b := testblocks.Random(r, n, r.IntN(2*n), lanes)
	switch r.IntN(3) {
	case 0:
		b = testblocks.Grid(1+r.IntN(20), 2+r.IntN(20), lanes)
		n = b.Vertices()
		testblocks.TwoMasses(r, b)
	case 1:
		edges := testgraphs.Path(0, uint32(n-1))
		for range r.IntN(10) {
			if u, v := uint32(r.IntN(n)), uint32(r.IntN(n)); u != v {
				edges = append(edges, testgraphs.Edge{u, v})
			}
		}
		b = testblocks.Of(n, edges, lanes)
	}
	for v := range b.From {
		b.From[v] = float64(r.IntN(5) * r.IntN(5))
	}
	if r.IntN(2) == 0 {
		for range n {
			b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(4)))
		}
	}
	if r.IntN(2) == 0 { // any sources may share a batch
		r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	}
	if r.IntN(4) > 0 {
		b.Farness = make([]uint16, n)
		for v := range b.Farness {
			b.Farness[v] = uint16(r.IntN(6))
		}
	}
	return b
}

// oneWays returns the block with half of its edges as arcs of one direction. Some sources waive targets.
func oneWays(r *rand.Rand, b *preprocess.Block) *preprocess.Block {
	var arcs []testgraphs.Edge
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			switch {
			case v > u:
			case r.IntN(4) == 0:
				arcs = append(arcs, testgraphs.Edge{v, u})
			case r.IntN(3) == 0:
				arcs = append(arcs, testgraphs.Edge{u, v})
			default:
				arcs = append(arcs, testgraphs.Edge{v, u}, testgraphs.Edge{u, v})
			}
		}
	}
	directed := testblocks.Directed(b.Vertices(), arcs, b.Lanes)
	directed.Paths, directed.Sources, directed.Farness = b.Paths, b.Sources, b.Farness
	if r.IntN(2) == 0 {
		testblocks.Waivers(r, directed)
	}
	return directed
}

// A directed mesh is searched as one if most of its vertices reach one another.
func TestWorkerTakesDirectedMeshes(t *testing.T) {
	const side = 50
	for _, barrier := range []uint32{1, side / 2} {
		var arcs []testgraphs.Edge
		for _, e := range testgraphs.Grid(side, side) {
			arcs = append(arcs, e)
			if e[0]/side == e[1]/side || max(e[0], e[1])/side != barrier { // no way back over the barrier
				arcs = append(arcs, testgraphs.Edge{e[1], e[0]})
			}
		}
		b := testblocks.Directed(side*side, arcs, lanes.MaxLanes)
		b.Farness, b.Entries = make([]uint16, side*side), 8*side*side
		if walk := walkOf(b); (walk == "meshes") != (barrier == 1) {
			t.Errorf("no way back over row %d: walk %s", barrier, walk)
		}
	}
}

// The walk searches no directed block whose distances may exceed 16 bits, however few levels it has without directions.
func TestDeepDirectedMesh(t *testing.T) {
	for _, length := range []uint32{1 << 13, 1<<13 + 10} {
		arcs := testgraphs.Path(0, length-1)
		for v := range length {
			arcs = append(arcs, testgraphs.Edge{v, v / 2}) // short ways back
		}
		_, err := Choices(testblocks.Plan(testblocks.Directed(int(length), arcs, lanes.MaxLanes)), Options{Walk: "meshes"})
		if (err == nil) != (length == 1<<13) {
			t.Errorf("path of %d vertices: %v", length, err)
		}
	}
}

// A search ends when its context does, at any point of a batch. The next batch is then right.
func TestMeshesStop(t *testing.T) {
	stopMesh(t, testblocks.Grid(24, 24, lanes.MaxLanes), 448, meshes.New(lanes.Sets()[0].Name))
	b := testblocks.Grid(20, 20, lanes.MaxLanes)
	b.Draws = slices.Repeat([]float64{1}, b.Vertices())
	stopMesh(t, b, 64, meshes.NewDrawn(false))
}

// stopMesh cancels a search of 64 sources, beginning with first, at each look at the context.
func stopMesh(t *testing.T, b *preprocess.Block, first int, s lanes.Search) {
	run := func(until int) (looks int, scores []float64, err error) {
		ctx := testending.After(t.Context(), until)
		result, err := s.Run(ctx, b, engine.Batch{First: first, Count: 64})
		return ctx.Looks(), slices.Clone(result.Scores), err
	}
	looks, want, err := run(math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	for until := range looks {
		if _, scores, err := run(until); !errors.Is(err, context.Canceled) || scores != nil {
			t.Fatalf("cancelled at look %d: error %v, want %v and no result", until, err, context.Canceled)
		}
	}
	if _, got, err := run(math.MaxInt); err != nil || !slices.Equal(got, want) {
		t.Fatalf("after being cancelled %d times, a batch gives other scores (error %v)", looks, err)
	}
}

// A worker searches meshes by package meshes: work and scores are equal.
func TestWorkerTakesMeshes(t *testing.T) {
	plan := testblocks.Reduced(t, testgraphs.Grid(128, 128), preprocess.Options{})
	b := &plan.Blocks[0]
	if walkOf(b) != "meshes" {
		t.Fatal("the grid is no mesh")
	}
	batch := plan.Batches[len(plan.Batches)/2]
	want, err := meshes.New(lanes.Sets()[0].Name).Run(t.Context(), b, batch)
	if err != nil {
		t.Fatal(err)
	}
	got := results(t, plan, Options{}, []engine.Batch{batch})[0]
	if got.Work != want.Work || !slices.Equal(got.Scores, want.Scores) {
		t.Errorf("work %+v, want %+v", got.Work, want.Work)
	}
}

// The walk mesh-reach finds the same distances as the search by bits.
func TestWorkerTakesMeshesForDistances(t *testing.T) {
	plan := testblocks.Reduced(t, testgraphs.Grid(64, 64), preprocess.Options{Question: question.Question{Measures: []string{measures.Harmonic}}})
	for _, set := range lanes.Sets() {
		w, err := New(plan, Options{Set: set.Name})
		if err != nil {
			t.Fatal(err)
		}
		for _, batch := range plan.Batches[:2] {
			b := &plan.Blocks[batch.Block]
			got, err := w.search(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			want, err := distances.New(false).Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			if w.walk.name != "mesh-reach" || !slices.Equal(got.Found, want.Found) || got.Got[0] != want.Got[0] || got.Want[0] != want.Want[0] {
				t.Errorf("%s, batch %+v: walk %s; %v of %v reached, want %v; found %v, want %v", set.Name, batch, w.walk.name, got.Got, got.Want, want.Got, got.Found, want.Found)
			}
		}
	}
}
