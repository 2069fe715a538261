package arrowio

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// lineStyle is how a row becomes a line.
type lineStyle struct {
	end       string   // of a line
	keys      [][]byte // before each value
	separator byte
	none      string // a null
	quote     func(text, value []byte) []byte
}

// appendRow appends a row of a part as a line. It overwrites scratch.
func (s *lineStyle) appendRow(text []byte, scratch *[]byte, part *tables.Table, names []nameColumn, kept []keptColumn, row int) []byte {
	for i := range names {
		text = append(names[i].appendQuoted(append(text, s.keys[i]...), scratch, row, s.quote), s.separator)
	}
	keys := s.keys[len(names):]
	for i := range kept {
		text = append(kept[i].appendValue(append(text, keys[i]...), scratch, row, s.none, s.quote), s.separator)
	}
	keys = keys[len(kept):]
	for i, column := range part.Columns {
		text = append(column.Values.AppendText(append(text, keys[i]...), row), s.separator)
	}
	return append(text[:len(text)-1], s.end...)
}

// fieldBytes is the room for a value and what separates it. Most ids are shorter, and most scores longer.
const fieldBytes = 16

// writeLines writes a line per row.
func writeLines(ctx context.Context, w io.Writer, header []byte, all parts, style lineStyle) error {
	if _, err := w.Write(header); err != nil {
		return err
	}
	var spare sync.Pool // of *[]byte
	return all.each(ctx, func(part *tables.Table, add func(parallel.Piece) error) error {
		shown, err := inText(part)
		if err != nil {
			return err
		}
		names, kept := nameColumns(part), keptColumns(shown)
		return inPieces(ctx, part, kept, func(first, rows int) error {
			return add(func(ctx context.Context) (func(context.Context) error, error) {
				text, _ := spare.Get().(*[]byte)
				if text == nil {
					text = new([]byte)
				}
				*text = slices.Grow((*text)[:0], rows*fieldBytes*len(style.keys))
				var scratch []byte
				for row := first; row < first+rows && ctx.Err() == nil; row++ {
					*text = style.appendRow(*text, &scratch, part, names, kept, part.Vertex(row))
				}
				return func(ctx context.Context) error {
					if err := ctx.Err(); err != nil {
						return err
					}
					_, err := w.Write(*text)
					spare.Put(text)
					return err
				}, ctx.Err()
			})
		})
	})
}

// writeCSV writes RFC 4180, except for its line ends; or, with blanks between the columns, an edge
// list, without a header.
func writeCSV(ctx context.Context, w io.Writer, separator byte, all parts) error {
	var header []byte
	names := allNames(all.first)
	for _, name := range names {
		header = append(appendField(header, []byte(name)), separator)
	}
	header[len(header)-1] = '\n'
	if separator == ' ' {
		header = nil
	}
	return writeLines(ctx, w, header, all, lineStyle{end: "\n", keys: make([][]byte, len(names)), separator: separator, quote: appendField})
}

// appendField appends a field, in quotes if it needs them. An empty field does:
// many readers otherwise take it for a missing value. So does one that begins or
// ends with a blank, which others, this package's too, omit.
func appendField(text, field []byte) []byte {
	blank := func(b byte) bool { return b == ' ' || b == '\t' }
	if len(field) > 0 && !bytes.ContainsAny(field, ",\"\r\n") && !blank(field[0]) && !blank(field[len(field)-1]) {
		return append(text, field...)
	}
	text = append(text, '"')
	for _, b := range field {
		if b == '"' {
			text = append(text, '"')
		}
		text = append(text, b)
	}
	return append(text, '"')
}

// writeJSONL writes a JSON object per line.
func writeJSONL(ctx context.Context, w io.Writer, all parts) error {
	var keys [][]byte
	for _, name := range allNames(all.first) {
		keys = append(keys, append(appendJSON(nil, []byte(name)), ':'))
	}
	keys[0] = append([]byte{'{'}, keys[0]...)
	return writeLines(ctx, w, nil, all, lineStyle{"}\n", keys, ',', "null", appendID})
}

// appendID appends an id as JSON: a string, or {"base64":"..."} of its bytes if
// they are not UTF-8, which JSON strings cannot hold. So different ids stay
// different, and none is mistaken for a string.
func appendID(text, id []byte) []byte {
	if utf8.Valid(id) {
		return appendJSON(text, id)
	}
	text = append(text, `{"base64":"`...)
	text = base64.StdEncoding.AppendEncode(text, id)
	return append(text, `"}`...)
}

// appendJSON appends a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendJSON(text, value []byte) []byte {
	const hex = "0123456789abcdef"
	text = append(text, '"')
	for len(value) > 0 {
		r, size := utf8.DecodeRune(value)
		switch {
		case r == '"' || r == '\\':
			text = append(text, '\\', byte(r))
		case r < ' ':
			text = append(text, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		case r == utf8.RuneError && size == 1:
			text = append(text, "\uFFFD"...)
		default:
			text = append(text, value[:size]...)
		}
		value = value[size:]
	}
	return append(text, '"')
}
