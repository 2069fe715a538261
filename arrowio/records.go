package arrowio

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/budget"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// FromRecords is Read for Go callers that have Arrow records: it sends the
// edges of all records, which share one schema, and releases each record. Of
// opts it heeds Src, Dst, By, Bipartite, Directed, Nulls, IDs, Weight and IgnoreWeight; ids may have
// the types that files may have. It returns when in is closed, at the first error, or when ctx
// ends, and closes edges before; the error is the context's if ctx has ended when
// in is closed. Records that are sent after an error stay the sender's to release,
// which therefore also waits for ctx to end.
func FromRecords(ctx context.Context, in <-chan Record, opts Options, edges chan<- Batch) (Summary, error) {
	defer close(edges)
	o, err := opts.check()
	if err != nil {
		return Summary{}, fmt.Errorf("arrowio: %w", err)
	}
	out := newFunnel(edges, o.reading(), nil)
	out.input = "records"
	err = fromRecords(ctx, in, out)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = fmt.Errorf("arrowio: %w", err)
	}
	return out.finish(), err
}

func fromRecords(ctx context.Context, in <-chan Record, out *funnel) error {
	var all *records
	defer func() {
		if all != nil {
			all.release()
		}
	}()
	account := out.opts.Budget.Line().Account(ctx)
	take := func(record Record) (err error) {
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
