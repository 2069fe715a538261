package arrowio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendScore appends a score as text: the shortest that reads back as the
// same float64, without an exponent from 1e-6 up to 1e15, so that people can
// read it.
func AppendScore(text []byte, score float64) []byte {
	if size := math.Abs(score); size != 0 && (size < 1e-6 || size >= 1e15) {
		return strconv.AppendFloat(text, score, 'e', -1, 64)
	}
	return strconv.AppendFloat(text, score, 'f', -1, 64)
}

// writeLines writes a line per row, in pieces.
func writeLines(ctx context.Context, w io.Writer, table *Table, header []byte, line func(text []byte, vertex int) []byte) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(header); err != nil {
		return err
	}
	var text []byte
	err := table.pieces(ctx, func(first, rows int) error {
		for row := first; row < first+rows; row++ {
			text = line(text[:0], table.vertex(row))
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// writeCSV writes RFC 4180, but for its line ends.
func writeCSV(ctx context.Context, w io.Writer, table *Table) error {
	names := table.names()
	var header []byte
	for i := range names {
		header = append(appendField(header, []byte(names[i].Name)), ',')
	}
	for _, column := range table.Columns {
		header = append(appendField(header, []byte(column.Name)), ',')
	}
	header[len(header)-1] = '\n'
	var id []byte
	return writeLines(ctx, w, table, header, func(text []byte, vertex int) []byte {
		for i := range names {
			text = append(names[i].appendQuoted(text, &id, vertex, appendField), ',')
		}
		for _, column := range table.Columns {
			text = append(column.Values.appendText(text, vertex), ',')
		}
		text[len(text)-1] = '\n'
		return text
	})
}

// appendField appends a field in quotes if it needs them; so does the empty
// one, which many readers take for a missing value otherwise.
func appendField(text, field []byte) []byte {
	if len(field) > 0 && !bytes.ContainsAny(field, ",\"\r\n") {
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
func writeJSONL(ctx context.Context, w io.Writer, table *Table) error {
	ids := table.names()
	var names [][]byte
	for i := range ids {
		names = append(names, append(appendJSON(nil, []byte(ids[i].Name)), ':'))
	}
	for _, column := range table.Columns {
		names = append(names, append(appendJSON(nil, []byte(column.Name)), ':'))
	}
	var id []byte
	return writeLines(ctx, w, table, nil, func(text []byte, vertex int) []byte {
		text = append(text, '{')
		for i := range ids {
			text = append(text, names[i]...)
			text = append(ids[i].appendQuoted(text, &id, vertex, appendID), ',')
		}
		for i, column := range table.Columns {
			text = append(text, names[len(ids)+i]...)
			text = append(column.Values.appendText(text, vertex), ',')
		}
		return append(text[:len(text)-1], "}\n"...)
	})
}

// appendID appends an id as JSON: a string, or {"base64":"..."} of its bytes if
// they are no UTF-8, which no JSON string can hold. Each id keeps a form of its
// own, and none is mistaken for a string.
func appendID(text, id []byte) []byte {
	if utf8.Valid(id) {
		return appendJSON(text, id)
	}
	text = append(text, `{"base64":"`...)
	text = base64.StdEncoding.AppendEncode(text, id)
	return append(text, `"}`...)
}

// appendJSON appends a JSON string; bytes that are no UTF-8 become U+FFFD.
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
