package pipeline

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// sampled returns a question for estimates.
func sampled(way string, seed uint64, samples int) question.Question {
	return question.Question{Sample: question.Sample{Way: way, Seed: seed, Samples: samples, Confidence: 0.9}}
}

// all is more samples than any graph here has vertices.
const all = 1 << 12

// sampledGraphs have blocks of all kinds: with leaves, twins and articulation points.
func sampledGraphs() []*edgeList {
	r := rand.New(rand.NewPCG(7, 7))
	small := testgraphs.Random(r, 500, 500, 700)
	streets := testgraphs.CutGrid(r, 300, 1.5)
	var twins []testgraphs.Edge
	twins = append(twins, testgraphs.Random(r, 300, 300, 300)...)
	for v := range uint32(100) {
		a, b := r.Uint32N(300), r.Uint32N(300)
		for range 1 + v%3 {
			twin := uint32(300 + len(twins))
			twins = append(twins, testgraphs.Edge{twin, a}, testgraphs.Edge{twin, b})
		}
	}
	leaves := slices.Clone(small)
	for v := range uint32(600) {
		leaves = append(leaves, testgraphs.Edge{1000 + v, r.Uint32N(1 + v%500)})
	}
	return []*edgeList{listed("small world", small), listed("streets", streets), listed("twins", twins), listed("leaves", leaves), deviceGraph()}
}

// estimatesIn returns the columns of a table of estimates.
func estimatesIn(t tables.Table) (scores, lower, upper []float64) {
	return scoresIn(t), t.Floats(LowerColumn), t.Floats(UpperColumn)
}

// Intervals contain the exact scores of all vertices, for every number of samples and nearly all
// seeds, and shrink to nothing when all sources are drawn.
func TestEstimatesHold(t *testing.T) {
	for _, e := range sampledGraphs() {
		exact := scoresIn(run1(t, e, Options{}))
		n := float64(len(exact))
		runs, misses := 0, 0
		for _, way := range []string{"sources", "sources-raw", "pairs"} {
			for seed := range uint64(max(20/testgraphs.OneIn, 3)) {
				last := 1.0
				for _, samples := range []int{64, 100, 300, all} {
					if way == "pairs" {
						samples *= 20 // never all pairs
					}
					table := run1(t, e, Options{Question: sampled(way, seed, samples)})
					scores, lower, upper := estimatesIn(table)
					missed, wide := false, 0.0
					for v, want := range exact {
						slack := 1e-9 * max(want, 1)
						if !(lower[v] <= scores[v] && scores[v] <= upper[v]) {
							t.Fatalf("%s: vertex %d: %v is not within [%v, %v]", e.name, v, scores[v], lower[v], upper[v])
						}
						missed = missed || want < lower[v]-slack || want > upper[v]+slack
						wide = max(wide, upper[v]-scores[v], scores[v]-lower[v])
						if samples == all && (lower[v] != upper[v] || math.Abs(scores[v]-want) > slack) {
							t.Fatalf("%s: vertex %d ends as %v in [%v, %v], not %v", e.name, v, scores[v], lower[v], upper[v], want)
						}
					}
					runs++
					if missed {
						misses++
					}
					if wide /= n * (n - 1) / 2; wide > 1.1*last {
						t.Errorf("%s %s seed %d: eps %v after %d samples, %v before", e.name, way, seed, wide, samples, last)
					}
					last = wide
				}
			}
		}
		if misses*20 > runs {
			t.Errorf("%s: %d of %d runs missed an exact score", e.name, misses, runs)
		}
	}
}

