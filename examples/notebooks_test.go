package examples_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Notebooks show their stored outputs.
func TestNotebooks(t *testing.T) {
	python := clients(t)
	const libraries = "import nbclient, ipykernel, geopandas"
	if out, err := exec.CommandContext(t.Context(), python, "-c", libraries).CombinedOutput(); err != nil {
		need(t, "%s lacks a library of .ci/requirements.txt: %v\n%s", python, err, out)
	}
	notebooks, err := filepath.Glob("*.ipynb")
	if err != nil || len(notebooks) < 3 {
		t.Fatal(notebooks, err)
	}
	t.Log(run(t, python, append([]string{"check_notebook.py"}, notebooks...)...))
}
