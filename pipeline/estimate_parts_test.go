package pipeline

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// same reports whether two tables of estimates have equal bits.
func same(t *testing.T, what string, got, want tables.Table) {
	t.Helper()
	for _, column := range []string{want.Columns[0].Name, LowerColumn, UpperColumn} {
		if !slices.Equal(got.Floats(column), want.Floats(column)) {
			t.Errorf("%s: %s differs", what, column)
		}
	}
}

// Each shard takes a share of every stage. Merged they have the bits of a single run, intervals
// included. Without one shard, or without part of the last stage, they have the bits of the
// complete stages.
func TestEstimatesInShards(t *testing.T) {
	for _, e := range sampledGraphs() {
		for way, samples := range map[string]int{"sources": 300, "sources-raw": 300, "pairs": 3210} {
			opts := Options{Question: sampled(way, 3, samples), Compute: Compute{Lanes: 8}}
			want := run1(t, e, opts)
			var parts []tables.Table
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
			if merged, err = tryMerge([]tables.Table{parts[7], larger, parts[5], parts[6]}, Output{}); err != nil {
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

// A killed run continues from its checkpoint as if it had not stopped: a partly finished stage is
// finished, and counted once.
func TestEstimatesResumed(t *testing.T) {
	for _, e := range sampledGraphs()[2:] {
		for _, way := range []string{"sources", "pairs"} {
			samples := map[string]int{"sources": 250, "pairs": 2500}[way]
			opts := Options{Question: sampled(way, 3, samples), Compute: Compute{Lanes: 4, Threads: 1}}
			want := run1(t, e, opts)
			exact := scoresIn(run1(t, e, Options{Compute: Compute{Lanes: 4}}))
			for part := range 4 { // of every stage: the state of a killed run
				cut := opts
				cut.Shard = Shard{Mine: []int{part}, Of: 4}
				var saved *tables.Table
				cut.Save = func(table tables.Table) error { saved = &table; return nil }
				run1(t, e, cut)
				resumed := opts
				resumed.Resume = saved
				same(t, e.name+" "+way+", gone on", run1(t, e, resumed), want)

				// Conversely: exact scores use the finished searches.
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

// Few draws take a plan without chains. Exact scores continue from their checkpoint.
func TestFewDrawsResumed(t *testing.T) {
	e := listed("long streets", testgraphs.CutGrid(rand.New(rand.NewPCG(7, 8)), 2000, 8))
	exact := scoresIn(run1(t, e, Options{Compute: Compute{Lanes: 4}}))
	opts := Options{Question: sampled("sources", 3, 64), Compute: Compute{Lanes: 4, Threads: 1}}
	if table := run1(t, e, opts); slices.Equal(table.Floats(LowerColumn), table.Floats(UpperColumn)) {
		t.Fatal("scores of 64 samples are exact")
	}
	var saved *tables.Table
	opts.Shard, opts.Save = Shard{Mine: []int{0}, Of: 4}, func(table tables.Table) error { saved = &table; return nil }
	if run1(t, e, opts); saved == nil {
		t.Fatal("nothing is saved")
	}
	got := scoresIn(run1(t, e, Options{Parts: Parts{Resume: saved}, Compute: Compute{Lanes: 4, Threads: 1}}))
	for v, x := range got {
		if math.Abs(x-exact[v]) > 1e-12*max(exact[v], 1) {
			t.Fatalf("vertex %d ends as %v, not %v", v, x, exact[v])
		}
	}
}

func metadataOf(table tables.Table, key string) string {
	for _, kv := range table.Metadata {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
}

// A saved estimate is refined, in the same way and with its sources.
func TestEstimatesRefined(t *testing.T) {
	e := sampledGraphs()[0]
	var saved *tables.Table
	save := Parts{Save: func(table tables.Table) error { saved = &table; return nil }}
	run1(t, e, Options{Question: sampled("sources", 3, 100), Parts: save})
	refined := Options{Question: sampled("auto", 3, 0), Parts: save}
	refined.Question.Sample.Eps = 0.01
	refined.Resume = saved
	table := run1(t, e, refined)
	exact := scoresIn(run1(t, e, Options{Compute: Compute{Lanes: 4}}))
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
	// Pairs, too, as if all had been drawn at once.
	run1(t, e, Options{Question: sampled("pairs", 3, 3000), Parts: save})
	more := Options{Question: sampled("pairs", 3, 7000)}
	want := run1(t, e, more)
	more.Resume = saved
	var got tables.Table
	more.Source, more.Engine = sourceOf(e), EngineCPU
	stats, err := Run(t.Context(), more, into(&got))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "refined pairs", got, want)
	if !slices.ContainsFunc(stats.Notes, func(note string) bool { return strings.Contains(note, "and 3000 pairs were restored") }) {
		t.Errorf("pairs were drawn again: %q", stats.Notes)
	}
	refined.Question.Sample.Seed, refined.Resume = 4, saved
	if _, err := tryRun(e, refined); !errors.Is(err, ErrPartial) {
		t.Errorf("another seed: %v", err)
	}
}

// A partial result with impossible stages is refused, whoever wrote it.
func TestDamagedStages(t *testing.T) {
	opts := Options{Question: sampled("sources", 3, 200), Compute: Compute{Lanes: 8}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}}
	e := sampledGraphs()[1]
	whole := run1(t, e, opts)
	refuse(t, whole, map[string]func(*tables.Table){
		"no stages": func(p *tables.Table) { *entry(p, "drawn") = "{}" },
		"no JSON":   func(p *tables.Table) { *entry(p, "drawn") = "all" },
		"no draws": func(p *tables.Table) {
			*entry(p, "drawn") = strings.Replace(*entry(p, "drawn"), `"Draws":64`, `"Draws":0`, 1)
		},
		"no confidence": func(p *tables.Table) { *entry(p, "confidence") = "1" },
		"short lengths": func(p *tables.Table) { *entry(p, "lengths:0") = "0 0 0" },
		"two lengths":   func(p *tables.Table) { *entry(p, "lengths:0") = "0 0" },
		"no column": func(p *tables.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c tables.Column) bool { return c.Name == "squares:0" })
		},
		"no marks": func(p *tables.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c tables.Column) bool { return c.Name == "sampled" })
		},
		"a negative value": func(p *tables.Table) {
			slices.SortFunc(p.Ints("drawn:1"), func(a, b int64) int { return int(b - a) })
			p.Ints("drawn:1")[0] = -1
		},
	})
	opts.Question.Sample.Way, opts.Question.Sample.Samples = "pairs", 2100
	byPairs := run1(t, e, opts)
	refuse(t, byPairs, map[string]func(*tables.Table){
		"no block": func(p *tables.Table) { *entry(p, "pairs") = "{}" },
		"no JSON":  func(p *tables.Table) { *entry(p, "pairs") = "some" },
		"many stages": func(p *tables.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"Stages":[`, `"Stages":[null,`, 1)
		},
		"no draws": func(p *tables.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"Draws":1000`, `"Draws":0`, 1)
		},
		"beyond draws": func(p *tables.Table) {
			*entry(p, "pairs") = strings.Replace(*entry(p, "pairs"), `"End":500`, `"End":1001`, 1)
		},
		"no number": func(p *tables.Table) { p.Ints("sampled")[0] = 1 << 40 },
		"no share":  func(p *tables.Table) { p.Ints("unseen")[0] = -1 },
		"too many":  func(p *tables.Table) { p.Ints("inner:0")[0] = 1001 },
		"no column": func(p *tables.Table) {
			p.Columns = slices.DeleteFunc(p.Columns, func(c tables.Column) bool { return c.Name == "inner:1" })
		},
	})
	if _, err := tryMerge([]tables.Table{byPairs, byPairs}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("pairs twice: %v", err)
	}
	fewer := opts
	fewer.Question.Sample.Samples, fewer.Shard = 1500, Shard{Mine: []int{1}, Of: 2}
	if _, err := tryMerge([]tables.Table{byPairs, run1(t, e, fewer)}, Output{}); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "--samples 1500 against --samples 2100;") {
		t.Errorf("fewer pairs: %v", err)
	}

	opts.Question.Sample.Way, opts.Question.Sample.Samples = "sources", 200
	other := opts
	other.Question.Sample.Samples, other.Shard = 150, Shard{Mine: []int{1}, Of: 2}
	if _, err := tryMerge([]tables.Table{whole, run1(t, e, other)}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("other samples: %v", err)
	}
	// From a version that puts other sources of a stage into a batch.
	opts.Shard, other = Shard{Mine: []int{0}, Of: 2}, opts
	other.Shard = Shard{Mine: []int{1}, Of: 2}
	mine, others := run1(t, e, opts), run1(t, e, other)
	if _, err := tryMerge([]tables.Table{mine, others}, Output{}); err != nil {
		t.Errorf("both shards: %v", err)
	}
	drawn := entry(&others, "drawn")
	*drawn = regexp.MustCompile(`"Order":"[0-9a-f]{16}"`).ReplaceAllString(*drawn, `"Order":"0123456789abcdef"`)
	*entry(&others, "checksum") = "none"
	if _, err := tryMerge([]tables.Table{mine, others}, Output{}); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "another order") {
		t.Errorf("another order: %v", err)
	}
}

// refuse damages copies of a partial result, each in one way, and expects that merging fails.
func refuse(t *testing.T, whole tables.Table, damages map[string]func(*tables.Table)) {
	t.Helper()
	for what, damage := range damages {
		part := whole
		part.Metadata, part.Columns = slices.Clone(part.Metadata), slices.Clone(part.Columns)
		for i, c := range part.Columns {
			if values, ok := c.Values.(tables.Ints); ok {
				part.Columns[i].Values = slices.Clone(values)
			}
		}
		damage(&part)
		*entry(&part, "checksum") = "none"
		if _, err := tryMerge([]tables.Table{part}, Output{Partial: true}); !errors.Is(err, ErrPartial) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
