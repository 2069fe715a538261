package columnar

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/internal/lengths"
	"bcstage/internal/budget"
)

// FromRecords sends the edges of all records: see arrowio.FromRecords.
func FromRecords(ctx context.Context, in <-chan arrow.Record, out *edgetable.Funnel) error {
	var all *records
	defer func() {
		if all != nil {
			all.release()
		}
	}()
	account := out.Opts.Budget.Line().Account(ctx)
	take := func(record arrow.Record) (err error) {
		defer faults.Recover(&err)
		defer record.Release()
		if all == nil {
			if all, err = newRecords(out, record.Schema(), account); err != nil {
				return err
			}
		}
		return all.send(ctx, record)
	}
	for {
		select {
		case record, more := <-in:
			if !more {
				return ctx.Err() // a channel closed because ctx ended does not mean that all edges came
			}
			if err := take(record); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// records sends Arrow records of one schema as batches.
type records struct {
	*Table
	schema    *arrow.Schema
	account   *budget.Account
	promoters []Promoter
	batches   int // records seen
}

func newRecords(out *edgetable.Funnel, schema *arrow.Schema, account *budget.Account) (*records, error) {
	names := make([]string, schema.NumFields())
	for i := range names {
		names[i] = schema.Field(i).Name
	}
	t, err := NewTable(out, names, func(i int) (arrow.DataType, error) { return idtypes.OfField(schema.Field(i)), nil },
		func(i int) (lengths.Type, error) {
			_, value := idtypes.Parts(schema.Field(i).Type)
			return lengths.TypeNamed(value.String())
		})
	if err != nil {
		return nil, err
	}
	return &records{Table: t, schema: schema, account: account, promoters: make([]Promoter, len(t.Columns))}, nil
}

func (r *records) release() {
	for i := range r.promoters {
		r.promoters[i].Release()
	}
}

// send sends one record in batches of BatchRows. The record stays the caller's.
func (r *records) send(ctx context.Context, record arrow.Record) error {
	place := fmt.Sprintf("record batch %d", r.batches)
	r.batches++
	if record.Schema() != r.schema && !record.Schema().Equal(r.schema) {
		return faults.Rejected("%s: its schema differs from that of the first", place)
	}
	total := int(record.NumRows())
	for i := range r.Columns {
		if rows := record.Column(r.Columns[i].Position).Len(); rows != total {
			return faults.Corrupt("%s: column %q: %d rows of %d", place, r.Columns[i].Name, rows, total)
		}
	}
	r.direct(record)
	rows := r.batchOf(record)
	for first := 0; first < total; first += rows {
		columns := make([]*ids.Column, len(r.Columns))
		for i := range r.Columns {
			var err error
			if columns[i], err = r.Column(i, r.account); err != nil {
				return fmt.Errorf("%s: column %q: %w", place, r.Columns[i].Name, err)
			}
			if err := r.promote(ctx, i, columns[i], record, first, min(rows, total-first)); err != nil {
				return fmt.Errorf("%s: column %q: %w", place, r.Columns[i].Name, err)
			}
		}
		if err := r.Table.Send(ctx, place, int64(first), columns...); err != nil {
			return err
		}
	}
	return nil
}

// batchOf is the number of rows of a record that make a batch. Records may be slices of
// others and share their buffers, so it uses the mean length of strings.
func (r *records) batchOf(record arrow.Record) int {
	row := 0.0
	for i := range r.Columns {
		row += meanBytes(record.Column(r.Columns[i].Position).Data())
	}
	return int(RowsOf(BatchRows, int64(row*BatchRows)))
}

// meanBytes is the length of a row; of strings, the mean over all rows that share the
// buffers.
func meanBytes(of arrow.ArrayData) float64 {
	width := 8
	switch of.DataType().ID() {
	case arrow.STRING, arrow.BINARY:
		width = arrow.Int32SizeBytes
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		width = ViewBytes
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
	default:
		return float64(width)
	}
	buffers := of.Buffers()
	if len(buffers) < 2 || buffers[1] == nil {
		return float64(width)
	}
	text, rows := 0, max(buffers[1].Len()/width-1, 1)
	for _, buffer := range buffers[2:] {
		if buffer != nil {
			text += buffer.Len()
		}
	}
	return float64(width) + float64(text)/float64(rows)
}

// promote adds some rows of a column to ids, for a kept column in its storage form.
func (r *records) promote(ctx context.Context, i int, to *ids.Column, record arrow.Record, first, rows int) error {
	values := record.Column(r.Columns[i].Position)
	if !r.Kept(i) {
		return r.promoters[i].Promote(to, values, first, rows)
	}
	values, at, err := keeping.Stored(ctx, values, first, rows)
	if err != nil {
		return err
	}
	defer values.Release()
	return r.promoters[i].Promote(to, values, at, rows)
}

// direct checks the directions in a record.
func (r *records) direct(record arrow.Record) {
	if r.Directions < 0 || idtypes.KindWithin(idtypes.OfField(r.schema.Field(r.Directions))) != idtypes.Strings {
		return
	}
	var p Promoter
	defer p.Release()
	column := ids.Column{Charge: r.account.Charge()}
	defer column.Charge.Drop()
	values, total := record.Column(r.Directions), int(record.NumRows())
	for first := 0; first < total; first += BatchRows {
		if p.Promote(&column, values, first, min(BatchRows, total-first)) != nil {
			return // an error in a column that is not read does not matter
		}
		words := column.Keys()
		for row := range words.Len() {
			if (len(column.Null) == 0 || !column.Null[row]) && r.out.Opts.Contradicts(ids.Text(words, row)) {
				r.out.Contradicted(r.schema.Field(r.Directions).Name)
				return
			}
		}
	}
}
