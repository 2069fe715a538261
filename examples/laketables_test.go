package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The files of Delta and Iceberg tables contain deleted rows. The command refuses them. The line in
// its hint, and the uses in Python, give the scores of the remaining rows.
func TestLakeTables(t *testing.T) {
	python := clients(t)
	const libraries = "import deltalake, pyiceberg.catalog.sql"
	if out, err := exec.CommandContext(t.Context(), python, "-c", libraries).CombinedOutput(); err != nil {
		need(t, "%s lacks a library of .ci/requirements.txt: %v\n%s", python, err, out)
	}
	use := block(t, "uses.md", "lake tables", "python")
	script, err := filepath.Abs("lake_tables.py")
	if err != nil {
		t.Fatal(err)
	}
	command, err := exec.LookPath("bcstage")
	if err != nil {
		t.Fatal(err)
	}
	// The hints say python, the name inside an environment.
	if err := os.WriteFile(filepath.Join(filepath.Dir(command), "python"), []byte("#!/bin/sh\nexec '"+python+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	t.Setenv("PYICEBERG_CATALOG__LAKE__TYPE", "sql")
	t.Setenv("PYICEBERG_CATALOG__LAKE__URI", "sqlite:///catalog.db")
	t.Setenv("PYICEBERG_CATALOG__LAKE__WAREHOUSE", "lake")
	// Like the hints, this exits without Python's teardown, where threads of Arrow may abort (apache/arrow#34314).
	const whole = "import os, runpy, sys; runpy.run_path(sys.argv[1]); sys.stdout.flush(); os._exit(0)"
	run(t, python, "-c", whole, script)

	if err := os.WriteFile("use.py", []byte(use+"\nfor scores in follows, likes:\n    print(sorted(zip(*scores.to_pydict().values())))\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "[('ann', 0.0), ('bob', 2.0), ('cid', 2.0), ('dan', 0.0)]\n"
	if got := run(t, python, "-c", whole, "use.py"); got != want+want {
		t.Errorf("docs/uses.md:\n%s", got)
	}

	for path, inside := range map[string]string{"lake/follows": "lake/follows/month=1", "lake/graphs/likes": "lake/graphs/likes/data/**"} {
		for _, path := range []string{path, inside} {
			var stdout, stderr bytes.Buffer
			refused := exec.CommandContext(t.Context(), command, path, "--format", "csv")
			refused.Stdout, refused.Stderr = &stdout, &stderr
			if err := refused.Run(); err == nil || refused.ProcessState.ExitCode() != 3 || stdout.Len() > 0 {
				t.Fatalf("%s: %v\n%s%s", path, err, stdout.Bytes(), stderr.Bytes())
			}
			_, pipe, found := strings.Cut(stderr.String(), ": python -c ")
			if !found {
				t.Fatalf("%s: no way out:\n%s", path, stderr.Bytes())
			}
			got := run(t, "sh", "-c", "python -c "+strings.TrimSpace(pipe)+" --format csv | sort")
			if got != "ann,0\nbob,2\ncid,2\ndan,0\nvertex,betweenness_centrality\n" {
				t.Errorf("%s:\n%s", path, got)
			}
		}
	}
}
