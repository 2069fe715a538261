package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
	"bcstage/internal/spill"
	"bcstage/preprocess/question"
)

func TestMemoryLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 1))
	e := &edgeList{name: "one block"}
	for range 12_000 {
		e.join(random.IntN(3000), random.IntN(3000))
	}
	opts := Options{Compute: Compute{Engine: EngineCPU, Threads: 4, Lanes: 64}}
	info, err := Inspect(context.Background(), Options{Compute: Compute{Engine: EngineCPU, Threads: 4, Lanes: 64}, Input: Input{Source: sourceOf(e)}})
	if err != nil {
		t.Fatal(err)
	}
	if info.MemoryLimit <= 0 {
		t.Errorf("memory limit %d", info.MemoryLimit)
	}
	_, want, _ := mustScores(t, e, opts)
	all, one, reading := info.GraphBytes+info.EngineBytes, info.GraphBytes+info.EngineBytes/4, info.ReadingBytes
	if reading >= one {
		t.Fatalf("%d bytes to read, %d to compute: no limit tells them apart", reading, one)
	}
	for _, test := range []struct {
		limit int64
		note  string // of a run that fits
		fails string
	}{
		{limit: all},
		{limit: all - 1, note: "3 of 4 CPU threads"},
		{limit: one, note: "1 of 4 CPU threads"},
		{limit: one - 1, fails: "with 32 lanes"},
		{limit: reading, fails: budget.Text(one) + " are needed with one thread"},
		{limit: reading - 1, fails: budget.Text(reading) + " are needed to reduce it"},
		{limit: 150_000, fails: "are needed to read and reduce it"},
	} {
		opts.Memory = test.limit
		_, scores, stats, err := Scores(context.Background(), e.src, e.dst, opts)
		switch {
		case test.fails != "":
			if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("%d bytes: error %v, want %q", test.limit, err, test.fails)
			}
		case err != nil:
			t.Errorf("%d bytes: %v", test.limit, err)
		default:
			if !slices.Equal(scores, want) {
				t.Errorf("%d bytes: other scores", test.limit)
			}
			ofMemory := slices.DeleteFunc(slices.Clone(stats.Notes), func(note string) bool { return strings.HasPrefix(note, "left out: ") })
			if notes := strings.Join(ofMemory, "\n"); (notes != "") != (test.note != "") || !strings.Contains(notes, test.note) {
				t.Errorf("%d bytes: notes %q, want %q", test.limit, notes, test.note)
			}
		}
	}
}

// Endless input is refused at the first batch that exceeds the limit, where edges do not go to files. The scheduler decides how
// many more batches the source sends before it is cancelled: they are received and dropped.
func TestMemoryWhileReading(t *testing.T) {
	const limit, batch = 1 << 20, 1000
	refused := func() string {
		_, err := Run(context.Background(), Options{
			Question: question.Question{Lengths: question.Lengths{Repeats: question.RepeatsKeep}},
			Compute:  Compute{Memory: limit},
			Input: Input{Source: func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
				defer close(edges)
				for {
					keys := tables.Keys{Ints: make([]uint64, batch)}
					select {
					case edges <- tables.Batch{Src: keys, Dst: keys}:
					case <-ctx.Done():
						return tables.Summary{}, context.Cause(ctx)
					}
				}
			}},
		}, into(new(tables.Table)))
		if !errors.Is(err, ErrMemory) {
			t.Fatalf("error %v, want %v", err, ErrMemory)
		}
		return err.Error()
	}
	var edges int
	first := refused()
	at := strings.Index(first, "after")
	if _, err := fmt.Sscanf(first[max(at, 0):], "after %d edges", &edges); err != nil || edges < limit/34 || edges > limit/8+batch {
		t.Errorf("%s: a kept edge takes 8 bytes, and 25 more while the graph is built", first)
	}
	if again := refused(); again != first {
		t.Errorf("%s; and then %s", first, again)
	}
}

// Edges beyond the limit go through a file that has no name, and scores are the same. A folder of temporary files that
// is not there is an error that names it.
func TestMemoryInFiles(t *testing.T) {
	if spill.New("") == nil {
		t.Skip("this system has no such files")
	}
	const rows, batch, limit = 1 << 20, 1 << 14, 8 << 20
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	source := func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		r := rand.New(rand.NewPCG(32, 1))
		for range rows / batch {
			src, dst := make([]uint64, batch), make([]uint64, batch)
			for i := range src {
				src[i], dst[i] = r.Uint64N(300), r.Uint64N(300)
			}
			select {
			case edges <- tables.Batch{Src: tables.Keys{Ints: src}, Dst: tables.Keys{Ints: dst}}:
			case <-ctx.Done():
				return tables.Summary{}, context.Cause(ctx)
			}
		}
		left, err := os.ReadDir(folder)
		if len(left) > 0 {
			t.Errorf("%s is in %s", left[0].Name(), folder)
		}
		return tables.Summary{Rows: rows}, err
	}
	run := func(memory int64) (tables.Table, *Stats, error) {
		var table tables.Table
		stats, err := Run(t.Context(), Options{Compute: Compute{Memory: memory, Engine: EngineCPU, Threads: 2}, Input: Input{Source: source}}, into(&table))
		return table, stats, err
	}
	want, stats, err := run(1 << 30)
	if err != nil || stats.InFiles > 0 {
		t.Fatal(err, stats.InFiles)
	}
	got, stats, err := run(limit)
	if err != nil {
		t.Fatal(err)
	}
	if stats.InFiles < 8*rows || !strings.Contains(strings.Join(stats.Notes, "\n"), folder) {
		t.Errorf("%d bytes in files; notes %q", stats.InFiles, stats.Notes)
	}
	if !reflect.DeepEqual(got.Columns, want.Columns) || !reflect.DeepEqual(got.IDs, want.IDs) {
		t.Error("other scores from files")
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	if _, _, err := run(limit); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

// Vertices that a header declares are refused before they come. So are paths and trees, though they
// leave nothing to compute.
func TestMemoryOfVertices(t *testing.T) {
	path := &edgeList{name: "path"}
	for v := range 20_000 {
		path.join(v, v+1)
	}
	for name, source := range map[string]Source{
		"declared": func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
			defer close(edges)
			edges <- tables.Batch{Declared: 1 << 30}
			<-ctx.Done() // the refusal cancels; otherwise the test hangs
			return tables.Summary{}, context.Cause(ctx)
		},
		"path": sourceOf(path),
	} {
		_, err := Run(context.Background(), Options{Compute: Compute{Memory: 1 << 20, Engine: EngineCPU}, Input: Input{Source: source}}, into(new(tables.Table)))
		if !errors.Is(err, ErrMemory) {
			t.Errorf("%s: error %v, want %v", name, err, ErrMemory)
		}
	}
}
