package arrowio

import (
	"context"
	"fmt"
	"io"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// Fits says whether Write will take a table, before its values are there. It writes the
// known part to nowhere: names and types of all columns, and the rows of Kept with their
// ids. Values of Columns give their type only, and may be empty; Order is ignored. least
// is the least number of bytes that Write will write; 0: unknown.
//
// Errors are those of Write.
func Fits(ctx context.Context, format tables.Format, table tables.Table) (least int64, err error) {
	defer func() { // Arrow's constructors of types panic
		if cause := recover(); cause != nil {
			err = fmt.Errorf("arrowio: %w", faults.Usage("%s cannot hold the table: %v", format, cause))
		}
	}()
	if err := checkColumns(&table); err != nil {
		return 0, fmt.Errorf("arrowio: %w", err)
	}
	draft := table
	draft.Columns, draft.Release, draft.Threads = nil, nil, 1
	if table.Pairs == nil {
		rows := 0
		for _, column := range table.Kept {
			rows = max(rows, column.Keys.Len())
		}
		draft.Order = make([]uint32, rows) // nil would mean all
		for v := range draft.Order {
			draft.Order[v] = uint32(v)
		}
	}
	if err := Write(ctx, io.Discard, format, draft); err != nil {
		return 0, err
	}
	return leastBytes(&table, format), nil
}

// leastBytes is the least number of bytes of the rows of all vertices in a format.
func leastBytes(t *tables.Table, format tables.Format) (bytes int64) {
	if t.Pairs != nil {
		return 0
	}
	n := int64(t.IDs.Len())
	switch format {
	case tables.FormatArrow, FormatArrowFile, "":
		bytes = int64(len(t.IDs.Bytes))
		if index, value := idtypes.Parts(idtypes.Arrow(t.Type)); index == nil && arrow.IsInteger(value.ID()) {
			bytes = n * int64(idtypes.BitWidth(value)) / 8
		}
		for _, c := range t.Columns {
			if _, bits := c.Values.(tables.Bools); bits {
				bytes += n / 8
			} else {
				bytes += n * 8
			}
		}
	case tables.FormatCSV:
		bytes = int64(len(t.IDs.Bytes)) + n*int64(1+len(t.Columns))*2 // a sign and a comma each
	case FormatJSONL:
		bytes = int64(len(t.IDs.Bytes))
		for _, c := range t.Columns {
			bytes += n * int64(len(`"":0,`)+len(c.Name))
		}
	}
	return bytes
}
