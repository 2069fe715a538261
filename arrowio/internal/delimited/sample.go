package delimited

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/textlines"
)

// firstBatch yields the fields of the rows of the first batch, one row at a
// time, without consuming them. A broken row, which the parser refuses, is nil
// and the last.
func (l *layout) firstBatch(text *textlines.Text) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		text.Fill(text.Size)
		data := text.Buf[text.Start:]
		if text.Err != io.EOF {
			data = data[:l.lastRecord(data)]
		}
		fields, scratch := make([][]byte, 0, l.fields), make([][]byte, l.fields)
		for i := 0; i < len(data); {
			if i = l.skipBlanks(data, i); data[i] == '\n' {
				i++
				continue
			}
			fields = fields[:0]
			for more := true; more; {
				if len(fields) == l.fields {
					yield(nil)
					return
				}
				value, end, err := l.field(data, i, &scratch[len(fields)])
				if err != nil {
					yield(nil)
					return
				}
				fields = append(fields, value)
				more = data[end] != '\n'
				i = end + 1
			}
			if len(fields) < l.fields {
				yield(nil)
				return
			}
			if !yield(fields) {
				return
			}
		}
	}
}

// occurrences counts the rows of the first batch that have one of the names as
// an id, up to two. It is two if a row is broken, since nothing matters then.
func (l *layout) occurrences(text *textlines.Text, names []string) (rows int) {
	for row := range l.firstBatch(text) {
		if row == nil {
			return 2
		}
		if slices.ContainsFunc(l.ids(), func(i int) bool { return slices.Contains(names, string(row[i])) }) {
			if rows++; rows == 2 {
				break
			}
		}
	}
	return rows
}

// findWeight refuses weights in rows without a header. These are numbers in the
// first field after the ids, in every row of the first batch, or NetworkX's
// attributes {'weight': 7} in any row.
func (l *layout) findWeight(text *textlines.Text) error {
	field := l.behindIDs()
	if l.dst < 0 || field >= l.fields {
		return nil
	}
	rows := 0
	for row := range l.firstBatch(text) {
		if row == nil {
			return nil
		}
		value := row[field]
		if len(value) > 0 && value[0] == '{' {
			if bytes.Contains(value, []byte("'weight'")) || bytes.Contains(value, []byte(`"weight"`)) {
				return edgetable.Weighted("weight", "edges have attributes \"weight\"")
			}
			continue
		}
		if _, err := strconv.ParseFloat(string(value), 64); err != nil {
			return nil
		}
		rows++
	}
	if rows == 0 {
		return nil
	}
	return edgetable.Weighted(strconv.Itoa(field+1), "field %d is a number in every row, as a weight is", field+1)
}

// looksLikeName says whether a field may be the name of a column.
func looksLikeName(field string) bool {
	first, _ := utf8.DecodeRuneInString(field)
	return (unicode.IsLetter(first) || first == '_' || first == ':') && !floatLike(field)
}

// leaveFields notes the fields that are not read, and finds the field of
// directions.
func (l *layout) leaveFields(text *textlines.Text, out *edgetable.Funnel) {
	if out.Vertices {
		return
	}
	names, read := l.names, l.ids()
	if names == nil {
		for i := range l.fields {
			names = append(names, strconv.Itoa(i+1))
		}
	}
	if l.weight >= 0 {
		read = append(read, l.weight)
	}
	for _, scope := range l.scopes {
		read = append(read, scope.field)
	}
	out.Leaves(names, read, func(field int) bool { return l.isNumber(text, field) })
	l.directions = edgetable.DirectionColumn(names, read)
}

// isNumber says whether the first value of a field is a number.
func (l *layout) isNumber(text *textlines.Text, field int) bool {
	for row := range l.firstBatch(text) {
		if row == nil {
			break
		}
		if len(row[field]) > 0 {
			_, err := strconv.ParseFloat(string(row[field]), 64)
			return err == nil
		}
	}
	return false
}
