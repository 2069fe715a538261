package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file system without room for the scores is detected before they are computed, and an older file
// stays.
func TestRoom(t *testing.T) {
	folder := t.TempDir()
	edges := filepath.Join(folder, "edges.csv")
	if err := os.WriteFile(edges, []byte("src,dst\n1,2\n2,3\n3,4\n4,1\n4,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(free int64, known bool, args ...string) (int, string) {
		var stderr bytes.Buffer
		p := &process{stdin: strings.NewReader(""), stdout: io.Discard, console: newConsole(&stderr)}
		p.files.free = func(folder string) (int64, bool) { return free, known }
		return p.main(t.Context(), append([]string{"bcstage", edges, "--engine", "cpu"}, args...)), stderr.String()
	}
	for _, ending := range []string{"arrow", "arrows", "csv", "jsonl"} {
		out := filepath.Join(folder, "old."+ending)
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		work := filepath.Join(folder, "work.arrow")
		code, text := run(10, true, "-o", out, "--checkpoint", work)
		if old, _ := os.ReadFile(out); code != exitFailure || !strings.Contains(text, "its file system has 10 B left") || string(old) != "old" {
			t.Errorf("%s: %d, %s, %q", ending, code, text, old)
		}
		if _, err := os.Stat(work); err == nil {
			t.Errorf("%s: it was computed", ending)
		}
		for _, args := range [][]string{{"-o", out, "--top", "1"}, {"-o", "-"}, {"-o", os.DevNull, "--format", "csv"}, {"-o", filepath.Join(folder, "new.csv.gz")}} {
			if code, text := run(10, true, args...); code != exitDone {
				t.Errorf("%v: %d, %s", args, code, text)
			}
		}
		if code, text := run(0, false, "-o", out); code != exitDone {
			t.Errorf("%s, of no known room: %d, %s", ending, code, text)
		}
		if code, text := run(1<<20, true, "-o", out); code != exitDone {
			t.Errorf("%s, with room: %d, %s", ending, code, text)
		}
	}
}
