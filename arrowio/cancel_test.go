package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"bcstage/arrowio/tables"
)

// patience is how long a test waits for an immediate event.
const patience = 2 * time.Minute

// readWhile starts a Read, and runs act when it has sent its first batch (or at
// once, for silent input). Read must end with an error of that class. It returns
// how many batches came after act.
func readWhile(t *testing.T, opts tables.Options, silent bool, act func(cancel func()), class error) (more int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	edges := make(chan tables.Batch)
	failed := make(chan error, 1)
	go func() {
		_, err := Read(ctx, opts, edges)
		failed <- err
	}()
	if !silent {
		b := <-edges
		b.Release()
	}
	act(cancel)
	timeout := time.After(patience)
	for {
		select {
		case b, open := <-edges:
			if !open {
				edges = nil
				continue
			}
			b.Release()
			more++
		case err := <-failed:
			if !errors.Is(err, class) {
				t.Errorf("error %v, want %v", err, class)
			}
			return more
		case <-timeout:
			t.Fatal("Read did not end")
		}
	}
}

// endless is a text without end: a line again and again.
func endless(line string) io.Reader { return &repeating{line: line} }

type repeating struct {
	line string
	at   int
}

func (r *repeating) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], r.line[r.at:])
		n += copied
		r.at = (r.at + copied) % len(r.line)
	}
	return n, nil
}

func justCancel(cancel func()) { cancel() }

func TestCancelEndless(t *testing.T) {
	for name, stdin := range map[string]io.Reader{
		"text":     endless("1\t2\n"),
		"CSV":      io.MultiReader(strings.NewReader("src,dst\n"), endless("\"a\",\"b\"\n")),
		"matrix":   io.MultiReader(strings.NewReader("%%MatrixMarket matrix coordinate pattern general\n2 2 1000000000000\n"), endless("1 2\n")),
		"METIS":    io.MultiReader(strings.NewReader("2147483647 1\n"), endless("1 2\n")),
		"vertices": strings.NewReader("p edge 2147483647 0\n"),
	} {
		t.Run(name, func(t *testing.T) {
			opts := tables.Options{Stdin: stdin}
			if name == "METIS" {
				opts.Format = tables.FormatMETIS
			}
			readWhile(t, opts, false, justCancel, context.Canceled)
		})
	}
	t.Run("comments", func(t *testing.T) {
		readWhile(t, tables.Options{Stdin: endless("# comment\n")}, true, justCancel, context.Canceled)
	})
}

// cancelling is a reader whose context ends during one of its reads.
type cancelling struct {
	io.Reader
	reads, at int
	cancel    func()
}

func (c *cancelling) Read(p []byte) (int, error) {
	if c.reads++; c.reads == c.at {
		c.cancel()
	}
	return c.Reader.Read(p)
}

// TestCancelSpooling ends a Read that copies its input to a file: it reads no
// more from it.
func TestCancelSpooling(t *testing.T) {
	for _, at := range []int{1, 2, 20} {
		ctx, cancel := context.WithCancel(t.Context())
		stdin := &cancelling{io.LimitReader(endless("PAR1\x00"), 256<<20), 0, at, cancel}
		_, err := Read(ctx, tables.Options{Stdin: stdin, TempDir: t.TempDir()}, make(chan tables.Batch))
		if !errors.Is(err, context.Canceled) || stdin.reads != at {
			t.Errorf("cancelled in read %d: %d reads, %v", at, stdin.reads, err)
		}
	}
}

// TestCancelNobodyReceives ends a Read whose batches nobody takes.
func TestCancelNobodyReceives(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	edges := make(chan tables.Batch)
	if _, err := Read(ctx, tables.Options{Stdin: endless("1 2\n")}, edges); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, open := <-edges; open {
		t.Error("channel is not closed")
	}
}

// TestCancelSilent ends a Read that waits for bytes that do not come.
func TestCancelSilent(t *testing.T) {
	start := bytes.Repeat([]byte("1 2\n"), 200_000) // some chunks, and then silence
	t.Run("closer", func(t *testing.T) {
		r, w := io.Pipe()
		go w.Write(start)
		readWhile(t, tables.Options{Stdin: r}, false, justCancel, context.Canceled)
	})
	t.Run("pipe", func(t *testing.T) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		go w.Write(start)
		readWhile(t, tables.Options{Stdin: r}, false, justCancel, context.Canceled)
		go w.Write(start[:1]) // all written bytes may have been read
		if _, err := r.Read(make([]byte, 1)); err != nil {
			t.Error("the pipe is left with a deadline:", err)
		}
	})
	t.Run("from the start", func(t *testing.T) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		readWhile(t, tables.Options{Stdin: r}, true, justCancel, context.Canceled)
	})
}

// TestErrorWhileSilent reports a bad row although the writer of the pipe holds
// it open and writes no more.
func TestErrorWhileSilent(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	go w.Write(append([]byte("1 2\n1 x\n"), bytes.Repeat([]byte("1 2\n"), 200_000)...))
	readWhile(t, tables.Options{Stdin: r}, true, func(func()) {}, tables.ErrInput)
}