// Directed graphs are estimated from pairs: in strong components, between them, and where there is
// no path. They are not weighted by nearness.
func TestEstimatesOfDirectedGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	streets := testgraphs.CutGrid(r, 300, 1.5)
	for i := range streets { // most of them go both ways
		if r.IntN(4) > 0 {
			streets = append(streets, testgraphs.Edge{streets[i][1], streets[i][0]})
		}
	}
	for _, e := range []*edgeList{listed("arcs", testgraphs.Random(r, 400, 400, 2000)), listed("one-way streets", streets), listed("down only", testgraphs.Random(r, 300, 30, 300))} {
		e.directed = true
		exact := scoresIn(run1(t, e, Options{}))
		n := float64(len(exact))
		for seed := range uint64(5) {
			q := sampled("pairs", seed, 20_000)
			scores, lower, upper := estimatesIn(run1(t, e, Options{Question: q}))
			worst, wide := 0.0, 0.0
			for v, want := range exact {
				if slack := 1e-9 * max(want, 1); want < lower[v]-slack || want > upper[v]+slack {
					t.Errorf("%s: seed %d: vertex %d is %v, not in [%v, %v]", e.name, seed, v, want, lower[v], upper[v])
				}
				worst = max(worst, math.Abs(scores[v]-want)/n/(n-1))
				wide = max(wide, (upper[v]-lower[v])/n/(n-1))
			}
			if worst > 0.01 || wide > 0.04 || wide == 0 {
				t.Errorf("%s: seed %d: a score is %v of all pairs off, and an interval %v wide", e.name, seed, worst, wide)
			}
		}
		auto := sampled("auto", 1, 0)
		auto.Sample.Eps = 0.05
		if way := metadataOf(run1(t, e, Options{Question: auto}), "estimate"); way == "sources" {
			t.Errorf("%s: goes by %s", e.name, way)
		}
	}
}

// Threads do not change estimates and intervals.
func TestEstimatesAreRepeatable(t *testing.T) {
	for _, e := range sampledGraphs() {
		for samples, way := range map[int]string{64: "sources", 200: "sources-raw", 3000: "pairs"} {
			want := run1(t, e, Options{Question: sampled(way, 3, samples), Compute: Compute{Threads: 1, Lanes: 8}})
			got := run1(t, e, Options{Question: sampled(way, 3, samples), Compute: Compute{Threads: 3, Lanes: 8}})
			for _, column := range []string{tables.ScoreColumn, LowerColumn, UpperColumn} {
				if !slices.Equal(want.Floats(column), got.Floats(column)) {
					t.Errorf("%s: %s differs with threads", e.name, column)
				}
			}
			other := run1(t, e, Options{Question: sampled(way, 4, samples), Compute: Compute{Threads: 1, Lanes: 8}})
			if slices.Equal(want.Floats(tables.ScoreColumn), other.Floats(tables.ScoreColumn)) {
				t.Errorf("%s: seeds make no difference", e.name)
			}
		}
	}
}

// Estimates are right on average over many seeds, within statistical error. (If few sources stand
// for many originals, later stages weigh more once those have been drawn, which lowers the scores
// next to them by some percent.)
func TestEstimatesHaveNoBias(t *testing.T) {
	e := sampledGraphs()[0]
	exact := scoresIn(run1(t, e, Options{}))
	for way, samples := range map[string]int{"sources": 128, "sources-raw": 128, "pairs": 3000} {
		const seeds = 40
		sum, squares := make([]float64, len(exact)), make([]float64, len(exact))
		for seed := range uint64(seeds) {
			scores, _, _ := estimatesIn(run1(t, e, Options{Question: sampled(way, seed, samples)}))
			for v, x := range scores {
				sum[v] += x
				squares[v] += x * x
			}
		}
		var total, want float64
		for v, x := range exact {
			mean := sum[v] / seeds
			sigma := math.Sqrt(max(squares[v]/seeds-mean*mean, 0) / (seeds - 1))
			if math.Abs(mean-x) > 5*sigma+0.02*x+0.5 {
				t.Errorf("%s: vertex %d is %v on average, within %v, not %v", way, v, mean, sigma, x)
			}
			total, want = total+mean, want+x
		}
		if math.Abs(total/want-1) > 0.005 {
			t.Errorf("%s: all estimates together are %v times what they should be", way, total/want)
		}
	}
}

