package cli_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli"
)

// Pictures stay in the folder of --png, one for each plot, whatever the names of a table's columns.
func TestPicturesStayInTheirFolder(t *testing.T) {
	folder := t.TempDir()
	values := tables.Floats{3, 2, 1}
	table := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2, 3}}, Columns: []tables.Column{{Name: "score", Values: values}}}
	for _, name := range []string{"../../x", "/y", "b/c", "B:c", "distribution"} {
		table.Columns = append(table.Columns, tables.Column{Name: name, Values: values})
	}
	var data bytes.Buffer
	if err := arrowio.Write(t.Context(), &data, tables.FormatParquet, table); err != nil {
		t.Fatal(err)
	}
	scores := filepath.Join(folder, "scores.parquet")
	if err := os.WriteFile(scores, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "report", scores, "--png", filepath.Join(folder, "down", "pictures"))
	var names []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".png" {
			names = append(names, path)
		}
		return err
	})
	want := []string{"B_c-2", "______x", "_y", "b_c", "distribution-2", "distribution"}
	for i := range want {
		want[i] = "down/pictures/" + want[i] + ".png"
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v, want %q", names, err, want)
	}
}

// A report has the name of its graph.
func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"streets.parquet": "streets", "a/luxembourg.osm.graph.gz": "luxembourg.osm", "lake/edges/**/*.parquet": "edges", "lake/edges/year=*/": "edges",
		"s3://bucket/lake/edges": "edges", "edges": "edges", ".csv": ".csv", "*.csv": "*.csv", "-": "-",
	} {
		if got := cli.NameOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
