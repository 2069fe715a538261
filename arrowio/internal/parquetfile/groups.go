package parquetfile

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/sources"
	"bcstage/internal/budget"
	"bcstage/internal/parallel"
)

// decoder decodes one column of every n-th row group, in a goroutine of its own.
type decoder struct {
	column       int
	first, every int                // row groups first, first+every, ...
	decoded      chan piece         // pieces of a batch's rows; an error is the last
	file         sources.RandomFile // all decoders' own
	table        *columnar.Table    // likewise
	of           *projection        // likewise
	account      *budget.Account
}

// piece is what a decoder sends.
type piece struct {
	column *ids.Column
	err    error
}

// read decodes columns and row groups side by side, and sends them in file order:
// the rows and the first error are those of a plain loop.
func (p *projection) read(ctx context.Context, file sources.RandomFile, table *columnar.Table, threads int) error {
	group, ctx := errgroup.WithContext(ctx)
	p.enlarge(threads)
	table.Rows = p.batch
	side := p.aside(file, threads)
	room := max(int((p.largest()+p.batch-1)/p.batch), 2)
	if side == 1 {
		room = 2 // there is no read-ahead
	}
	decoders := make([][]decoder, side) // by row group modulo side, by column
	line, number := table.Budget.Line(), int64(0)
	for first := range decoders {
		for column := range p.layouts {
			d := decoder{column, first, side, make(chan piece, room), file, table, p, line.Account(ctx)}
			decoders[first] = append(decoders[first], d)
			group.Go(func() error {
				d.run(ctx)
				return nil
			})
		}
	}
	group.Go(func() error {
		for g, rows := range p.rows {
			place := fmt.Sprintf("row group %d", g)
			for first := int64(0); first < rows; first += p.batch {
				line.Turn(number)
				number++
				columns, err := next(ctx, decoders[g%side])
				if err != nil {
					return err
				}
				if p.rewrite != nil {
					if err := p.rewrite(columns); err != nil {
						return fmt.Errorf("%s: %w", place, err)
					}
				}
				if err := table.Send(ctx, place, first, columns...); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return group.Wait()
}

// Batches of integers are larger for many threads: to wake them all takes longer than what each then does with
// BatchRows. There are still many batches, so that stages overlap.
const (
	threadsABatch = 2
	fewestBatches = 16
)

func (p *projection) enlarge(threads int) {
	integers := !slices.ContainsFunc(p.layouts, func(l parquetpages.Layout) bool { return !l.Integers })
	if integers && p.batch == columnar.BatchRows {
		p.batch *= max(min(int64(threads)/threadsABatch, p.total()/columnar.BatchRows/fewestBatches), 1)
	}
}

// next receives a piece of every column.
func next(ctx context.Context, from []decoder) ([]*ids.Column, error) {
	columns := make([]*ids.Column, len(from))
	for i, d := range from {
		got, more := <-d.decoded
		switch {
		case !more:
			return nil, context.Cause(ctx) // without an error, a decoder ends early only then
		case got.err != nil:
			return nil, got.err
		}
		columns[i] = got.column
	}
	return columns, nil
}

// mostAside bounds the rows of the row groups that are decoded side by side, and so
// the memory of waiting pieces: 16 bytes a row of integers. The graph's builder
// keeps another 8 bytes for every row of the file.
const mostAside = 16 << 20

// aside is the number of row groups decoded at once: enough for the threads, but at
// most a quarter of the rows. A far file is read front to back, since every decoder
// reads ahead by itself.
func (p *projection) aside(file sources.RandomFile, threads int) int {
	if _, far := file.(*sources.FarFile); far || p.largest() == 0 {
		return 1
	}
	columns := len(p.layouts)
	return max(min((threads+columns-1)/columns, int(min(p.total()/4, mostAside)/p.largest())), 1)
}

func (p *projection) total() (rows int64) {
	for _, some := range p.rows {
		rows += some
	}
	return rows
}

// largest is the number of rows of the largest row group.
func (p *projection) largest() int64 {
	if len(p.rows) == 0 {
		return 0
	}
	return slices.Max(p.rows)
}

// stretches lists the likely places of the decoder's pages.
func (d *decoder) stretches() []sources.Stretch {
	var all []sources.Stretch
	for g := d.first; g < len(d.of.rows); g += d.every {
		if e := d.of.extents[g][d.column]; d.of.rows[g] > 0 && e.Start < e.likely && !e.encrypted && !e.elsewhere {
			all = append(all, sources.Stretch{Start: e.Start, End: e.likely})
		}
	}
	return all
}

// run decodes, and sends the error if there is one.
func (d *decoder) run(ctx context.Context) {
	defer close(d.decoded)
	send := func(column *ids.Column) error { return parallel.Send(ctx, d.decoded, piece{column: column}) }
	if err := d.decode(ctx, send); err != nil {
		_ = parallel.Send(ctx, d.decoded, piece{err: err})
	}
}

// decode decodes the decoder's row groups. The errors of take are returned as they are.
func (d *decoder) decode(ctx context.Context, take func(*ids.Column) error) (err error) {
	at, taken := d.first, error(nil)
	defer func() {
		if err != nil && taken == nil {
			err = fmt.Errorf("row group %d: column %q: %w", at, d.table.Columns[d.column].Name, err)
		}
	}()
	defer faults.Recover(&err)
	pages, err := parquetpages.NewReader(sources.NewAhead(d.file, d.stretches()), d.of.layouts[d.column], d.of.expand, d.account)
	if err != nil {
		return err
	}
	defer pages.Close()
	for ; at < len(d.of.rows); at += d.every {
		extent, rows := d.of.extents[at][d.column], d.of.rows[at]
		switch {
		case extent.encrypted:
			return faults.Rejected("the column is encrypted")
		case extent.elsewhere:
			return faults.Rejected("the column is in another file")
		}
		pages.Open(extent.Chunk, rows)
		d.account.Number = d.of.batchesBefore(at)
		for first := int64(0); first < rows; first += d.of.batch {
			column, err := d.table.Column(d.column, d.account)
			if err != nil {
				return err
			}
			if err := pages.Read(ctx, column, int(min(d.of.batch, rows-first))); err != nil {
				return err
			}
			if taken = take(column); taken != nil {
				return taken
			}
			d.account.Number++
		}
	}
	return nil
}

// batchesBefore is the number of batches from the row groups before one.
func (p *projection) batchesBefore(group int) (count int64) {
	for _, rows := range p.rows[:group] {
		count += (rows + p.batch - 1) / p.batch
	}
	return count
}

// EachColumn decodes columns, with these layouts by position, one after the other.
// take gets them in pieces, and must not keep a piece.
func (f *File) EachColumn(ctx context.Context, positions []int, layouts []parquetpages.Layout, take func(i int, column *ids.Column) error) error {
	projection, err := f.project(positions, func(i int) (parquetpages.Layout, error) { return layouts[i], nil })
	if err != nil {
		return err
	}
	table := &columnar.Table{Columns: make([]columnar.Column, len(positions))}
	for i, position := range positions {
		table.Columns[i].Name = f.Columns.Names[position]
		d := decoder{column: i, every: 1, file: f.file, table: table, of: projection, account: table.Budget.Line().Account(ctx)}
		if err := d.decode(ctx, func(column *ids.Column) error {
			defer table.Columns[i].Free.Put(column)
			return take(i, column)
		}); err != nil {
			return err
		}
	}
	return nil
}
