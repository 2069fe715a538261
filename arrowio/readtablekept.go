package arrowio

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/tables"
)

// keptReader is a column of Table.Kept that is read back.
type keptReader struct {
	tables.KeptColumn
	position int                                                // in the schema
	convert  func(tables.KeptValues) (tables.KeptValues, error) // from Parquet's storage; nil: the same
	ids      columnar.Promoter
	column   ids.Column
}

func (r *tableReader) keep(field arrow.Field, position int) error {
	typ, err := keeping.TypeOf(idtypes.OfField(field))
	if err != nil {
		return fmt.Errorf("column %q: %w", field.Name, err)
	}
	r.kept = append(r.kept, &keptReader{KeptColumn: tables.KeptColumn{Name: field.Name, Type: idtypes.Of(typ)}, position: position})
	return nil
}

func (k *keptReader) take(ctx context.Context, column arrow.Array) error {
	for first := 0; first < column.Len(); first += columnar.BatchRows {
		rows := min(columnar.BatchRows, column.Len()-first)
		stored, at, err := keeping.Stored(ctx, column, first, rows)
		if err != nil {
			return err
		}
		err = k.ids.Promote(&k.column, stored, at, rows)
		stored.Release()
		if err == nil {
			err = k.add(&k.column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *keptReader) add(column *ids.Column) (err error) {
	more := tables.KeptValues{Keys: column.Keys(), Null: column.Null}
	if k.convert != nil {
		if more, err = k.convert(more); err != nil {
			return err
		}
	}
	k.Append(more, nil)
	return nil
}
