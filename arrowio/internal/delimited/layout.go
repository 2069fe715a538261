package delimited

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/textlines"
	"bcstage/arrowio/tables"
	"bcstage/internal/expression"
)

// layout says how to read the rows of one edge list or CSV.
type layout struct {
	dialect
	fields     int      // of every row
	fieldsLine int64    // the line that sets it
	src, dst   int      // the id fields; dst is -1 in a vertex table
	weight     int      // the field of the length; -1: none
	attributes bool     // it holds NetworkX's attributes
	directions int      // the field of Gephi's column of directions; -1: none
	names      []string // of the header; nil: none
	scopes     []scope  // further fields that name a vertex
	integers   bool
	dropNulls  bool
	nulls      int64 // rows dropped already
	promised   int64 // edges by a counts line; -1: none
}

// ids lists the id fields.
func (l *layout) ids() []int {
	if l.dst < 0 {
		return []int{l.src}
	}
	return []int{l.src, l.dst}
}

// column names field i for an error.
func (l *layout) column(i int) string {
	if l.names == nil {
		return "column " + strconv.Itoa(i+1)
	}
	return "column " + faults.Quote(l.names[i])
}

// findLayout skips the lines before the rows (comments, blank lines, header,
// counts line), and derives the layout from them and the first rows. It is nil if
// there are no rows.
func findLayout(text *textlines.Text, out *edgetable.Funnel) (*layout, error) {
	first, err := firstLineOfTable(text)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := plausible(first, out.Format()); err != nil {
		return nil, faults.AtLine(text.Line, err)
	}
	l := &layout{dst: 1, weight: -1, directions: -1, dropNulls: out.Opts.Nulls == tables.NullsDrop, promised: -1}
	if out.Vertices {
		l.dst = -1
	}
	if l.dialect, err = guessDialect(first, out); err != nil {
		return nil, faults.AtLine(text.Line, err)
	}
	if err := l.findHeader(text, out); err != nil {
		return nil, err
	}
	found, err := l.findKind(text, out)
	if err != nil || !found {
		return nil, err
	}
	return l, nil
}

// findKind decides between integers and strings by the first row without a null.
// If nulls are dropped, it skips rows with one. It is false if there is no row.
func (l *layout) findKind(text *textlines.Text, out *edgetable.Funnel) (bool, error) {
	for {
		row, next, err := l.record(text, 0)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if len(row) != l.fields {
			return true, nil // the parser refuses it
		}
		ids := l.ids()
		missing := func(i int) bool { return row[i] == "" }
		if slices.ContainsFunc(ids, missing) || l.weight >= 0 && missing(l.weight) || slices.ContainsFunc(l.scopes, func(p scope) bool { return p.needed() && missing(p.field) }) {
			if !l.dropNulls {
				return true, nil // the parser refuses it too
			}
			out.Dropped(1)
			l.nulls++
			text.Skip(next)
			continue
		}
		l.decideScopes(out, row)
		if out.Opts.IDs == tables.IDsAuto {
			l.integers, err = l.integerRow(row, ids, out)
		} else {
			l.integers = out.Opts.IDs == tables.IDsInt
		}
		if err != nil {
			return false, faults.AtLine(text.Line, err)
		}
		if l.integers || out.Opts.Header != tables.HeaderAuto {
			return true, nil
		}
		blanks := l.delimiter == ' ' || l.fields == 1
		switch {
		case l.names != nil && out.Opts.Src == "":
			l.warnOfNames(text, out)
		case out.Vertices && l.names == nil && l.fields == 1 && edgetable.LikelyColumn(row[0]):
			out.Warn("line %d is read as a vertex: %s; call it \"id\" or give Options.Header \"yes\" if it is the name of the column", text.Line, faults.Quote(row[0]))
		case l.names == nil && blanks && out.Opts.IDs == tables.IDsAuto && text.Line == 1:
			out.Note("line %d is read as data; Options.Header \"yes\" if it is a header", text.Line)
		}
		return true, nil
	}
}

// integerRow says whether the ids of a row are all integers, or none.
func (l *layout) integerRow(row []string, fields []int, out *edgetable.Funnel) (bool, error) {
	integers := 0
	for _, i := range fields {
		if ids.IsInteger(row[i]) {
			integers++
		} else if floatLike(row[i]) {
			return false, faults.Advise(faults.Rejected("%s: %s is a floating-point number, not an id", l.column(i), faults.Quote(row[i])), `Options.IDs "string" takes it as text`)
		}
	}
	if integers == 1 && len(fields) == 2 && out.Opts.Bipartite {
		out.Note("ids are integers in one column and strings in the other, such as %s and %s: all are read as strings", faults.Quote(row[fields[0]]), faults.Quote(row[fields[1]]))
		return false, nil
	}
	if integers != 0 && integers != len(fields) {
		return false, faults.Advise(faults.Rejected("one id is an integer and one is not: %s, %s", faults.Quote(row[fields[0]]), faults.Quote(row[fields[1]])), idtypes.AllStrings)
	}
	return integers > 0, nil
}

