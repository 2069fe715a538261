package arrowio

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// keptMetadata is the key that lists the kept columns.
const keptMetadata = metadataPrefix + "kept"

func keptText(columns []tables.KeptColumn) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	text, _ := json.Marshal(names) // of strings: it always works
	return string(text)
}

// keptNames lists the columns of a table that Write has kept.
func keptNames(keys, values []string) (names []string) {
	if i := slices.Index(keys, keptMetadata); i >= 0 {
		_ = json.Unmarshal([]byte(values[i]), &names) // another writer's value: no names
	}
	return names
}

// keptColumn is a kept column for writing. Its keys have one row more, which stands for
// nulls.
type keptColumn struct {
	nameColumn
	typ  arrow.DataType
	null uint32 // row
}

// keptColumns lists the columns between the names of a vertex and the values.
func keptColumns(t *tables.Table) (columns []keptColumn) {
	for _, c := range t.Kept {
		typ := idtypes.Arrow(c.Type)
		storage, rows := keeping.Storage(typ), c.Keys.Len()
		keys := c.Keys
		if arrow.IsInteger(storage.ID()) {
			keys.Ints = append(slices.Clip(keys.Ints), 0)
		} else {
			if fixed, ok := idtypes.Storage(storage).(*arrow.FixedSizeBinaryType); ok {
				keys.Bytes = append(slices.Clip(keys.Bytes), make([]byte, fixed.ByteWidth)...)
			}
			if keys.Offsets == nil {
				keys.Offsets = []int64{0}
			}
			keys.Offsets = append(slices.Clip(keys.Offsets), int64(len(keys.Bytes)))
		}
		of := make([]uint32, keptRows(t))
		for v := range of {
			of[v] = uint32(rows)
			if v < rows && (len(c.Null) == 0 || !c.Null[v]) {
				of[v] = uint32(v)
			}
		}
		columns = append(columns, keptColumn{nameColumn{tables.NameColumn{KeyColumn: tables.KeyColumn{Name: c.Name, Type: idtypes.Of(storage), Keys: keys}, Of: of}}, typ, uint32(rows)})
	}
	return columns
}

// keptRows is the largest number of rows of a kept column: one for each vertex, or pair.
func keptRows(t *tables.Table) int {
	if t.Pairs != nil {
		return t.Rows()
	}
	return t.IDs.Len()
}

// checkKept refuses kept columns that no format can hold.
func checkKept(t *tables.Table) error {
	for _, c := range t.Kept {
		switch storage := keeping.Storage(idtypes.Arrow(c.Type)); {
		case storage == nil:
			return faults.Usage("column %q: type %s cannot be kept; want %s", c.Name, c.Type, keeping.Types)
		case c.Keys.Len() > keptRows(t) || len(c.Null) > 0 && len(c.Null) != c.Keys.Len():
			return faults.Usage("column %q: %d values and %d nulls for %d vertices", c.Name, c.Keys.Len(), len(c.Null), keptRows(t))
		case c.Keys.Len() > 0 && arrow.IsInteger(storage.ID()) != (c.Keys.Offsets == nil):
			return faults.Usage("column %q of type %s in the wrong form of Keys", c.Name, c.Type)
		}
	}
	return nil
}

func (c *keptColumn) isNull(vertex int) bool { return c.Of[vertex] == c.null }

// array is the column of some rows: its storage, with nulls and under its own type.
func (c *keptColumn) array(t *tables.Table, mem memory.Allocator, w *keyWriter, first, rows int) (arrow.Array, error) {
	if c.typ.ID() == arrow.BOOL || keeping.IsNested(c.typ) {
		return c.restored(mem, rows, func(i int) int {
			if v := t.Vertex(first + i); !c.isNull(v) {
				return v
			}
			return -1
		})
	}
	values, err := w.column(first, rows)
	if err != nil {
		return nil, err
	}
	defer values.Release()
	nulls := memory.NewResizableBuffer(mem)
	defer nulls.Release()
	nulls.Resize((rows + 7) / 8)
	clear(nulls.Bytes())
	count := 0
	for i := range rows {
		if c.isNull(t.Vertex(first + i)) {
			count++
		} else {
			bitutil.SetBit(nulls.Bytes(), i)
		}
	}
	return keeping.Retyped(values, idtypes.Storage(c.typ), nulls, count), nil
}

