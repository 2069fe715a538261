package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/testleaks"
	"bcstage/preprocess"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

// results runs batches of a plan in the given order and copies the results.
func results(t testing.TB, p *preprocess.Plan, opts Options, batches []engine.Batch) []engine.Result {
	t.Helper()
	w, err := New(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	var all []engine.Result
	take := func(_ context.Context, most int) []engine.Batch {
		some := batches[:min(most, len(batches))]
		batches = batches[len(some):]
		return some
	}
	err = w.Run(t.Context(), take, func(r engine.Result) error {
		r.Scores, r.Got, r.Want = slices.Clone(r.Scores), slices.Clone(r.Got), slices.Clone(r.Want)
		r.Drawn, r.Squares, r.Flows = slices.Clone(r.Drawn), slices.Clone(r.Squares), slices.Clone(r.Flows)
		all = append(all, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var tolerance = map[engine.Precision]float64{engine.Float64: 1e-12, engine.Float32: 1e-5}

func TestWorkerMatchesReference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for round := range 60 {
		for _, lanes := range []int{1, 7, 16, 32, 64} {
			var blocks []*preprocess.Block
			for range 3 {
				n := 1 + r.IntN(90)
				b := testblocks.Random(r, n, r.IntN(3*n), lanes)
				if r.IntN(2) == 0 {
					b = testblocks.RandomDirected(r, n, r.IntN(5*n), lanes)
					testblocks.Waivers(r, b)
				}
				if round%3 == 2 {
					b.Multiplicity = make([]float64, n)
					for v := range b.Multiplicity {
						b.Multiplicity[v] = float64(1 + max(0, r.IntN(7)-3))
					}
				}
				b.Cutoff = max(0, r.IntN(12)-6)
				if round%2 == 1 {
					b.Farness = make([]uint16, n)
					for v := range b.Farness {
						b.Farness[v] = uint16(r.IntN(9))
					}
				}
				blocks = append(blocks, b)
			}
			plan := testblocks.Plan(blocks...)
			for _, precision := range engine.Precisions() {
				for _, got := range results(t, plan, Options{Precision: precision}, plan.Batches) {
					b := blocks[got.Batch.Block]
					scores, check, want := make([]float64, b.Vertices()), make([]float64, got.Batch.Count), make([]float64, got.Batch.Count)
					if err := textbook.Scores(t.Context(), b, b.Sources[got.Batch.First:][:got.Batch.Count], scores, check, want); err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("round %d lanes %d precision %s batch %+v", round, lanes, precision, got.Batch)
					testblocks.WantClose(t, name+" scores", got.Scores, scores, tolerance[precision])
					testblocks.WantClose(t, name+" got", got.Got, check, tolerance[precision])
					exact := 0.0
					if b.Waived != nil {
						exact = 1e-12 // not all masses are whole
					}
					testblocks.WantClose(t, name+" want", got.Want, want, exact)
				}
			}
		}
	}
}

func TestWorkerMeshes(t *testing.T) {
	for name, b := range map[string]*preprocess.Block{
		"grid": testblocks.Grid(23, 31, 64), "layered": testblocks.Layered(6, 20, 32), "diamonds": testblocks.Diamonds(40, 16), "vertex": testblocks.Of(1, nil, 5),
	} {
		want := make([]float64, b.Vertices())
		if err := textbook.Scores(t.Context(), b, b.Sources, want, make([]float64, len(b.Sources)), make([]float64, len(b.Sources))); err != nil {
			t.Fatal(err)
		}
		for _, precision := range engine.Precisions() {
			scores := make([]float64, b.Vertices())
			for _, r := range results(t, testblocks.Plan(b), Options{Precision: precision}, testblocks.Plan(b).Batches) {
				for v, x := range r.Scores {
					scores[v] += x
				}
				testblocks.WantClose(t, name+" check", r.Got, r.Want, tolerance[precision])
			}
			testblocks.WantClose(t, name, scores, want, tolerance[precision])
		}
	}
}

// A worker computes blocks whose arcs have lengths, with ties and long detours.
func TestWorkerWithLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 40 {
		n := 1 + r.IntN(90)
		b := testblocks.Random(r, n, r.IntN(3*n), []int{1, 7, 16, 64}[i%4])
		testblocks.Lengths(r, b, []int64{2, 9, 1 << 33}[i%3])
		scores, check := make([]float64, n), make([]float64, len(b.Sources))
		if err := textbook.Scores(t.Context(), b, b.Sources, scores, check, check); err != nil {
			t.Fatal(err)
		}
		for _, precision := range engine.Precisions() {
			sums := make([]float64, n)
			for _, got := range results(t, testblocks.Plan(b), Options{Precision: precision}, testblocks.Plan(b).Batches) {
				for v, x := range got.Scores {
					sums[v] += x
				}
				testblocks.WantClose(t, "check", got.Got, got.Want, tolerance[precision])
			}
			testblocks.WantClose(t, "scores", sums, scores, tolerance[precision])
		}
	}
}

// Equal batches give equal bits, in any order and on a worker that
// computed other blocks before.
func TestWorkerBits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	streets := testblocks.Reduced(t, testgraphs.CutGrid(r, 500, 5), preprocess.Options{}).Blocks[0]
	if streets.Chains == nil {
		t.Fatal("no block is searched by chains")
	}
	lengths, roads := testblocks.Random(r, 60, 90, 9), streets
	testblocks.Lengths(r, lengths, 5)
	testblocks.Lengths(r, &roads, 5)
	plan := testblocks.Plan(testblocks.Random(r, 300, 500, 64), &streets, &roads, testblocks.RandomDirected(r, 900, 990, 16), testblocks.RandomDirected(r, 200, 900, 64), testblocks.Random(r, 40, 20, 7), lengths, testblocks.Grid(9, 30, 32))
	for _, precision := range engine.Precisions() {
		want := results(t, plan, Options{Precision: precision}, plan.Batches)
		for range 5 {
			order := slices.Clone(plan.Batches)
			r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			for _, got := range results(t, plan, Options{Precision: precision}, order) {
				w := want[got.Batch.Index]
				if !slices.Equal(got.Scores, w.Scores) || !slices.Equal(got.Got, w.Got) || !slices.Equal(got.Want, w.Want) || got.Work != w.Work {
					t.Fatalf("batch %d differs when computed in another order", got.Batch.Index)
				}
			}
		}
	}
}

// Path counts beyond the range must show as such, and never give a wrong result.
func TestWorkerShowsOverflow(t *testing.T) {
	for _, c := range []struct {
		precision engine.Precision
		block     *preprocess.Block
	}{
		{engine.Float32, testblocks.Grid(67, 67, 64)},
		{engine.Float32, testblocks.Layered(10, 45, 32)},
		{engine.Float64, testblocks.Layered(10, 315, 16)},
		{engine.Float64, testblocks.Diamonds(1100, 8)},
	} {
		plan := testblocks.Plan(c.block)
		last := len(plan.Batches) - 1
		some := []engine.Batch{plan.Batches[0], plan.Batches[last/2], plan.Batches[last]}
		shown := 0
		for _, r := range results(t, plan, Options{Precision: c.precision}, some) {
			sources := c.block.Sources[r.Batch.First:][:r.Batch.Count]
			scores, check, want := make([]float64, c.block.Vertices()), make([]float64, r.Batch.Count), make([]float64, r.Batch.Count)
			if err := textbook.Scores(t.Context(), c.block, sources, scores, check, want); err != nil {
				t.Fatal(err)
			}
			fine := true
			for i := range r.Got {
				fine = fine && math.Abs(r.Got[i]-want[i]) <= tolerance[c.precision]*max(1, want[i])
			}
			if fine {
				testblocks.WantClose(t, "scores", r.Scores, scores, tolerance[c.precision])
			} else {
				shown++
			}
		}
		if shown == 0 {
			t.Fatalf("no batch of %d vertices overflowed", c.block.Vertices())
		}
	}
}

// Run ends when its context does, at any point of a batch. The next batch is then right.
// There are enough looks at the context that none is late.
func TestWorkerStops(t *testing.T) {
	plan := testblocks.Plan(testblocks.Grid(60, 60, 64))
	w, err := New(plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var work engine.Work
	run := func(until int) (looks int, scores []float64, err error) {
		ctx := testending.After(t.Context(), until)
		left := plan.Batches[7:8]
		take := func(context.Context, int) []engine.Batch {
			taken := left
			left = nil
			return taken
		}
		err = w.Run(ctx, take, func(r engine.Result) error {
			scores, work = slices.Clone(r.Scores), r.Work
			return nil
		})
		return ctx.Looks(), scores, err
	}
	looks, want, err := run(math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if edges := work.FrontierEntries * 3 * 4; int64(looks) < edges>>16 {
		t.Errorf("%d looks at the context for %d edges", looks, edges)
	}
	for until := range looks - 1 { // the last is after the result
		if _, scores, err := run(until); !errors.Is(err, context.Canceled) || scores != nil {
			t.Fatalf("cancelled at look %d: error %v, want %v and no result", until, err, context.Canceled)
		}
	}
	if _, got, err := run(math.MaxInt); err != nil || !slices.Equal(got, want) {
		t.Fatalf("after being cancelled %d times, a batch gives other scores (error %v)", looks, err)
	}
}

func TestWorkerHandsErrorsOn(t *testing.T) {
	plan := testblocks.Plan(testblocks.Grid(4, 4, 3))
	w, err := New(plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	err = w.Run(t.Context(), func(context.Context, int) []engine.Batch { return plan.Batches[:1] }, func(engine.Result) error { return full })
	if err != full {
		t.Fatalf("error %v, want %v", err, full)
	}
}

func TestOptions(t *testing.T) {
	if _, err := New(testblocks.Plan(), Options{Precision: "float16"}); err == nil {
		t.Fatal("precision 7 accepted")
	}
}

// All kernel sets give the same bits on whole batches.
func TestKernelSetsGiveEqualBits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 20 {
		n := 2 + r.IntN(400)
		width := 1 + r.IntN(64)
		b := testblocks.Random(r, n, r.IntN(4*n), width)
		if r.IntN(2) == 0 {
			b = testblocks.RandomDirected(r, n, r.IntN(8*n), width)
		}
		b.Farness = make([]uint16, n)
		for v := range b.Farness {
			b.Farness[v] = uint16(r.IntN(6))
		}
		plan := testblocks.Plan(b)
		for _, precision := range engine.Precisions() {
			want := results(t, plan, Options{Precision: precision, Set: "go"}, plan.Batches)
			for _, set := range lanes.Sets() {
				got := results(t, plan, Options{Precision: precision, Set: set.Name}, plan.Batches)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s differs from go: n %d, lanes %d, precision %s", set.Name, n, width, precision)
				}
			}
		}
	}
}
