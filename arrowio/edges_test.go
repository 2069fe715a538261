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
		if err := WriteEdges(context.Background(), &out, format, countingEdges(3)); err != nil || out.String() != want {
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
		for _, n := range []uint64{0, 1, edgeRows - 1, edgeRows, edgeRows + 1, rowGroupRows, rowGroupRows + 1} {
			if n == 0 && format == tables.FormatEdgeList {
				continue // an empty file is not an edge list
			}
			var out bytes.Buffer
			if err := WriteEdges(context.Background(), &out, format, countingEdges(n)); err != nil {
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
		ctx, cancel := context.WithCancel(context.Background())
		var out bytes.Buffer
		err := WriteEdges(ctx, &out, format, func(yield func(uint64, uint64) bool) {
			for u, v := range countingEdges(2 * rowGroupRows) {
				if u == rowGroupRows+edgeRows+1 {
					cancel()
				}
				if !yield(u, v) {
					return
				}
			}
		})
		if !errors.Is(err, context.Canceled) || out.Len() == 0 {
			t.Errorf("%s: %v after %d bytes, want a stop", format, err, out.Len())
		}
		if _, err := readEdges(t, &out); !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("%s, stopped: reads as %v, want ErrCorrupt", format, err)
		}
	}
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
			if err := WriteEdges(context.Background(), &brokenPipe{bytes}, format, countingEdges(2_000_000)); !errors.Is(err, errBroken) {
				t.Errorf("%s to a pipe broken after %d bytes: %v", format, bytes, err)
			}
		}
		if err := WriteEdges(stopped, &bytes.Buffer{}, format, countingEdges(100_000)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after a stop: %v", format, err)
		}
	}
	if err := WriteEdges(context.Background(), &bytes.Buffer{}, tables.FormatMTX, countingEdges(1)); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("mtx: %v", err)
	}
}
