// Package delimited reads edge lists and CSV: rows of fields separated by blanks, tabs,
// commas, semicolons or bars.
//
// Flow: the first rows give the layout: dialect, header, which fields are ids, lengths or
// names of graphs, and whether ids are integers. Then rowParser makes a batch of each
// chunk.
//
// Units: fields and lines count from 1 in errors. All parsers share the layout and do not
// write it. Complexity: linear; a row of two integers is read byte by byte.
package delimited

import (
	"context"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/textlines"

	"github.com/apache/arrow/go/v17/arrow"
)

// Read reads an edge list or CSV, or a vertex table of that form.
//
// Comments ("#" or "%") come before the rows only; blank lines mean nothing. The first
// line decides the separator: tab, comma, semicolon or bar, the first of these that
// occurs in it, else blanks. Lines end with LF or CRLF. Options.Header says whether the
// first line is a header. Without one, the ids are the first two fields of every row, or
// those with the numbers in Options.Src and Options.Dst. All rows have as many fields as
// the first line.
//
// The first row decides whether ids are integers, and likewise for each column that names
// the graph. Integers are decimal, without "+" or leading zeros, within int64 or within
// uint64. An empty field is a null. An input without rows is a table without rows.
func Read(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	text := textlines.New(in, out.Opts.MaxLine)
	layout, err := findLayout(text, out)
	if err != nil || layout == nil {
		return err
	}
	if layout.integers {
		err = out.IDs.AddText(out.Input)
	} else {
		err = out.IDs.Add(out.Input, arrow.BinaryTypes.String)
	}
	if err != nil {
		return err
	}
	if err := layout.addScopeTypes(out); err != nil {
		return err
	}
	p := rowParser{layout, out.Opts, make(textlines.Free, out.Opts.Threads+textlines.SpareBatches)}
	rows := layout.nulls
	err = textlines.Parse(ctx, text, layout.lastRecord, out.Opts, p.parse, func(c *textlines.Chunk) error {
		err := out.IDs.Sees(out.Input, c.Negative, c.Large)
		if err == nil {
			err = layout.seesScopes(out, c)
		}
		if err != nil {
			c.Batch.Release()
			return err
		}
		if c.Contradicted {
			out.Contradicted(layout.names[layout.directions])
		}
		rows += c.Entries
		out.Dropped(c.Nulls)
		return out.Send(ctx, c.Batch)
	}, in.Stop)
	if err == nil && layout.promised >= 0 && layout.promised != rows {
		out.Warn("counts line promises %d edges, the file has %d", layout.promised, rows)
	}
	return err
}
