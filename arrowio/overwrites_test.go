package arrowio

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"bcstage/arrowio/tables"
)

// An output that named an input, in any way, used to replace it.
func TestOverwrites(t *testing.T) {
	folder := tree(t, map[string]string{
		"edges.csv": "1 2\n", "other.csv": "1 2\n", "lake/year=1/part-0.csv": "1 2\n", "lake/year=2/part-0.csv": "1 2\n", "lake/_out/x": "", "work/w.arrow": "", "zz/x": "",
	})
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := os.Link(at("edges.csv"), at("hard.csv")); err != nil {
		t.Skip(err)
	}
	for link, target := range map[string]string{"soft.csv": "edges.csv", "way": "lake", "lake/year=3": "../work", "zz/dangling": "nowhere"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(folder)
	opts := func(paths ...string) tables.Options {
		return tables.Options{Paths: paths, FileSystems: map[string]fs.FS{"far": newFar(nil)}}
	}
	for _, test := range []struct {
		input, output string
		same          bool
		found         string // Overlap.Input; "": none
	}{
		{"edges.csv", "edges.csv", true, "edges.csv"},
		{"edges.csv", "./lake/../edges.csv", true, "edges.csv"},
		{"edges.csv", at("edges.csv"), true, "edges.csv"},
		{"edges.csv", "soft.csv", true, "edges.csv"},
		{"soft.csv", "edges.csv", true, "soft.csv"},
		{"edges.csv", "hard.csv", true, "edges.csv"},
		{"*.csv", "other.csv", true, "other.csv"},
		{"*.csv", "new.csv", false, "*.csv"},
		{at("*.csv"), "new.csv", false, at("*.csv")},
		{"lake", "lake/year=1/part-0.csv", true, "lake/year=1/part-0.csv"},
		{"lake", "lake/scores.parquet", false, "lake"},
		{"lake", "lake/year=9/deeper/scores.parquet", false, "lake"},
		{"lake", "work/scores.parquet", false, "lake"}, // behind a link
		{"way", "lake/year=2/scores", false, "way"},
		{"lake/", "way/scores", false, "lake/"},
		{".", "scores.csv", false, "."},
		{"lake/*", "lake/scores.csv", false, "lake/*"},
		{"lake/year=*", "lake/year=2/scores.csv", false, "lake/year=*"},
		{"lake/year=*", "lake/year=9/scores.csv", false, "lake/year=*"},
		{"lake/*/part-0.csv", "lake/year=9/part-0.csv", false, "lake/*/part-0.csv"},
		{"lake/*/part-1.csv", "lake/year=1/part-1.csv", false, "lake/*/part-1.csv"},
		{"**/part-*.csv", "part-9.csv", false, "**/part-*.csv"},
		{"**/part-*.csv", "lake/year=1/a/part-9.csv", false, "**/part-*.csv"},
		{"way/**", "lake/year=1/scores", false, "way/**"},
		{"far://b/edges.csv", "far://b/edges.csv", true, "far://b/edges.csv"},
		{"far://b/lake", "far://b/lake/scores.csv", false, "far://b/lake"},
		{"far://b/lake/", "far://b/lake/a/scores.csv", false, "far://b/lake/"},
		{"far://b", "far://b/scores.csv", false, "far://b"},
		{"far://b/lake/year=*/part-?.csv", "far://b/lake/year=3/part-9.csv", false, "far://b/lake/year=*/part-?.csv"},
		{"far://b/lake/*", "far://b/lake/a/scores", false, "far://b/lake/*"},
		{"far://b/**/*.csv", "far://b/scores.csv", false, "far://b/**/*.csv"},
		{"far://*/x.csv", "far://b/x.csv", false, "far://*/x.csv"},

		{"edges.csv", "other.csv", false, ""},
		{"edges.csv", "lake/edges.csv", false, ""},
		{"edges.csv", "zz/dangling", false, ""},
		{"edges.csv", "-", false, ""},
		{"-", "edges.csv", false, ""},
		{"none.csv", "none.csv", false, ""}, // reading reports it
		{os.DevNull, os.DevNull, false, ""},
		{"lake", "lake", false, ""}, // writing reports it
		{"lake", "lake/_out/scores.csv", false, ""},
		{"lake", "lake/.scores", false, ""},
		{"lake", "lakes/scores.csv", false, ""},
		{"lake/*.csv", "lake/scores.parquet", false, ""},
		{"lake/*/*.csv", "lake/scores.csv", false, ""},
		{"lake/*", "lake/_new/scores", false, ""},
		{"lake/**/*.csv", "lake/_new/scores.csv", false, ""},
		{"lake/year=1", "lake/year=2/scores.csv", false, ""},
		{"far://b/edges.csv", "edges.csv", false, ""},
		{"far://b/edges.csv", "far://b/edges.csv.gz", false, ""},
		{"far://b/edges.csv", "far://a/edges.csv", false, ""},
		{"far://b/lake", "far://b/lakes/x.csv", false, ""},
		{"far://b/lake", "far://b/lake/_x/x.csv", false, ""},
		{"far://b/lake/*.csv", "far://b/lake/a/x.csv", false, ""},
		{"far://b/*//x", "far://b//y", false, ""},
		{"gs://b/edges.csv", "gs://b/edges.csv", false, ""}, // neither to be read nor written
	} {
		found, err := Overwrites(t.Context(), opts("-", test.input), "", test.output)
		switch {
		case err != nil:
			t.Errorf("%s onto %s: %v", test.input, test.output, err)
		case found == nil:
			if test.found != "" {
				t.Errorf("%s onto %s: nothing found", test.input, test.output)
			}
		case *found != Overlap{Output: test.output, Input: filepath.FromSlash(test.found), Same: test.same}:
			t.Errorf("%s onto %s: %+v", test.input, test.output, *found)
		}
	}
}
