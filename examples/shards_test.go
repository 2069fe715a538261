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

// In a shell: shards from xargs -P give the bits of a single run, and finished
// shards are not computed again.
func TestShardsInAShell(t *testing.T) {
	for _, program := range []string{"sh", "xargs", "seq", "nproc"} {
		if _, err := exec.LookPath(program); err != nil {
			need(t, "%v", err)
		}
	}
	folder := t.TempDir()
	run(t, "go", "build", "-o", filepath.Join(folder, "real"), "../cli/bcstage")
	wrapper := "#!/bin/sh\necho \"$*\" >>'" + folder + "/log'\nexec '" + folder + "/real' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "bcstage"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
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

	// The merge fails, since its output is a folder: the parts stay.
	if err := os.Mkdir("scores.csv", 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), script, input, "scores.csv", "8", "3").CombinedOutput(); err == nil {
		t.Fatalf("written to a folder\n%s", out)
	}
	if err := os.Remove("scores.csv"); err != nil {
		t.Fatal(err)
	}

	// One part is lost: only this one is computed again.
	if err := os.Remove("scores.csv.shards/5-of-8.arrow"); err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob("scores.csv.shards/*.arrow")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "bcstage", append([]string{"merge", "-o", "none.csv"}, parts...)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "are missing: shard 5 of 8") {
		t.Errorf("merged without shard 5: %v\n%s", err, out)
	}
	run(t, script, input, "scores.csv", "8")
	if !bytes.Equal(contents(t, "scores.csv"), single) {
		t.Error("8 shards: other scores than a single run")
	}
	if ran := strings.Count(string(contents(t, "log")), " --shard "); ran != 8+1 {
		t.Errorf("%d shards were computed, want 8, and one again", ran)
	}
	if left, _ := filepath.Glob("scores.csv.shards"); left != nil {
		t.Errorf("left behind: %v", left)
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

// The manifests are valid by the published schema, and their shards and retries
// are right; the check detects mistakes.
func TestKubernetesManifest(t *testing.T) {
	python := cmp.Or(os.Getenv("BCSTAGE_PYTHON"), "python3")
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import kubernetes_validate, yaml").CombinedOutput(); err != nil {
		need(t, "%s: %v\n%s", python, err, out)
	}
	for manifest, mistakes := range map[string][][2]string{
		"kubernetes/betweenness.yaml":   {{"parallelism:", "parallelisn:"}, {"$(SHARD)/64", "$(SHARD)/63"}, {"[2, 3, 4, 5, 7]", "[2, 3, 4, 5, 6, 7]"}},
		"kubernetes/nightly_since.yaml": {{"jobTemplate:", "template:"}, {"[2, 3, 4, 5, 7]", "[2, 3, 4, 5]"}, {"claimName:", "claim:"}},
		"kubernetes/nightly.yaml":       {{"parallelism:", "parallelisn:"}, {"jobTemplate:", "template:"}, {"$(SHARD)/64", "$(SHARD)/63"}, {"containerName: merge", "containerName: shards"}, {"values: [3]", "values: [1, 3]"}},
	} {
		run(t, python, "kubernetes/check.py", manifest)
		for _, mistake := range mistakes {
			wrong := filepath.Join(t.TempDir(), "wrong.yaml")
			text := strings.Replace(string(contents(t, manifest)), mistake[0], mistake[1], 1)
			if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), python, "kubernetes/check.py", wrong).CombinedOutput(); err == nil {
				t.Errorf("%s: %s for %s is accepted\n%s", manifest, mistake[1], mistake[0], out)
			}
		}
	}
}
