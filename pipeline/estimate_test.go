package pipeline

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/preprocess/question"
	"bcstage/preprocess/testgraphs"
)

// sampled is what to estimate in tests.
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

// estimatesIn is the columns of a table of estimates.
func estimatesIn(t arrowio.Table) (scores, lower, upper []float64) {
	return t.Floats(arrowio.ScoreColumn), t.Floats(LowerColumn), t.Floats(UpperColumn)
}

// Intervals hold the exact scores at all vertices, at every number of samples,
// for nearly all seeds, and shrink to nothing when all are drawn.
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
						samples *= 20 // which never makes all
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

// Directed graphs are estimated from pairs: in strong components, between them, and
// where there is no way. They are not weighted by nearness.
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

// Threads leave no trace in estimates and intervals.
func TestEstimatesAreRepeatable(t *testing.T) {
	for _, e := range sampledGraphs() {
		for samples, way := range map[int]string{64: "sources", 200: "sources-raw", 3000: "pairs"} {
			want := run1(t, e, Options{Question: sampled(way, 3, samples), Compute: Compute{Threads: 1, Lanes: 8}})
			got := run1(t, e, Options{Question: sampled(way, 3, samples), Compute: Compute{Threads: 3, Lanes: 8}})
			for _, column := range []string{arrowio.ScoreColumn, LowerColumn, UpperColumn} {
				if !slices.Equal(want.Floats(column), got.Floats(column)) {
					t.Errorf("%s: %s differs with threads", e.name, column)
				}
			}
			other := run1(t, e, Options{Question: sampled(way, 4, samples), Compute: Compute{Threads: 1, Lanes: 8}})
			if slices.Equal(want.Floats(arrowio.ScoreColumn), other.Floats(arrowio.ScoreColumn)) {
				t.Errorf("%s: seeds make no difference", e.name)
			}
		}
	}
}

