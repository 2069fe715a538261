package arrowio

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"bcstage/arrowio/internal/faults"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// KeptColumn is a column of the vertex table that goes through to the output: see
// Options.Keep. It has a row for each of the first vertices, as many as the vertex
// table names; the others have nulls.
type KeptColumn struct {
	Name string
	Type IDType // see Options.Keep
	KeptValues
}

// KeptValues are rows of such a column: integers and what is stored as such in
// Keys.Ints, floating-point numbers by their bits and booleans as 0 and 1; all else in
// Keys.Bytes, decimal numbers as Arrow has them, nested values as JSON.
type KeptValues struct {
	Keys Keys
	Null []bool // by row; empty: none is null. The value of a null row means nothing.
}

// Append appends rows of another, but for those that are skipped; nil: all of them.
func (k *KeptValues) Append(more KeptValues, skip []bool) {
	if more.Keys.Offsets != nil && k.Keys.Offsets == nil {
		k.Keys.Offsets = []int64{0}
	}
	k.Keys.Ints = grown(k.Keys.Ints, len(more.Keys.Ints))
	k.Keys.Bytes = grown(k.Keys.Bytes, len(more.Keys.Bytes))
	if more.Keys.Offsets != nil {
		k.Keys.Offsets = grown(k.Keys.Offsets, more.Keys.Len())
	}
	k.Null = grown(k.Null, more.Keys.Len())
	for row := range more.Keys.Len() {
		if skip != nil && skip[row] {
			continue
		}
		if more.Keys.Offsets == nil {
			k.Keys.Ints = append(k.Keys.Ints, more.Keys.Ints[row])
		} else {
			k.Keys.Bytes = append(k.Keys.Bytes, more.Keys.text(row)...)
			k.Keys.Offsets = append(k.Keys.Offsets, int64(len(k.Keys.Bytes)))
		}
		k.Null = append(k.Null, len(more.Null) > 0 && more.Null[row])
	}
}

// grown is s with room for more elements, a quarter more than it had or just enough.
func grown[E any](s []E, more int) []E {
	if room := roomWith(s, more); room > cap(s) {
		return append(make([]E, 0, room), s...)
	}
	return s
}

// roomWith is the room of a slice that has grown for more elements.
func roomWith[E any](s []E, more int) int {
	if len(s)+more <= cap(s) {
		return cap(s)
	}
	return max(len(s)+more, cap(s)+cap(s)/4)
}

// Held is the memory of a column in a table of so many vertices, while it is written,
// once more rows have been appended. That is no less than while it grows.
func (k *KeptValues) Held(vertices int, more KeptValues) int64 {
	rows := int64(roomWith(k.Keys.Ints, len(more.Keys.Ints))+roomWith(k.Keys.Offsets, more.Keys.Len()))*8 + int64(roomWith(k.Keys.Bytes, len(more.Keys.Bytes))) // and a copy
	return 2*rows + 2*int64(roomWith(k.Null, more.Keys.Len())) + 4*int64(vertices)
}

// keptType is the type that a column of the vertex table has in the output.
func keptType(typ arrow.DataType) (arrow.DataType, error) {
	storage := keptStorage(typ)
	if storage == nil {
		return nil, faults.Rejected("of type %s, which cannot be kept; want %s", typ, keptTypes)
	}
	if typ.ID() == arrow.DICTIONARY {
		return storage, nil
	}
	return typ, nil
}

// retyped is an array of the same buffers, but for the bitmap of nulls if one is given.
func retyped(values arrow.Array, typ arrow.DataType, nulls *memory.Buffer, count int) arrow.Array {
	of := values.Data()
	buffers := slices.Clone(of.Buffers())
	if nulls == nil {
		count = of.NullN()
	} else {
		buffers[0] = nulls
	}
	data := array.NewData(typ, of.Len(), buffers, nil, count, of.Offset())
	defer data.Release()
	return array.MakeFromData(data)
}

// keptField is a column to keep among those of a vertex table.
func keptField(name string, names []string, taken []int) (int, error) {
	at, err := oneColumn(names, name, func(a, b string) bool { return a == b })
	if err == nil && slices.Contains(taken, at) {
		err = faults.Usage("column %q names the vertices; the output has it anyway", name)
	}
	return at, err
}

// keeps notes the types of the columns to keep in an input: those of all vertex
// tables are the same.
func (f *funnel) keeps(names []string, types []arrow.DataType) error {
	for i, name := range names {
		if len(f.summary.Kept) < len(names) {
			f.summary.Kept = append(f.summary.Kept, GroupColumn{name, IDType{types[i]}})
		} else if before := f.summary.Kept[i].Type.dataType(); !arrow.TypeEqual(before, types[i]) {
			return faults.Rejected("column %q: of type %s, but %s in the vertex table before", name, types[i], before)
		}
	}
	return nil
}

// keptMetadata lists the columns that are none of scores.
const keptMetadata = metadataPrefix + "kept"

func keptText(columns []KeptColumn) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	text, _ := json.Marshal(names) // of strings, which always works
	return string(text)
}

