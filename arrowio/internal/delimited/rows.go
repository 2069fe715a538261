package delimited

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/textlines"
)

// rowParser makes batches of chunks of rows. Many goroutines may use it, as none writes
// its layout.
type rowParser struct {
	*layout
	opts *edgetable.Options
	free textlines.Free
}

// parse reads all rows of a chunk into its batch.
func (p *rowParser) parse(c *textlines.Chunk) error {
	buffers := p.free.Take()
	buffers.Weights = lengths.Empty(buffers.Weights)
	p.startScopes(c, buffers)
	err := p.checkText(c)
	switch {
	case err != nil:
	case p.integers:
		err = p.parseIntegers(c, buffers)
	default:
		err = p.parseStrings(c, buffers)
	}
	if p.dst < 0 {
		c.Batch.Vertices = buffers.Src.Keys(p.integers)
	} else {
		c.Batch.Src, c.Batch.Dst = buffers.Src.Keys(p.integers), buffers.Dst.Keys(p.integers)
	}
	c.Batch.Weights = buffers.Weights
	c.Batch.OnRelease(func() { p.free.Give(buffers) })
	if err == nil {
		p.endScopes(c, buffers, len(p.opts.By))
	}
	return err
}

func (p *rowParser) parseIntegers(c *textlines.Chunk, out *textlines.Columns) error {
	data := c.Data
	out.Src.Grow(c.Lines)
	out.Dst.Grow(c.Lines)
	src, dst := out.Src.Ints[:c.Lines], out.Dst.Ints[:c.Lines]
	rows := 0
	fast := p.src == 0 && p.dst == 1 && p.fields == 2
	var row rowText
	for i := 0; i < len(data); {
		if fast {
			n, end := textlines.ParsePairs(data[i:], p.delimiter, src[rows:], dst[rows:])
			rows += n
			c.Entries += int64(n)
			i += end
			if i == len(data) {
				break
			}
		}
		next, err := p.row(data, i, &row)
		if err != nil {
			return faults.AtLine(c.At(i), err)
		}
		if row.kept {
			a, negative, ok := ids.Parse(row.src)
			if !ok {
				return faults.AtLine(c.At(i), p.notInteger(p.src, row.src))
			}
			c.Negative = c.Negative || negative
			c.Large = c.Large || !negative && a>>63 != 0
			src[rows] = a
			if p.dst >= 0 {
				b, negative, ok := ids.Parse(row.dst)
				if !ok {
					return faults.AtLine(c.At(i), p.notInteger(p.dst, row.dst))
				}
				c.Negative = c.Negative || negative
				c.Large = c.Large || !negative && b>>63 != 0
				dst[rows] = b
			}
			if err := p.addBeside(c, out, &row); err != nil {
				return faults.AtLine(c.At(i), err)
			}
			rows++
		}
		row.count(c)
		i = next
	}
	out.Src.Ints = src[:rows]
	out.Dst.Ints = dst[:rows]
	return nil
}

func (p *rowParser) notInteger(field int, text []byte) error {
	return faults.Advise(faults.Rejected("%s: %s is not an integer of at most 64 bits like the ids before it", p.column(field), faults.Quote(string(text))), idtypes.AllStrings)
}

func (p *rowParser) parseStrings(c *textlines.Chunk, out *textlines.Columns) error {
	data := c.Data
	out.Src.Start(len(data))
	out.Dst.Start(len(data))
	var row rowText
	for i := 0; i < len(data); {
		next, err := p.row(data, i, &row)
		if err != nil {
			return faults.AtLine(c.At(i), err)
		}
		if row.kept {
			out.Src.Add(row.src)
			if p.dst >= 0 {
				out.Dst.Add(row.dst)
			}
			if err := p.addBeside(c, out, &row); err != nil {
				return faults.AtLine(c.At(i), err)
			}
		}
		row.count(c)
		i = next
	}
	return nil
}

// addBeside adds the fields beside the ids of a row.
func (p *rowParser) addBeside(c *textlines.Chunk, out *textlines.Columns, row *rowText) error {
	if p.weight >= 0 {
		text := row.weight
		if p.attributes {
			if text = lengths.Attribute(text); text == nil {
				return edgetable.Unweighted("no attribute \"weight\" in %s", faults.Quote(string(row.weight)))
			}
		}
		if err := lengths.Parse(&out.Weights, text); err != nil {
			return fmt.Errorf("%s: %w", p.column(p.weight), err)
		}
	}
	return p.addScopes(c, out, row)
}

// checkText refuses a chunk in which an id, or another field for the output, is not
// text; other fields may hold anything. Integers are checked as they are read.
func (p *rowParser) checkText(c *textlines.Chunk) error {
	strings := !p.integers || slices.ContainsFunc(p.scopes, func(s scope) bool { return !s.integers })
	if !strings || utf8.Valid(c.Data) && bytes.IndexByte(c.Data, 0) < 0 {
		return nil
	}
	var row rowText
	for i := 0; i < len(c.Data); {
		next, err := p.row(c.Data, i, &row)
		if err != nil {
			return faults.AtLine(c.At(i), err)
		}
		for place, text := range append([][]byte{row.src, row.dst}, row.scopes...) {
			what := "id"
			if place >= 2 {
				what = p.column(p.scopes[place-2].field) + ":"
			}
			if bytes.IndexByte(text, 0) >= 0 {
				return faults.Rejected("line %d: %s %s holds a NUL byte; not text", c.At(i), what, faults.Quote(string(text)))
			}
			if !utf8.Valid(text) {
				return faults.Rejected("line %d: %s %s is not UTF-8", c.At(i), what, faults.Quote(string(text)))
			}
		}
		i = next
	}
	return nil
}

