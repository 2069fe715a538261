package arrowio

import (
	"context"
	"encoding/binary"
	"fmt"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// ToRecords sends a table as records of up to 65536 rows, which the receiver
// releases, and closes out. The records share no memory with the table. It
// returns ctx.Err() if ctx ends first.
func ToRecords(ctx context.Context, table tables.Table, out chan<- Record) error {
	defer close(out)
	err := checkTable(&table)
	if err == nil {
		err = eachRecord(ctx, &table, memory.DefaultAllocator, schemaOf(&table), func(record arrow.Record) error {
			record.Retain()
			if parallel.Send(ctx, out, record) != nil {
				record.Release()
				return ctx.Err()
			}
			return nil
		})
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	return err
}

// eachRecord calls write with each record, which write retains if it keeps it.
func eachRecord(ctx context.Context, t *tables.Table, mem memory.Allocator, schema *arrow.Schema, write func(arrow.Record) error) error {
	return recordPieces(ctx, t, mem, schema, func(record func(context.Context) (arrow.Record, error)) error {
		made, err := record(ctx)
		if err != nil {
			return err
		}
		defer made.Release()
		return write(made)
	})
}

// recordPieces calls use with a function for each record, which is called once, on any goroutine. It
// makes the record unless its context has ended.
func recordPieces(ctx context.Context, t *tables.Table, mem memory.Allocator, schema *arrow.Schema, use func(record func(context.Context) (arrow.Record, error)) error) error {
	var names, keptWriters []*keyWriter
	for _, c := range nameColumns(t) {
		w := &keyWriter{nameColumn: c, mem: mem, table: t, typ: idtypes.Storage(c.outputType())}
		if err := w.begin(); err != nil {
			return err
		}
		defer w.release()
		names = append(names, w)
	}
	kept := keptColumns(t)
	for _, c := range kept {
		keptWriters = append(keptWriters, &keyWriter{nameColumn: c.nameColumn, mem: mem, table: t, typ: idtypes.Storage(keeping.Storage(c.typ))})
	}
	record := func(first, rows int) (arrow.Record, error) {
		columns := make([]arrow.Array, 0, schema.NumFields())
		defer func() {
			for _, column := range columns {
				column.Release()
			}
		}()
		for _, name := range names {
			column, err := name.column(first, rows)
			if err != nil {
				return nil, err
			}
			columns = append(columns, column)
		}
		for i, w := range keptWriters {
			column, err := kept[i].array(t, mem, w, first, rows)
			if err != nil {
				return nil, err
			}
			columns = append(columns, column)
		}
		for _, c := range t.Columns {
			columns = append(columns, valuesOf(t, mem, c.Values, first, rows))
		}
		return array.NewRecord(schema, columns, int64(rows)), nil
	}
	return inPieces(ctx, t, kept, func(first, rows int) error {
		for _, w := range names {
			w.retain()
		}
		return use(func(ctx context.Context) (arrow.Record, error) {
			defer func() {
				for _, w := range names {
					w.release()
				}
			}()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return record(first, rows)
		})
	})
}

// schemaOf is the schema of the output.
func schemaOf(t *tables.Table) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range nameColumns(t) {
		fields = append(fields, idtypes.Field(c.Name, c.outputType()))
	}
	for _, c := range t.Kept {
		field := idtypes.Field(c.Name, idtypes.Arrow(c.Type))
		field.Nullable = true
		fields = append(fields, field)
	}
	for _, column := range t.Columns {
		fields = append(fields, arrow.Field{Name: column.Name, Type: arrowType(column.Values)})
	}
	var keys, values []string
	for _, entry := range t.Metadata {
		keys = append(keys, metadataPrefix+entry.Key)
		values = append(values, entry.Value)
	}
	if len(t.Kept) > 0 {
		keys, values = append(keys, keptMetadata), append(values, keptText(t.Kept))
	}
	if text := geoText(t); text != "" {
		keys, values = append(keys, edgetable.GeoKey), append(values, text)
	}
	metadata := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &metadata)
}

