package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The query of docs/streets.md gives turns their costs.
func TestTurns(t *testing.T) {
	python := clients(t)
	query := block(t, "streets.md", "turns", "sql")
	check, err := filepath.Abs("check_streets.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("turns.sql", []byte(query), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "bcstage", "generate", "road", "--n", "150", "-o", "streets.parquet", "--vertices", "places.parquet")
	run(t, python, "-c", "import duckdb; duckdb.execute(open('turns.sql').read())")
	run(t, "bcstage", "turns.parquet", "--directed", "--weight", "cost", "-o", "ways.csv")
	if found := run(t, python, check); !strings.HasSuffix(found, " ways agree\n") {
		t.Error(found)
	}
}