// rowText is the ids of one row as text.
type rowText struct {
	src, dst []byte
	weight   []byte
	scopes   [][]byte // by scope of the layout
	kept     bool     // false: blank line, or dropped for a null
	blank    bool

	contradicted bool // its direction differs from the one asked for

	srcScratch, dstScratch, weightScratch, otherScratch []byte
	scopeScratch                                        [][]byte
}

// count adds the row to the chunk's counts.
func (r *rowText) count(c *textlines.Chunk) {
	if r.blank {
		return
	}
	c.Entries++
	c.Contradicted = c.Contradicted || r.contradicted
	if !r.kept {
		c.Nulls++
	}
}

// row reads the row at data[i] and returns where the next one begins.
func (p *rowParser) row(data []byte, i int, row *rowText) (next int, err error) {
	row.src, row.dst, row.weight, row.kept, row.blank, row.contradicted = nil, nil, nil, false, false, false
	if len(row.scopes) < len(p.scopes) {
		row.scopes, row.scopeScratch = make([][]byte, len(p.scopes)), make([][]byte, len(p.scopes))
	}
	clear(row.scopes)
	i = p.skipBlanks(data, i)
	if data[i] == '\n' {
		row.blank = true
		return i + 1, nil
	}
	field := 0
	for ; ; field++ {
		var end int
		switch field {
		case p.src:
			if row.src, end, err = p.field(data, i, &row.srcScratch); p.opts.Numbers {
				p.share(field, row.src, row)
			}
		case p.dst:
			row.dst, end, err = p.field(data, i, &row.dstScratch)
		case p.weight:
			row.weight, end, err = p.field(data, i, &row.weightScratch)
			p.share(field, row.weight, row)
		case p.directions:
			var direction []byte
			direction, end, err = p.field(data, i, &row.otherScratch)
			row.contradicted = p.opts.Contradicts(direction)
		default:
			end, err = p.partOrOther(data, i, field, row)
		}
		if err != nil {
			return 0, err
		}
		i = end + 1
		if data[end] == '\n' {
			break
		}
	}
	if field+1 != p.fields {
		return 0, p.wrongCount(data, data[bytes.LastIndexByte(data[:i-1], '\n')+1:i-1], field+1)
	}
	missing := -1
	if p.dst >= 0 && len(row.dst) == 0 {
		missing = p.dst
	}
	if len(row.src) == 0 {
		missing = p.src
	}
	for at, text := range row.scopes {
		if missing < 0 && len(text) == 0 && p.scopes[at].needed() {
			missing = p.scopes[at].field
		}
	}
	if missing < 0 && p.weight >= 0 && len(row.weight) == 0 {
		missing = p.weight
	}
	if missing < 0 {
		row.kept = true
		return i, nil
	}
	if !p.dropNulls {
		what := "null id"
		if !slices.Contains(p.ids(), missing) {
			what = "null"
		}
		return 0, faults.Advise(faults.Rejected("%s: %s", p.column(missing), what), edgetable.DropNulls)
	}
	row.src, row.dst = nil, nil
	clear(row.scopes)
	return i, nil
}

// partOrOther reads a field that is not an id.
func (p *rowParser) partOrOther(data []byte, i, field int, row *rowText) (end int, err error) {
	for at, scope := range p.scopes {
		if scope.field == field {
			row.scopes[at], end, err = p.field(data, i, &row.scopeScratch[at])
			p.share(field, row.scopes[at], row)
			return end, err
		}
	}
	_, end, err = p.field(data, i, &row.otherScratch)
	return end, err
}

// share gives a field to all scopes that read it: lengths and ways may be kept too.
func (p *rowParser) share(field int, text []byte, row *rowText) {
	for at, scope := range p.scopes {
		if scope.field == field {
			row.scopes[at] = text
		}
	}
}

// wrongCount is the error of a row with a wrong number of fields. line is the row's last
// line; data begins with the chunk.
func (p *rowParser) wrongCount(data, line []byte, fields int) error {
	mayBeMETIS := p.delimiter == ' ' && p.integers && p.fields <= 4
	const metis = `Options.Format "metis" reads a METIS file`
	wrong := func(and string) error {
		return faults.Rejected("number of fields is %d, but %d in line %d%s", fields, p.fields, p.fieldsLine, and)
	}
	switch {
	case p.delimiter == '\t' && len(bytes.Fields(line)) == p.fields:
		return faults.Advise(wrong(": blanks separate some fields, tabs others"), "write tabs, or blanks, between all fields")
	case p.names != nil:
		return wrong("")
	case p.adjacencyList(data):
		err := wrong(", as in an adjacency list, which is not read")
		if mayBeMETIS {
			return faults.Advise(err, "write one edge a line, or "+metis)
		}
		return faults.Advise(err, "write one edge a line")
	case mayBeMETIS:
		return faults.Advise(wrong(""), metis)
	}
	return wrong("")
}

// adjacencyRows is how many rows are examined to recognise an adjacency list.
const adjacencyRows = 1000

// adjacencyList says whether many rows have another number of fields than the first, as
// in a list of neighbours; a damaged list has few.
func (l *layout) adjacencyList(data []byte) bool {
	rows, others := 0, 0
	for len(data) > 0 && rows < adjacencyRows {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		fields := bytes.Count(line, []byte{l.delimiter}) + 1
		if l.delimiter == ' ' {
			fields = len(bytes.Fields(line))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rows++
		if fields != l.fields {
			others++
		}
	}
	return rows > 2 && 2*others >= rows
}
