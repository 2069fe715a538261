package arrowio

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

var (
	smallInts = [][2]string{{"1", "2"}, {"2", "3"}, {"3", "3"}, {"0", "127"}, {"5", "1"}}
	negatives = [][2]string{{"-1", "2"}, {"-128", "127"}, {"0", "-1"}}
	texts     = [][2]string{{"a", "b"}, {"", "a"}, {"exactly12byt", "thirteen byte"}, {"a longer text", "é"}, {"\xff\x00", "a"}}
	sixBytes  = [][2]string{{"sixsix", "\x00\x01\x02\x03\x04\x05"}, {"abcdef", "sixsix"}}
	uuids     = [][2]string{{"\xf8\x1d\x4f\xae\x7d\xec\x11\xd0\xa7\x65\x00\xa0\xc9\x1e\x6b\xf6", strings.Repeat("\x00", 16)}, {strings.Repeat("\xff", 16), "letters and text"}}
)

// idTypeTables has a table for every id type.
var idTypeTables = []struct {
	dt   arrow.DataType
	rows [][2]string
}{
	{arrow.PrimitiveTypes.Int8, negatives},
	{arrow.PrimitiveTypes.Int16, negatives},
	{arrow.PrimitiveTypes.Int32, negatives},
	{arrow.PrimitiveTypes.Int64, append([][2]string{{"-9223372036854775808", "9223372036854775807"}}, negatives...)},
	{arrow.PrimitiveTypes.Uint8, append([][2]string{{"255", "128"}}, smallInts...)},
	{arrow.PrimitiveTypes.Uint16, append([][2]string{{"65535", "32768"}}, smallInts...)},
	{arrow.PrimitiveTypes.Uint32, append([][2]string{{"4294967295", "2147483648"}}, smallInts...)},
	{arrow.PrimitiveTypes.Uint64, append([][2]string{{"18446744073709551615", "9223372036854775808"}}, smallInts...)},
	{arrow.BinaryTypes.String, texts},
	{arrow.BinaryTypes.LargeString, texts},
	{arrow.BinaryTypes.StringView, texts},
	{arrow.BinaryTypes.Binary, texts},
	{arrow.BinaryTypes.LargeBinary, texts},
	{arrow.BinaryTypes.BinaryView, texts},
	{fixedSize(6), sixBytes},
	{idtypes.UUID(), uuids},
	{dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String), texts},
	{dictionaryOf(arrow.PrimitiveTypes.Uint16, arrow.BinaryTypes.Binary), texts},
	{dictionaryOf(arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Int16), negatives},
	{dictionaryOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Uint64), smallInts},
}

// formatted is the expected text of the rows of a type.
func formatted(dt arrow.DataType, rows [][2]string) (want [][2]string) {
	if _, value := idtypes.Parts(dt); !idtypes.IsText(value) && idtypes.StringRank(value) > 0 {
		for _, row := range rows {
			var pair [2]string
			for i, id := range row {
				keys := tables.Keys{Bytes: []byte(id), Offsets: []int64{0, int64(len(id))}}
				pair[i] = idtypes.Of(value).Format(keys, 0)
			}
			want = append(want, pair)
		}
		return want
	}
	return rows
}

func TestReadArrowEveryIDType(t *testing.T) {
	containers := map[string]func([]arrow.Record, ...ipc.Option) []byte{"stream": streamOf, "file": fileOf}
	codecs := map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}}
	for _, test := range idTypeTables {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		record := edgeRecord(memory.DefaultAllocator, test.dt, test.dt, test.rows...)
		for container, encode := range containers {
			for codec, options := range codecs {
				t.Run(test.dt.String()+"/"+container+"/"+codec, func(t *testing.T) {
					data := encode([]arrow.Record{record, record}, options...)
					var summary tables.Summary
					rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
						return readArrowBytes(context.Background(), data, tables.Options{}, edges, mem)
					})
					want := formatted(test.dt, slices.Concat(test.rows, test.rows))
					if err != nil || !slices.Equal(rows, want) {
						t.Errorf("%q, %v, want %q", rows, err, want)
					}
					if !arrow.TypeEqual(idtypes.Arrow(summary.IDs), test.dt) || summary.Rows != int64(len(want)) {
						t.Errorf("%d rows of %s", summary.Rows, summary.IDs)
					}
				})
			}
		}
		mem.AssertSize(t, 0)
	}
}

