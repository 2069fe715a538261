package pipeline

import (
	"context"
	"fmt"

	"bcstage/arrowio"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// outline shows Options.Outline what the sinks will get, as far as it is known before
// anything is computed.
func (r *run) outline(ctx context.Context, books *ledger.Ledger, names *names) error {
	show := r.opts.Outline
	if show == nil {
		return nil
	}
	var tables []arrowio.Table
	if r.opts.partial() {
		tables = append(tables, books.Outline())
	} else {
		if r.opts.Edges != nil {
			table := names.Table()
			table.Pairs = &arrowio.Pairs{Names: edgeEnds()}
			table.Columns = nil
			for _, m := range edgeMeasures(r.opts.Question) {
				table.Columns = append(table.Columns, arrowio.Column{Name: m.Column, Values: arrowio.Floats(nil)})
			}
			tables = append(tables, table)
		}
		table := names.Table()
		table.Columns = outlined(r.opts.Question)
		table.Kept = r.kept.columns(r.keeps[:min(r.opts.keep, len(r.keeps))])
		tables = append(tables, table)
	}
	for _, table := range tables {
		if err := show(ctx, table); err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
	}
	return nil
}

// outlined are the columns of scoreTable without their values.
func outlined(asked question.Question) (columns []arrowio.Column) {
	for _, m := range asked.Asked() {
		c := arrowio.Column{Name: m.Column, Values: arrowio.Floats(nil)}
		switch {
		case m.Truth:
			c.Values = arrowio.Bools(nil)
		case m.Whole:
			c.Values = arrowio.Ints(nil)
		}
		columns = append(columns, c)
	}
	if asked.Sample.Way != "" {
		for _, name := range []string{LowerColumn, UpperColumn} {
			columns = append(columns, arrowio.Column{Name: name, Values: arrowio.Floats(nil)})
		}
	}
	return columns
}

// fitting is an Outline for a sink of records, before that of the caller.
func fitting(then Sink) Sink {
	return func(ctx context.Context, table arrowio.Table) error {
		if table.Pairs == nil { // else it is for another sink
			if _, err := arrowio.Fits(ctx, arrowio.FormatArrow, table); err != nil {
				return err
			}
		}
		if then == nil {
			return nil
		}
		return then(ctx, table)
	}
}
