package preprocess

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/testleaks"
	"bcstage/preprocess/question"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

func TestReduceShapes(t *testing.T) {
	for name, g := range shapesOfGraphs() {
		t.Run(name, func(t *testing.T) {
			compare(t, scoresOf(t, g, Options{Threads: 2}), brandes(g))
		})
	}
}

func TestReduceRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 / testgraphs.OneIn {
		g := randomGraph(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			compare(t, scoresOf(t, g, Options{Threads: 1 + r.IntN(3), Lanes: r.IntN(engine.MaxLanes + 1), Off: anyOff(r)}), brandes(g))
		})
	}
}

// anyOff returns none of the reductions every other time, else random ones.
func anyOff(r *rand.Rand) (off []string) {
	if r.IntN(2) == 0 {
		return nil
	}
	for _, s := range steps() {
		if s.name != "" && r.IntN(2) == 0 {
			off = append(off, s.name)
		}
	}
	return off
}

func TestReduceDoesNotDependOnThreads(t *testing.T) {
	for name, g := range map[string]*csr.Graph{
		"kron": kron(11, 8), "grid": graphOf(48*48, testgraphs.Grid(48, 48)), "fans": fans(5000), "directed": oneWay(kron(12, 4)),
	} {
		var first *Plan
		for threads := 1; threads <= 5; threads += 2 {
			p, err := Reduce(context.Background(), g, Options{Threads: threads, Question: question.Question{Directed: g.In != nil}})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = p
			} else if !reflect.DeepEqual(p, first) {
				t.Errorf("%s: the plan of %d threads differs from that of one", name, threads)
			}
		}
	}
}

func TestFingerprintTellsPlansApart(t *testing.T) {
	seen := map[[32]byte]string{}
	for name, g := range map[string]*csr.Graph{
		"grid": graphOf(30, testgraphs.Grid(5, 6)), "turned": graphOf(30, testgraphs.Grid(6, 5)),
		"tail": graphOf(31, append(testgraphs.Grid(5, 6), edge{0, 30})), "elsewhere": graphOf(31, append(testgraphs.Grid(5, 6), edge{1, 30})),
	} {
		for lanes := 1; lanes <= 3; lanes++ {
			p, err := Reduce(context.Background(), g, Options{Lanes: lanes})
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s with %d lanes", name, lanes)
			if other, found := seen[p.Fingerprint]; found {
				t.Errorf("%s and %s have one fingerprint", name, other)
			}
			seen[p.Fingerprint] = name
		}
	}
}

func TestReduceRefusesOptions(t *testing.T) {
	for _, opts := range []Options{{Threads: -1}, {Lanes: -1}, {Lanes: engine.MaxLanes + 1}, {Question: question.Question{Directed: true}}} {
		if _, err := Reduce(context.Background(), graphOf(2, testgraphs.Path(0, 1)), opts); !errors.Is(err, errOptions) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// A context ends at its k-th check, for every k: Reduce returns its error and
// no plan.
func TestReduceStopsEverywhere(t *testing.T) {
	edges := testgraphs.Join(testgraphs.Grid(20, 20), testgraphs.Star(400, 99), testgraphs.Ring(500, 100), testgraphs.Grid(1, 600))
	r := rand.New(rand.NewPCG(71, 72))
	someEnds := ends(nil, []uint32{3, 5, 400, 650})
	for _, g := range []*csr.Graph{graphOf(700, edges), digraphOf(700, edges)} {
		farness, directed := measures.Farness, g.In != nil
		if directed {
			farness += measures.In
		}
		for _, q := range []question.Question{
			{},
			{Targets: someEnds.Question.Targets, Endpoints: true},
			{Measures: []string{farness}},
			{Measures: []string{farness}, Targets: someEnds.Question.Targets},
			{Edges: true},
		} {
			q.Directed = directed
			opts := Options{Threads: 2, Lanes: 8, Question: q}
			if q.Targets != (question.Set{}) {
				opts.Targets = someEnds.Targets
			}
			stopsEverywhere(t, g, opts)
		}
		stopsEverywhere(t, withLengths(r, g, 9), Options{Threads: 2, Lanes: 8, Question: question.Question{Directed: directed, Lengths: byWeight().Lengths}})
	}
}

func stopsEverywhere(t *testing.T, g *csr.Graph, opts Options) {
	for k := 1; ; k += testending.Stride(k) {
		ctx := testending.After(context.Background(), k)
		p, err := Reduce(ctx, g, opts)
		if err == nil {
			if k < 10 {
				t.Errorf("%s: only %d questions", opts.Question, k)
			}
			return
		}
		if p != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: question %d: plan %v, error %v", opts.Question, k, p != nil, err)
		}
	}
}
