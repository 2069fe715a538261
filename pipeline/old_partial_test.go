package pipeline

import (
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// Partial results that commit 0ca525f wrote, of go-imports.csv at two lanes, merge and resume to
// the bits of a run: the work of days outlives the program that did it. (bcstage go-imports.csv
// --engine cpu --lanes 2 --shard 0/2 -o go-imports-0.arrow)
func TestOldPartialsStayGood(t *testing.T) {
	read := func(path string) tables.Table {
		table, err := arrowio.ReadTable(t.Context(), tables.Options{Paths: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	opts := Options{
		Input:   Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{"../testdata/go-imports.csv"}}},
		Compute: Compute{Engine: EngineCPU, Lanes: 2},
	}
	var whole tables.Table
	if _, err := Run(t.Context(), opts, into(&whole)); err != nil {
		t.Fatal(err)
	}
	parts := []tables.Table{read("testdata/go-imports-0.arrow"), read("testdata/go-imports-1.arrow")}
	merged, err := tryMerge(parts, Output{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(scoresIn(merged), scoresIn(whole)) {
		t.Error("merged: other scores")
	}
	for i := range parts {
		var resumed tables.Table
		opts.Resume = &parts[i]
		stats, err := Run(t.Context(), opts, into(&resumed))
		if err != nil {
			t.Fatal(err)
		}
		if stats.Resumed == 0 || !slices.Equal(scoresIn(resumed), scoresIn(whole)) {
			t.Errorf("resumed from shard %d: %d batches taken over, other scores", i, stats.Resumed)
		}
	}
}