// readArrowBytes is Read with Arrow's memory counted.
func readArrowBytes(ctx context.Context, data []byte, opts tables.Options, edges chan<- tables.Batch, mem memory.Allocator) (tables.Summary, error) {
	defer close(edges)
	opts.Stdin = bytes.NewReader(data)
	opts, err := checked(opts)
	if err != nil {
		return tables.Summary{}, err
	}
	in, err := sources.Open(ctx, "-", bytesOf(&opts))
	if err != nil {
		return tables.Summary{}, err
	}
	defer in.Close()
	out := edgetable.NewFunnel(edges, reading(&opts), nil)
	out.Input = in.Name
	err = columnar.ReadArrowIn(ctx, in, out, mem)
	return out.Finish(), err
}

func TestReadArrowMixedWidths(t *testing.T) {
	p := arrow.PrimitiveTypes
	for _, test := range []struct {
		src, dst arrow.DataType
		rows     [][2]string
		want     arrow.DataType
	}{
		{p.Int8, p.Int64, [][2]string{{"-1", "-1"}, {"-128", "1"}}, p.Int64},
		{p.Uint8, p.Int32, [][2]string{{"255", "-1"}}, p.Int64},
		{p.Uint64, p.Int32, [][2]string{{"18446744073709551615", "1"}}, p.Uint64},
		{arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, texts, arrow.BinaryTypes.StringView},
		{dictionaryOf(p.Int8, arrow.BinaryTypes.String), arrow.BinaryTypes.LargeString, texts, arrow.BinaryTypes.LargeString},
	} {
		record := edgeRecord(memory.DefaultAllocator, test.src, test.dst, test.rows...)
		rows, summary, err := edgesOf(streamOf([]arrow.Record{record}), tables.Options{})
		if err != nil || !slices.Equal(rows, test.rows) || !arrow.TypeEqual(idtypes.Arrow(summary.IDs), test.want) {
			t.Errorf("%s, %s: %q, %s, %v", test.src, test.dst, rows, summary.IDs, err)
		}
	}
}

func TestReadArrowRefuses(t *testing.T) {
	p, b := arrow.PrimitiveTypes, arrow.BinaryTypes
	for _, test := range []struct {
		src, dst arrow.DataType
		row      [2]string
		says     string
	}{
		{p.Float64, p.Int64, [2]string{"1", "1"}, `column "src": ids of type float64`},
		{p.Int64, arrow.FixedWidthTypes.Boolean, [2]string{"1", "true"}, `column "dst": ids of type bool`},
		{p.Int64, arrow.Null, [2]string{"1", null}, `column "dst": ids of type null`},
		{p.Int64, b.String, [2]string{"1", "1"}, `column "dst": ids are strings`},
		{p.Int64, p.Uint64, [2]string{"-1", "18446744073709551615"}, "no common type"},
		{dictionaryOf(p.Int8, p.Float64), p.Float64, [2]string{"1", "1"}, "ids of type"},
	} {
		record := edgeRecord(memory.DefaultAllocator, test.src, test.dst, test.row)
		_, _, err := edgesOf(streamOf([]arrow.Record{record}), tables.Options{})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s, %s: %v, want ErrInput saying %q", test.src, test.dst, err, test.says)
		}
	}
}

func TestReadArrowNulls(t *testing.T) {
	for _, dt := range []arrow.DataType{
		arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, fixedSize(1),
		dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String),
		dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int64),
	} {
		whole := edgeRecord(memory.DefaultAllocator, dt, dt, [][2]string{{"1", "2"}, {"3", "4"}}...)
		holes := edgeRecord(memory.DefaultAllocator, dt, dt, [][2]string{{"5", "6"}, {"7", null}, {null, null}, {"8", "9"}, {null, "1"}}...)
		data := streamOf([]arrow.Record{whole, holes})

		_, _, err := edgesOf(data, tables.Options{})
		want := `arrowio: standard input: record batch 1: column "src": null id at row 2; ` + edgetable.DropNulls
		if !errors.Is(err, tables.ErrInput) || err.Error() != want {
			t.Errorf("%s: %v, want %s", dt, err, want)
		}
		rows, summary, err := edgesOf(data, tables.Options{Nulls: tables.NullsDrop})
		if err != nil || !slices.Equal(rows, [][2]string{{"1", "2"}, {"3", "4"}, {"5", "6"}, {"8", "9"}}) || summary.NullsDropped != 3 {
			t.Errorf("%s: %q, %d dropped, %v", dt, rows, summary.NullsDropped, err)
		}

		nothing := edgeRecord(memory.DefaultAllocator, dt, dt, [][2]string{{null, null}}...)
		rows, summary, err = edgesOf(streamOf([]arrow.Record{nothing}), tables.Options{Nulls: tables.NullsDrop})
		if err != nil || len(rows) > 0 || summary.NullsDropped != 1 {
			t.Errorf("%s: %q, %d dropped, %v", dt, rows, summary.NullsDropped, err)
		}
	}
}

