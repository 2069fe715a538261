package pipeline

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

func randomEdges(seed uint64, vertices, edges int) *edgeList {
	random := rand.New(rand.NewPCG(seed, 1))
	e := &edgeList{name: "random"}
	for range edges {
		e.join(random.IntN(vertices), random.IntN(vertices))
	}
	return e
}

// If memory has no room for one thread with the usual 64 sources, a run plans with as many as fit,
// and gives the scores of a run with that number. If lanes were asked for, or a checkpoint depends
// on them, it fails and names the number.
func TestFewerLanesWhereMemoryIsShort(t *testing.T) {
	e := randomEdges(19, 3000, 12_000)
	asked := Options{Compute: Compute{Engine: EngineCPU, Threads: 2, Lanes: 32}}
	info, err := Inspect(t.Context(), Options{Compute: asked.Compute, Input: Input{Source: sourceOf(e)}})
	if err != nil {
		t.Fatal(err)
	}
	limit := info.GraphBytes + info.EngineBytes/2
	asked.Lanes = 16 // the need of 32 is known only when they are planned: half as many certainly fit
	_, want, _ := mustScores(t, e, asked)

	short := Options{Compute: Compute{Engine: EngineCPU, Threads: 2, Memory: limit}}
	_, scores, stats, err := Scores(t.Context(), e.src, e.dst, short)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(stats.Notes, "\n"); !strings.Contains(notes, "16 sources are searched at once") {
		t.Errorf("notes %q", notes)
	}
	if !slices.Equal(scores, want) {
		t.Error("scores are not those of 16 lanes")
	}
	for name, change := range map[string]func(*Options){
		"asked for":  func(o *Options) { o.Lanes = 64 },
		"checkpoint": func(o *Options) { o.Save = func(tables.Table) error { return nil } },
		"shard":      func(o *Options) { o.Shard = Shard{Mine: []int{0}, Of: 2} },
	} {
		opts := short
		change(&opts)
		if _, err := tryRun(e, opts); !errors.Is(err, ErrMemory) || !strings.HasSuffix(err.Error(), "with 16 lanes") {
			t.Errorf("%s: error %v, want advice to take 16 lanes", name, err)
		}
	}
}

// Estimates by pairs count the memory of pairs: all threads draw where not one could search, and a
// run that may choose takes this way.
func TestPairsArePlannedWithTheirOwnMemory(t *testing.T) {
	e := randomEdges(20, 20_000, 60_000)
	const threads = 4
	opts := Options{Compute: Compute{Engine: EngineCPU, Threads: threads}, Input: Input{Source: sourceOf(e)}}
	exact, err := Inspect(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Question.Sample = question.Sample{Way: "pairs", Eps: 0.05, Seed: 1}
	byPairs, err := Inspect(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Memory = byPairs.GraphBytes + byPairs.EngineBytes
	if one := exact.GraphBytes + exact.EngineBytes/threads; opts.Memory >= one {
		t.Fatalf("%d threads need %d bytes for pairs, one %d for a search: no limit tells them apart", threads, opts.Memory, one)
	}
	for _, way := range []string{"pairs", "auto"} {
		opts.Question.Sample.Way = way
		opts.Lanes = 64
		stats, err := Run(t.Context(), opts, into(new(tables.Table)))
		if err != nil {
			t.Errorf("%s: %v", way, err)
			continue
		}
		if stats.Estimate.Way != "pairs" || strings.Contains(strings.Join(stats.Notes, "\n"), "CPU threads compute") {
			t.Errorf("%s: by %s, notes %q; want all threads to draw pairs", way, stats.Estimate.Way, stats.Notes)
		}
		if text := stats.Estimate.Plan; way == "auto" && !strings.HasPrefix(text, "exact: no memory · eps 0.05 by pairs ") {
			t.Errorf("plan %q", text)
		}
	}
	opts.Question.Sample.Way = "pairs"
	opts.Memory -= byPairs.EngineBytes / threads
	stats, err := Run(t.Context(), opts, into(new(tables.Table)))
	if err != nil || !strings.Contains(strings.Join(stats.Notes, "\n"), "3 of 4 CPU threads compute") {
		t.Errorf("with less: %v, notes %q", err, stats.Notes)
	}
}

// A run does not fail with advice that it could follow itself. Regression: distances take several
// times as many sources as paths, and were counted as if they took as many.
func TestAdviceIsFollowed(t *testing.T) {
	e := randomEdges(21, 2000, 8000)
	opts := Options{Compute: Compute{Engine: EngineCPU, Threads: 1}, Input: Input{Source: sourceOf(e)}}
	opts.Question.Cutoff = "6"
	opts.Question.Measures = []string{measures.Betweenness, measures.Closeness}
	info, err := Inspect(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	fewer, refused := 0, 0
	for twentieths := int64(2); twentieths < 20; twentieths++ {
		opts.Memory = (info.GraphBytes + info.EngineBytes) * twentieths / 20
		stats, err := Run(t.Context(), opts, into(new(tables.Table)))
		switch {
		case err == nil && strings.Contains(strings.Join(stats.Notes, "\n"), "sources are searched at once"):
			fewer++
		case err != nil:
			refused++
			if !errors.Is(err, ErrMemory) || strings.Contains(err.Error(), "lanes") {
				t.Errorf("%d bytes: %v", opts.Memory, err)
			}
		}
	}
	if fewer == 0 || refused == 0 {
		t.Errorf("%d limits are met with fewer lanes, %d by none", fewer, refused)
	}
}