func arrowType(values tables.Values) arrow.DataType {
	switch values.(type) {
	case tables.Floats:
		return arrow.PrimitiveTypes.Float64
	case tables.Bools:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.PrimitiveTypes.Int64
}

// keyWriter makes a column that names vertices.
type keyWriter struct {
	nameColumn
	mem        memory.Allocator
	table      *tables.Table
	typ        arrow.DataType
	dictionary arrow.Array // of all keys
}

// begin makes the dictionary, if the column has one.
func (w *keyWriter) begin() (err error) {
	if dt, ok := w.typ.(*arrow.DictionaryType); ok {
		w.dictionary, err = w.values(dt.ValueType, w.Keys.Len(), func(i int) int { return i })
	}
	return err
}

func (w *keyWriter) retain() {
	if w.dictionary != nil {
		w.dictionary.Retain()
	}
}

func (w *keyWriter) release() {
	if w.dictionary != nil {
		w.dictionary.Release()
	}
}

// column has the keys of some rows.
func (w *keyWriter) column(first, rows int) (arrow.Array, error) {
	key := func(i int) int { return w.Row(w.table.Vertex(first + i)) }
	if of := w.Of; of != nil && w.table.Order == nil {
		of = of[first : first+rows]
		key = func(i int) int { return int(of[i]) }
	}
	dt, ok := w.typ.(*arrow.DictionaryType)
	if !ok {
		if of := w.Of; of != nil && w.table.Order == nil && arrow.IsInteger(w.typ.ID()) {
			if column := w.integers(of[first : first+rows]); column != nil {
				return column, nil
			}
		}
		return w.values(w.typ, rows, key)
	}
	indices, err := integerArray(w.mem, dt.IndexType, rows, func(i int) uint64 { return uint64(key(i)) })
	if err != nil {
		return nil, err
	}
	defer indices.Release()
	return array.NewDictionaryArray(dt, indices, w.dictionary), nil
}

// integers is an array of the keys at some places, if they have 32 or 64 bits and fit;
// else nil. Tables by pair are little else, and values took a third of the time of a
// process that writes one.
func (w *keyWriter) integers(at []uint32) arrow.Array {
	bits := idtypes.BitWidth(w.typ)
	if bits < 32 {
		return nil
	}
	buffer := memory.NewResizableBuffer(w.mem)
	buffer.Resize(bits / 8 * len(at))
	lost := uint64(0) // bits that do not fit the column
	switch words, halves := arrow.Uint64Traits.CastFromBytes(buffer.Bytes()), arrow.Uint32Traits.CastFromBytes(buffer.Bytes()); {
	case bits == 64:
		for i, key := range at {
			words[i] = w.Keys.Ints[key]
		}
	case arrow.IsSignedInteger(w.typ.ID()):
		for i, key := range at {
			id := w.Keys.Ints[key]
			halves[i] = uint32(id)
			lost |= id ^ uint64(int32(id))
		}
	default:
		for i, key := range at {
			id := w.Keys.Ints[key]
			halves[i] = uint32(id)
			lost |= id >> 32
		}
	}
	if lost != 0 {
		buffer.Release()
		return nil // values names the id
	}
	return arrayOf(w.typ, len(at), buffer)
}

// values is an array of keys; key gives the i-th.
func (w *keyWriter) values(typ arrow.DataType, rows int, key func(i int) int) (arrow.Array, error) {
	keys := w.Keys
	if arrow.IsInteger(typ.ID()) {
		return integerArray(w.mem, typ, rows, func(i int) uint64 { return keys.Ints[key(i)] })
	}
	total := 0
	for i := range rows {
		total += len(ids.Text(keys, key(i)))
	}
	text := memory.NewResizableBuffer(w.mem)
	text.Resize(total)
	to := text.Bytes()[:0]
	place := memory.NewResizableBuffer(w.mem)
	switch typ.ID() {
	case arrow.STRING, arrow.BINARY:
		place.Resize(4 * (rows + 1))
		to = appendTexts(to, keys, arrow.Int32Traits.CastFromBytes(place.Bytes()), key)
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		place.Resize(8 * (rows + 1))
		to = appendTexts(to, keys, arrow.Int64Traits.CastFromBytes(place.Bytes()), key)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		place.Resize(columnar.ViewBytes * rows)
		for i := range rows {
			id := ids.Text(keys, key(i))
			putView(place.Bytes()[columnar.ViewBytes*i:][:columnar.ViewBytes], id, len(to))
			if len(id) > columnar.ViewInline {
				to = append(to, id...)
			}
		}
		text.Resize(len(to))
	default: // fixed-size binary
		place.Release()
		for i := range rows {
			to = append(to, ids.Text(keys, key(i))...)
		}
		if width := typ.(*arrow.FixedSizeBinaryType).ByteWidth; len(to) != width*rows {
			text.Release()
			return nil, faults.Usage("ids of %d bytes in %d rows of type %s", len(to), rows, typ)
		}
		return arrayOf(typ, rows, text), nil
	}
	return arrayOf(typ, rows, place, text), nil
}

// appendTexts appends len(offsets)-1 texts and sets the offsets.
func appendTexts[T int32 | int64](to []byte, keys tables.Keys, offsets []T, key func(i int) int) []byte {
	last := len(offsets) - 1
	for i := range last {
		offsets[i] = T(len(to))
		to = append(to, ids.Text(keys, key(i))...)
	}
	offsets[last] = T(len(to))
	return to
}

// putView writes the view of an id; a text too long for the view itself lies at offset
// of its buffer.
func putView(view, id []byte, offset int) {
	clear(view)
	binary.NativeEndian.PutUint32(view, uint32(len(id)))
	if len(id) <= columnar.ViewInline {
		copy(view[4:], id)
		return
	}
	copy(view[4:8], id)
	binary.NativeEndian.PutUint32(view[12:], uint32(offset)) // of buffer 0, the only one
}

// integerArray is an array of integers of any width.
func integerArray(mem memory.Allocator, typ arrow.DataType, rows int, value func(i int) uint64) (arrow.Array, error) {
	bits := idtypes.BitWidth(typ)
	buffer := memory.NewResizableBuffer(mem)
	buffer.Resize(rows * bits / 8)
	raw := buffer.Bytes()
	if bits == 64 {
		words := arrow.Uint64Traits.CastFromBytes(raw)
		for i := range words {
			words[i] = value(i)
		}
		return arrayOf(typ, rows, buffer), nil
	}
	for i := range rows {
		v, err := narrowed(typ, value(i))
		if err != nil {
			buffer.Release()
			return nil, err
		}
		switch bits {
		case 8:
			raw[i] = byte(v)
		case 16:
			binary.NativeEndian.PutUint16(raw[2*i:], uint16(v))
		case 32:
			binary.NativeEndian.PutUint32(raw[4*i:], uint32(v))
		}
	}
	return arrayOf(typ, rows, buffer), nil
}

// narrowed refuses an id that does not fit an integer type.
func narrowed(typ arrow.DataType, id uint64) (uint64, error) {
	shift := 64 - idtypes.BitWidth(typ)
	narrow := id << shift >> shift
	if arrow.IsSignedInteger(typ.ID()) {
		narrow = uint64(int64(id<<shift) >> shift)
	}
	if narrow != id {
		return 0, faults.Usage("id %d does not fit a column of type %s", int64(id), typ)
	}
	return id, nil
}
