// Package numbered reads the text formats whose header declares the vertices as numbers from 1
// on: MatrixMarket, METIS and DIMACS.
//
// Flow: a header becomes a declared, which sends all vertices; a parser of the format makes a
// batch of each chunk; at the end the counts are compared with the header.
//
// Ownership and complexity: as in textlines; vertices come in batches of 65536.
package numbered

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/textlines"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// VertexBatch is how many declared vertices go into one batch.
const VertexBatch = 64 << 10

// declared is the content of a MatrixMarket, METIS or DIMACS header. Vertices are the numbers 1
// to vertices, with or without edges.
type declared struct {
	vertices, entries int64

	// columns is, in a bipartite graph, the number of vertices of the other side, again from 1
	// on. vertices are then those of the first side.
	columns   int64
	bipartite bool
}

// headerLine is the next line that is neither blank nor a comment, and where the line after it
// begins. missing is the error text if there is none.
func headerLine(text *textlines.Text, comment func(line []byte) bool, missing string) (line []byte, next int, err error) {
	for {
		line, next, err = text.Peek(0, textlines.FirstLine)
		switch {
		case errors.Is(err, io.EOF):
			return nil, 0, faults.Corrupt("%s", missing)
		case err != nil:
			return nil, 0, err
		case line[blanks(line, 0)] != '\n' && !comment(line):
			return line, next, nil
		}
		text.Skip(next)
	}
}

// begin checks the header, announces the number of vertices, and sends all of them, in bounded
// batches.
func (d declared) begin(ctx context.Context, out *edgetable.Funnel) error {
	if most := out.Opts.MaxVertices; d.vertices > most || d.columns > most-d.vertices {
		return faults.Rejected("header: %d vertices; the limit is %d", uint64(d.vertices)+uint64(d.columns), most)
	}
	if err := out.IDs.Add(out.Input, arrow.PrimitiveTypes.Int64); err != nil {
		return err
	}
	if err := out.Send(ctx, tables.Batch{Declared: d.vertices + d.columns}); err != nil {
		return err
	}
	free := make(textlines.Free, textlines.SpareBatches)
	if err := d.send(ctx, d.vertices, 0, free, out); err != nil || !d.bipartite {
		return err
	}
	return d.send(ctx, d.columns, 1, free, out)
}

// send sends vertices 1 to count of one side.
func (d declared) send(ctx context.Context, count int64, side uint8, free textlines.Free, out *edgetable.Funnel) error {
	var sides []uint8
	if d.bipartite {
		sides = slices.Repeat([]uint8{side}, VertexBatch)
	}
	for next := int64(1); next <= count; next += VertexBatch {
		buffers := free.Take()
		buffers.Src.Grow(VertexBatch)
		numbers := buffers.Src.Ints[:min(VertexBatch, count-next+1)]
		for i := range numbers {
			numbers[i] = uint64(next) + uint64(i)
		}
		b := tables.Batch{Vertices: ids.Keys{Ints: numbers}}
		b.OnRelease(func() { free.Give(buffers) })
		if d.bipartite {
			b.Side = sides[:len(numbers)]
		}
		if err := out.Send(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// edges sends the batches of all entries, and compares their number with the header. arcs names entries with a direction,
// for a note where options do not ask for it; "": they have none.
func (d declared) edges(ctx context.Context, text *textlines.Text, in *sources.Input, out *edgetable.Funnel, parse func(*textlines.Chunk) error, both bool, arcs, what string) error {
	entries := int64(0)
	err := textlines.Parse(ctx, text, textlines.LastLine, out.Opts, parse, func(c *textlines.Chunk) error {
		entries += c.Entries
		c.Batch.BothWays = both
		return out.Send(ctx, c.Batch)
	}, in.Stop)
	if err != nil {
		return err
	}
	if arcs != "" && entries > 0 && !out.Opts.Directed {
		out.Note("%s have a direction, and are read as undirected edges; Options.Directed keeps it", arcs)
	}
	return d.end(entries, what)
}

// end compares the number of entries with the header.
func (d declared) end(entries int64, what string) error {
	if entries != d.entries {
		return faults.Corrupt("header promises %d %s, the file has %d", d.entries, what, entries)
	}
	return nil
}

// id checks a vertex number.
func (d declared) id(v uint64) error {
	if v < 1 || v > uint64(d.vertices) {
		return faults.Corrupt("vertex %d is not in 1 to %d", v, d.vertices)
	}
	return nil
}

// ids checks both columns of a batch of edges, and names the first bad row.
func (d declared) ids(src, dst []uint64) (row int, err error) {
	n, other := uint64(d.vertices), d
	if d.bipartite {
		other.vertices = d.columns
	}
	m := uint64(other.vertices)
	dst = dst[:len(src)]
	for i, a := range src {
		if b := dst[i]; a-1 >= n || b-1 >= m {
			if err := d.id(a); err != nil {
				return i, err
			}
			return i, other.id(b)
		}
	}
	return 0, nil
}

// blanks is the index of the first byte from data[i] on that is not a blank within a line. data
// ends with a newline.
func blanks(data []byte, i int) int {
	for data[i] == ' ' || data[i] == '\t' || data[i] == '\r' {
		i++
	}
	return i
}

// word is the index after the word at data[i].
func word(data []byte, i int) int {
	for data[i] > ' ' {
		i++
	}
	return i
}

// number reads an unsigned decimal integer and the blanks after it.
func number(data []byte, i int) (value uint64, next int, err error) {
	end := i
	for ; data[end]-'0' <= 9; end++ {
		digit := uint64(data[end] - '0')
		if value > (math.MaxInt64-digit)/10 {
			return 0, 0, faults.Corrupt("number %s is too large", faults.Quote(string(data[i:word(data, i)])))
		}
		value = value*10 + digit
	}
	if end == i || data[end] > ' ' {
		if data[i] == '\n' {
			return 0, 0, faults.Corrupt("line ends where a number should be")
		}
		return 0, 0, faults.Corrupt("%s is not a whole number", faults.Quote(string(data[i:word(data, i)])))
	}
	return value, blanks(data, end), nil
}
