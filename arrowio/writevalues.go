package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/tables"
)

// valuesOf is a column of values.
func valuesOf(t *tables.Table, mem memory.Allocator, values tables.Values, first, rows int) arrow.Array {
	if bools, ok := values.(tables.Bools); ok {
		return bitsOf(t, mem, bools, first, rows)
	}
	return wordsOf(t, mem, values, first, rows)
}

// bitsOf is a column of booleans.
func bitsOf(t *tables.Table, mem memory.Allocator, values tables.Bools, first, rows int) arrow.Array {
	buffer := memory.NewResizableBuffer(mem)
	buffer.Resize((rows + 7) / 8)
	packed := buffer.Bytes()
	clear(packed)
	for i := range rows {
		packed[i/8] |= byte(values.Word(t.Vertex(first+i)) << (i % 8))
	}
	return arrayOf(arrowType(values), rows, buffer)
}

// wordsOf is a column of 64-bit values.
func wordsOf(t *tables.Table, mem memory.Allocator, values tables.Values, first, rows int) arrow.Array {
	buffer := memory.NewResizableBuffer(mem)
	buffer.Resize(8 * rows)
	ints, whole := values.(tables.Ints)
	floats, real := values.(tables.Floats)
	switch {
	case whole && t.Order == nil:
		copy(arrow.Int64Traits.CastFromBytes(buffer.Bytes()), ints[first:])
	case real && t.Order == nil:
		copy(arrow.Float64Traits.CastFromBytes(buffer.Bytes()), floats[first:])
	default:
		words := arrow.Uint64Traits.CastFromBytes(buffer.Bytes())
		for i := range words {
			words[i] = values.Word(t.Vertex(first + i))
		}
	}
	return arrayOf(arrowType(values), rows, buffer)
}

// arrayOf makes an array and takes over the buffers.
func arrayOf(typ arrow.DataType, rows int, buffers ...*memory.Buffer) arrow.Array {
	data := array.NewData(typ, rows, append([]*memory.Buffer{nil}, buffers...), nil, 0, 0)
	defer data.Release()
	for _, buffer := range buffers {
		buffer.Release()
	}
	return array.MakeFromData(data)
}
