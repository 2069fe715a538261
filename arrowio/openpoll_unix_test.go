//go:build unix

package arrowio

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"bcstage/arrowio/tables"
)

// TestCancelPolled ends a Read from a pipe without deadlines, as standard input
// is.
func TestCancelPolled(t *testing.T) {
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	r, w := os.NewFile(uintptr(ends[0]), "r"), os.NewFile(uintptr(ends[1]), "w")
	defer r.Close()
	go func() {
		w.Write(bytes.Repeat([]byte("1 2\n"), 200_000))
	}()
	readWhile(t, tables.Options{Stdin: r}, false, justCancel, context.Canceled)
	w.Close()
}

// TestNamedPipe reads a path that is a pipe, as from a shell's <(...).
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			w.Write(compressors["gzip"](someEdges(100_000)))
			w.Close()
		}
	}()
	got, err := readAll(t.Context(), tables.Options{Paths: []string{path}})
	if err != nil || got.Rows != 100_000 {
		t.Error(got.Rows, err)
	}
}