// Estimates are right on average: over many seeds, within what chance allows. (Where
// few sources stand for many originals, later stages weigh more when those have
// been met, which takes some percent off the scores next to them.)
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
	estimate := func(s question.Sample) (*Stats, arrowio.Table) {
		var table arrowio.Table
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
	if got := stats.Estimate; got.Certain == nil || *got.Certain != (Certain{1, 1}) {
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

func TestEstimatesAreRefused(t *testing.T) {
	lengths := question.Question{Lengths: question.Lengths{Column: "km"}, Sample: question.Sample{Way: "pairs"}}
	if err := (Options{Question: lengths}).Check(); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "pairs") {
		t.Errorf("pairs with lengths: %v", err)
	}
}

// Devices search the sources of all stages, from the first to the last, and when one
// fails in the middle, the cores go on.
func TestEstimatesOnDevices(t *testing.T) {
	e := sampledGraphs()[2]
	want := run1(t, e, Options{Question: sampled("sources", 3, 300), Compute: Compute{Lanes: 2}})
	for _, fails := range []int64{0, 1, 40, 100} {
		for _, engine := range []Engine{EngineAuto, EngineGPU} {
			f := &fakeSet{count: 1 + int(fails%2), failTake: fails}
			opts := withFake(f, engine)
			opts.Device, opts.Question, opts.Source = "0", sampled("sources", 3, 300), sourceOf(e)
			var got arrowio.Table
			stats, err := Run(t.Context(), opts, into(&got))
			if err != nil {
				t.Fatal(err)
			}
			for _, column := range []string{arrowio.ScoreColumn, LowerColumn, UpperColumn} {
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

// same says whether two tables of estimates have equal bits.
func same(t *testing.T, what string, got, want arrowio.Table) {
	t.Helper()
	for _, column := range []string{arrowio.ScoreColumn, LowerColumn, UpperColumn} {
		if !slices.Equal(got.Floats(column), want.Floats(column)) {
			t.Errorf("%s: %s differs", what, column)
		}
	}
}

// Shards take a share of every stage each. Merged they have the bits of a single run,
// intervals included, and without one, or without some of the last stage, those of as
// many stages as are complete.
func TestEstimatesInShards(t *testing.T) {
	for _, e := range sampledGraphs() {
		for way, samples := range map[string]int{"sources": 300, "sources-raw": 300, "pairs": 3210} {
			opts := Options{Question: sampled(way, 3, samples), Compute: Compute{Lanes: 8}}
			want := run1(t, e, opts)
			var parts []arrowio.Table
			for i := range 8 {
				opts.Shard = Shard{Mine: []int{i}, Of: 8}
				parts = append(parts, run1(t, e, opts))
			}
			merged, err := tryMerge(parts, Output{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, e.name+" "+way, merged, want)
			for _, key := range []string{"estimate", "eps", "draws", "searches", "settled", "stages", "confidence"} {
				if *entry(&merged, key) != *entry(&want, key) {
					t.Errorf("%s: %q is %s, want %s", e.name, key, *entry(&merged, key), *entry(&want, key))
				}
			}
			larger, err := tryMerge(parts[:5], Output{Partial: true})
			if err != nil {
				t.Fatal(err)
			}
			if merged, err = tryMerge([]arrowio.Table{parts[7], larger, parts[5], parts[6]}, Output{}); err != nil {
				t.Fatal(err)
			}
			same(t, e.name+", joined before", merged, want)
			if _, err := tryMerge(parts[1:], Output{}); e.name == "small world" && (!errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "shard 0 of 8")) {
				t.Errorf("without shard 0: %v", err)
			}
		}
	}
	for _, s := range []question.Sample{{Way: "sources", Eps: 0.1}, {Way: "auto", Samples: 100}, {Way: "pairs", Eps: 0.1}} {
		err := Options{Question: question.Question{Sample: s}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}}.Check()
		if !errors.Is(err, ErrOptions) {
			t.Errorf("%+v in shards: %v", s, err)
		}
	}
}

// A run that was cut off goes on from its checkpoint as if it had not been: a stage
// that is done in part is finished, and counted once.
func TestEstimatesResumed(t *testing.T) {
	for _, e := range sampledGraphs()[2:] {
		for _, way := range []string{"sources", "pairs"} {
			samples := map[string]int{"sources": 250, "pairs": 2500}[way]
			opts := Options{Question: sampled(way, 3, samples), Compute: Compute{Lanes: 4, Threads: 1}}
			want := run1(t, e, opts)
			exact := scoresIn(run1(t, e, Options{Compute: Compute{Lanes: 4}}))
			for part := range 4 { // of every stage: what a run may have that was killed
				cut := opts
				cut.Shard = Shard{Mine: []int{part}, Of: 4}
				var saved *arrowio.Table
				cut.Save = func(table arrowio.Table) error { saved = &table; return nil }
				run1(t, e, cut)
				resumed := opts
				resumed.Resume = saved
				same(t, e.name+" "+way+", gone on", run1(t, e, resumed), want)

				// The other way round: what is done is not done again for exact scores.
				resumed.Question = question.Question{}
				table := run1(t, e, resumed)
				for v, x := range scoresIn(table) {
					if math.Abs(x-exact[v]) > 1e-12*max(exact[v], 1) {
						t.Fatalf("%s %s: vertex %d ends as %v, not %v", e.name, way, v, x, exact[v])
					}
				}
				if table.Floats(LowerColumn) != nil || len(table.Metadata) > 0 && metadataOf(table, "question") != "" {
					t.Error("exact scores have intervals, or another question")
				}
			}
		}
	}
}

func metadataOf(table arrowio.Table, key string) string {
	for _, kv := range table.Metadata {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
}

// An estimate that is kept is refined, by the way that it went and with the sources
// that it has.
func TestEstimatesRefined(t *testing.T) {
	e := sampledGraphs()[0]
	var saved *arrowio.Table
	save := Parts{Save: func(table arrowio.Table) error { saved = &table; return nil }}
	run1(t, e, Options{Question: sampled("sources", 3, 100), Parts: save})
	refined := Options{Question: sampled("auto", 3, 0), Parts: save}
	refined.Question.Sample.Eps = 0.01
	refined.Resume = saved
	table := run1(t, e, refined)
	exact := scoresIn(run1(t, e, Options{}))
	scores, lower, upper := estimatesIn(table)
	n := float64(len(exact))
	for v, x := range exact {
		if x < lower[v]-1e-9 || x > upper[v]+1e-9 || max(upper[v]-scores[v], scores[v]-lower[v]) > 0.01*n*(n-1)/2 {
			t.Errorf("vertex %d is %v, estimated as %v in [%v, %v]", v, x, scores[v], lower[v], upper[v])
		}
	}
	if metadataOf(table, "estimate") != "sources" {
		t.Errorf("went on by %q", metadataOf(table, "estimate"))
	}
	// Pairs, too: as if all had been drawn at once.
	run1(t, e, Options{Question: sampled("pairs", 3, 3000), Parts: save})
	more := Options{Question: sampled("pairs", 3, 7000)}
	want := run1(t, e, more)
	more.Resume = saved
	var got arrowio.Table
	more.Source, more.Engine = sourceOf(e), EngineCPU
	stats, err := Run(t.Context(), more, into(&got))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "refined pairs", got, want)
	if !slices.ContainsFunc(stats.Notes, func(note string) bool { return strings.Contains(note, "and 3000 pairs were taken over") }) {
		t.Errorf("pairs were drawn again: %q", stats.Notes)
	}
	refined.Question.Sample.Seed, refined.Resume = 4, saved
	if _, err := tryRun(e, refined); !errors.Is(err, ErrPartial) {
		t.Errorf("another seed: %v", err)
	}
}

// A partial result whose stages are none is refused, whoever wrote it.
func TestDamagedStages(t *testing.T) {
	opts := Options{Question: sampled("sources", 3, 200), Compute: Compute{Lanes: 8}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}}
	e := sampledGraphs()[1]
	whole := run1(t, e, opts)
	for what, damage := range map[string]func(*arrowio.Table){
		"no stages": func(p *arrowio.Table) { *entry(p, "drawn") = "{}" },
		"no JSON":   func(p *arrowio.Table) { *entry(p, "drawn") = "all" },
		"no draws": func(p *arrowio.Table) {
			*entry(p, "drawn") = strings.Replace(*entry(p, "drawn"), `"Draws":64`, `"Draws":0`, 1)
		},
		"no confidence": func(p *arrowio.Table) { *entry(p, "confidence") = "1" },
		"short lengths": func(p *arrowio.Table) { *entry(p, "lengths:0") = "0 0 0" },
		"two lengths":   func(p *arrowio.Table) { *entry(p, "lengths:0") = "0 0" },
		"no column": func(p *arrowio.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c arrowio.Column) bool { return c.Name == "squares:0" })
		},
		"no marks": func(p *arrowio.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c arrowio.Column) bool { return c.Name == "sampled" })
		},
		"a negative value": func(p *arrowio.Table) {
			slices.SortFunc(p.Ints("drawn:1"), func(a, b int64) int { return int(b - a) })
			p.Ints("drawn:1")[0] = -1
		},
	} {
		part := whole
		part.Metadata, part.Columns = slices.Clone(part.Metadata), slices.Clone(part.Columns)
		for i, c := range part.Columns {
			if values, ok := c.Values.(arrowio.Ints); ok {
				part.Columns[i].Values = slices.Clone(values)
			}
		}
		damage(&part)
		*entry(&part, "checksum") = "none"
		if _, err := tryMerge([]arrowio.Table{part}, Output{Partial: true}); !errors.Is(err, ErrPartial) {
			t.Errorf("%s: %v", what, err)
		}
	}
	opts.Question.Sample.Way, opts.Question.Sample.Samples = "pairs", 2100
	byPairs := run1(t, e, opts)
	for what, damage := range map[string]func(*arrowio.Table){
		"no block": func(p *arrowio.Table) { *entry(p, "pairs") = "{}" },
		"no JSON":  func(p *arrowio.Table) { *entry(p, "pairs") = "some" },
		"many stages": func(p *arrowio.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"Stages":[`, `"Stages":[null,`, 1)
		},
		"no draws": func(p *arrowio.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"Draws":1000`, `"Draws":0`, 1)
		},
		"beyond draws": func(p *arrowio.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"End":500`, `"End":1001`, 1)
		},
		"no number": func(p *arrowio.Table) { p.Ints("sampled")[0] = 1 << 40 },
		"no share":  func(p *arrowio.Table) { p.Ints("unseen")[0] = -1 },
		"too many":  func(p *arrowio.Table) { p.Ints("inner:0")[0] = 1001 },
		"no column": func(p *arrowio.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c arrowio.Column) bool { return c.Name == "inner:1" })
		},
	} {
		part := byPairs
		part.Metadata, part.Columns = slices.Clone(part.Metadata), slices.Clone(part.Columns)
		for i, c := range part.Columns {
			if values, ok := c.Values.(arrowio.Ints); ok {
				part.Columns[i].Values = slices.Clone(values)
			}
		}
		damage(&part)
		*entry(&part, "checksum") = "none"
		if _, err := tryMerge([]arrowio.Table{part}, Output{Partial: true}); !errors.Is(err, ErrPartial) {
			t.Errorf("pairs, %s: %v", what, err)
		}
	}
	if _, err := tryMerge([]arrowio.Table{byPairs, byPairs}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("pairs twice: %v", err)
	}
	fewer := opts
	fewer.Question.Sample.Samples, fewer.Shard = 1500, Shard{Mine: []int{1}, Of: 2}
	if _, err := tryMerge([]arrowio.Table{byPairs, run1(t, e, fewer)}, Output{}); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "other stages") {
		t.Errorf("fewer pairs: %v", err)
	}

	opts.Question.Sample.Way, opts.Question.Sample.Samples = "sources", 200
	other := opts
	other.Question.Sample.Samples, other.Shard = 150, Shard{Mine: []int{1}, Of: 2}
	if _, err := tryMerge([]arrowio.Table{whole, run1(t, e, other)}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("other samples: %v", err)
	}
}
