package arrowio

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"
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
)

// TableFormats lists the formats that Write takes.
func TableFormats() []tables.Format {
	return []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet, tables.FormatCSV, FormatJSONL}
}

// Write writes a table in constant memory, beyond the table's own. "" is
// FormatArrow. The formats are:
//
//   - FormatArrow: an uncompressed IPC stream of records of 65536 rows,
//   - FormatArrowFile: the same as an IPC file,
//   - FormatParquet: zstd, row groups of 1048576 rows,
//   - FormatCSV: a header, quotes as in RFC 4180, lines that end with a newline,
//   - FormatJSONL: an object per row; integers are numbers.
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
// and types; a part may have no rows. Row groups end with their part. An error from
// parts ends it.
func WriteParts(ctx context.Context, w io.Writer, format tables.Format, parts iter.Seq2[tables.Table, error]) error {
	next, stop := iter.Pull2(parts)
	defer stop()
	release := func() {}
	more := func() (*tables.Table, error) {
		release()
		release = func() {}
		table, err, ok := next()
		if !ok || err != nil {
			return nil, err
		}
		if table.Release != nil {
			release = table.Release
		}
		return &table, checkTable(&table)
	}
	first, err := more()
	switch {
	case err != nil:
	case first == nil:
		err = faults.Usage("a table without parts")
	default:
		err = write(ctx, w, format, first, more)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	return err
}

// write writes the first part, and further ones until more returns nil.
func write(ctx context.Context, w io.Writer, format tables.Format, first *tables.Table, more func() (*tables.Table, error)) error {
	switch format {
	case tables.FormatArrow, "":
		return writeArrowStream(ctx, w, first, more)
	case FormatArrowFile:
		return writeArrowFile(ctx, w, first, more)
	case tables.FormatParquet:
		return writeParquet(ctx, w, first, more)
	case tables.FormatCSV:
		return writeCSV(ctx, w, first, more)
	case FormatJSONL:
		return writeJSONL(ctx, w, first, more)
	}
	return faults.Usage("table in format %q: want one of %q", format, TableFormats())
}

// checkColumns refuses a table that no format can hold, for any values.
func checkColumns(t *tables.Table) error {
	if err := checkNames(t); err != nil {
		return err
	}
	if err := checkKept(t); err != nil {
		return err
	}
	names := nameColumns(t)
	for i, column := range t.Columns {
		if t.Column(column.Name) != i || slices.ContainsFunc(names, func(c nameColumn) bool { return c.Name == column.Name }) {
			return faults.Usage("column %q occurs twice", column.Name)
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
	for _, column := range t.Columns {
		if column.Values == nil || column.Values.Len() != n {
			return faults.Usage("column %q does not have %d values, one for each vertex, or pair", column.Name, n)
		}
		if row, wrong := column.Values.Check(); wrong != "" {
			vertex := row
			if t.Pairs != nil {
				vertex = int(t.Pairs.Ends[1][row])
			}
			return faults.Usage("column %q: the value of vertex %s is %s", column.Name, t.Type.Format(t.IDs, vertex), wrong)
		}
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
