package columnar

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
)

// mostRows keeps byte counts of corrupt lengths from overflowing.
const mostRows = math.MaxInt / 64

// Promoter copies rows of Arrow arrays into id columns. It checks every length,
// offset and index against the buffer it points into: Arrow itself panics,
// later, or does not notice.
type Promoter struct {
	dictionary arrow.ArrayData // source of values; retained
	values     ids.Column
	indices    []uint64
}

// Release lets go of the last dictionary.
func (p *Promoter) Release() {
	if p.dictionary != nil {
		p.dictionary.Release()
		p.dictionary = nil
		p.values.Charge.Clear()
	}
}

// Promote replaces the column by rows [first, first+rows) of the array, whose
// type Merged has accepted.
func (p *Promoter) Promote(column *ids.Column, values arrow.Array, first, rows int) error {
	if extension, ok := values.(array.ExtensionArray); ok {
		values = extension.Storage()
	}
	data := values.Data()
	if first < 0 || rows < 0 || rows > data.Len()-first || data.Len() > mostRows || data.Offset() > mostRows {
		return faults.Corrupt("%d rows from %d of an array of %d", rows, first, data.Len())
	}
	first += data.Offset()
	typ := data.DataType()
	_, value := idtypes.Parts(typ)
	column.Reset(arrow.IsInteger(value.ID()) || arrow.IsFloating(value.ID()))
	if err := promoteNulls(column, data, first, rows); err != nil || rows == 0 {
		return err
	}
	switch typ := typ.(type) {
	case *arrow.DictionaryType:
		return p.lookUp(column, values.(*array.Dictionary), first, rows)
	case *arrow.FixedSizeBinaryType:
		return promoteFixed(column, data, typ.ByteWidth, first, rows)
	case *arrow.Decimal128Type:
		return promoteFixed(column, data, arrow.Decimal128SizeBytes, first, rows)
	case *arrow.Decimal256Type:
		return promoteFixed(column, data, arrow.Decimal256SizeBytes, first, rows)
	}
	switch typ.ID() {
	case arrow.STRING, arrow.BINARY:
		return promoteStrings(column, data, arrow.Int32Traits.CastFromBytes, arrow.Int32SizeBytes, first, rows)
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		return promoteStrings(column, data, arrow.Int64Traits.CastFromBytes, arrow.Int64SizeBytes, first, rows)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		return promoteViews(column, data, first, rows)
	}
	var err error
	column.Room(0, rows)
	column.Ints, err = appendIntegers(column.Ints, data, typ, first, rows)
	return err
}

// bufferOf is buffer i of the array, which must hold `size` bytes.
func bufferOf(data arrow.ArrayData, i, size int) ([]byte, error) {
	if buffers := data.Buffers(); i < len(buffers) && buffers[i] != nil && buffers[i].Len() >= size {
		return buffers[i].Bytes(), nil
	}
	return nil, faults.Corrupt("a buffer of %s holds less than the %d bytes of its rows", data.DataType(), size)
}

func promoteNulls(column *ids.Column, data arrow.ArrayData, first, rows int) error {
	bitmap := data.Buffers()[0]
	if data.NullN() == 0 || bitmap == nil || bitmap.Len() == 0 {
		if data.NullN() > 0 {
			return faults.Corrupt("%d nulls, but no validity bitmap", data.NullN())
		}
		return nil
	}
	bits, err := bufferOf(data, 0, (first+rows+7)/8)
	if err != nil {
		return err
	}
	for i := range rows {
		if !bitutil.BitIsSet(bits, first+i) {
			column.SetNull(i, rows)
		}
	}
	return nil
}

// appendIntegers appends integers of any width, sign- or zero-extended, or the
// bits of floating-point numbers of 32 or 64.
func appendIntegers(ids []uint64, data arrow.ArrayData, typ arrow.DataType, first, rows int) ([]uint64, error) {
	end := first + rows
	raw, err := bufferOf(data, 1, end*idtypes.BitWidth(typ)/8)
	if err != nil {
		return ids, err
	}
	switch typ.ID() {
	case arrow.INT8:
		return extend(ids, arrow.Int8Traits.CastFromBytes(raw)[first:end]), nil
	case arrow.INT16:
		return extend(ids, arrow.Int16Traits.CastFromBytes(raw)[first:end]), nil
	case arrow.INT32:
		return extend(ids, arrow.Int32Traits.CastFromBytes(raw)[first:end]), nil
	case arrow.UINT8:
		return extend(ids, raw[first:end]), nil
	case arrow.UINT16:
		return extend(ids, arrow.Uint16Traits.CastFromBytes(raw)[first:end]), nil
	case arrow.UINT32, arrow.FLOAT32:
		return extend(ids, arrow.Uint32Traits.CastFromBytes(raw)[first:end]), nil
	}
	return append(ids, arrow.Uint64Traits.CastFromBytes(raw)[first:end]...), nil
}

func extend[T int8 | int16 | int32 | uint8 | uint16 | uint32](ids []uint64, values []T) []uint64 {
	n := len(ids)
	ids = slices.Grow(ids, len(values))[:n+len(values)]
	for i, value := range values {
		ids[n+i] = uint64(value)
	}
	return ids
}