// A stream may replace a dictionary, or add to it; a value of the dictionary
// may also be null.
func TestReadArrowDictionaries(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	dt := dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String).(*arrow.DictionaryType)
	record := func(values []string, indices ...string) arrow.Record {
		dictionary, index := idArray(mem, dt.ValueType, values...), idArray(mem, dt.IndexType, indices...)
		defer dictionary.Release()
		defer index.Release()
		ids := array.NewDictionaryArray(dt, index, dictionary)
		defer ids.Release()
		schema := arrow.NewSchema([]arrow.Field{{Name: "from", Type: dt}, {Name: "to", Type: dt}}, nil)
		return array.NewRecord(schema, []arrow.Array{ids, ids}, int64(len(indices)))
	}
	records := []arrow.Record{
		record([]string{"a", "b"}, "1", "0"),
		record([]string{"a", "b", "c"}, "2"),
		record([]string{"x", null, "z"}, "0", "1", "2"),
	}
	want := [][2]string{{"b", "b"}, {"a", "a"}, {"c", "c"}, {"x", "x"}, {"z", "z"}}
	for _, options := range [][]ipc.Option{nil, {ipc.WithDictionaryDeltas(true)}} {
		data := streamOf(records, options...)
		rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return readArrowBytes(context.Background(), data, tables.Options{Nulls: tables.NullsDrop}, edges, mem)
		})
		if err != nil || !slices.Equal(rows, want) || summary.NullsDropped != 1 {
			t.Errorf("%q, %d dropped, %v, want %q", rows, summary.NullsDropped, err, want)
		}
	}
	for _, r := range records {
		r.Release()
	}
}

// Records larger than a batch are cut, sliced records begin in the middle.
func TestReadArrowLargeAndSlicedRecords(t *testing.T) {
	for _, dt := range []arrow.DataType{arrow.PrimitiveTypes.Uint16, arrow.BinaryTypes.String, dictionaryOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String)} {
		const total = 2*columnar.BatchRows + 10
		all := make([][2]string, total)
		for i := range all {
			all[i] = [2]string{string(rune('0' + i%10)), string(rune('0' + i%7))}
		}
		all[total-3][1] = null
		record := edgeRecord(memory.DefaultAllocator, dt, dt, all...)
		sliced := record.NewSlice(5, total)
		rows, _, err := edgesOf(streamOf([]arrow.Record{record}), tables.Options{Nulls: tables.NullsDrop})
		if want := slices.Concat(all[:total-3], all[total-2:]); err != nil || !slices.Equal(rows, want) {
			t.Errorf("%s: %d rows, %v", dt, len(rows), err)
		}
		rows, _, err = collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			in := make(chan Record, 1)
			in <- sliced
			close(in)
			return FromRecords(t.Context(), in, tables.Options{Nulls: tables.NullsDrop}, edges)
		})
		if want := slices.Concat(all[5:total-3], all[total-2:]); err != nil || !slices.Equal(rows, want) {
			t.Errorf("%s, sliced: %d rows, %v", dt, len(rows), err)
		}
		_, _, err = edgesOf(fileOf([]arrow.Record{record}), tables.Options{})
		if err == nil || !strings.Contains(err.Error(), `record batch 0: column "dst": null id at row 131079`) {
			t.Errorf("%s: %v", dt, err)
		}
	}
}

// A vertex table's ids come as vertices, and its nulls follow the policy.
func TestReadColumnarVertexTables(t *testing.T) {
	for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
		for _, dt := range []arrow.DataType{arrow.PrimitiveTypes.Uint8, arrow.BinaryTypes.StringView, dictionaryOf(arrow.PrimitiveTypes.Int8, arrow.BinaryTypes.String)} {
			table := scoreTable(dt, "7", "3", "9")
			var out bytes.Buffer
			if err := Write(context.Background(), &out, format, table); err != nil {
				t.Fatal(err)
			}
			rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) { return readVertexBytes(out.Bytes(), edges) })
			if want := [][2]string{{"7"}, {"3"}, {"9"}}; err != nil || !slices.Equal(rows, want) || !arrow.TypeEqual(idtypes.Arrow(summary.IDs), dt) {
				t.Errorf("%s, %s: %q, %s, %v", format, dt, rows, summary.IDs, err)
			}
		}
	}
}
