package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// toldPlan is the plan of a mesh for paths and for distances, of batches of so many lanes.
func toldPlan(t testing.TB, rows, columns uint32, lanes int) *preprocess.Plan {
	asked := question.Question{Measures: []string{question.Betweenness, question.Harmonic}}
	return testblocks.Reduced(t, testgraphs.Grid(rows, columns), preprocess.Options{Question: asked, Lanes: lanes})
}

func forTold(o Options) Options {
	o.Searches, o.MinBlock = []question.Search{question.Paths, question.Distances}, 1
	return o
}

// toldOutcome is what an engine finds of a plan for both.
type toldOutcome struct {
	scores    *outcome
	distances *metBy
	results   int // of the block searched for distances
}

func newToldOutcome(p *preprocess.Plan) *toldOutcome {
	return &toldOutcome{scores: newOutcome(p), distances: newMetBy(p)}
}

func (o *toldOutcome) add(r preprocess.Result) error {
	if !o.distances.plan.Blocks[r.Batch.Block].Distances {
		return o.scores.add(r)
	}
	o.results++
	return o.distances.add(r)
}

// check holds what was found against textbooks, of the batches that were handed out.
func (o *toldOutcome) check(t *testing.T, what string, handed []preprocess.Batch, tolerance float64) {
	t.Helper()
	p := o.scores.plan
	want := newToldOutcome(p)
	for _, batch := range handed {
		b := &p.Blocks[batch.Block]
		r := preprocess.Result{Batch: batch, Got: make([]float64, batch.Count), Want: make([]float64, batch.Count)}
		if b.Distances {
			r.Found, r.Got, r.Want, r.Together = testblocks.Found(b, batch), []float64{0}, []float64{0}, true
		} else {
			r.Scores = make([]float64, b.Vertices())
			if err := cpu.ReferenceResult(t.Context(), b, b.Sources[batch.First:batch.First+batch.Count], &r); err != nil {
				t.Fatal(err)
			}
		}
		if err := want.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(o.scores.covered, want.scores.covered) || !slices.Equal(o.distances.covered, want.distances.covered) {
		t.Fatalf("%s: covered %v and %v", what, o.scores.covered, o.distances.covered)
	}
	for i := range p.Blocks {
		if !slices.Equal(o.distances.found[i], want.distances.found[i]) {
			t.Errorf("%s: distances of block %d differ", what, i)
		}
		wantClose(t, what, o.scores.scores[i], want.scores.scores[i], tolerance)
	}
}

// handOut is a taker of the batches that keep says.
func handOut(p *preprocess.Plan, keep func(preprocess.Batch) bool) (handed []preprocess.Batch, take func(context.Context, int) []preprocess.Batch) {
	for _, batch := range p.Batches {
		if keep(batch) {
			handed = append(handed, batch)
		}
	}
	left := handed
	return handed, func(_ context.Context, most int) []preprocess.Batch {
		end := 0
		for end < min(most, len(left)) && (end == 0 || follows(left[end-1], left[end])) {
			end++
		}
		taken := left[:end]
		left = left[end:]
		return taken
	}
}

func checkTold(t *testing.T, s *Session, plan *preprocess.Plan, keep func(preprocess.Batch) bool) (results int) {
	t.Helper()
	engines, err := s.Engines(t.Context(), plan, nil)
	if err != nil || len(engines) != 1 {
		t.Fatalf("%d engines, error %v", len(engines), err)
	}
	handed, take := handOut(plan, keep)
	o := newToldOutcome(plan)
	if err := engines[0].Run(t.Context(), take, o.add); err != nil {
		t.Fatal(err)
	}
	o.check(t, fmt.Sprintf("%+v", s.options), handed, tolerance(s.options.Precision))
	return o.results
}

func allBatches(preprocess.Batch) bool { return true }

// Searches by themselves tell all distances, in one result; if others had some of either
// block, it is searched as ever.
func TestToldDistances(t *testing.T) {
	for i, o := range []Options{{}, {Streams: 1, Packs: 1}, {Streams: 3, Packs: 2, WorkGroup: 32}, {Precision: engine.Float32, Lanes: 32, Strategy: Solo}} {
		plan := toldPlan(t, 9, 60+uint32(i), []int{0, 5, 64, 17}[i])
		s := simulate(t, forTold(o))
		if results := checkTold(t, s, plan, allBatches); results != 1 {
			t.Errorf("%+v: %d results", o, results)
		}
		for block := range plan.Blocks {
			checkTold(t, s, plan, func(b preprocess.Batch) bool { return b.Block != block || b.First > 0 })
			checkTold(t, s, plan, func(b preprocess.Batch) bool { return b.Block == block })
		}
	}
}

// Only what is the same graph is told, and not by another strategy.
func TestNotTold(t *testing.T) {
	tail := append(testgraphs.Grid(9, 60), testgraphs.Edge{0, 540}) // of which paths are known in closed form
	asked := question.Question{Measures: []string{question.Betweenness, question.Harmonic}}
	for what, c := range map[string]struct {
		plan *preprocess.Plan
		o    Options
	}{
		"a tail":           {testblocks.Reduced(t, tail, preprocess.Options{Question: asked}), Options{}},
		"a shallow block":  {toldPlan(t, 12, 12, 0), Options{}},
		"another strategy": {toldPlan(t, 9, 60, 0), Options{Strategy: Frontier}},
	} {
		if engines, err := simulate(t, forTold(c.o)).Engines(t.Context(), c.plan, nil); err != nil || len(engines) != 2 {
			t.Errorf("%s: %d engines, error %v", what, len(engines), err)
		}
	}
	plan := toldPlan(t, 9, 60, 0)
	one, other := &plan.Blocks[0], plan.Blocks[1]
	if !other.Distances {
		one, other = &plan.Blocks[1], plan.Blocks[0]
	}
	if sameVertices(one, &other) == nil {
		t.Fatal("a block is not the same as itself: no test")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 { // one edge that leads elsewhere
		other.Targets = slices.Clone(other.Targets)
		at := r.IntN(len(other.Targets))
		before := other.Targets[at]
		other.Targets[at] = (before + 1 + uint32(r.IntN(other.Vertices()-1))) % uint32(other.Vertices())
		if sameVertices(one, &other) != nil {
			t.Fatalf("target %d changed from %d to %d, and nobody sees it", at, before, other.Targets[at])
		}
		other.Targets[at] = before
	}
}

// Whatever the graph is like, what is told is right: rings with chords, whose blocks are
// mostly all of their component.
func TestToldOfAny(t *testing.T) {
	told := 0
	for seed := range uint64(3 + 300/testgraphs.OneIn) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := 5 + r.IntN(120)
		edges := testgraphs.Join(testgraphs.Ring(0, uint32(n)), testgraphs.Random(r, n, n, r.IntN(n)))
		asked := question.Question{Measures: []string{question.Betweenness, question.Harmonic}}
		plan := testblocks.Reduced(t, edges, preprocess.Options{Question: asked, Lanes: 1 + r.IntN(64), Off: []string{"chains"}})
		s := simulate(t, forTold(Options{Strategy: Solo, Streams: 1 + r.IntN(2), Packs: r.IntN(3)}))
		surveys, err := Survey(t.Context(), plan, s.options)
		if err != nil {
			t.Fatal(err)
		}
		if tells(s.options, plan, surveys) == nil {
			continue // there are twins
		}
		told++
		if results := checkTold(t, s, plan, allBatches); results != 1 {
			t.Errorf("seed %d: %d results", seed, results)
		}
	}
	if t.Logf("of %d graphs", told); told == 0 {
		t.Error("no graph is like that: no test")
	}
}
