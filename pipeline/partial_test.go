package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// run1 runs the graph and returns the table of the sink.
func run1(t testing.TB, e *edgeList, opts Options) tables.Table {
	t.Helper()
	table, err := tryRun(e, opts)
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	return table
}

func tryRun(e *edgeList, opts Options) (tables.Table, error) {
	var table tables.Table
	opts.Engine = EngineCPU
	opts.Question.Directed = e.directed
	opts.Source = sourceOf(e)
	_, err := Run(context.Background(), opts, into(&table))
	return table, err
}

// into is a sink that stores the table.
func into(table *tables.Table) Sink {
	return func(_ context.Context, got tables.Table) error { *table = got; return nil }
}

// scoresIn returns the scores of a table, or its flows.
func scoresIn(table tables.Table) []float64 {
	if flows := table.Floats(measures.FlowColumn); flows != nil {
		return flows
	}
	return table.Floats(tables.ScoreColumn)
}

// inShards merges three shards of a run.
func inShards(t *testing.T, run func(change func(o *Options)) tables.Table) tables.Table {
	t.Helper()
	var parts []tables.Table
	for i := range 3 {
		parts = append(parts, run(func(o *Options) { o.Shard = Shard{Mine: []int{i}, Of: 3} }))
	}
	merged, err := tryMerge(parts, Output{})
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

func tryMerge(parts []tables.Table, opts Output) (tables.Table, error) {
	var merged tables.Table
	_, err := Merge(context.Background(), func() (tables.Table, bool, error) {
		if len(parts) == 0 {
			return tables.Table{}, false, nil
		}
		table := parts[0]
		parts = parts[1:]
		return table, true, nil
	}, opts, into(&merged))
	return merged, err
}

// For every N, shards merged in any order give the single run's bits.
func TestShardsMergeToTheSingleRun(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	for _, e := range bothQuestions(append(graphs(random, 1+5/testgraphs.OneIn), deviceGraph())) {
		whole := run1(t, e, Options{Compute: Compute{Lanes: 2}})
		for _, of := range []int{1, 2, 3, 8, 100} { // 100: more than there are batches
			var parts []tables.Table
			for i := 0; i < of; i++ {
				shard := Shard{Mine: []int{i}, Of: of}
				if of == 8 && i < 4 {
					shard.Mine = []int{i, 7 - i} // a list of separate parts
				} else if of == 8 {
					continue
				}
				parts = append(parts, run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: shard}}))
			}
			random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			merged, err := tryMerge(parts, Output{})
			if err != nil {
				t.Fatalf("%s: %d shards: %v", e.name, of, err)
			}
			if !slices.Equal(scoresIn(merged), scoresIn(whole)) {
				t.Errorf("%s: %d shards: %v, single run %v", e.name, of, scoresIn(merged), scoresIn(whole))
			}
		}
	}
}

