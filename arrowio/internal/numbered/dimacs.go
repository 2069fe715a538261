package numbered

import (
	"context"
	"strings"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/textlines"
)

// ReadDIMACS reads two formats. One is the shortest-path format of the 9th DIMACS
// Challenge: "p sp n m", then arcs "a from to length". The other is the edge
// format of the 2nd: "p edge n m" or "p col n m", then edges "e u v". Lines "c
// ..." are comments.
func ReadDIMACS(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	text := textlines.New(in, out.Opts.MaxLine)
	p := dimacsParser{free: make(textlines.Free, out.Opts.Threads+textlines.SpareBatches)}
	if err := p.header(text, out.Opts); err != nil {
		return err
	}
	out.LeavesNumbers(p.lengths && !p.keep)
	if err := p.begin(ctx, out); err != nil {
		return err
	}
	arcs := ""
	if p.sign == 'a' {
		arcs = "arcs"
	}
	return p.edges(ctx, text, in, out, p.parse, p.sign == 'e', arcs, "arcs or edges")
}

// dimacsParser makes batches of arc or edge lines.
type dimacsParser struct {
	declared
	sign    byte // begins every line of an edge
	lengths bool // an edge's line ends in a length
	keep    bool // options ask for it
	free    textlines.Free
}

// header skips comments and reads the problem line.
func (p *dimacsParser) header(text *textlines.Text, opts *edgetable.Options) error {
	line, next, err := headerLine(text, isComment, "no DIMACS problem line")
	if err != nil {
		return err
	}
	if err := p.problem(line); err != nil {
		return faults.AtLine(text.Line, err)
	}
	if err := opts.CheckNameless(p.lengths, "arcs have lengths", "edges have no lengths"); err != nil {
		return faults.AtLine(text.Line, err)
	}
	p.keep = opts.Weight != ""
	text.Skip(next)
	return nil
}

func isComment(line []byte) bool { return line[0] == 'c' && line[1] <= ' ' }

// problem reads the line "p NAME n m".
func (p *dimacsParser) problem(line []byte) error {
	words := strings.Fields(string(line))
	if len(words) != 4 || words[0] != "p" {
		return faults.Corrupt("%s is not a DIMACS problem line", faults.Quote(strings.TrimSpace(string(line))))
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

func (p *dimacsParser) parse(c *textlines.Chunk) error {
	buffers, src, dst, weights := p.free.Integers(c)
	data := c.Data
	rows := 0
	for i := 0; i < len(data); {
		if isComment(data[i:]) {
			i += textlines.FirstLine(data[i:])
			continue
		}
		begin := i
		if i = blanks(data, i); data[i] == '\n' {
			i++
			continue
		}
		next, err := p.line(data, i, &src[rows], &dst[rows], &weights)
		if err != nil {
			return faults.AtLine(c.At(begin), err)
		}
		rows++
		i = next
	}
	buffers.Fill(c, src[:rows], dst[:rows], weights)
	return nil
}

// line reads one arc or edge.
func (p *dimacsParser) line(data []byte, i int, src, dst *uint64, weights *lengths.Weights) (next int, err error) {
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
			if err := lengths.Parse(weights, data[i:end]); err != nil {
				return 0, err
			}
		}
		i = blanks(data, end)
	}
	if data[i] != '\n' {
		return 0, faults.Corrupt("the line goes on after its arc or edge")
	}
	if err := p.id(*src); err != nil {
		return 0, err
	}
	return i + 1, p.id(*dst)
}
