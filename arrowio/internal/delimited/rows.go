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
	if err == nil {
		err = p.parseRows(c, buffers)
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

// parseRows reads the rows of a chunk.
func (p *rowParser) parseRows(c *textlines.Chunk, out *textlines.Columns) error {
	data := c.Data
	for _, ends := range []*textlines.KeyBuffer{&out.Src, &out.Dst} {
		if p.integers {
			ends.Grow(c.Lines)
		} else {
			ends.Start(len(data))
		}
	}
	if p.weight >= 0 {
		out.Weights.Digits = slices.Grow(out.Weights.Digits, c.Lines)
	}
	src, dst := out.Src.Ints, out.Dst.Ints
	rows := 0
	pairs := p.integers && p.src == 0 && p.dst == 1 && (p.fields == 2 ||
		p.delimiter != ' ' && len(p.scopes) == 0 && p.directions < 0 && (p.weight < 0 || p.weight == 2 && p.fields == 3))
	var row rowText
	for i := 0; i < len(data); {
		if pairs {
			last := c.Lines
			if p.weight >= 0 { // row by row
				last = min(rows+1, c.Lines)
			}
			n, rest, end := textlines.ParsePairs(data[i:], p.delimiter, p.fields-2, src[rows:last], dst[rows:last])
			if n > 0 && p.weight >= 0 && lengths.Parse(&out.Weights, bytes.TrimSuffix(data[i+rest:i+end-1], []byte{'\r'})) != nil {
				n, end = 0, 0
			}
			rows += n
			c.Entries += int64(n)
			if i += end; i == len(data) {
				break
			} else if n > 0 && p.weight >= 0 {
				continue
			}
		}
		next, err := p.row(data, i, &row)
		if err == nil && row.kept {
			err = p.add(c, out, rows, &row)
			rows++
		}
		if err != nil {
			return faults.AtLine(c.At(i), err)
		}
		row.count(c)
		i = next
	}
	if p.integers {
		out.Src.Ints, out.Dst.Ints = src[:rows], dst[:rows]
	}
	return nil
}

// add adds a row, the one at place `at` of those of the chunk.
func (p *rowParser) add(c *textlines.Chunk, out *textlines.Columns, at int, row *rowText) (err error) {
	switch {
	case !p.integers:
		out.Src.Add(row.src)
		if p.dst >= 0 {
			out.Dst.Add(row.dst)
		}
	default:
		if out.Src.Ints[at], err = p.integer(&c.Signs, p.src, row.src); err != nil {
			return err
		}
		if p.dst >= 0 {
			if out.Dst.Ints[at], err = p.integer(&c.Signs, p.dst, row.dst); err != nil {
				return err
			}
		}
	}
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

// integer reads the field of an id, and notes its sign.
func (l *layout) integer(signs *textlines.Signs, field int, text []byte) (uint64, error) {
	id, negative, ok := ids.Parse(text)
	if !ok {
		return 0, faults.Advise(faults.Rejected("%s: %s is not an integer of at most 64 bits like those before it", l.column(field), faults.Quote(string(text))), idtypes.AllStrings)
	}
	signs.Negative = signs.Negative || negative
	signs.Large = signs.Large || !negative && id>>63 != 0
	return id, nil
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
		return 0, p.opts.AdviseNulls(faults.Rejected("%s: %s", p.column(missing), what))
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