func promoteStrings[T int32 | int64](column *ids.Column, data arrow.ArrayData, cast func([]byte) []T, width, first, rows int) error {
	raw, err := bufferOf(data, 1, (first+rows+1)*width)
	if err != nil {
		return err
	}
	offsets := cast(raw)[first : first+rows+1]
	start, end := offsets[0], offsets[rows]
	if start < 0 || end < start {
		return faults.Corrupt("string offsets fall from %d to %d", start, end)
	}
	text, err := bufferOf(data, 2, int(end))
	if err != nil && end > 0 {
		return err
	}
	column.Room(int(end-start), rows)
	column.Bytes = append(column.Bytes, text[start:end]...)
	column.Offsets = column.Offsets[:rows+1]
	previous := start
	for i, offset := range offsets {
		if offset < previous || offset > end {
			return faults.Corrupt("string offsets fall from %d to %d", previous, offset)
		}
		column.Offsets[i] = int64(offset - start)
		previous = offset
	}
	return nil
}

func promoteFixed(column *ids.Column, data arrow.ArrayData, width, first, rows int) error {
	raw, err := bufferOf(data, 1, (first+rows)*width)
	if err != nil {
		return err
	}
	column.Room(rows*width, rows)
	column.Bytes = append(column.Bytes, raw[first*width:(first+rows)*width]...)
	for i := range rows {
		column.Offsets = append(column.Offsets, int64(i+1)*int64(width))
	}
	return nil
}

// ViewBytes is the size of a string view, and ViewInline of the longest text
// inside one.
const ViewBytes, ViewInline = 16, 12

// promoteViews follows the view layout: the length, and then either all of the
// text, or 4 bytes of it, a buffer and an offset into it.
// https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
func promoteViews(column *ids.Column, data arrow.ArrayData, first, rows int) error {
	views, err := bufferOf(data, 1, (first+rows)*ViewBytes)
	if err != nil {
		return err
	}
	texts := data.Buffers()[2:]
	most := int64(ids.MaxBytes)
	for _, text := range texts {
		if text != nil {
			most += int64(text.Len())
		}
	}
	for i := range rows {
		view := views[(first+i)*ViewBytes:][:ViewBytes]
		length := int64(int32(binary.NativeEndian.Uint32(view)))
		switch {
		case len(column.Null) > 0 && column.Null[i]:
		case length < 0:
			return faults.Corrupt("string view of length %d", length)
		case length <= ViewInline:
			column.AppendText(view[4 : 4+length])
			continue
		default:
			text, start := int64(int32(binary.NativeEndian.Uint32(view[8:]))), int64(int32(binary.NativeEndian.Uint32(view[12:])))
			if text < 0 || text >= int64(len(texts)) || texts[text] == nil || start < 0 || start+length > int64(texts[text].Len()) {
				return faults.Corrupt("string view of %d bytes from %d of buffer %d leaves its buffer", length, start, text)
			}
			if int64(len(column.Bytes))+length > most {
				return ids.TooMuchText()
			}
			column.AppendText(texts[text].Bytes()[start : start+length])
			continue
		}
		column.Offsets = append(column.Offsets, int64(len(column.Bytes)))
	}
	return nil
}

// lookUp replaces indices by the dictionary's values. These are promoted once
// per dictionary, not once per batch.
func (p *Promoter) lookUp(column *ids.Column, words *array.Dictionary, first, rows int) error {
	dictionary := words.Dictionary()
	if p.dictionary != dictionary.Data() {
		p.Release()
		p.values = ids.Column{Charge: column.Charge.Sibling()}
		var inner Promoter
		if err := inner.Promote(&p.values, dictionary, 0, dictionary.Len()); err != nil {
			return err
		}
		p.dictionary = dictionary.Data()
		p.dictionary.Retain()
	}
	var err error
	p.indices, err = appendIntegers(p.indices[:0], words.Data(), words.Data().DataType().(*arrow.DictionaryType).IndexType, first, rows)
	if err != nil {
		return err
	}
	return gather(column, &p.values, p.indices)
}

// gather fills column with the dictionary's values at the indices. The column
// has its null rows already; a null value makes another.
func gather(column, dictionary *ids.Column, indices []uint64) error {
	values, rows := uint64(dictionary.Len()), len(indices)
	for i, index := range indices {
		switch {
		case index < values:
			if len(dictionary.Null) > 0 && dictionary.Null[index] {
				column.SetNull(i, rows)
			}
		case len(column.Null) == 0 || !column.Null[i]:
			return faults.Corrupt("dictionary index %d of %d values", int64(index), values)
		default:
			indices[i] = 0
		}
	}
	empty := values == 0 // every row is null
	if dictionary.Offsets == nil {
		column.Room(0, rows)
		column.Ints = column.Ints[:rows]
		for i, index := range indices {
			if !empty {
				column.Ints[i] = dictionary.Ints[index]
			}
		}
		return nil
	}
	column.Room(0, rows)
	column.Offsets = column.Offsets[:rows+1]
	clear(column.Offsets)
	if empty {
		return nil
	}
	total := int64(0)
	for i, index := range indices {
		total += dictionary.Offsets[index+1] - dictionary.Offsets[index]
		if column.Offsets[i+1] = total; total > ids.MaxBytes {
			return ids.TooMuchText()
		}
	}
	column.Room(int(total), 0)
	for _, index := range indices {
		column.Bytes = append(column.Bytes, dictionary.Bytes[dictionary.Offsets[index]:dictionary.Offsets[index+1]]...)
	}
	return nil
}
