package examples_test

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A night updates the scores of the last one, begins anew where it should, and has the scores of a run of its own.
func TestNights(t *testing.T) {
	for _, program := range []string{"sh", "sed", "date"} {
		if _, err := exec.LookPath(program); err != nil {
			need(t, "%v", err)
		}
	}
	folder := t.TempDir()
	run(t, "go", "build", "-o", filepath.Join(folder, "bcstage"), "../cli/bcstage")
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	script, err := filepath.Abs("shell/nightly.sh")
	if err != nil {
		t.Fatal(err)
	}
	text := string(contents(t, edges))
	t.Chdir(folder)
	night := func(date string) (since bool) {
		t.Helper()
		text += "errors,new of " + date + "\n"
		if err := os.WriteFile("edges.csv", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("NIGHT", date)
		run(t, script, "edges.csv", "nights", "3")
		// --since takes any scores of the graph: unchanged, they are shown as text.
		base := "nights/" + date
		run(t, "bcstage", base+".bcg", "--since", base+".bcg,"+base+".parquet", "-o", "tonight.csv")
		run(t, "bcstage", "edges.csv", "-o", "own.csv")
		got, want := scoresOf(t, "tonight.csv"), scoresOf(t, "own.csv")
		if len(got) != len(want) {
			t.Errorf("%s: %d vertices, want %d", date, len(got), len(want))
		}
		for vertex, score := range want {
			if x, ok := got[vertex]; !ok || math.Abs(x-score) > 1e-6 {
				t.Errorf("%s: %s has %v, want %v", date, vertex, x, score)
			}
		}
		return strings.Contains(string(contents(t, base+".json")), `"nights"`)
	}
	var updated []bool
	for _, date := range []string{"2026-01-01", "2026-01-02", "2026-01-03", "2026-01-03", "2026-01-04", "2026-01-05"} {
		updated = append(updated, night(date))
	}
	if want := []bool{false, true, true, true, false, true}; !slices.Equal(updated, want) {
		t.Errorf("nights that updated scores: %t, want %t", updated, want)
	}
	run(t, "bcstage", "edges.csv", "--scale", "pairs", "-o", "nights/2026-01-05.parquet")
	if night("2026-01-06") {
		t.Error("scores of another question were updated")
	}
}

func scoresOf(t *testing.T, path string) map[string]float64 {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(contents(t, path)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, row := range rows[1:] {
		if scores[row[0]], err = strconv.ParseFloat(row[1], 64); err != nil {
			t.Fatal(err)
		}
	}
	return scores
}
