package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"testing"

	"bcstage/arrowio/tables"
)

func countingEdges(n uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		for u := range n {
			if !yield(u, 2*u) {
				return
			}
		}
	}
}

func TestWriteEdgesText(t *testing.T) {
	for format, want := range map[tables.Format]string{
		tables.FormatCSV:      "src,dst\n0,0\n1,2\n2,4\n",
		tables.FormatEdgeList: "0 0\n1 2\n2 4\n",
	} {
		var out bytes.Buffer
		if err := WriteEdges(context.Background(), &out, format, 3, countingEdges(3)); err != nil || out.String() != want {
			t.Errorf("%s: %q, %v", format, out.String(), err)
		}
	}
}

// readEdges reads the edges of countingEdges, and returns how many are right.
func readEdges(t *testing.T, in io.Reader) (rows uint64, err error) {
	t.Helper()
	edges := make(chan tables.Batch, 1)
	done := make(chan error, 1)
	go func() {
		_, err := Read(context.Background(), tables.Options{Stdin: in}, edges)
		done <- err
	}()
	for batch := range edges {
		for i, u := range batch.Src.Ints {
			if u != rows || batch.Dst.Ints[i] != 2*rows {
				t.Errorf("row %d: %d %d", rows, u, batch.Dst.Ints[i])
			}
			rows++
		}
		batch.Release()
	}
	return rows, <-done
}

// Sizes around the batch length: a last batch may be full, short or absent.
func TestWriteEdgesReadsBack(t *testing.T) {
	for _, format := range EdgeFormats() {
		for _, n := range []uint64{0, 1, writeRows - 1, writeRows, writeRows + 1, rowGroupRows, rowGroupRows + 1} {
			if n == 0 && format == tables.FormatEdgeList {
				continue // an empty file is not an edge list
			}
			var out bytes.Buffer
			if err := WriteEdges(context.Background(), &out, format, 3, countingEdges(n)); err != nil {
				t.Fatal(err)
			}
			if rows, err := readEdges(t, &out); rows != n || err != nil {
				t.Errorf("%s of %d edges: %d read, %v", format, n, rows, err)
			}
		}
	}
}

// A binary output that was stopped half-way must not read as whole.
func TestWriteEdgesStops(t *testing.T) {
	for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
		ctx, cancel := context.WithCancel(t.Context())
		out := stoppingWriter{after: 100_000, stop: cancel}
		err := WriteEdges(ctx, &out, format, 3, countingEdges(2*rowGroupRows))
		if !errors.Is(err, context.Canceled) || out.Len() < out.after {
			t.Errorf("%s: %v after %d bytes, want a stop", format, err, out.Len())
		}
		if _, err := readEdges(t, &out.Buffer); !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("%s, stopped: reads as %v, want ErrCorrupt", format, err)
		}
	}
}

// stoppingWriter calls stop once it has some bytes.
type stoppingWriter struct {
	bytes.Buffer
	after int
	stop  func()
}

func (w *stoppingWriter) Write(p []byte) (int, error) {
	if n, err := w.Buffer.Write(p); w.Len() < w.after {
		return n, err
	}
	w.stop()
	return len(p), nil
}

// brokenPipe accepts some bytes and then fails.
type brokenPipe struct{ left int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

var errBroken = errors.New("broken pipe")

func TestWriteEdgesFails(t *testing.T) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, format := range EdgeFormats() {
		for _, bytes := range []int{0, 1000, 1_000_000} {
			if err := WriteEdges(context.Background(), &brokenPipe{bytes}, format, 3, countingEdges(2_000_000)); !errors.Is(err, errBroken) {
				t.Errorf("%s to a pipe broken after %d bytes: %v", format, bytes, err)
			}
		}
		if err := WriteEdges(stopped, &bytes.Buffer{}, format, 3, countingEdges(100_000)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after a stop: %v", format, err)
		}
	}
	if err := WriteEdges(context.Background(), &bytes.Buffer{}, tables.FormatMTX, 0, countingEdges(1)); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("mtx: %v", err)
	}
}