// appendValue appends a value as text: none for a null, numbers without quotes. JSON has
// no numbers that are not finite; they become none too.
func (c *keptColumn) appendValue(text []byte, scratch *[]byte, vertex int, none string, quote func(text, value []byte) []byte) []byte {
	if c.isNull(vertex) {
		return append(text, none...)
	}
	var bits uint64
	if c.Keys.Offsets == nil {
		bits = c.Keys.Ints[vertex]
	}
	switch typ := c.typ.(type) {
	case *arrow.Float32Type:
		return appendFloat(text, float64(math.Float32frombits(uint32(bits))), 32, none)
	case *arrow.Float64Type:
		return appendFloat(text, math.Float64frombits(bits), 64, none)
	case *arrow.BooleanType:
		return strconv.AppendBool(text, bits != 0)
	case *arrow.Float16Type:
		return appendFloat(text, float64(float16.FromBits(uint16(bits)).Float32()), 32, none)
	case *arrow.Decimal128Type:
		return append(text, decimal128Of(ids.Text(c.Keys, vertex)).ToString(typ.Scale)...)
	case *arrow.Decimal256Type:
		return append(text, decimal256Of(ids.Text(c.Keys, vertex)).ToString(typ.Scale)...)
	case *arrow.Date32Type:
		return quote(text, arrow.Date32(bits).ToTime().AppendFormat((*scratch)[:0], time.DateOnly))
	case *arrow.Date64Type:
		return quote(text, arrow.Date64(bits).ToTime().AppendFormat((*scratch)[:0], time.DateOnly))
	case *arrow.Time32Type:
		return quote(text, arrow.Time32(bits).ToTime(typ.Unit).AppendFormat((*scratch)[:0], timeOfDay))
	case *arrow.Time64Type:
		return quote(text, arrow.Time64(bits).ToTime(typ.Unit).AppendFormat((*scratch)[:0], timeOfDay))
	case *arrow.DurationType:
		return strconv.AppendInt(text, int64(bits), 10)
	case *arrow.TimestampType:
		layout, zone := "2006-01-02T15:04:05.999999999", time.UTC
		if typ.TimeZone != "" {
			layout += "Z07:00"
			if of, err := typ.GetZone(); err == nil {
				zone = of
			}
		}
		return quote(text, arrow.Timestamp(bits).ToTime(typ.Unit).In(zone).AppendFormat((*scratch)[:0], layout))
	}
	if none != "" && keeping.IsNested(c.typ) {
		return append(text, ids.Text(c.Keys, vertex)...)
	}
	return c.appendQuoted(text, scratch, vertex, quote)
}

const timeOfDay = "15:04:05.999999999"

// decimal128Of reads 16 bytes in the order of Arrow's buffers.
func decimal128Of(b []byte) decimal128.Num {
	return decimal128.New(int64(binary.NativeEndian.Uint64(b[8:])), binary.NativeEndian.Uint64(b))
}

// decimal256Of is decimal128Of for 32 bytes.
func decimal256Of(b []byte) decimal256.Num {
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	return decimal256.New(word(3), word(2), word(1), word(0))
}

// appendFloat is like Floats.AppendText; none stands for numbers that JSON cannot hold.
func appendFloat(text []byte, x float64, bits int, none string) []byte {
	switch {
	case none != "" && (math.IsNaN(x) || math.IsInf(x, 0)):
		return append(text, none...)
	case bits == 64:
		return tables.Floats{x}.AppendText(text, 0)
	}
	return strconv.AppendFloat(text, x, 'g', -1, bits)
}

// restored rebuilds an array of some rows of a kept column, whose storage has another
// form. row gives the column's row for the i-th, -1 for a null.
func (c *keptColumn) restored(mem memory.Allocator, rows int, row func(i int) int) (made arrow.Array, err error) {
	defer faults.Recover(&err)
	if c.typ.ID() == arrow.BOOL {
		b := array.NewBooleanBuilder(mem)
		defer b.Release()
		for i := range rows {
			if at := row(i); at < 0 {
				b.AppendNull()
			} else {
				b.Append(c.Keys.Ints[at] != 0)
			}
		}
		return b.NewArray(), nil
	}
	text := []byte{'['}
	for i := range rows {
		if i > 0 {
			text = append(text, ',')
		}
		if at := row(i); at < 0 {
			text = append(text, "null"...)
		} else {
			text = append(text, ids.Text(c.Keys, at)...)
		}
	}
	values, _, err := array.FromJSON(mem, c.typ, bytes.NewReader(append(text, ']')), array.WithUseNumber()) // else integers of 64 bits lose digits
	if err != nil {
		return nil, faults.Advise(faults.Usage("column %q: Arrow for Go cannot rebuild a value of type %s", c.Name, c.typ), "write Parquet or text, or leave the column out")
	}
	return values, nil
}
