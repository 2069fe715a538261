package pipeline

import (
	"context"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// outline shows the tables of the sinks to Options.Outline, as far as they are known before
// anything is computed.
func (in *intake) outline(ctx context.Context, books *ledger.Ledger, names *names) error {
	show := in.opts.Outline
	if show == nil {
		return nil
	}
	var shown []tables.Table
	if in.opts.partial() {
		shown = append(shown, books.Outline())
	} else {
		if in.opts.Edges != nil {
			table := names.Table()
			table.Pairs = &tables.Pairs{Names: edgeEnds()}
			if in.opts.byRow() {
				table.Pairs.Ends = in.rows.edges.Ends
				table.Kept, table.Geo = in.rows.kept.columns(), in.rows.kept.geo
			}
			table.Columns = outlined(in.opts.Question, edgeMeasures(in.opts.Question), false)
			shown = append(shown, table)
		}
		table := names.Table()
		table.Columns = outlined(in.opts.Question, in.opts.Question.Asked(), in.opts.Since != nil)
		table.Kept = in.kept.output(in.opts.keep)
		shown = append(shown, table)
	}
	for _, table := range shown {
		if err := show(ctx, table); err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
	}
	return nil
}

// outlined returns the columns of scoreTable, of edgeTable, or of an update, without their values.
func outlined(asked question.Question, of []measures.Measure, changes bool) (columns []tables.Column) {
	for _, m := range of {
		c := tables.Column{Name: m.Column, Values: tables.Floats(nil)}
		switch {
		case m.Truth:
			c.Values = tables.Bools(nil)
		case m.Whole:
			c.Values = tables.Ints(nil)
		}
		columns = append(columns, c)
	}
	if asked.Sample.Way != "" {
		for _, name := range EstimateColumns(changes) {
			columns = append(columns, tables.Column{Name: name, Values: tables.Floats(nil)})
		}
	}
	return columns
}
