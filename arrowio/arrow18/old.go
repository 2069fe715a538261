package arrow18

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	old "github.com/apache/arrow/go/v17/arrow"
	oldarray "github.com/apache/arrow/go/v17/arrow/array"
	oldipc "github.com/apache/arrow/go/v17/arrow/ipc"
	oldmemory "github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio"
)

// oldRecords makes records of v17 from records of v18. It translates the schema only when that
// changes.
func oldRecords() func(arrow.RecordBatch) (arrowio.Record, error) {
	var of *arrow.Schema
	var schema *old.Schema
	return func(r arrow.RecordBatch) (arrowio.Record, error) {
		if of == nil || of != r.Schema() && !of.Equal(r.Schema()) {
			var err error
			if schema, err = oldSchema(r.Schema()); err != nil {
				r.Release()
				return nil, err
			}
		}
		of = r.Schema()
		l := lend(r)
		defer l.Free(nil)
		columns := make([]old.Array, r.NumCols())
		for i := range columns {
			data := l.oldData(schema.Field(i).Type, r.Column(i).Data())
			columns[i] = oldarray.MakeFromData(data)
			data.Release()
			defer columns[i].Release()
		}
		return oldarray.NewRecord(schema, columns, r.NumRows()), nil
	}
}

// oldSchema translates a schema through Arrow's own format.
func oldSchema(s *arrow.Schema) (*old.Schema, error) {
	var message bytes.Buffer
	if err := ipc.NewWriter(&message, ipc.WithSchema(s)).Close(); err != nil {
		return nil, fmt.Errorf("arrow18: schema: %w", err)
	}
	r, err := oldipc.NewReader(&message)
	if err != nil {
		return nil, fmt.Errorf("arrow18: Arrow v17 cannot read the schema: %w", err)
	}
	defer r.Release()
	return r.Schema(), nil
}

// oldData lends the buffers of a column.
func (l *lender) oldData(of old.DataType, d arrow.ArrayData) *oldarray.Data {
	buffers := make([]*oldmemory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		if b != nil {
			l.left.Add(1)
			buffers[i] = oldmemory.NewBufferWithAllocator(b.Bytes(), l)
			defer buffers[i].Release()
		}
	}
	if dictionary, is := of.(*old.DictionaryType); is {
		values := l.oldData(dictionary.ValueType, d.Dictionary())
		defer values.Release()
		return oldarray.NewDataWithDictionary(of, d.Len(), buffers, d.NullN(), d.Offset(), values)
	}
	storage := of
	if extension, is := of.(old.ExtensionType); is {
		storage = extension.StorageType()
	}
	var children []old.ArrayData
	if nested, is := storage.(old.NestedType); is {
		for i, field := range nested.Fields() {
			child := l.oldData(field.Type, d.Children()[i])
			defer child.Release()
			children = append(children, child)
		}
	}
	return oldarray.NewData(of, d.Len(), buffers, children, d.NullN(), d.Offset())
}