// A run ends when its goal is reached, and says so.
func TestGoalsOfEstimates(t *testing.T) {
	e := sampledGraphs()[3]
	estimate := func(s question.Sample) (*Stats, tables.Table) {
		var table tables.Table
		opts := Options{Question: question.Question{Sample: s}, Compute: Compute{Engine: EngineCPU, Threads: 2}}
		opts.Source = sourceOf(e)
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil {
			t.Fatal(err)
		}
		return stats, table
	}
	stats, _ := estimate(question.Sample{Way: "sources", Eps: 0.08})
	if got := stats.Estimate; got.Eps > 0.08 || got.Eps == 0 || got.Draws == got.Originals || got.Stages < 2 || got.Confidence != 0.95 {
		t.Errorf("eps 0.08: %+v", got)
	}
	stats, table := estimate(question.Sample{Way: "sources", Samples: 100})
	if got := stats.Estimate; got.Draws != 100 || got.Searches > 100 || got.Searches < 60 || got.Stages != 2 {
		t.Errorf("100 samples: %+v", got)
	}
	for key, want := range map[string]string{"estimate": "sources", "draws": "100", "seed": "0", "question": "way=sources"} {
		if found := entry(&table, key); found == nil || *found != want {
			t.Errorf("metadata %q is not %q", key, want)
		}
	}
	stats, _ = estimate(question.Sample{Way: "sources", Certain: 1})
	if got := stats.Estimate; got.Certain == nil || *got.Certain != (Certain{Places: 1, Of: 1}) {
		t.Errorf("certain 1: %+v", got)
	}
	stats, _ = estimate(question.Sample{Way: "pairs", Samples: 2500})
	if got := stats.Estimate; got.Draws != 2500 || got.Searches != 2500 || got.Sources != 0 || got.Stages != 3 {
		t.Errorf("2500 pairs: %+v", got)
	}
	stats, _ = estimate(question.Sample{Way: "auto", Eps: 0.01})
	if got := stats.Estimate; got.Way != "exact" || !strings.HasPrefix(got.Plan, "exact 0.0") || !strings.HasSuffix(got.Plan, " s → exact") {
		t.Errorf("a small graph: %+v", got)
	}
	stats, _ = estimate(question.Sample{Way: "sources", Within: 1})
	if got := stats.Estimate; got.Stages != 1 {
		t.Errorf("no time: %+v", got)
	}
	stats, table = estimate(question.Sample{Way: "exact"})
	scores, lower, upper := estimatesIn(table)
	if got := stats.Estimate; got.Way != "exact" || got.Eps != 0 || !slices.Equal(scores, lower) || !slices.Equal(scores, upper) {
		t.Errorf("exact: %+v", got)
	}
}

// Devices search the sources of all stages; when one fails in the middle, the cores continue.
func TestEstimatesOnDevices(t *testing.T) {
	e := sampledGraphs()[2]
	want := run1(t, e, Options{Question: sampled("sources", 3, 300), Compute: Compute{Lanes: 2}})
	for _, fails := range []int64{0, 1, 40, 100} {
		for _, engine := range []Engine{EngineAuto, EngineGPU} {
			f := &fakeSet{count: 1 + int(fails%2), failTake: fails}
			opts := withFake(f, engine)
			opts.Device, opts.Question, opts.Source = "0", sampled("sources", 3, 300), sourceOf(e)
			var got tables.Table
			stats, err := Run(t.Context(), opts, into(&got))
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range []string{tables.ScoreColumn, LowerColumn, UpperColumn} {
				if !slices.Equal(want.Floats(column), got.Floats(column)) {
					t.Errorf("%s, failing at %d: %s differs", engine, fails, column)
				}
			}
			if f.started.Load() != 1 || f.closed.Load() != 1 {
				t.Errorf("started %d times, closed %d", f.started.Load(), f.closed.Load())
			}
			if engine == EngineGPU && fails == 0 {
				for _, share := range stats.Engines {
					if share.Name != "fake" && share.Batches > 0 {
						t.Errorf("%s had %d batches", share.Name, share.Batches)
					}
				}
			}
		}
	}
}

// The time to an unreachable goal is very long, and does not overflow an int64.
func TestTimeToGoal(t *testing.T) {
	for _, sources := range []int{0, 1 << 30} {
		r := newRun(Options{Question: question.Question{Sample: question.Sample{Way: "auto", Eps: 1e-9}}})
		e := &estimator{chooser: &chooser{call: r.call}, spent: 10 * time.Second, result: Estimate{Eps: 0.1, Searches: 1000, Sources: sources}}
		e.report()
		p := r.estimating.Load()
		if want := p.ToExact; sources > 0 && p.ToGoal != want {
			t.Errorf("%v to the goal, want %v, as to exact scores", p.ToGoal, want)
		}
		if p.ToGoal < 100*365*24*time.Hour && sources == 0 {
			t.Errorf("%v to the goal, which takes 10^16 times 10 s", p.ToGoal)
		}
	}
}