// Other programs may add partials column by column, limbs without carries. Losses are detected.
func TestLimbsAddWithoutCarries(t *testing.T) {
	e := deviceGraph()
	whole := run1(t, e, Options{Compute: Compute{Lanes: 2}})
	const of = 5
	var sum tables.Table
	var done []string
	var totalHigh, totalLow uint64
	for i := range of {
		part := run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{i}, Of: of}}})
		done = append(done, *entry(&part, "done"))
		var low, high uint64
		if _, err := fmt.Sscanf(*entry(&part, "total"), "%16x%16x", &high, &low); err != nil {
			t.Fatal(err)
		}
		var carry uint64
		totalLow, carry = bits.Add64(totalLow, low, 0)
		totalHigh, _ = bits.Add64(totalHigh, high, carry)
		if i == 0 {
			sum = part
			continue
		}
		for _, column := range sum.Columns[1:] {
			for v, value := range part.Ints(column.Name) {
				column.Values.(tables.Ints)[v] += value
			}
		}
	}
	for key, value := range map[string]string{
		"done": strings.Join(done, ","), "total": fmt.Sprintf("%016x%016x", totalHigh, totalLow), "shard": "0,1,2,3,4/5", "checksum": "none",
	} {
		*entry(&sum, key) = value
	}
	merged, err := tryMerge([]tables.Table{sum}, Output{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(scoresIn(merged), scoresIn(whole)) {
		t.Error("limbs added by columns give other scores")
	}

	sum.Ints("sum_1")[3]++
	if _, err := tryMerge([]tables.Table{sum}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("a sum that is one too large: %v", err)
	}
	sum.Ints("sum_1")[3]--
	last := sum.IDs.Len() - 1
	sum.IDs.Ints = sum.IDs.Ints[:last]
	for c, column := range sum.Columns {
		sum.Columns[c].Values = column.Values.(tables.Ints)[:last]
	}
	if _, err := tryMerge([]tables.Table{sum}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("a row lost: %v", err)
	}
}

// entry returns an entry of metadata, to change it.
func entry(table *tables.Table, key string) *string {
	for i := range table.Metadata {
		if table.Metadata[i].Key == key {
			return &table.Metadata[i].Value
		}
	}
	panic("no metadata " + key)
}

// Every batch is in one part, and costs of parts differ by at most one batch, for any number of
// parts.
func TestShardsHaveEqualCost(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 2))
	for _, e := range append(graphs(random, 6), deviceGraph()) {
		builder := building.NewBuilder(1)
		ids := func(list []int64) (keys building.Keys) {
			for _, id := range list {
				keys.Ints = append(keys.Ints, uint64(id))
			}
			return keys
		}
		if err := builder.AddEdges(ids(e.src), ids(e.dst)); err != nil {
			t.Fatal(err)
		}
		in, err := builder.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plan, err := preprocess.Reduce(t.Context(), &in.Graph, preprocess.Options{Lanes: 2})
		if err != nil {
			t.Fatal(err)
		}
		total, largest := 0.0, 0.0
		for _, batch := range plan.Batches {
			total += plan.Cost(batch)
			largest = max(largest, plan.Cost(batch))
		}
		for of := 1; of <= len(plan.Batches)+3; of += 1 + of/3 {
			var all []int
			for i := range of {
				cost := 0.0
				for _, index := range (Shard{Mine: []int{i}, Of: of}).Batches(plan) {
					all = append(all, index)
					cost += plan.Cost(plan.Batches[index])
				}
				if fair := total / float64(of); cost > fair+largest*(1+1e-9) || cost < fair-largest*(1+1e-9) {
					t.Errorf("%s: part %d of %d costs %g of %g, a batch up to %g", e.name, i, of, cost, total, largest)
				}
			}
			slices.Sort(all)
			if want := (Shard{}).Batches(plan); !slices.Equal(all, want) {
				t.Errorf("%s: %d parts have batches %v, want %v", e.name, of, all, want)
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	e := deviceGraph()
	part := func(e *edgeList, i int, opts Options) tables.Table {
		opts.Shard = Shard{Mine: []int{i}, Of: 3}
		return run1(t, e, opts)
	}
	zero, one, two := part(e, 0, Options{Compute: Compute{Lanes: 2}}), part(e, 1, Options{Compute: Compute{Lanes: 2}}), part(e, 2, Options{Compute: Compute{Lanes: 2}})
	other := deviceGraph()
	other.join(3, 107)
	for name, test := range map[string]struct {
		parts []tables.Table
		want  string
	}{
		"nothing":         {nil, "no partial results"},
		"one missing":     {[]tables.Table{zero, two}, "are missing: shard 1 of 3"},
		"two missing":     {[]tables.Table{zero}, "are missing: shard 1-2 of 3"},
		"one twice":       {[]tables.Table{zero, one, two, one}, "are in two parts: shard 1 of 3"},
		"another graph":   {[]tables.Table{zero, part(other, 1, Options{Compute: Compute{Lanes: 2}}), two}, "another graph"},
		"other lanes":     {[]tables.Table{zero, part(e, 1, Options{Compute: Compute{Lanes: 3}}), two}, "other lanes"},
		"other precision": {[]tables.Table{zero, part(e, 1, Options{Compute: Compute{Lanes: 2, Precision: Float32}}), two}, "precision"},
		"not a partial":   {[]tables.Table{run1(t, e, Options{})}, "not a partial"},
	} {
		_, err := tryMerge(test.parts, Output{})
		if !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
	// With a shard given, an incomplete sum is a larger partial.
	both, err := tryMerge([]tables.Table{zero, two}, Output{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	merged, err := tryMerge([]tables.Table{one, both}, Output{})
	if err != nil {
		t.Fatal(err)
	}
	if whole := run1(t, e, Options{Compute: Compute{Lanes: 2}}); !slices.Equal(scoresIn(merged), scoresIn(whole)) {
		t.Error("merged in two steps: other scores")
	}
}

// Whichever batches are done, the rest gives the unbroken run's bits.
func TestResume(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	for _, e := range append(graphs(random, 4), deviceGraph()) {
		whole := run1(t, e, Options{Compute: Compute{Lanes: 2}})
		for of := 1; of < 64; of = 2*of + 1 {
			done := run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: random.Perm(of)[:1+random.IntN(of)], Of: of}}})
			if got := run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Resume: &done}}); !slices.Equal(scoresIn(got), scoresIn(whole)) {
				t.Errorf("%s: resumed from a share of %d: other scores", e.name, of)
			}
		}
	}
}

