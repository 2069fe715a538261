package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Scores of several graphs are updated as those of one, with sides and without. Graphs come and go, and equal ids of two graphs
// are two vertices.
func TestSinceOfManyGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 6))
	for seed := range uint64(30) {
		rows := manyGraphs(200 + seed)
		if len(rows) < 2 {
			continue
		}
		bipartite := seed%2 == 1
		optsOf := func(rows [][4]string, by ...string) pipeline.Options {
			opts := filesOf(writeRows(t, "month,tenant,src,dst", rows), by...)
			opts.Files.Bipartite = bipartite
			return opts
		}
		yesterday := optsOf(rows, "month", "tenant")
		scores, _ := run(t, yesterday)
		path := filepath.Join(t.TempDir(), "graph.bcg")
		if _, err := pipeline.Prepare(t.Context(), yesterday, func(ctx context.Context, graph *preprocess.Prepared) error {
			var file bytes.Buffer
			if err := graph.Write(ctx, &file); err != nil {
				return err
			}
			return os.WriteFile(path, file.Bytes(), 0o600)
		}); err != nil {
			t.Fatal(err)
		}
		since := &pipeline.Since{Prepared: path, Scores: &scores}

		today := slices.Clone(rows)
		r.Shuffle(len(today), func(i, j int) { today[i], today[j] = today[j], today[i] })
		same := optsOf(today, "month", "tenant")
		same.Since = since
		if _, stats := run(t, same); stats.Since.Way != "unchanged" {
			t.Errorf("seed %d: %+v", seed, stats.Since)
		}
		today = append(today[1:], [4]string{today[0][0], today[0][1], "77", today[0][3]}, [4]string{"203001", "9", "1", "2"})
		fresh := optsOf(today, "month", "tenant")
		whole, _ := run(t, fresh)
		fresh.Since = since
		updated, stats := run(t, fresh)
		got, want := scoresByName(&updated), scoresByName(&whole)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d vertices, want %d", seed, len(got), len(want))
		}
		highest := 0.0
		for _, score := range want {
			highest = max(highest, score)
		}
		for name, score := range want {
			if x, ok := got[name]; !ok || x-score > 1e-12*highest || score-x > 1e-12*highest {
				t.Errorf("seed %d, %s: %s has %v, want %v", seed, stats.Since.Way, name, x, score)
			}
		}
		estimate := optsOf(today, "month", "tenant")
		estimate.Since = since
		estimate.Question.Sample = question.Sample{Way: "pairs", Seed: seed, Samples: 3000}
		estimated, stats := run(t, estimate)
		if stats.Since.Way != "pairs" && stats.Estimate.Way != "exact" {
			t.Errorf("seed %d: %+v", seed, stats.Since)
		}
		before := scoresByName(&scores)
		low, high := columnByName(&estimated, "change_lower"), columnByName(&estimated, "change_upper")
		for name, score := range want {
			if x := score - before[name]; x < low[name]-1e-9*highest || x > high[name]+1e-9*highest {
				t.Errorf("seed %d, %s: the change of %s is %v, not in [%v, %v]", seed, stats.Since.Way, name, x, low[name], high[name])
			}
		}
		other := optsOf(today, "tenant", "month")
		other.Since = since
		if _, err := pipeline.Run(t.Context(), other, func(context.Context, tables.Table) error { return nil }); !errors.Is(err, pipeline.ErrOptions) || !strings.Contains(err.Error(), "name the graphs") {
			t.Errorf("seed %d: other columns: %v", seed, err)
		}
	}
}
