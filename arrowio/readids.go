package arrowio

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// ReadIDs reads a list of ids as text, integers in decimal and others as IDType.Format writes them. It calls take
// with some at a time, in order; they are valid until take returns, and an error of take ends the reading. The list
// is the one path of opts. It follows the rules of a vertex table (see Options.Vertices), except that its ids are the
// first column, of any name. ReadIDs uses the fields of opts about files and nulls, and Header. An empty file is an
// empty list.
//
// Errors: those of Read, and take's.
func ReadIDs(ctx context.Context, opts tables.Options, take func(tables.Keys) error) error {
	return readList(ctx, opts, "", nil, func(batch tables.Batch, _ []tables.GroupColumn) error { return take(batch.Vertices) })
}

// ReadTrips reads a table of trips by the names of three columns: origin, destination, and number of trips. It calls
// take with some rows at a time, in order. These are the ids of both ends as text, as in ReadIDs, then the columns of
// Options.By as text, and the third column, whose name and type are in of. Text has a header. Options.Nulls decides
// about rows without an origin; a row without a destination, or without a name of its graph, is an error.
//
// Errors: those of Read, and take's.
func ReadTrips(ctx context.Context, opts tables.Options, columns [3]string, take func(ids []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error) error {
	opts.Header = tables.HeaderYes
	first, beside := 0, append([]string{columns[2], columns[1]}, opts.By...)
	return readList(ctx, opts, columns[0], beside, func(batch tables.Batch, kept []tables.GroupColumn) error {
		ids := []tables.Keys{batch.Vertices}
		for c, name := range beside[1:] {
			if null := slices.Index(batch.Kept[c+1].Null, true); null >= 0 {
				return fmt.Errorf("arrowio: %s: %w", opts.Paths[0], faults.Rejected("column %q: null id at row %d", name, first+null+1))
			}
			ids = append(ids, idtypes.Spelt(kept[c+1].Type, batch.Kept[c+1].Keys))
		}
		first += batch.Vertices.Len()
		return take(ids, batch.Kept[0], kept[0])
	})
}

// ReadNumbers reads columns of a table by their names, as ReadTrips does. Each call of take gets some rows, in order: the
// columns, of numbers (see KeptColumn.Masses).
//
// Errors: those of Read, and take's.
func ReadNumbers(ctx context.Context, opts tables.Options, columns []string, take func([]tables.KeptColumn) error) error {
	opts.Header = tables.HeaderYes
	numbers := func(o *edgetable.Options) { o.Src, o.Keep, o.Numbers = columns[0], columns, true }
	return readLists(ctx, opts, numbers, func(batch tables.Batch, kept []tables.GroupColumn) error {
		rows := make([]tables.KeptColumn, len(columns))
		for i := range rows {
			rows[i] = tables.KeptColumn{Name: kept[i].Name, Type: kept[i].Type, KeptValues: batch.Kept[i]}
		}
		return take(rows)
	})
}

// readList reads a list of ids, in the column with that name or the first, and other columns beside it.
func readList(ctx context.Context, opts tables.Options, column string, beside []string, take func(tables.Batch, []tables.GroupColumn) error) error {
	return readLists(ctx, opts, func(o *edgetable.Options) { o.Src, o.Keep = column, beside }, take)
}

// readLists reads a table beside the graph; choose names its columns.
func readLists(ctx context.Context, opts tables.Options, choose func(*edgetable.Options), take func(tables.Batch, []tables.GroupColumn) error) error {
	list := opts
	list.Src, list.Dst, list.By, list.Bipartite, list.Vertices, list.Keep = "", "", nil, false, "", nil
	list.OneWay, list.EdgeKeep = "", nil
	list.IDs, list.Format = tables.IDsString, tables.FormatAuto // ids stay as they are: 007 is not 7
	o, err := checked(list)
	if err == nil && len(o.Paths) != 1 {
		err = faults.Usage("a list of ids is one file, not %d", len(o.Paths))
	}
	if err != nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	if err := bytesOf(&o).InNoTable(ctx, o.Paths[0]); err != nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	read := reading(&o)
	read.List = true
	choose(read)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan tables.Batch)
	failed := make(chan error, 1)
	funnel := edgetable.NewFunnel(batches, read, o.Paths)
	go func() {
		defer close(batches)
		_, err := readInput(ctx, bytesOf(&o), o.Paths[0], "", funnel, true)
		failed <- err
	}()
	var refused error
	for batch := range batches {
		if refused == nil {
			if refused = take(batch, funnel.Summary.Kept); refused != nil { // known before the first batch, and not written after
				stop()
			}
		}
		batch.Release()
	}
	return cmp.Or(refused, <-failed)
}
