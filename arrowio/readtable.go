package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
)

// ReadTable reads a table that Write wrote as an Arrow stream or file, or as Parquet,
// from the one path of opts: ids, columns and metadata. Order is nil: rows keep their
// order.
//
// It reads any table with a column "vertex" of ids and columns of int64 and float64 with
// different names and without nulls. It skips columns of booleans. Columns that Write has
// kept, and columns of other types, are Table.Kept; it skips nested ones that Write has
// kept in Parquet. Columns of ids or text before "vertex" name a vertex's graph, except
// SideColumn if the metadata says that the graph is bipartite. In a table with
// EdgeScoreColumn the ids are those of "dst", and "src" is one of the columns before
// them.
//
// Errors: ErrInput for any other table, ErrCorrupt, ErrUsage.
func ReadTable(ctx context.Context, opts tables.Options) (tables.Table, error) {
	o, err := checked(opts)
	if err == nil && len(o.Paths) != 1 {
		err = faults.Usage("a table is one file, not %d", len(o.Paths))
	}
	if err != nil {
		return tables.Table{}, fmt.Errorf("arrowio: %w", err)
	}
	var reader tableReader
	in, err := sources.Open(ctx, o.Paths[0], bytesOf(&o))
	if err == nil {
		defer in.Close()
		defer reader.release()
		reader.in = in
		if err = reader.read(ctx, in); err == nil {
			err = joinGroups(&reader.table, reader.groups)
		}
		for _, k := range reader.kept {
			reader.table.Kept = append(reader.table.Kept, k.KeptColumn)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	switch {
	case err == nil:
		return reader.table, nil
	case ctx.Err() != nil:
		return tables.Table{}, ctx.Err()
	}
	return tables.Table{}, fmt.Errorf("arrowio: %w", err)
}

func (r *tableReader) read(ctx context.Context, in *sources.Input) error {
	head, err := in.Head()
	if err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte(parquetfile.Magic)) {
		return r.readParquet(ctx, in)
	}
	take := func(record arrow.Record) error { return r.take(ctx, record) }
	return columnar.EachRecord(ctx, in, memory.DefaultAllocator, nil, r.begin, take)
}

// tableReader appends records to a table.
type tableReader struct {
	in        *sources.Input
	table     tables.Table
	name      string   // of the id column
	vertex    int      // its position
	names     []string // columns that Write has kept
	kept      []*keptReader
	positions []int // of the others, in the order of table.Columns
	groups    []*readGroup
	ids       columnar.Promoter
	column    ids.Column
}

func (r *tableReader) release() {
	r.ids.Release()
	for _, g := range r.groups {
		g.ids.Release()
	}
	for _, k := range r.kept {
		k.ids.Release()
	}
}

func (r *tableReader) begin(schema *arrow.Schema) error {
	r.names = keptNames(schema.Metadata().Keys(), schema.Metadata().Values())
	r.vertex, r.name = -1, tables.VertexColumn
	if !schema.HasField(tables.VertexColumn) && schema.HasField(tables.EdgeScoreColumn) {
		r.name = "dst"
	}
	for i, field := range schema.Fields() {
		if field.Name == r.name && r.vertex < 0 {
			r.vertex = i
			continue
		}
		if slices.Contains(r.names, field.Name) {
			if err := r.keep(field, i); err != nil {
				return err
			}
			continue
		}
		if field.Type.ID() == arrow.BOOL {
			continue
		}
		var values tables.Values
		switch {
		case field.Name == r.name || r.table.Column(field.Name) >= 0 || r.group(field.Name):
			return faults.Rejected("column %q occurs twice", field.Name)
		case r.vertex < 0 && field.Type.ID() != arrow.FLOAT64:
			g, err := newReadGroup(field.Name, i, idtypes.OfField(field))
			if err != nil {
				return err
			}
			r.groups = append(r.groups, g)
			continue
		case field.Type.ID() == arrow.FLOAT64:
			values = tables.Floats{}
		case field.Type.ID() == arrow.INT64:
			values = tables.Ints{}
		default: // added to the table by another program
			if err := r.keep(field, i); err != nil {
				return err
			}
			continue
		}
		r.positions = append(r.positions, i)
		r.table.Columns = append(r.table.Columns, tables.Column{Name: field.Name, Values: values})
	}
	if r.vertex < 0 {
		return faults.Rejected("no column %q", r.name)
	}
	var types idtypes.Merged
	if err := types.Add("", idtypes.OfField(schema.Field(r.vertex))); err != nil {
		return fmt.Errorf("column %q: %w", r.name, err)
	}
	r.table.Type = types.Result()
	if !r.table.Type.IsInteger() {
		r.table.IDs.Offsets = []int64{0}
	}
	r.describe(schema.Metadata().Keys(), schema.Metadata().Values())
	return nil
}

// describe takes over the metadata that Write wrote.
func (r *tableReader) describe(keys, values []string) {
	for i, key := range keys {
		if key == edgetable.GeoKey {
			r.table.Geo = geoOf(values[i], r.names)
		} else if key, ours := strings.CutPrefix(key, metadataPrefix); ours && metadataPrefix+key != keptMetadata {
			r.table.Metadata = append(r.table.Metadata, tables.KeyValue{Key: key, Value: values[i]})
		}
	}
}

func (r *tableReader) take(ctx context.Context, record arrow.Record) error {
	rows := int(record.NumRows())
	for i, column := range record.Columns() {
		switch {
		case column.Len() != rows:
			return faults.Corrupt("column %q: %d rows of %d", record.ColumnName(i), column.Len(), rows)
		case column.NullN() > 0 && !slices.ContainsFunc(r.kept, func(k *keptReader) bool { return k.position == i }):
			return faults.Rejected("column %q: %d nulls", record.ColumnName(i), column.NullN())
		}
	}
	for first := 0; first < rows; first += columnar.BatchRows {
		if err := r.ids.Promote(&r.column, record.Column(r.vertex), first, min(columnar.BatchRows, rows-first)); err != nil {
			return fmt.Errorf("column %q: %w", r.name, err)
		}
		if slices.Contains(r.column.Null, true) {
			return faults.Rejected("column %q: a null", r.name)
		}
		ids.Append(&r.table.IDs, r.column.Keys())
	}
	for _, g := range r.groups {
		if err := g.take(record.Column(g.position)); err != nil {
			return fmt.Errorf("column %q: %w", g.Name, err)
		}
	}
	for _, k := range r.kept {
		if err := k.take(ctx, record.Column(k.position)); err != nil {
			return fmt.Errorf("column %q: %w", k.Name, err)
		}
	}
	for i, position := range r.positions {
		column := &r.table.Columns[i]
		switch values := column.Values.(type) {
		case tables.Floats:
			column.Values = append(values, record.Column(position).(*array.Float64).Float64Values()...)
		case tables.Ints:
			column.Values = append(values, record.Column(position).(*array.Int64).Int64Values()...)
		}
	}
	return r.plausible()
}

// plausible checks that the table so far is not larger than its input may unpack to. Each
// record or page alone was checked against its own bytes, but here all are kept.
func (r *tableReader) plausible() error {
	ids := &r.table.IDs
	held := int64(len(ids.Ints)+len(ids.Offsets))*8 + int64(len(ids.Bytes))
	for _, column := range r.table.Columns {
		held += int64(column.Values.Len()) * 8
	}
	for _, g := range r.groups {
		held += int64(len(g.of)*4+len(g.Keys.Ints)*8+len(g.Keys.Offsets)*8) + int64(len(g.Keys.Bytes))
	}
	for _, k := range r.kept {
		held += int64(len(k.Keys.Ints)+len(k.Keys.Offsets))*8 + int64(len(k.Keys.Bytes)+len(k.Null))
	}
	if held > faults.MayExpand(r.in.Taken, r.in.From.MaxExpansion) {
		return faults.Rejected("%d bytes unpack to more than %d: refused as a decompression bomb", r.in.Taken, held)
	}
	return nil
}
