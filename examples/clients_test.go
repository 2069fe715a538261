// Package examples_test runs the clients of this folder, each in its own process,
// with a freshly built command.
package examples_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const edges = "../testdata/go-imports.csv"

func TestClients(t *testing.T) {
	python := clients(t)

	// Each client gets the scores of igraph and NetworkX for the same edges, with
	// ids of every type that its library writes.
	for client, cases := range map[string][]string{
		"pyarrow": {"pyarrow_ints", "pyarrow_negative", "pyarrow_uint64", "pyarrow_strings", "pyarrow_dictionary", "pyarrow_nulls", "pyarrow_table", "pyarrow_measures"},
		"polars":  {"polars_stream", "polars_parquet", "polars_measures"},
		"duckdb":  {"duckdb_pipe", "duckdb_parquet"},
		"pandas":  {"pandas_frames"},
	} {
		t.Run(client, func(t *testing.T) { run(t, python, append([]string{"check_clients.py", edges}, cases...)...) })
	}

	// Each file runs by the command in its first lines.
	for _, name := range []string{"pyarrow_stream.py", "polars_frame.py", "duckdb_sql.py", "pandas_frame.py"} {
		t.Run(name, func(t *testing.T) {
			if out := run(t, python, name, edges); !strings.Contains(out, "errors") || !strings.Contains(out, "12300.68") {
				t.Errorf("the highest score, of errors, is not in the output:\n%s", out)
			}
		})
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// clients returns a Python that has the libraries and the package, with the command on its
// PATH. Without them the test is skipped, unless BCSTAGE_REQUIRE_CLIENTS=1.
func clients(t *testing.T) string {
	t.Helper()
	python := cmp.Or(os.Getenv("BCSTAGE_PYTHON"), "python3")
	const libraries = "import duckdb, igraph, networkx, pandas, polars, pyarrow"
	if out, err := exec.CommandContext(t.Context(), python, "-c", libraries).CombinedOutput(); err != nil {
		need(t, "%s lacks a library of .ci/requirements.txt (BCSTAGE_PYTHON names another): %v\n%s", python, err, out)
	}
	packages, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	command := filepath.Join(folder, "bcstage")
	run(t, "go", "build", "-o", command, "../cli/bcstage")
	t.Setenv("PYTHONPATH", packages)
	t.Setenv("BCSTAGE_EXECUTABLE", command)
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return python
}

// need skips a test that lacks something, or fails it if everything is required.
func need(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("BCSTAGE_REQUIRE_CLIENTS") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
