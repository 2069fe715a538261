package arrowio

import (
	"context"
	"errors"
	"io"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// readDIMACS reads the shortest-path format of the 9th DIMACS Challenge ("p sp
// n m", then arcs "a from to length") and the edge format of the 2nd ("p edge n
// m" or "p col n m", then edges "e u v"). Lines "c ..." are comments.
func readDIMACS(ctx context.Context, in *input, out *funnel) error {
	text := newLines(in, out.opts.MaxLine)
	p := dimacsParser{free: make(freeColumns, out.opts.Threads+spareBatches)}
	if err := p.header(text, out.opts); err != nil {
		return err
	}
	out.leavesNumbers(p.lengths && !p.keep)
	if err := p.begin(ctx, out); err != nil {
		return err
	}
	entries := int64(0)
	err := parseChunks(ctx, text, lastLine, out.opts, p.parse, func(c *chunk) error {
		entries += c.entries
		c.batch.BothWays = p.sign == 'e'
		return out.send(ctx, c.batch)
	}, in.stop)
	if err != nil {
		return err
	}
	if p.sign == 'a' && entries > 0 {
		oneWay(out, "arcs")
	}
	return p.end(entries, "arcs or edges")
}

// dimacsParser makes batches of arc or edge lines.
type dimacsParser struct {
	declared
	sign    byte // begins every line of an edge
	lengths bool // an edge's line ends in a length
	keep    bool // which is wanted
	free    freeColumns
}

// header skips comments and reads the problem line.
func (p *dimacsParser) header(text *lines, opts *readOptions) error {
	for {
		line, next, err := text.peek(0, firstLine)
		if errors.Is(err, io.EOF) {
			return faults.Corrupt("no DIMACS problem line")
		}
		if err != nil {
			return err
		}
		if isComment(line) || line[blanks(line, 0)] == '\n' {
			text.skip(next)
			continue
		}
		if err := p.problem(line); err != nil {
			return faults.AtLine(text.line, err)
		}
		switch {
		case opts.Weight != "" && !p.lengths:
			return faults.AtLine(text.line, unweighted("edges have no lengths"))
		case opts.Weight != "":
			if err := opts.checkNameless(); err != nil {
				return faults.AtLine(text.line, err)
			}
			p.keep = true
		case p.lengths && !opts.IgnoreWeight:
			return faults.AtLine(text.line, weighted(nameless, "arcs have lengths"))
		}
		text.skip(next)
		return nil
	}
}

func isComment(line []byte) bool { return line[0] == 'c' && line[1] <= ' ' }

// problem reads the line "p NAME n m".
func (p *dimacsParser) problem(line []byte) error {
	words := strings.Fields(string(line))
	if len(words) != 4 || words[0] != "p" {
		return faults.Corrupt("%s is no DIMACS problem line", faults.Quote(strings.TrimSpace(string(line))))
	}
	switch words[1] {
	case "sp":
		p.sign, p.lengths = 'a', true
	case "edge", "col":
		p.sign = 'e'
	default:
		return faults.Rejected("DIMACS problem %s; want sp, edge or col", faults.Quote(words[1]))
	}
	var sizes [2]uint64
	for i := range sizes {
		var err error
		if sizes[i], _, err = number([]byte(words[2+i]+"\n"), 0); err != nil {
			return err
		}
	}
	p.declared = declared{vertices: int64(sizes[0]), entries: int64(sizes[1])}
	return nil
}

func (p *dimacsParser) parse(c *chunk) error {
	buffers, src, dst, weights := p.free.integers(c)
	data := c.data
	rows := 0
	for i := 0; i < len(data); {
		if isComment(data[i:]) {
			i += firstLine(data[i:])
			continue
		}
		begin := i
		if i = blanks(data, i); data[i] == '\n' {
			i++
			continue
		}
		next, err := p.line(data, i, &src[rows], &dst[rows], &weights)
		if err != nil {
			return faults.AtLine(c.at(begin), err)
		}
		rows++
		i = next
	}
	buffers.fill(c, src[:rows], dst[:rows], weights)
	return nil
}

// line reads one arc or edge.
func (p *dimacsParser) line(data []byte, i int, src, dst *uint64, weights *Weights) (next int, err error) {
	if data[i] != p.sign || data[i+1] > ' ' {
		return 0, faults.Corrupt("line begins with %s; want %q or a comment", faults.Quote(string(data[i:word(data, i)])), p.sign)
	}
	if *src, i, err = number(data, blanks(data, i+1)); err != nil {
		return 0, err
	}
	if *dst, i, err = number(data, i); err != nil {
		return 0, err
	}
	if p.lengths {
		if data[i] == '\n' {
			return 0, faults.Corrupt("arc without a length")
		}
		end := word(data, i)
		if p.keep {
			if err := parseWeight(weights, data[i:end]); err != nil {
				return 0, err
			}
		}
		i = blanks(data, end)
	}
	if data[i] != '\n' {
		return 0, faults.Corrupt("more on the line than an arc or edge needs")
	}
	if err := p.id(*src); err != nil {
		return 0, err
	}
	return i + 1, p.id(*dst)
}
