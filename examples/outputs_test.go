package examples_test

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Independent tools accept statistics by their schema, and figures for Prometheus by
// its format.
func TestOutputs(t *testing.T) {
	python := cmp.Or(os.Getenv("BCSTAGE_PYTHON"), "python3")
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import jsonschema, prometheus_client").CombinedOutput(); err != nil {
		need(t, "%s: %v\n%s", python, err, out)
	}
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	run(t, "go", "build", "-o", file("bcstage"), "../cli/bcstage")
	run(t, file("bcstage"), "../testdata/go-imports.csv", "-o", file("scores.parquet"), "--verify", "3", "--stats", file("run.json"), "--metrics", file("run.prom"))
	run(t, file("bcstage"), "../testdata/go-imports.csv", "-o", file("part.arrow"), "--shard", "0/1", "--stats", file("part.json"))
	run(t, file("bcstage"), "merge", file("part.arrow"), "-o", file("merged.parquet"), "--stats", file("merge.json"), "--metrics", file("merge.prom"))

	run(t, python, "check_outputs.py", "--stats", file("run.json"), file("part.json"), file("merge.json"))
	var stats map[string]any
	if err := json.Unmarshal(contents(t, file("run.json")), &stats); err != nil {
		t.Fatal(err)
	}
	stats["m"] = "many"
	wrong, err := json.Marshal(stats)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("wrong.json"), wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "check_outputs.py", "--stats", file("wrong.json")).CombinedOutput(); err == nil {
		t.Errorf("a number that is none is accepted: %s", out)
	}

	found := run(t, python, "check_outputs.py", "--metrics", file("run.prom"), file("merge.prom"))
	for _, line := range []string{"bcstage_exit_code 0\n", "bcstage_vertices 420\n", "bcstage_edges 3184\n", "bcstage_stage_seconds compute ", "bcstage_self_check_sources 416\n"} {
		if !strings.Contains(found, line) {
			t.Errorf("no %q in:\n%s", line, found)
		}
	}
}
