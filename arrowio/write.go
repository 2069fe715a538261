package arrowio

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// Output formats that cannot be read as input.
const (
	FormatArrowFile tables.Format = "arrow-file" // IPC file; FormatArrow is a stream
	FormatJSONL     tables.Format = "jsonl"      // an object per line
)

const (
	metadataPrefix = "bcstage:"
	writeRows      = 64 << 10 // rows built at once
	recordBytes    = 16 << 20 // text of a record of several rows
	rowGroupRows   = 1 << 20
	rowGroups      = 64 // of a table with more rows than one takes: each thread then encodes several
)

// TableFormats lists the formats that Write takes.
func TableFormats() []tables.Format {
	return []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet, tables.FormatCSV, FormatJSONL}
}

// Write writes a table. The bytes do not depend on Table.Threads. Beyond the table's
// own memory it takes that of two encoded records, or column chunks, and of one more
// for each thread. "" is FormatArrow. The formats are:
//
//   - FormatArrow: an uncompressed IPC stream of records of 65536 rows,
//   - FormatArrowFile: the same as an IPC file,
//   - FormatParquet: zstd, one row group of up to 1048576 rows; a larger table has about 64, of 65536 to 1048576 rows,
//   - FormatCSV: a header, quotes as in RFC 4180, lines that end with a newline,
//   - FormatJSONL: an object per row; integers are numbers,
//   - FormatEdgeList, of integer ids: blanks between the columns, no header.
//
// The id column has the type Table.Type. A dictionary's index becomes wider if it
// cannot count the vertices, and its strings large ones if they pass 2 GiB. Text
// formats have no metadata.
//
// Errors: ErrUsage for a table that contradicts itself, w's own error wrapped,
// ctx.Err(). w is not closed.
func Write(ctx context.Context, w io.Writer, format tables.Format, table tables.Table) error {
	return WriteParts(ctx, w, format, func(yield func(tables.Table, error) bool) { yield(table, nil) })
}

// WriteParts is Write of a table in parts, at least one, with the same ids, names
// types and threads; a part may have no rows. Row groups end with their part. An error from
// parts ends it.
func WriteParts(ctx context.Context, w io.Writer, format tables.Format, parts iter.Seq2[tables.Table, error]) error {
	next, stop := iter.Pull2(parts)
	defer stop()
	err := write(ctx, w, format, func() (*tables.Table, error) {
		table, err, ok := next()
		if !ok || err != nil {
			return nil, err
		}
		return &table, checkTable(&table)
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	return err
}

// write writes parts until more returns nil.
func write(ctx context.Context, w io.Writer, format tables.Format, more func() (*tables.Table, error)) error {
	first, err := more()
	switch {
	case err != nil:
		return err
	case first == nil:
		return faults.Usage("a table without parts")
	}
	threads, err := threadsOf(first.Threads)
	if err != nil {
		return err
	}
	all := parts{threads, first, more}
	switch format {
	case tables.FormatArrow, "":
		return writeArrowStream(ctx, w, all)
	case FormatArrowFile:
		return writeArrowFile(ctx, w, all)
	case tables.FormatParquet:
		return writeParquet(ctx, w, all)
	case tables.FormatCSV:
		return writeCSV(ctx, w, ',', all)
	case tables.FormatEdgeList:
		if !first.Type.IsInteger() {
			return faults.Usage("an edge list of ids of type %s: want integers", first.Type)
		}
		return writeCSV(ctx, w, ' ', all)
	case FormatJSONL:
		return writeJSONL(ctx, w, all)
	}
	return faults.Usage("table in format %q: want one of %q", format, TableFormats())
}

// parts are the parts of a table: the first, and others until more returns nil.
type parts struct {
	threads int
	first   *tables.Table
	more    func() (*tables.Table, error)
}

// each makes the pieces of every part on several threads, and releases a part once
// all its pieces are used.
func (p parts) each(ctx context.Context, pieces func(part *tables.Table, add func(parallel.Piece) error) error) error {
	return parallel.InOrder(ctx, p.threads, func(add func(parallel.Piece) error) error {
		for part := p.first; part != nil; {
			err := pieces(part, add)
			if release := part.Release; err == nil && release != nil {
				err = add(func(context.Context) (func(context.Context) error, error) {
					return func(context.Context) error { release(); return nil }, nil
				})
			}
			if err == nil {
				part, err = p.more()
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// checkColumns refuses a table that no format can hold, for any values.
func checkColumns(t *tables.Table) error {
	if err := checkNames(t); err != nil {
		return err
	}
	if err := checkKept(t); err != nil {
		return err
	}
	names := allNames(t)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return faults.Usage("column %q occurs twice", name)
		}
	}
	return nil
}

// checkTable refuses a table that no format can hold.
func checkTable(t *tables.Table) error {
	if err := checkColumns(t); err != nil {
		return err
	}
	n := t.Rows()
	if t.Order != nil {
		n = t.IDs.Len()
	}
	errs := make([]error, len(t.Columns))
	parallel.EachWhole(t.Threads, len(errs), func(_, i int) {
		column := t.Columns[i]
		if column.Values == nil || column.Values.Len() != n {
			errs[i] = faults.Usage("column %q does not have %d values, one for each vertex, or pair", column.Name, n)
			return
		}
		if row, wrong := column.Values.Check(); wrong != "" {
			vertex := row
			if t.Pairs != nil {
				vertex = int(t.Pairs.Ends[1][row])
			}
			errs[i] = faults.Usage("column %q: the value of vertex %s is %s", column.Name, t.Type.Format(t.IDs, vertex), wrong)
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for _, vertex := range t.Order {
		if int(vertex) >= n {
			return faults.Usage("vertex %d in Order; there are %d", vertex, n)
		}
	}
	return nil
}

// inPieces cuts the rows into runs of writeRows, fewer if long ids would exceed
// recordBytes, and calls write for each.
func inPieces(ctx context.Context, t *tables.Table, kept []keptColumn, write func(first, rows int) error) error {
	names := nameColumns(t)
	for _, c := range kept {
		names = append(names, c.nameColumn)
	}
	for first, total := 0, t.Rows(); first < total; {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := min(writeRows, total-first)
		for i := range names {
			rows = names[i].fitting(t, first, rows)
		}
		if err := write(first, rows); err != nil {
			return err
		}
		first += rows
	}
	return ctx.Err()
}

// fitting is the number of rows whose text fits a record.
func (c *nameColumn) fitting(t *tables.Table, first, rows int) int {
	if c.Keys.Offsets == nil {
		return rows
	}
	bytes := 0
	for i := range rows {
		if bytes += len(ids.Text(c.Keys, c.Row(t.Vertex(first+i)))); bytes > recordBytes && i > 0 {
			return i
		}
	}
	return rows
}