// floatLike says whether text spells a floating-point number that is not an
// integer.
func floatLike(text string) bool {
	if _, err := strconv.ParseFloat(text, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return false
	}
	return strings.ContainsAny(text, ".eEnN") && !strings.ContainsAny(text, "xX_")
}

// percentEncoded matches a name that begins with an encoded character: an ASCII
// sign, or a letter beyond ASCII (RFC 3986). It does not match comments like
// "%Edges" or "%2020".
var percentEncoded = expression.Lazy(`^%(?i:2[1-9a-f]|3[a-f]|40|5[b-f]|60|7[b-e]|[c-f][0-9a-f]%[89ab][0-9a-f])`)

// firstLineOfTable skips comments and blank lines. One sign begins all comments
// of a text: below "#" comments, names may begin with "%" (wikispeedia). A
// percent-encoded line is a name anywhere.
func firstLineOfTable(text *textlines.Text) ([]byte, error) {
	sign := byte(0)
	for {
		record, next, err := text.Peek(0, textlines.FirstLine)
		if err != nil {
			return nil, err
		}
		line := bytes.Trim(record, " \t\r\n")
		comment := len(line) > 0 && (line[0] == '#' || line[0] == '%' && !percentEncoded().Match(line)) && (sign == 0 || sign == line[0])
		if len(line) > 0 && !comment {
			return bytes.TrimRight(record, " \t\r\n"), nil
		}
		if comment {
			sign = line[0]
		}
		text.Skip(next)
	}
}

// plausible refuses an input that is not a table, by its first line.
func plausible(first []byte, format tables.Format) error {
	switch {
	case bytes.ContainsFunc(first, func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' }):
		return faults.Rejected("binary data in no known format")
	case format != tables.FormatAuto:
		return nil
	case first[0] == '{' || first[0] == '[':
		return faults.Advise(faults.Rejected("looks like JSON, which is not read"), "give CSV, Parquet or Arrow, or name the format with Options.Format")
	case first[0] == '<':
		return faults.Advise(faults.Rejected("looks like XML or HTML, which is not read"), "give CSV, Parquet or Arrow, or name the format with Options.Format")
	}
	return nil
}

// guessDialect takes the strongest separator of the first line.
func guessDialect(first []byte, out *edgetable.Funnel) (dialect, error) {
	if out.Format() == tables.FormatEdgeList {
		return dialect{delimiter: ' '}, nil
	}
	outside := withoutQuoted(first)
	for _, delimiter := range []byte("\t,;|") {
		if bytes.IndexByte(outside, delimiter) >= 0 {
			return dialect{delimiter, true}, nil
		}
	}
	if out.Format() == tables.FormatCSV || bytes.IndexByte(outside, ' ') < 0 {
		return dialect{',', true}, nil
	}
	if out.Vertices {
		id, _, _ := bytes.Cut(first, []byte{' '})
		if _, _, ok := ids.Parse(id); !ok {
			return dialect{}, faults.Rejected("%s may be one id or more fields; separate fields by commas or tabs, or quote ids", faults.Quote(string(first)))
		}
	}
	return dialect{delimiter: ' '}, nil
}

// withoutQuoted is the line without text in double quotes.
func withoutQuoted(line []byte) []byte {
	var rest []byte
	for i, part := range bytes.Split(line, []byte{'"'}) {
		if i%2 == 0 {
			rest = append(rest, part...)
		}
	}
	return rest
}

// record returns the fields of the first row from byte `from` after the current
// line, and where the next row begins. It skips blank lines.
func (l *layout) record(text *textlines.Text, from int) (fields []string, next int, err error) {
	for {
		data, next, err := text.Peek(from, l.firstRecord)
		if err != nil {
			return nil, from, err
		}
		if data[l.skipBlanks(data, 0)] == '\n' {
			from = next
			continue
		}
		var scratch []byte
		for i := 0; ; {
			value, end, err := l.field(data, i, &scratch)
			if err != nil {
				line := text.Line + int64(bytes.Count(text.Buf[text.Start:text.Start+from], []byte("\n")))
				return nil, from, faults.AtLine(line, err)
			}
			fields = append(fields, string(value))
			if data[end] == '\n' {
				return fields, next, nil
			}
			i = end + 1
		}
	}
}
