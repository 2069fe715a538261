package arrowio

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// A text whose name is that of a columnar file was read as an edge list.
func TestNamesThatLie(t *testing.T) {
	for _, test := range []struct{ text, says string }{
		{"AccessDenied denied\n", `begins with "AccessDenied denied"`},
		{"src,dst\n1,2\n", `begins with "src,dst"`},
		{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "begins with \"%%MatrixMarket"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "looks like a Git LFS pointer"},
		{"<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>\n", "begins with \"<?xml version"},
		{"<!DOCTYPE html>\n<html>\n", "begins with \"<!DOCTYPE html>\""},
		{"\x00\x01\x02\x03 nothing that is known", `begins with "\x00\x01\x02\x03`},
	} {
		for _, name := range []string{"e.parquet", "e.PARQUET", "e.parq", "e.pq", "e.arrow", "e.arrows", "e.feather", "e.ipc", "e.parquet.gz"} {
			for _, opts := range []tables.Options{{Paths: []string{writeFile(t, name, test.text)}}, {Paths: []string{writeFile(t, "e", "1 2\n")}, Vertices: writeFile(t, name, test.text)}} {
				if _, err := readAll(t.Context(), opts); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("%s of %q: %v", name, test.text, err)
				}
			}
		}
	}
	if _, err := ReadIDs(t.Context(), tables.Options{Paths: []string{writeFile(t, "ids.parquet", "1\n2\n")}}, func(tables.Keys) error { return nil }); !errors.Is(err, tables.ErrInput) {
		t.Error("a list of ids:", err)
	}
	got, err := readAll(t.Context(), tables.Options{Paths: []string{writeFile(t, "e.parquet", "1,2\n")}, Format: tables.FormatCSV})
	if err != nil || got.edges() != "1>2" {
		t.Error("a format that is named counts for more than a name:", err)
	}
	// The pointer and the page are recognised by their bytes, whatever their name.
	for _, text := range []string{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "<html> x\n</html> y\n"} {
		if _, err := readAll(t.Context(), tables.Options{Paths: []string{writeFile(t, "edges.csv", text)}}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "looks like") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// In a folder of Parquet, a README or any note was read as an edge list.
func TestDocumentsInFolders(t *testing.T) {
	columnar := string(wideParquet(t, 10, 10))
	whole, err := readAll(t.Context(), tables.Options{Paths: []string{writeFile(t, "e.parquet", columnar)}})
	if err != nil {
		t.Fatal(err)
	}
	folder := tree(t, map[string]string{
		"README.txt": "hello world\n", "LICENSE": "do this\n", "notes.md": "a b\n", "manifest.json": "a b\n", "year=1/part.parquet": columnar,
		"year=1/part.parquet.crc": "crc crc\n", "year=1/readme": "hello world\n", "year=1/_SUCCESS": "well done\n",
	})
	for path, skipped := range map[string]int{folder: 6, filepath.Join(folder, "**", "*"): 7} {
		got, err := readAll(t.Context(), tables.Options{Paths: []string{path}})
		if err != nil || got.edges() != whole.edges() || got.Files != 1 {
			t.Fatalf("%s: %d files, %v", path, got.Files, err)
		}
		notes := slices.DeleteFunc(got.Notes, func(note string) bool {
			return !strings.HasSuffix(note, ": skipped, as its name is not that of a table")
		})
		if len(notes) != skipped {
			t.Errorf("%s: %q, want %d", path, notes, skipped)
		}
	}
	for _, name := range []string{"notes.txt", "year=1/edges.csv", "year=1/part"} {
		folder := tree(t, map[string]string{name: "hello world\n", "year=1/part.parquet": columnar})
		_, err := readAll(t.Context(), tables.Options{Paths: []string{folder}})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), filepath.FromSlash(name)+": not a columnar file like its neighbour") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := readAll(t.Context(), tables.Options{Paths: []string{filepath.Join(folder, filepath.FromSlash(name))}}); err != nil {
			t.Errorf("%s by its own name: %v", name, err)
		}
	}
	for name, files := range map[string]map[string]string{
		"text beside text":          {"a.csv": "1,2\n", "part-0": "2,3\n"},
		"formats in folders apart":  {"year=1/a.csv": "src,dst\n1,2\n", "year=2/part.parquet": columnar},
		"Parquet without an ending": {"part-0": columnar, "part-1.parquet": columnar},
		"documents alone":           {"README": "1 2\n"},
	} {
		if got, err := readAll(t.Context(), tables.Options{Paths: []string{tree(t, files)}}); err != nil || got.Files != len(files) {
			t.Errorf("%s: %d files, %v", name, got.Files, err)
		}
	}
	text, err := readAll(t.Context(), tables.Options{Paths: []string{tree(t, map[string]string{"edges.txt": "1 2\n", "README.txt": "3 4\n"})}})
	if err != nil || text.edges() != "1>2" || len(text.Notes) == 0 {
		t.Error("a README beside text:", text.edges(), text.Notes, err)
	}
}
