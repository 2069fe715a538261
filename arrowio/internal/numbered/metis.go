package numbered

import (
	"context"
	"math"
	"strings"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/textlines"
)

// rowLines is how many times longer than other lines a METIS row may be: it has
// all neighbours of a vertex.
const rowLines = 256

// maxConstraints is the largest number of weights per vertex.
const maxConstraints = 1000

// ReadMETIS reads an adjacency file: "n m [fmt [ncon]]", then for each vertex a
// line with its neighbours, counted from 1 (G. Karypis, METIS manual 5.1, section
// 4.1; the graph format of the 10th DIMACS Challenge). Lines that begin with "%"
// are comments. Every edge is in the rows of both ends and is sent twice.
func ReadMETIS(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	most := out.Opts.MaxLine
	if most < math.MaxInt/rowLines {
		most *= rowLines
	}
	text := textlines.New(in, most)
	p := metisParser{free: make(textlines.Free, out.Opts.Threads+textlines.SpareBatches)}
	if err := p.header(text, out); err != nil {
		return err
	}
	if err := p.begin(ctx, out); err != nil {
		return err
	}
	rows, entries := int64(0), int64(0)
	err := textlines.Parse(ctx, text, textlines.LastLine, out.Opts, p.parse, func(c *textlines.Chunk) error {
		// The parser counts rows from the chunk's first; those beyond the
		// last vertex can only be blank lines at the end of the file.
		if rows+c.LastRow > p.vertices {
			c.Batch.Release()
			return faults.Corrupt("header promises %d vertices, the file has more rows", p.vertices)
		}
		for i := range c.Batch.Src.Ints {
			c.Batch.Src.Ints[i] += uint64(rows)
		}
		rows += c.Rows
		entries += c.Entries
		return out.Send(ctx, c.Batch)
	}, in.Stop)
	if err != nil {
		return err
	}
	if rows < p.vertices {
		return faults.Corrupt("header promises %d vertices, the file has %d rows", p.vertices, rows)
	}
	return p.end(entries, "adjacency entries (twice its edges)")
}

// metisParser makes batches of rows.
type metisParser struct {
	declared
	before  int  // numbers in a row before its neighbours: the vertex's size and weights
	weights bool // every neighbour is followed by its edge's weight
	keep    bool // options ask for it
	free    textlines.Free
}

// header skips comments and reads the first line.
func (p *metisParser) header(text *textlines.Text, out *edgetable.Funnel) error {
	line, next, err := headerLine(text, func(line []byte) bool { return line[0] == '%' }, "no METIS header")
	if err != nil {
		return err
	}
	if err := p.sizes(line, out); err != nil {
		return faults.AtLine(text.Line, err)
	}
	text.Skip(next)
	return nil
}

func (p *metisParser) sizes(line []byte, out *edgetable.Funnel) error {
	var numbers []uint64
	var format string
	for i := blanks(line, 0); line[i] != '\n'; {
		if len(numbers) == 2 {
			format = string(line[i:word(line, i)])
		}
		value, next, err := number(line, i)
		if err != nil {
			return err
		}
		numbers = append(numbers, value)
		i = next
	}
	if len(numbers) < 2 || len(numbers) > 4 {
		return faults.Corrupt("%d numbers in the METIS header; want vertices, edges, and at most a format and a count of weights", len(numbers))
	}
	if numbers[1] > math.MaxInt64/2 {
		return faults.Corrupt("number %d is too large", numbers[1])
	}
	p.declared = declared{vertices: int64(numbers[0]), entries: 2 * int64(numbers[1])}
	if len(format) > 3 || strings.Trim(format, "01") != "" {
		return faults.Corrupt("METIS format %s; want three digits 0 or 1", faults.Quote(format))
	}
	digits := strings.Repeat("0", 3-len(format)) + format
	constraints := 1
	if len(numbers) == 4 {
		if digits[1] == '0' && numbers[3] != 0 || numbers[3] > maxConstraints {
			return faults.Corrupt("%d weights per vertex with METIS format %s", numbers[3], faults.Quote(format))
		}
		constraints = int(numbers[3])
	}
	if digits[0] == '1' {
		p.before++
	}
	if digits[1] == '1' {
		p.before += constraints
	}
	p.weights = digits[2] == '1'
	if err := out.Opts.CheckNameless(p.weights, "edges have weights (METIS format "+format+")", "edges have no weights (METIS format "+digits+")"); err != nil {
		return err
	}
	p.keep = out.Opts.Weight != ""
	out.LeavesNumbers(p.weights && !p.keep)
	if p.before > 0 {
		out.Note("sizes and weights of vertices are ignored")
	}
	return nil
}

// parse reads rows; their vertices count from 1 at the chunk's start.
func (p *metisParser) parse(c *textlines.Chunk) error {
	buffers := p.free.Take()
	weights := lengths.Empty(buffers.Weights)
	c.Batch.OnRelease(func() { p.free.Give(buffers) })
	src, dst := buffers.Src.Ints[:0], buffers.Dst.Ints[:0]
	data := c.Data
	var err error
	for i := 0; i < len(data) && err == nil; {
		if data[i] == '%' {
			i += textlines.FirstLine(data[i:])
			continue
		}
		c.Rows++
		begin := i
		if i = blanks(data, i); data[i] == '\n' {
			i++
			continue
		}
		c.LastRow = c.Rows
		if i, dst, err = p.row(data, i, dst, &weights); err != nil {
			err = faults.AtLine(c.At(begin), err)
		}
		for len(src) < len(dst) {
			src = append(src, uint64(c.Rows))
		}
	}
	c.Entries = int64(len(dst))
	buffers.Src.Ints, buffers.Dst.Ints = src, dst
	buffers.Weights, c.Batch.Weights = weights, weights
	c.Batch.Src.Ints, c.Batch.Dst.Ints = src, dst
	return err
}

// row reads one row that is not blank, and appends its neighbours.
func (p *metisParser) row(data []byte, i int, dst []uint64, weights *lengths.Weights) (int, []uint64, error) {
	var err error
	for range p.before {
		if _, i, err = number(data, i); err != nil {
			return 0, dst, err
		}
	}
	n := uint64(p.vertices)
	for data[i] != '\n' {
		start := i
		v := uint64(0)
		for ; data[i]-'0' <= 9; i++ {
			v = v*10 + uint64(data[i]-'0')
		}
		if i == start || i-start > 18 || data[i] > ' ' || v-1 >= n {
			if v, i, err = number(data, start); err != nil {
				return 0, dst, err
			}
			if err := p.id(v); err != nil {
				return 0, dst, err
			}
		}
		i = blanks(data, i)
		dst = append(dst, v)
		if p.weights {
			if p.keep {
				if err := lengths.Parse(weights, data[i:word(data, i)]); err != nil {
					return 0, dst, err
				}
			}
			if _, i, err = number(data, i); err != nil {
				return 0, dst, err
			}
		}
	}
	return i + 1, dst, nil
}
