package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// block returns the block of a page of docs below the comment of a name.
func block(t *testing.T, page, name, language string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "<!-- "+name+" -->\n```"+language+"\n")
	code, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("docs/%s has no block of %s", page, name)
	}
	return code
}

// Schedulers, SQL and Ray work as docs say, as far as possible without servers.
func TestUses(t *testing.T) {
	python := clients(t)
	script, err := filepath.Abs("check_uses.py")
	if err != nil {
		t.Fatal(err)
	}
	const scores = "[('ann', 0.0), ('bob', 2.0), ('cid', 2.0), ('dan', 0.0)]\n"
	for _, use := range []struct{ page, name, language, want string }{
		{"uses.md", "airflow", "python", scores},
		{"uses.md", "dagster", "python", "vertices 4\n" + scores},
		{"scale.md", "ray", "python", scores},
		{"uses.md", "sql", "sql", "[('bob', 2.0), ('cid', 2.0), ('ann', 0.0), ('dan', 0.0)]\n"},
	} {
		text := block(t, use.page, use.name, use.language)
		t.Run(use.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.MkdirAll("lake/edges", 0o777); err != nil {
				t.Fatal(err)
			}
			run(t, python, "-c", "import pyarrow as p, pyarrow.parquet as q; q.write_table(p.table({'src': ['ann', 'bob', 'cid'], 'dst': ['bob', 'cid', 'dan']}), 'lake/edges/part-0.parquet')")
			if err := os.WriteFile("use", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := run(t, python, script, use.name, "use"); !strings.HasSuffix(got, use.want) {
				t.Errorf("got\n%s\nwant at its end\n%s", got, use.want)
			}
		})
	}
}
