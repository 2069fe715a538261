package arrowio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"unicode/utf8"

	"bcstage/arrowio/tables"
)

// liner makes a function that appends a row of a part as a line.
type liner func(part *tables.Table, kept []keptColumn) func(text []byte, row int) []byte

// writeLines writes a line per row, in pieces.
func writeLines(ctx context.Context, w io.Writer, header []byte, first *tables.Table, more func() (*tables.Table, error), lines liner) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(header); err != nil {
		return err
	}
	var text []byte
	for part := first; part != nil; {
		shown, err := inText(part)
		if err != nil {
			return err
		}
		kept := keptColumns(shown)
		line := lines(part, kept)
		err = inPieces(ctx, part, kept, func(first, rows int) error {
			for row := first; row < first+rows; row++ {
				text = line(text[:0], part.Vertex(row))
				if _, err := out.Write(text); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			part, err = more()
		}
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeCSV writes RFC 4180, except for its line ends.
func writeCSV(ctx context.Context, w io.Writer, first *tables.Table, more func() (*tables.Table, error)) error {
	var header []byte
	for _, name := range nameColumns(first) {
		header = append(appendField(header, []byte(name.Name)), ',')
	}
	for _, column := range first.Kept {
		header = append(appendField(header, []byte(column.Name)), ',')
	}
	for _, column := range first.Columns {
		header = append(appendField(header, []byte(column.Name)), ',')
	}
	header[len(header)-1] = '\n'
	var id []byte
	return writeLines(ctx, w, header, first, more, func(part *tables.Table, kept []keptColumn) func([]byte, int) []byte {
		names := nameColumns(part)
		return func(text []byte, row int) []byte {
			for i := range names {
				text = append(names[i].appendQuoted(text, &id, row, appendField), ',')
			}
			for i := range kept {
				text = append(kept[i].appendValue(text, &id, row, "", appendField), ',')
			}
			for _, column := range part.Columns {
				text = append(column.Values.AppendText(text, row), ',')
			}
			text[len(text)-1] = '\n'
			return text
		}
	})
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
func writeJSONL(ctx context.Context, w io.Writer, first *tables.Table, more func() (*tables.Table, error)) error {
	var keys [][]byte
	for _, name := range nameColumns(first) {
		keys = append(keys, append(appendJSON(nil, []byte(name.Name)), ':'))
	}
	for _, column := range first.Kept {
		keys = append(keys, append(appendJSON(nil, []byte(column.Name)), ':'))
	}
	for _, column := range first.Columns {
		keys = append(keys, append(appendJSON(nil, []byte(column.Name)), ':'))
	}
	var id []byte
	return writeLines(ctx, w, nil, first, more, func(part *tables.Table, kept []keptColumn) func([]byte, int) []byte {
		names := nameColumns(part)
		return func(text []byte, row int) []byte {
			text = append(text, '{')
			for i := range names {
				text = append(text, keys[i]...)
				text = append(names[i].appendQuoted(text, &id, row, appendID), ',')
			}
			for i := range kept {
				text = append(text, keys[len(names)+i]...)
				text = append(kept[i].appendValue(text, &id, row, "null", appendID), ',')
			}
			for i, column := range part.Columns {
				text = append(text, keys[len(names)+len(kept)+i]...)
				text = append(column.Values.AppendText(text, row), ',')
			}
			return append(text[:len(text)-1], "}\n"...)
		}
	})
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