// keptNames are the columns of a table that Write has kept.
func keptNames(keys, values []string) (names []string) {
	if i := slices.Index(keys, keptMetadata); i >= 0 {
		_ = json.Unmarshal([]byte(values[i]), &names) // of another writer: no names
	}
	return names
}

// keptColumn is a kept column as it is written. Its keys have a row more than it,
// of which nulls are.
type keptColumn struct {
	nameColumn
	typ  arrow.DataType
	null uint32 // row
}

// kept are the columns between those that name a vertex and the values.
func (t *Table) kept() (columns []keptColumn) {
	for _, c := range t.Kept {
		typ := c.Type.dataType()
		storage, rows := keptStorage(typ), c.Keys.Len()
		keys := c.Keys
		if arrow.IsInteger(storage.ID()) {
			keys.Ints = append(slices.Clip(keys.Ints), 0)
		} else {
			if fixed, ok := storageOf(storage).(*arrow.FixedSizeBinaryType); ok {
				keys.Bytes = append(slices.Clip(keys.Bytes), make([]byte, fixed.ByteWidth)...)
			}
			if keys.Offsets == nil {
				keys.Offsets = []int64{0}
			}
			keys.Offsets = append(slices.Clip(keys.Offsets), int64(len(keys.Bytes)))
		}
		of := make([]uint32, t.IDs.Len())
		for v := range of {
			of[v] = uint32(rows)
			if v < rows && (len(c.Null) == 0 || !c.Null[v]) {
				of[v] = uint32(v)
			}
		}
		columns = append(columns, keptColumn{nameColumn{KeyColumn{c.Name, IDType{storage}, keys}, of}, typ, uint32(rows)})
	}
	return columns
}

// checkKept refuses what no format can hold.
func (t *Table) checkKept() error {
	for i, c := range t.Kept {
		same := func(other KeptColumn) bool { return other.Name == c.Name }
		switch storage := keptStorage(c.Type.dataType()); {
		case t.Pairs != nil:
			return faults.Usage("column %q is of vertices, and the table by pair", c.Name)
		case t.column(c.Name) >= 0, slices.IndexFunc(t.Kept, same) != i,
			slices.ContainsFunc(t.names(), func(n nameColumn) bool { return n.Name == c.Name }):
			return faults.Usage("column %q twice", c.Name)
		case storage == nil:
			return faults.Usage("column %q of type %s", c.Name, c.Type)
		case c.Keys.Len() > t.IDs.Len() || len(c.Null) > 0 && len(c.Null) != c.Keys.Len():
			return faults.Usage("column %q: %d values and %d nulls of %d vertices", c.Name, c.Keys.Len(), len(c.Null), t.IDs.Len())
		case c.Keys.Len() > 0 && arrow.IsInteger(storage.ID()) != (c.Keys.Offsets == nil):
			return faults.Usage("column %q of type %s in the wrong form of Keys", c.Name, c.Type)
		}
	}
	return nil
}

func (c *keptColumn) isNull(vertex int) bool { return c.of[vertex] == c.null }

// array is the column of some rows: its storage, with nulls and under its own type.
func (c *keptColumn) array(t *Table, mem memory.Allocator, w *keyWriter, first, rows int) (arrow.Array, error) {
	if c.typ.ID() == arrow.BOOL || isNested(c.typ) {
		return c.restored(mem, rows, func(i int) int {
			if v := t.vertex(first + i); !c.isNull(v) {
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
		if c.isNull(t.vertex(first + i)) {
			count++
		} else {
			bitutil.SetBit(nulls.Bytes(), i)
		}
	}
	return retyped(values, storageOf(c.typ), nulls, count), nil
}

// appendValue appends a value as text: nulls as none says, numbers without quotes. JSON
// has no numbers that are not finite, so that they are none, too.
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
		return append(text, decimal128Of(c.Keys.text(vertex)).ToString(typ.Scale)...)
	case *arrow.Decimal256Type:
		return append(text, decimal256Of(c.Keys.text(vertex)).ToString(typ.Scale)...)
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
	if none != "" && isNested(c.typ) {
		return append(text, c.Keys.text(vertex)...)
	}
	return c.appendQuoted(text, scratch, vertex, quote)
}

const timeOfDay = "15:04:05.999999999"

// decimal128Of reads 16 bytes in the order of Arrow's buffers.
func decimal128Of(b []byte) decimal128.Num {
	return decimal128.New(int64(binary.NativeEndian.Uint64(b[8:])), binary.NativeEndian.Uint64(b))
}

// decimal256Of is likewise of 32.
func decimal256Of(b []byte) decimal256.Num {
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	return decimal256.New(word(3), word(2), word(1), word(0))
}

// appendFloat is as AppendScore; none stands for what JSON cannot hold.
func appendFloat(text []byte, x float64, bits int, none string) []byte {
	switch {
	case none != "" && (math.IsNaN(x) || math.IsInf(x, 0)):
		return append(text, none...)
	case bits == 64:
		return AppendScore(text, x)
	}
	return strconv.AppendFloat(text, x, 'g', -1, bits)
}
