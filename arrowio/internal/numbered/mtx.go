package numbered

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/textlines"
)

// Banner begins every MatrixMarket file, in upper or lower case.
const Banner = "%%MatrixMarket"

// ReadMatrixMarket reads a sparse matrix as a graph: one edge per stored entry. The value is its length if options ask
// for it, and otherwise ignored. The matrix is square, unless rows and columns are the two sides of a bipartite graph
// (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935, 1996).
func ReadMatrixMarket(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	text := textlines.New(in, out.Opts.MaxLine)
	values, both, err := matrixBanner(text, out.Opts)
	if err != nil {
		return err
	}
	out.LeavesNumbers(values > 0 && out.Opts.Weight == "")
	d, err := matrixSize(text, out.Opts.Bipartite)
	if err != nil {
		return err
	}
	if err := d.begin(ctx, out); err != nil {
		return err
	}
	p := matrixParser{d, values, out.Opts.Weight != "", make(textlines.Free, out.Opts.Threads+textlines.SpareBatches)}
	arcs := ""
	if !both && !out.Opts.Bipartite {
		arcs = "entries of a general matrix"
	}
	return d.edges(ctx, text, in, out, p.parse, both, arcs, "entries")
}

// matrixBanner reads the first line. values is the number of values after an entry's coordinates; both says that an
// entry also stands for its mirror image.
func matrixBanner(text *textlines.Text, opts *edgetable.Options) (values int, both bool, err error) {
	line, next, err := text.Peek(0, textlines.FirstLine)
	if errors.Is(err, io.EOF) {
		return 0, false, faults.Corrupt("no MatrixMarket banner")
	}
	if err != nil {
		return 0, false, err
	}
	banner := strings.Fields(strings.ToLower(string(line)))
	if len(banner) != 5 || !strings.EqualFold(banner[0], Banner) || banner[1] != "matrix" {
		return 0, false, faults.Corrupt("line 1: %s is not the banner of a MatrixMarket matrix", faults.Quote(string(bytes.TrimSpace(line))))
	}
	if banner[2] != "coordinate" {
		return 0, false, faults.Rejected("line 1: format %s; want coordinate", faults.Quote(banner[2]))
	}
	switch banner[3] {
	case "pattern":
	case "real", "double", "integer":
		values = 1
	case "complex":
		values = 2
	default:
		return 0, false, faults.Corrupt("line 1: unknown field %s", faults.Quote(banner[3]))
	}
	switch banner[4] {
	case "general", "symmetric", "skew-symmetric", "hermitian":
	default:
		return 0, false, faults.Corrupt("line 1: unknown symmetry %s", faults.Quote(banner[4]))
	}
	has := values == 1 || values > 0 && opts.Weight == "" // two are no length
	if err := opts.CheckNameless(has, banner[3]+" entries are weights", banner[3]+" entries are not lengths"); err != nil {
		return 0, false, faults.AtLine(1, err)
	}
	text.Skip(next)
	return values, banner[4] != "general", nil
}

// matrixSize skips comments and reads the line "rows columns entries".
func matrixSize(text *textlines.Text, bipartite bool) (d declared, err error) {
	comment := func(line []byte) bool { return line[blanks(line, 0)] == '%' }
	line, next, err := headerLine(text, comment, "no line with the matrix's size")
	if err != nil {
		return d, err
	}
	i := blanks(line, 0)
	var size [3]uint64
	for n := range size {
		if size[n], i, err = number(line, i); err != nil {
			return d, faults.AtLine(text.Line, err)
		}
	}
	if line[i] != '\n' {
		return d, faults.AtLine(text.Line, faults.Corrupt("more than the three numbers of a coordinate matrix's size"))
	}
	d = declared{vertices: int64(size[0]), entries: int64(size[2])}
	if bipartite {
		d.columns, d.bipartite = int64(size[1]), true
	} else if size[0] != size[1] {
		return d, faults.AtLine(text.Line, faults.Advise(faults.Rejected("the matrix has %d rows and %d columns; the matrix of a graph is square", size[0], size[1]), "Options.Bipartite reads rows and columns as two sets of vertices"))
	}
	text.Skip(next)
	return d, nil
}

// matrixParser makes batches of entry lines.
type matrixParser struct {
	declared
	values int
	keep   bool // options ask for the value
	free   textlines.Free
}

func (p *matrixParser) parse(c *textlines.Chunk) error {
	buffers, src, dst, weights := p.free.Integers(c)
	data := c.Data
	rows := 0
	for i := 0; i < len(data); {
		first := rows
		begin := i
		if p.values == 0 {
			n, _, end := textlines.ParsePairs(data[i:], ' ', 0, src[rows:], dst[rows:])
			rows += n
			i += end
		}
		if rows == first {
			next, isEntry, err := p.entry(data, i, &src[rows], &dst[rows], &weights)
			if err != nil {
				return faults.AtLine(c.At(i), err)
			}
			if isEntry {
				rows++
			}
			i = next
		}
		if bad, err := p.ids(src[first:rows], dst[first:rows]); err != nil {
			return faults.AtLine(c.At(begin)+int64(bad), err)
		}
	}
	buffers.Fill(c, src[:rows], dst[:rows], weights)
	return nil
}

// entry reads the line at data[i]; a blank line is not an entry.
func (p *matrixParser) entry(data []byte, i int, src, dst *uint64, weights *lengths.Weights) (next int, isEntry bool, err error) {
	i = blanks(data, i)
	if data[i] == '\n' {
		return i + 1, false, nil
	}
	if *src, i, err = number(data, i); err != nil {
		return 0, false, err
	}
	if *dst, i, err = number(data, i); err != nil {
		return 0, false, err
	}
	for range p.values {
		if data[i] == '\n' {
			return 0, false, faults.Corrupt("entry without its value")
		}
		end := word(data, i)
		if p.keep {
			if err := lengths.Parse(weights, data[i:end]); err != nil {
				return 0, false, err
			}
		}
		i = blanks(data, end)
	}
	if data[i] != '\n' {
		return 0, false, faults.Corrupt("more than %d numbers in an entry", 2+p.values)
	}
	return i + 1, true, nil
}
