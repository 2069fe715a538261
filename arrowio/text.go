package arrowio

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow"
)

// readText reads an edge list or CSV, or a vertex table of that form.
//
// Comments ("#" or "%") come before the rows only; blank lines mean nothing.
// The first line decides what separates fields: tab, comma, semicolon or bar,
// the first of these that is in it, else blanks. Lines end with LF or CRLF.
// Options.Header says whether the first line is a header; without one, the ids are
// the first two fields of every row, or those that Options.Src and Options.Dst
// count. All rows have as many fields as the first line. The first row decides
// whether ids are integers, which are decimal, without "+" or leading zeros,
// within int64 or within uint64, and so for each column that names the graph. An
// empty field is a null. An input without any
// row is a table without rows.
func readText(ctx context.Context, in *input, out *funnel) error {
	text := newLines(in, out.opts.MaxLine)
	layout, err := findLayout(text, out)
	if err != nil || layout == nil {
		return err
	}
	if layout.integers {
		err = out.ids.addText(out.input)
	} else {
		err = out.ids.add(out.input, arrow.BinaryTypes.String)
	}
	if err != nil {
		return err
	}
	if err := layout.addScopeTypes(out); err != nil {
		return err
	}
	p := rowParser{layout, out.opts, make(freeColumns, out.opts.Threads+spareBatches)}
	rows := layout.nulls
	err = parseChunks(ctx, text, layout.lastRecord, out.opts, p.parse, func(c *chunk) error {
		err := out.ids.sees(out.input, c.negative, c.large)
		if err == nil {
			err = layout.seesScopes(out, c)
		}
		if err != nil {
			c.batch.Release()
			return err
		}
		if c.contradicted {
			out.contradicted(layout.names[layout.directions])
		}
		rows += c.entries
		out.dropped(c.nulls)
		return out.send(ctx, c.batch)
	}, in.stop)
	if err == nil && layout.promised >= 0 && layout.promised != rows {
		out.warn("counts line promises %d edges, the file has %d", layout.promised, rows)
	}
	return err
}
