package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Leftovers of killed runs are removed; files that a run is writing, or that belong to a file of
// similar name, are not.
func TestRemoveLeftovers(t *testing.T) {
	folder := t.TempDir()
	work := filepath.Join(folder, "work")
	for name, stays := range map[string]bool{
		".work.7.0.part":       false, // a killed run's
		".work.123.99.part":    false,
		".work.arrow.7.0.part": true, // of work.arrow
		".work.x.0.part":       true,
		".work.7.part":         true,
		".work.7.0.0.part":     true,
		".work.7.0.partial":    true,
		".other.7.0.part":      true,
		"work.7.0.part":        true,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			removeLeftovers(work)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) == stays {
				t.Errorf("stays: want %v: %v", stays, err)
			}
		})
	}

	var files unfinished // of a live run
	file, err := files.temporary(work, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	removeLeftovers(work)
	file.Close() // complete, and waiting for its name
	removeLeftovers(work)
	if err := files.rename(file.Name(), work, true); err != nil {
		t.Errorf("a file that was being written: %v", err)
	}
	file.release()
	if file, err = files.temporary(work, 0o600); err != nil {
		t.Fatal(err)
	}
	file.Close()
	file.release() // as at the end of a process
	removeLeftovers(work)
	if _, err := os.Stat(file.Name()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a leftover stays: %v", err)
	}
}

func TestSameFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"a", "b"} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile("a/there", nil, 0o600), os.WriteFile("b/there", nil, 0o600),
		os.Symlink("a", "link"), os.Symlink("a/there", "there")); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"new.arrow", "./new.arrow", true},
		{"new.arrow", here + "/new.arrow", true},
		{"new.arrow", "a/../new.arrow", true},
		{"a/new.arrow", "link/new.arrow", true},
		{"a/there", "link/there", true},
		{"a/there", "there", true},
		{"a/there", "b/there", false},
		{"a/new", "b/new", false},
		{"a/there", "a/new", false},
		{"none/new", "none/./new", true},
		{os.DevNull, os.DevNull, false},
		{"s3://b/k", "s3://b/k", true},
		{"s3://b/k", "s3://b/l", false},
		{"s3://b/k", "k", false},
	} {
		if got := sameFile(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := sameFile(c.b, c.a); got != c.same {
			t.Errorf("%q and %q: %v", c.b, c.a, got)
		}
	}
}

// No two ids look alike in a table whose cells are aligned right.
func TestPrintable(t *testing.T) {
	shown := map[string]string{}
	for _, id := range []string{"", `""`, " ", `" "`, "a", " a", "a ", `"a"`, `"a `, "\xff", `"\xff"`, `\xff`, "\uFFFD", "\x1b", `"\x1b"`, "\u0085", "\x85", "\u00a0a"} {
		text := printable(id)
		if other, ok := shown[text]; ok {
			t.Error(fmt.Sprintf("%q and %q are both shown as %s", id, other, text))
		}
		shown[text] = id
	}
	if printable("plain id") != "plain id" {
		t.Error(printable("plain id"))
	}
}
