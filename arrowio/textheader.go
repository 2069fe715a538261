package arrowio

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// findHeader tells a header or a counts line from a row, skips it, and sets
// the id fields and the number of fields.
func (l *layout) findHeader(in *input, text *lines, out *sink) error {
	first, next, err := l.record(text, 0)
	if err != nil {
		return err
	}
	line := text.line
	l.fields, l.fieldsLine = len(first), line
	second, _, err := l.record(text, next)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}

	if countsLine(first) && second != nil && len(second) != len(first) {
		out.note("line %d gives counts and is no edge: %s", line, quote(strings.Join(first, ",")))
		l.promised, _ = strconv.ParseInt(first[1], 10, 64)
		text.skip(next)
		l.fields, l.fieldsLine = len(second), text.line
		return l.firstFields(in, out)
	}

	named := in.opts.Src != "" || hasUsualPair(first)
	need := 2
	if in.vertices {
		named = slices.ContainsFunc(first, isVertexName)
		need = 1
	}
	// Names above integers are a header, even if not one of the known ones.
	mayName := in.opts.IDs != IDsString && integersAt(first, need) == 0 && integersAt(second, need) == need
	if !named && !mayName {
		return l.firstFields(in, out)
	}
	if in.vertices {
		l.src, err = vertexColumn(first)
	} else {
		l.src, l.dst, err = chooseColumns(first, columnChoice{in.opts.Src, in.opts.Dst, in.opts.IgnoreWeight})
	}
	if err != nil {
		if !named {
			err = fmt.Errorf("%w (--ids string if line %d is data)", err, line)
		}
		return lineError(line, err)
	}
	l.names = first
	text.skip(next)
	return nil
}

// firstFields takes the first fields as ids.
func (l *layout) firstFields(in *input, out *sink) error {
	if in.vertices {
		return nil
	}
	if l.fields < 2 {
		return rejected("line %d: one field; an edge has two, between blanks, tabs, commas, semicolons or bars", l.fieldsLine)
	}
	if l.fields > 2 {
		out.note("only the first two of %d fields are read", l.fields)
	}
	return nil
}

// hasUsualPair tells whether names hold a usual pair of id columns.
func hasUsualPair(names []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	}
	for _, pair := range columnPairs {
		if has(pair[0]) && has(pair[1]) {
			return true
		}
	}
	return false
}

// countsLine tells whether a row reads "vertices, edges, u or d, name".
func countsLine(row []string) bool {
	return len(row) == 4 && integersAt(row, 2) == 2 && (row[2] == "u" || row[2] == "d")
}

// integersAt counts the integers among the first fields of a row.
func integersAt(row []string, fields int) (count int) {
	for _, field := range row[:min(fields, len(row))] {
		if isInteger(field) {
			count++
		}
	}
	return count
}
