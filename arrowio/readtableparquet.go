package arrowio

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
)

// readParquet reads a table by vertex through the decoder of ids: a float64 is
// stored like an integer of 64 bits, in every encoding that both have.
func (r *tableReader) readParquet(ctx context.Context, in *sources.Input) error {
	source, err := parquetfile.Open(ctx, in)
	if err != nil {
		return err
	}
	columns := source.Columns
	var fields []arrow.Field // of the columns that are read
	var positions []int
	layouts := make([]parquetpages.Layout, len(columns.Names))
	pairs := source.Footer.KeyValueMetadata()
	kept := keptNames(pairs.Keys(), pairs.Values())
	for i, name := range columns.Names {
		if slices.Contains(kept, name) {
			if typ, layout, err := columns.KeptType(i); err == nil {
				positions, layouts[i] = append(positions, i), layout
				fields = append(fields, arrow.Field{Name: name, Type: typ})
			}
			continue
		}
		if columns.IsBool(i) {
			continue
		}
		positions = append(positions, i)
		if layout, ok := columns.Float64Layout(i); ok {
			fields, layouts[i] = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64}), layout
			continue
		}
		typ, layout, err := columns.IDType(i)
		if err != nil {
			typ, layout, err = columns.KeptType(i)
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		fields, layouts[i] = append(fields, arrow.Field{Name: name, Type: typ}), layout
	}
	metadata := arrow.NewMetadata(pairs.Keys(), pairs.Values())
	if err := r.begin(arrow.NewSchema(fields, &metadata)); err != nil {
		return err
	}
	for _, k := range r.kept {
		k.convert = columns.Converter(positions[k.position])
	}
	return source.EachColumn(ctx, positions, layouts, func(i int, column *ids.Column) error {
		if at := slices.IndexFunc(r.kept, func(k *keptReader) bool { return k.position == i }); at >= 0 {
			if err := r.kept[at].add(column); err != nil {
				return fmt.Errorf("column %q: %w", fields[i].Name, err)
			}
			return r.plausible()
		}
		if slices.Contains(column.Null, true) {
			return faults.Rejected("column %q: a null", fields[i].Name)
		}
		r.append(i, column.Keys())
		return r.plausible()
	})
}

// append appends values of the column at a position of the schema.
func (r *tableReader) append(position int, values tables.Keys) {
	if position == r.vertex {
		ids.Append(&r.table.IDs, values)
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
	case tables.Floats:
		for _, bits := range values.Ints {
			list = append(list, math.Float64frombits(bits))
		}
		column.Values = list
	case tables.Ints:
		for _, bits := range values.Ints {
			list = append(list, int64(bits))
		}
		column.Values = list
	}
}
