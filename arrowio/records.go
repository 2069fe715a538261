package arrowio

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/budget"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// fromRecords sends the edges of all records: see arrowio.FromRecords.
func fromRecords(ctx context.Context, in <-chan arrow.Record, out *funnel) error {
	var all *records
	defer func() {
		if all != nil {
			all.release()
		}
	}()
	account := out.opts.Budget.Line().Account(ctx)
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
				return ctx.Err() // what a sender closes because ctx has ended is not all there is
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
	*edgeTable
	schema    *arrow.Schema
	account   *budget.Account
	promoters []promoter
	batches   int // records seen
}

func newRecords(out *funnel, schema *arrow.Schema, account *budget.Account) (*records, error) {
	names := make([]string, schema.NumFields())
	for i := range names {
		names[i] = schema.Field(i).Name
	}
	t, err := newEdgeTable(out, names, func(i int) (arrow.DataType, error) { return typeOfField(schema.Field(i)), nil },
		func(i int) (lengthType, error) { return lengthTypeOf(schema.Field(i).Type) })
	if err != nil {
		return nil, err
	}
	return &records{edgeTable: t, schema: schema, account: account, promoters: make([]promoter, len(t.columns))}, nil
}

func (r *records) release() {
	for i := range r.promoters {
		r.promoters[i].release()
	}
}

// send sends one record in batches of batchRows. The record stays the caller's.
func (r *records) send(ctx context.Context, record arrow.Record) error {
	place := fmt.Sprintf("record batch %d", r.batches)
	r.batches++
	if record.Schema() != r.schema && !record.Schema().Equal(r.schema) {
		return faults.Rejected("%s: its schema is not that of the first", place)
	}
	total := int(record.NumRows())
	for i := range r.columns {
		if rows := record.Column(r.columns[i].position).Len(); rows != total {
			return faults.Corrupt("%s: column %q: %d rows of %d", place, r.columns[i].name, rows, total)
		}
	}
	r.direct(record)
	rows := r.batchOf(record)
	for first := 0; first < total; first += rows {
		columns := make([]*ids.Column, len(r.columns))
		for i := range r.columns {
			var err error
			if columns[i], err = r.column(i, r.account); err != nil {
				return fmt.Errorf("%s: column %q: %w", place, r.columns[i].name, err)
			}
			if err := r.promote(ctx, i, columns[i], record, first, min(rows, total-first)); err != nil {
				return fmt.Errorf("%s: column %q: %w", place, r.columns[i].name, err)
			}
		}
		if err := r.edgeTable.send(ctx, place, int64(first), columns...); err != nil {
			return err
		}
	}
	return nil
}

// batchOf is how many rows of a record make a batch. Records may be parts of others, whose
// buffers are those of all: what counts is how long their strings are in the mean.
func (r *records) batchOf(record arrow.Record) int {
	row := 0.0
	for i := range r.columns {
		row += meanBytes(record.Column(r.columns[i].position).Data())
	}
	return int(rowsOf(batchRows, int64(row*batchRows)))
}

// meanBytes is the length of a row: of strings the mean of all that share the buffers.
func meanBytes(of arrow.ArrayData) float64 {
	width := 8
	switch of.DataType().ID() {
	case arrow.STRING, arrow.BINARY:
		width = arrow.Int32SizeBytes
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		width = viewBytes
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

// promote adds some rows of a column to ids; of one that is kept, as its storage.
func (r *records) promote(ctx context.Context, i int, to *ids.Column, record arrow.Record, first, rows int) error {
	values := record.Column(r.columns[i].position)
	if !r.kept(i) {
		return r.promoters[i].promote(to, values, first, rows)
	}
	values, at, err := stored(ctx, values, first, rows)
	if err != nil {
		return err
	}
	defer values.Release()
	return r.promoters[i].promote(to, values, at, rows)
}

// direct looks at the directions in a record.
func (r *records) direct(record arrow.Record) {
	if r.directions < 0 || kindWithin(typeOfField(r.schema.Field(r.directions))) != kindStrings {
		return
	}
	var p promoter
	defer p.release()
	column := ids.Column{Charge: r.account.Charge()}
	defer column.Charge.Drop()
	values, total := record.Column(r.directions), int(record.NumRows())
	for first := 0; first < total; first += batchRows {
		if p.promote(&column, values, first, min(batchRows, total-first)) != nil {
			return // what is wrong with a column that is not read is no matter
		}
		words := keysOf(&column)
		for row := range words.Len() {
			if (len(column.Null) == 0 || !column.Null[row]) && r.out.opts.contradicts(textOf(words, row)) {
				r.out.contradicted(r.schema.Field(r.directions).Name)
				return
			}
		}
	}
}
