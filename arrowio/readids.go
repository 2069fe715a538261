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
// empty list. It returns the number of rows that Options.Nulls dropped.
//
// Errors: those of Read, and take's.
func ReadIDs(ctx context.Context, opts tables.Options, take func(tables.Keys) error) (dropped int64, err error) {
	return readList(ctx, opts, "", nil, func(batch tables.Batch, _ []tables.GroupColumn) error { return take(batch.Vertices) })
}

// ReadTrips reads a table of trips by the names of three columns: origin, destination, and number of trips. It calls
// take with some rows at a time, in order. These are the ids of both ends as text, as in ReadIDs, then the columns of
// Options.By as text, and the third column, whose name and type are in of. Text has a header. Options.Nulls decides
// about rows with a null in one of these columns. ReadTrips returns the number of dropped rows.
//
// Errors: those of Read, and take's.
func ReadTrips(ctx context.Context, opts tables.Options, columns [3]string, take func(ids []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error) (dropped int64, err error) {
	opts.Header = tables.HeaderYes
	beside := append([]string{columns[2], columns[1]}, opts.By...)
	return readList(ctx, opts, columns[0], beside, func(batch tables.Batch, kept []tables.GroupColumn) error {
		ids := []tables.Keys{batch.Vertices}
		for c := range beside[1:] {
			ids = append(ids, idtypes.Spelt(kept[c+1].Type, batch.Kept[c+1].Keys))
		}
		return take(ids, batch.Kept[0], kept[0])
	})
}

// ReadNumbers reads columns of a table by their names, as ReadTrips does. Each call of take gets some rows, in order: the
// columns, of numbers (see KeptColumn.Masses). A null is an error, whatever Options.Nulls says: the rows are one function, and not
// separate facts.
//
// Errors: those of Read, and take's.
func ReadNumbers(ctx context.Context, opts tables.Options, columns []string, take func([]tables.KeptColumn) error) error {
	opts.Header, opts.Nulls = tables.HeaderYes, tables.NullsError
	numbers := func(o *edgetable.Options) { o.Src, o.Keep, o.Numbers = columns[0], columns, true }
	_, err := readLists(ctx, opts, numbers, func(batch tables.Batch, kept []tables.GroupColumn) error {
		rows := make([]tables.KeptColumn, len(columns))
		for i := range rows {
			rows[i] = tables.KeptColumn{Name: kept[i].Name, Type: kept[i].Type, KeptValues: batch.Kept[i]}
		}
		return take(rows)
	})
	return err
}

// readList reads a list of ids, in the column with that name or the first, and other columns beside it.
func readList(ctx context.Context, opts tables.Options, column string, beside []string, take func(tables.Batch, []tables.GroupColumn) error) (dropped int64, err error) {
	return readLists(ctx, opts, func(o *edgetable.Options) { o.Src, o.Keep = column, beside }, take)
}

// readLists reads a table beside the graph; choose names its columns.
func readLists(ctx context.Context, opts tables.Options, choose func(*edgetable.Options), take func(tables.Batch, []tables.GroupColumn) error) (dropped int64, err error) {
	list := opts
	list.Src, list.Dst, list.By, list.Bipartite, list.Vertices, list.Keep = "", "", nil, false, "", nil
	list.OneWay, list.EdgeKeep = "", nil
	list.IDs, list.Format = tables.IDsString, tables.FormatAuto // ids stay as they are: 007 is not 7
	o, err := checked(list)
	if err == nil && len(o.Paths) != 1 {
		err = faults.Usage("a list of ids is one file, not %d", len(o.Paths))
	}
	if err != nil {
		return 0, fmt.Errorf("arrowio: %w", err)
	}
	if err := bytesOf(&o).InNoTable(ctx, o.Paths[0]); err != nil {
		return 0, fmt.Errorf("arrowio: %w", err)
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
	rows := 0
	for batch := range batches {
		before := batch.Vertices.Len()
		if refused == nil {
			if refused = withoutNulls(read, &batch, rows); refused != nil {
				refused = fmt.Errorf("arrowio: %s: %w", o.Paths[0], refused)
			} else {
				refused = take(batch, funnel.Summary.Kept) // known before the first batch, and not written after
			}
			if refused != nil {
				stop()
			}
		}
		rows += before
		dropped += int64(before - batch.Vertices.Len())
		batch.Release()
	}
	err = cmp.Or(refused, <-failed)
	return dropped + funnel.Summary.NullsDropped, err
}

// withoutNulls refuses or drops the rows of a list with a null beside its ids. before is the number of earlier rows.
func withoutNulls(o *edgetable.Options, batch *tables.Batch, before int) error {
	var drop []bool
	for i, column := range batch.Kept {
		first := slices.Index(column.Null, true)
		switch {
		case first < 0:
		case o.Nulls != tables.NullsDrop:
			return o.AdviseNulls(faults.Rejected("column %q: null at row %d", o.Keep[i], before+first+1))
		case drop == nil:
			drop = slices.Clone(column.Null)
		default:
			for row, null := range column.Null {
				drop[row] = drop[row] || null
			}
		}
	}
	if drop == nil {
		return nil
	}
	kept := func(values tables.KeptValues) (some tables.KeptValues) {
		some.Append(values, drop)
		return some
	}
	batch.Vertices, batch.Kept = kept(tables.KeptValues{Keys: batch.Vertices}).Keys, slices.Clone(batch.Kept)
	for i, column := range batch.Kept {
		batch.Kept[i] = kept(column)
	}
	return nil
}
