//go:build unix

package arrowio

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"bcstage/arrowio/tables"
)

// A partition folder behind a link was left out without a word, and a link to a
// folder as argument refused.
func TestLinksInFolders(t *testing.T) {
	elsewhere := tree(t, map[string]string{"year=2024/part-0.csv": "src,dst\n2,3\n", "single.csv": "src,dst\n3,4\n", "_hidden/x": "9 9\n"})
	folder := tree(t, map[string]string{"year=2023/part-0.csv": "src,dst\n1,2\n", "year=2026/part-0.csv": "src,dst\n4,5\n"})
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(elsewhere, "year=2024"), "year=2024")
	link(filepath.Join(elsewhere, "single.csv"), "year=2025.csv")
	link(filepath.Join(elsewhere, "_hidden"), "_link")
	whole := filepath.Join(t.TempDir(), "whole")
	if err := os.Symlink(folder, whole); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, whole, whole + "/", filepath.Join(filepath.Dir(whole), "who*")} {
		got, err := readAll(t.Context(), tables.Options{Paths: []string{path}})
		if err != nil || got.edges() != "1>2 2>3 3>4 4>5" || got.Files != 4 {
			t.Errorf("%s: %s of %d files, %v", path, got.edges(), got.Files, err)
		}
	}

	link("year=2024", "year=2027") // the same folder twice is not a loop
	if got, err := readAll(t.Context(), tables.Options{Paths: []string{folder}}); err != nil || got.edges() != "1>2 2>3 3>4 4>5 2>3" {
		t.Error(got.edges(), err)
	}
	link("nowhere", "z")
	if _, err := readAll(t.Context(), tables.Options{Paths: []string{folder}}); !errors.Is(err, os.ErrNotExist) {
		t.Error("a link to nothing:", err)
	}
}

func TestLinkLoops(t *testing.T) {
	a := tree(t, map[string]string{"x/part.csv": "1,2\n", "y/part.csv": "2,3\n"})
	for _, link := range [][2]string{{"../y", "x/to-y"}, {"../x", "y/to-x"}} {
		if err := os.Symlink(link[0], filepath.Join(a, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	x := filepath.Join(a, "x")
	_, err := readAll(t.Context(), tables.Options{Paths: []string{x}})
	checkError(t, err, tables.ErrInput, "arrowio: "+x+"/to-y/to-x: a link to "+x+", which contains it")

	self := tree(t, map[string]string{"part.csv": "1,2\n"})
	if err := os.Symlink(".", filepath.Join(self, "self")); err != nil {
		t.Fatal(err)
	}
	_, err = readAll(t.Context(), tables.Options{Paths: []string{self}})
	checkError(t, err, tables.ErrInput, "arrowio: "+self+"/self: a link to "+self+", which contains it")
}

// Folders that link to each other crosswise count once for each way through them:
// the walk must end with its context.
func TestManyWaysThroughLinks(t *testing.T) {
	folder := t.TempDir()
	for i := range 40 {
		here := filepath.Join(folder, string(rune('A'+i)))
		if err := os.Mkdir(here, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b"} {
			if err := os.Symlink(filepath.Join(folder, string(rune('A'+i+1))), filepath.Join(here, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(folder, string(rune('A'+40))), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := readAll(ctx, tables.Options{Paths: []string{filepath.Join(folder, "A")}})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Entries that are neither file nor folder were left out, which changed the graph.
func TestOddFilesInFolders(t *testing.T) {
	pipe := tree(t, map[string]string{"part.csv": "1,2\n"})
	if err := syscall.Mkfifo(filepath.Join(pipe, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	socket := tree(t, map[string]string{"part.csv": "1,2\n"})
	listener, err := net.Listen("unix", filepath.Join(socket, "s"))
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	linked := tree(t, map[string]string{"part.csv": "1,2\n"})
	if err := os.Symlink(filepath.Join(pipe, "pipe"), filepath.Join(linked, "to-pipe")); err != nil {
		t.Fatal(err)
	}
	device := tree(t, map[string]string{"part.csv": "1,2\n"})
	if err := os.Symlink("/dev/null", filepath.Join(device, "null")); err != nil {
		t.Fatal(err)
	}
	for folder, says := range map[string]string{
		pipe:   "/pipe: a named pipe within a folder; name it as an input of its own, or move it away",
		linked: "/to-pipe: a named pipe within a folder; name it as an input of its own, or move it away",
		socket: "/s: a socket within a folder; name it as an input of its own, or move it away",
		device: "/null: a device within a folder; name it as an input of its own, or move it away",
	} {
		_, err := readAll(t.Context(), tables.Options{Paths: []string{folder}})
		checkError(t, err, tables.ErrInput, "arrowio: "+folder+says)
	}
}
