package arrow18

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	old "github.com/apache/arrow/go/v17/arrow"
	oldipc "github.com/apache/arrow/go/v17/arrow/ipc"

	"bcstage/arrowio"
)

// newRecords makes records of v18 from records of v17: the reverse of oldRecords.
func newRecords() func(arrowio.Record) (arrow.RecordBatch, error) {
	var of *old.Schema
	var schema *arrow.Schema
	return func(r arrowio.Record) (arrow.RecordBatch, error) {
		if of == nil || of != r.Schema() && !of.Equal(r.Schema()) {
			var err error
			if schema, err = newSchema(r.Schema()); err != nil {
				r.Release()
				return nil, err
			}
		}
		of = r.Schema()
		l := lend(r)
		defer l.Free(nil)
		columns := make([]arrow.Array, r.NumCols())
		for i := range columns {
			data := l.newData(schema.Field(i).Type, r.Column(i).Data())
			columns[i] = array.MakeFromData(data)
			data.Release()
			defer columns[i].Release()
		}
		return array.NewRecordBatch(schema, columns, r.NumRows()), nil
	}
}

func newSchema(s *old.Schema) (*arrow.Schema, error) {
	var message bytes.Buffer
	if err := oldipc.NewWriter(&message, oldipc.WithSchema(s)).Close(); err != nil {
		return nil, fmt.Errorf("arrow18: schema: %w", err)
	}
	r, err := ipc.NewReader(&message)
	if err != nil {
		return nil, fmt.Errorf("arrow18: Arrow v18 cannot read the schema: %w", err)
	}
	defer r.Release()
	return r.Schema(), nil
}

func (l *lender) newData(of arrow.DataType, d old.ArrayData) *array.Data {
	buffers := make([]*memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		if b != nil {
			l.left.Add(1)
			buffers[i] = memory.NewBufferWithAllocator(b.Bytes(), l)
			defer buffers[i].Release()
		}
	}
	if dictionary, is := of.(*arrow.DictionaryType); is {
		values := l.newData(dictionary.ValueType, d.Dictionary())
		defer values.Release()
		return array.NewDataWithDictionary(of, d.Len(), buffers, d.NullN(), d.Offset(), values)
	}
	storage := of
	if extension, is := of.(arrow.ExtensionType); is {
		storage = extension.StorageType()
	}
	var children []arrow.ArrayData
	if nested, is := storage.(arrow.NestedType); is {
		for i, field := range nested.Fields() {
			child := l.newData(field.Type, d.Children()[i])
			defer child.Release()
			children = append(children, child)
		}
	}
	return array.NewData(of, d.Len(), buffers, children, d.NullN(), d.Offset())
}
