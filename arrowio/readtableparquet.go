package arrowio

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/parquetpages"
)

// readParquet reads a table by vertex through the decoder of ids: a float64 is
// stored as an integer of 64 bits is, in every encoding that both have.
func (r *tableReader) readParquet(ctx context.Context, in *input) error {
	source, err := openParquet(ctx, in)
	if err != nil {
		return err
	}
	columns := source.columns
	var fields []arrow.Field // of those that are read
	var positions []int
	layouts := make([]parquetpages.Layout, len(columns.names))
	pairs := source.footer.KeyValueMetadata()
	kept := keptNames(pairs.Keys(), pairs.Values())
	for i, name := range columns.names {
		if columns.isBool(i) || slices.Contains(kept, name) {
			continue
		}
		positions = append(positions, i)
		if layout, ok := columns.float64Layout(i); ok {
			fields, layouts[i] = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64}), layout
			continue
		}
		typ, layout, err := columns.idType(i)
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		fields, layouts[i] = append(fields, arrow.Field{Name: name, Type: typ}), layout
	}
	if err := r.begin(arrow.NewSchema(fields, nil)); err != nil {
		return err
	}
	r.describe(pairs.Keys(), pairs.Values())
	projection, err := source.project(positions, func(i int) (parquetpages.Layout, error) { return layouts[i], nil })
	if err != nil {
		return err
	}
	table := &edgeTable{columns: make([]keyColumn, len(fields))}
	for i, field := range fields {
		name := field.Name
		table.columns[i].name = name
		d := decoder{i, 0, 1, make(chan piece, 1), source.file, table, projection, table.budget.Line().Account(ctx)}
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error {
			d.run(ctx)
			return nil
		})
		group.Go(func() error {
			for piece := range d.decoded {
				if piece.err != nil {
					return piece.err
				}
				if slices.Contains(piece.column.Null, true) {
					return faults.Rejected("column %q: a null", name)
				}
				r.append(i, keysOf(piece.column))
				table.columns[i].free.Put(piece.column)
				if err := r.plausible(); err != nil {
					return err
				}
			}
			return ctx.Err() // else everything has come
		})
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// append appends values of the column at a position of the schema.
func (r *tableReader) append(position int, values Keys) {
	if position == r.vertex {
		appendKeys(&r.table.IDs, values)
		return
	}
	for _, g := range r.groups {
		if position == g.position {
			g.add(values)
			return
		}
	}
	column := &r.table.Columns[slices.Index(r.positions, position)]
	switch list := column.Values.(type) {
	case Floats:
		for _, bits := range values.Ints {
			list = append(list, math.Float64frombits(bits))
		}
		column.Values = list
	case Ints:
		for _, bits := range values.Ints {
			list = append(list, int64(bits))
		}
		column.Values = list
	}
}
