package arrowio

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// rowLines is how many times longer than another line a METIS row may be: it
// holds a vertex's whole neighbourhood.
const rowLines = 256

// maxConstraints is the largest number of weights per vertex.
const maxConstraints = 1000

// readMETIS reads an adjacency file: "n m [fmt [ncon]]", then for each vertex a
// line with its neighbours, counted from 1 (G. Karypis, METIS manual 5.1,
// section 4.1; the graph format of the 10th DIMACS Challenge). Lines that begin
// with "%" are comments. Every edge stands in both its ends' rows and is sent
// twice.
func readMETIS(ctx context.Context, in *input, out *funnel) error {
	most := out.opts.MaxLine
	if most < math.MaxInt/rowLines {
		most *= rowLines
	}
	text := newLines(in, most)
	p := metisParser{free: make(freeColumns, out.opts.Threads+spareBatches)}
	if err := p.header(text, out); err != nil {
		return err
	}
	if err := p.begin(ctx, out); err != nil {
		return err
	}
	rows, entries := int64(0), int64(0)
	err := parseChunks(ctx, text, lastLine, out.opts, p.parse, func(c *chunk) error {
		// The parser counts rows from the chunk's first; those beyond the
		// last vertex can only be blank lines at the end of the file.
		if rows+c.lastRow > p.vertices {
			c.batch.Release()
			return faults.Corrupt("header promises %d vertices, the file has more rows", p.vertices)
		}
		for i := range c.batch.Src.Ints {
			c.batch.Src.Ints[i] += uint64(rows)
		}
		rows += c.rows
		entries += c.entries
		return out.send(ctx, c.batch)
	}, in.stop)
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
	keep    bool // which is wanted
	free    freeColumns
}

// header skips comments and reads the first line.
func (p *metisParser) header(text *lines, out *funnel) error {
	for {
		line, next, err := text.peek(0, firstLine)
		if errors.Is(err, io.EOF) {
			return faults.Corrupt("no METIS header")
		}
		if err != nil {
			return err
		}
		if line[0] == '%' || line[blanks(line, 0)] == '\n' {
			text.skip(next)
			continue
		}
		if err := p.headerLine(line, out); err != nil {
			return faults.AtLine(text.line, err)
		}
		text.skip(next)
		return nil
	}
}

func (p *metisParser) headerLine(line []byte, out *funnel) error {
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
	switch {
	case out.opts.Weight != "" && !p.weights:
		return unweighted("edges have no weights (METIS format %s)", digits)
	case out.opts.Weight != "":
		if err := out.opts.checkNameless(); err != nil {
			return err
		}
		p.keep = true
	case p.weights && !out.opts.IgnoreWeight:
		return weighted(nameless, "edges have weights (METIS format %s)", format)
	}
	out.leavesNumbers(p.weights && !p.keep)
	if p.before > 0 {
		out.note("sizes and weights of vertices are ignored")
	}
	return nil
}

// parse reads rows; their vertices are numbered from 1 at the chunk's start.
func (p *metisParser) parse(c *chunk) error {
	buffers := p.free.take()
	weights := emptied(buffers.weights)
	onRelease(&c.batch, func() { p.free.give(buffers) })
	src, dst := buffers.src.ints[:0], buffers.dst.ints[:0]
	data := c.data
	var err error
	for i := 0; i < len(data) && err == nil; {
		if data[i] == '%' {
			i += firstLine(data[i:])
			continue
		}
		c.rows++
		begin := i
		if i = blanks(data, i); data[i] == '\n' {
			i++
			continue
		}
		c.lastRow = c.rows
		if i, dst, err = p.row(data, i, dst, &weights); err != nil {
			err = faults.AtLine(c.at(begin), err)
		}
		for len(src) < len(dst) {
			src = append(src, uint64(c.rows))
		}
	}
	c.entries = int64(len(dst))
	buffers.src.ints, buffers.dst.ints = src, dst
	buffers.weights, c.batch.Weights = weights, weights
	c.batch.Src.Ints, c.batch.Dst.Ints = src, dst
	return err
}

// row reads one row that is not blank, and appends its neighbours.
func (p *metisParser) row(data []byte, i int, dst []uint64, weights *Weights) (int, []uint64, error) {
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
				if err := parseWeight(weights, data[i:word(data, i)]); err != nil {
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