// Runs cut short at any moment and resumed give the unbroken run's bits. Each saves at least one
// batch before it is cut, so the test ends.
func TestResumeAfterCuts(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 2))
	e := &edgeList{name: "resumed"}
	for range 6000 {
		e.join(random.IntN(2000), random.IntN(2000))
	}
	opts := Options{Compute: Compute{Lanes: 2, Threads: 2}}
	whole := run1(t, e, opts)
	var saved *tables.Table
	for cuts := 0; ; cuts++ {
		ctx, cancel := context.WithCancel(context.Background())
		o := opts
		o.Engine = EngineCPU
		o.Source = sourceOf(e)
		o.Resume = saved
		var table tables.Table
		o.SaveInterval = time.Millisecond
		o.Save = func(got tables.Table) error { // from one goroutine, which Run waits for
			saved = &got
			if cuts == 0 || random.IntN(3) == 0 {
				cancel()
			}
			return nil
		}
		_, err := Run(ctx, o, into(&table))
		cancel()
		if err == nil {
			if !slices.Equal(scoresIn(table), scoresIn(whole)) {
				t.Errorf("after %d cuts: other scores", cuts)
			}
			t.Logf("%d cuts", cuts)
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestResumeRefusesAnother(t *testing.T) {
	e := deviceGraph()
	saved := run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}})
	other := deviceGraph()
	other.join(2, 107)
	_, err := tryRun(other, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Resume: &saved}})
	if !errors.Is(err, ErrPartial) {
		t.Errorf("another graph: error %v", err)
	}
	_, err = tryRun(e, Options{Compute: Compute{Lanes: 2, Precision: Float32}, Parts: Parts{Resume: &saved}})
	if !errors.Is(err, ErrPartial) {
		t.Errorf("another precision: error %v", err)
	}
}

func TestSaveFailureIsANote(t *testing.T) {
	e := ring(600)
	for v := 0; v < 300; v += 3 {
		e.join(v, 600-v-1)
	}
	opts := Options{Compute: Compute{Engine: EngineCPU, Lanes: 1}, Parts: Parts{SaveInterval: time.Millisecond, Save: func(tables.Table) error { return errFake }}}
	vertices, scores, stats := mustScores(t, e, opts)
	compare(t, e, vertices, scores, 1e-12)
	if len(stats.Warnings) != 1 || !strings.Contains(stats.Warnings[0], errFake.Error()) {
		t.Errorf("warnings %q", stats.Warnings)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{
		"0/1":   {Mine: []int{0}, Of: 1},
		"3/8":   {Mine: []int{3}, Of: 8},
		"0,2/4": {Mine: []int{0, 2}, Of: 4},
	} {
		shard, err := ParseShard(text)
		if err != nil || !slices.Equal(shard.Mine, want.Mine) || shard.Of != want.Of {
			t.Errorf("%s: %v %v, want %v", text, shard, err, want)
		}
	}
	for _, text := range []string{"", "1", "1/", "/2", "2/2", "-1/2", "0/0", "0,0/2", "a/b", "0/1/2", "1,/2"} {
		if shard, err := ParseShard(text); !errors.Is(err, ErrOptions) {
			t.Errorf("%q: %v %v, want ErrOptions", text, shard, err)
		}
	}
}
