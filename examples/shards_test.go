package examples_test

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The shell's way: shards from xargs -P are the bits of a single run, and what
// is finished is not computed again.
func TestShardsInAShell(t *testing.T) {
	for _, program := range []string{"sh", "xargs", "seq", "nproc"} {
		if _, err := exec.LookPath(program); err != nil {
			need(t, "%v", err)
		}
	}
	folder := t.TempDir()
	run(t, "go", "build", "-o", filepath.Join(folder, "bcstage"), "../cli/bcstage")
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	script, err := filepath.Abs("shell/shards.sh")
	if err != nil {
		t.Fatal(err)
	}
	input, err := filepath.Abs(edges)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	run(t, "bcstage", input, "--engine", "cpu", "-o", "single.csv")
	single := contents(t, "single.csv")

	run(t, script, input, "scores.csv", "8", "3")
	if !bytes.Equal(contents(t, "scores.csv"), single) {
		t.Error("8 shards: other scores than a single run")
	}

	// One part is lost; another is of an older time, and must stay.
	old := filepath.Join("shards", "1-of-8.arrow")
	before, err := os.Stat(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join("shards", "5-of-8.arrow")); err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob("shards/*.arrow")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "bcstage", append([]string{"merge", "-o", "none.csv"}, parts...)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "are missing: shard 5 of 8") {
		t.Errorf("merged without shard 5: %v\n%s", err, out)
	}
	run(t, script, input, "scores.csv", "8")
	if !bytes.Equal(contents(t, "scores.csv"), single) {
		t.Error("gone on: other scores than a single run")
	}
	if after, err := os.Stat(old); err != nil || !os.SameFile(before, after) {
		t.Errorf("a finished part was computed again: %v", err)
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The Job's manifest is valid by the published schema, which knows its fields.
func TestKubernetesManifest(t *testing.T) {
	python := cmp.Or(os.Getenv("BCSTAGE_PYTHON"), "python3")
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import kubernetes_validate, yaml").CombinedOutput(); err != nil {
		need(t, "%s: %v\n%s", python, err, out)
	}
	const manifest = "kubernetes/betweenness.yaml"
	run(t, python, "kubernetes/check.py", manifest)
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	text := strings.Replace(string(contents(t, manifest)), "parallelism:", "parallelisn:", 1)
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "kubernetes/check.py", wrong).CombinedOutput(); err == nil || !strings.Contains(string(out), "parallelisn") {
		t.Errorf("a field that is none is accepted: %v\n%s", err, out)
	}
}
