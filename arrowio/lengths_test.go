package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/tables"
)

// lengthsRead gives edges and lengths as "1>2:15e-1 2>3:7", of integer ids.
func lengthsRead(t *testing.T, data io.Reader, opts tables.Options) (string, tables.Summary, error) {
	t.Helper()
	edges := make(chan tables.Batch, 1)
	var summary tables.Summary
	var err error
	done := make(chan struct{})
	opts.Stdin = data
	go func() {
		defer close(done)
		summary, err = Read(t.Context(), opts, edges)
	}()
	var rows []string
	for b := range edges {
		if b.Weights.Len() != b.Src.Len() {
			t.Errorf("%d lengths of %d edges", b.Weights.Len(), b.Src.Len())
		}
		for i := range b.Src.Len() {
			text := strconv.FormatUint(uint64(b.Weights.Digits[i]), 10)
			if high := b.Weights.High; high != nil {
				digits := new(big.Int).Lsh(big.NewInt(high[i]), 64)
				text = digits.Add(digits, new(big.Int).SetUint64(uint64(b.Weights.Digits[i]))).String()
			}
			if e := b.Weights.Exponents; e != nil && e[i] != 0 {
				text += fmt.Sprintf("e%d", e[i])
			}
			rows = append(rows, fmt.Sprintf("%d>%d:%s", b.Src.Ints[i], b.Dst.Ints[i], text))
		}
		b.Release()
	}
	<-done
	return strings.Join(rows, " "), summary, err
}

func TestLengthsInText(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opts tables.Options
		want string
	}{
		"by name": {"src,dst,cost\n1,2,7\n2,3,0.50\n", tables.Options{Weight: "cost"}, "1>2:7 2>3:5e-1"},
		"between": {"src,km,dst\n1,1e3,2\n2,2.5E-3,3\n", tables.Options{Weight: "km"}, "1>2:1e3 2>3:25e-4"},
		"of any float64": {"src,dst,cost\n1,2,1e-300\n2,3,2.5e300\n3,4,5e-324\n4,5,1.7976931348623157e308\n5,6,0.0000000001e-290\n",
			tables.Options{Weight: "cost"}, "1>2:1e-300 2>3:25e299 3>4:5e-324 4>5:17976931348623157e292 5>6:1e-300"},
		"quoted":            {"src,dst,\"the length\"\n1,2,\"+1.5\"\n", tables.Options{Weight: "the length"}, "1>2:15e-1"},
		"called weight":     {"src,dst,weight\n1,2,3\n", tables.Options{Weight: "weight"}, "1>2:3"},
		"beside a weight":   {"src,dst,weight,cost\n1,2,3,4\n", tables.Options{Weight: "cost"}, "1>2:4"},
		"behind the ids":    {"1 2 .25\n2 3 10.\n", tables.Options{Weight: "value"}, "1>2:25e-2 2>3:10"},
		"third field":       {"1 2 100\n2 3 5 \n", tables.Options{Weight: "3"}, "1>2:100 2>3:5"},
		"first field":       {"9\t1\t2\n8\t2\t3\n", tables.Options{Weight: "1", Src: "2", Dst: "3"}, "1>2:9 2>3:8"},
		"attributes":        {"1 2 {'weight': 2.5, 'c': 1}\n2 3 {'weight': 3}\n", tables.Options{Weight: "value", Format: tables.FormatEdgeList}, "1>2:25e-1 2>3:3"},
		"attribute by name": {"1 2 {'weight': 2.5}\n", tables.Options{Weight: "weight"}, "1>2:25e-1"},
		"nulls dropped":     {"src,dst,cost\n1,2,\n,2,4\n2,3,5\n", tables.Options{Weight: "cost", Nulls: tables.NullsDrop}, "2>3:5"},
		"many digits":       {"src,dst,w\n1,2,0.12345678901234567890123\n2,3,123456789012345678\n3,4,1e17\n", tables.Options{Weight: "w"}, "1>2:12345678901234567890123e-23 2>3:123456789012345678 3>4:1e17"},
		"19 digits":         {"src,dst,w\n1,2,9223372036854775807\n2,3,18446744073709551615\n3,4,7\n", tables.Options{Weight: "w"}, "1>2:9223372036854775807 2>3:18446744073709551615 3>4:7"},
		"38 digits":         {"src,dst,w\n1,2,12345678901234567890123456789012345678\n2,3,0.99999999999999999999999999999999999999\n3,4,12000000000000000000000000000000\n", tables.Options{Weight: "w"}, "1>2:12345678901234567890123456789012345678 2>3:99999999999999999999999999999999999999e-38 3>4:1200000000000000000e13"},
		"39 digits":         {"src,dst,w\n1,2,123456789012345678901234567890123456785\n2,3,123456789012345678901234567890123456784.0\n3,4,99999999999999999999999999999999999999.9\n", tables.Options{Weight: "w"}, "1>2:12345678901234567890123456789012345679e1 2>3:12345678901234567890123456789012345678e1 3>4:1000000000000000000e20"},
		"DIMACS":            {"c x\np sp 3 2\na 1 2 7\na 2 3 10\n", tables.Options{Weight: "value"}, "1>2:7 2>3:10"},
		"MatrixMarket":      {"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 7.5\n3 2 1e-2\n", tables.Options{Weight: "3"}, "2>1:75e-1 3>2:1e-2"},
		"METIS":             {"3 2 1\n2 7\n1 7 3 8\n2 8\n", tables.Options{Weight: "value", Format: tables.FormatMETIS}, "1>2:7 2>1:7 2>3:8 3>2:8"},
		"METIS with sizes":  {"2 1 11\n5 2 7\n6 1 7\n", tables.Options{Weight: "value", Format: tables.FormatMETIS}, "1>2:7 2>1:7"},
		"a graph by name":   {"src,dst,g,w\n1,2,a,3\n", tables.Options{Weight: "w", By: []string{"g"}}, "1>2:3"},
	} {
		got, _, err := lengthsRead(t, strings.NewReader(c.text), c.opts)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestLengthsRefused(t *testing.T) {
	table := func(value string) string { return "src,dst,w\n1,2,3\n2,3," + value + "\n" }
	mtx := "%%MatrixMarket matrix coordinate "
	for name, c := range map[string]struct {
		text string
		opts tables.Options
		err  error
		says string
	}{
		"zero":             {table("0"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "0" is not a finite number above 0`},
		"zero with places": {table("0.000"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "0.000"`},
		"negative":         {table("-1.5"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "-1.5" is not a finite number above 0`},
		"NaN":              {table("NaN"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "NaN" is not a finite number above 0`},
		"infinite":         {table("inf"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "inf" is not a finite number above 0`},
		"beyond float64":   {table("1e999"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "1e999" is not a finite number above 0`},
		"no number":        {table("far"), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": length "far" is not a number`},
		"hexadecimal":      {table("0x1p3"), tables.Options{Weight: "w"}, tables.ErrInput, `length "0x1p3" is not a number`},
		"null":             {table(""), tables.Options{Weight: "w"}, tables.ErrInput, `line 3: column "w": null; Options.Nulls "drop"`},
		"no such column":   {table("1"), tables.Options{Weight: "cost"}, tables.ErrInput, `no column "cost" among columns ["src", "dst", "w"]`},
		"an id":            {table("1"), tables.Options{Weight: "src"}, tables.ErrUsage, `column "src" holds ids`},
		"an end by option": {table("1"), tables.Options{Weight: "src", Src: "src", Dst: "dst"}, tables.ErrUsage, `column "src" holds ids`},
		"ignored, too":     {table("1"), tables.Options{Weight: "w", IgnoreWeight: true}, tables.ErrUsage, "Options.IgnoreWeight"},
		"field too far":    {"1 2 3\n", tables.Options{Weight: "4"}, tables.ErrInput, "no field 4: the row has 3"},
		"no third field":   {"1 2\n", tables.Options{Weight: "value"}, tables.ErrInput, "no field 3: the row has 2"},
		"names of nothing": {"1 2 3\n", tables.Options{Weight: "cost"}, tables.ErrUsage, `Options.Weight "cost": a text without a header has no names`},
		"no attribute":     {"1 2 {'weight': 1}\n2 3 {}\n", tables.Options{Weight: "value"}, tables.ErrInput, `line 2: no attribute "weight" in "{}"`},
		"DIMACS name":      {"p sp 2 1\na 1 2 7\n", tables.Options{Weight: "cost"}, tables.ErrInput, `line 1: no column "cost": the weights of this format have no name`},
		"DIMACS zero":      {"p sp 2 1\na 1 2 0\n", tables.Options{Weight: "value"}, tables.ErrInput, `line 2: length "0"`},
		"DIMACS edges":     {"p edge 2 1\ne 1 2\n", tables.Options{Weight: "value"}, tables.ErrInput, "line 1: edges have no lengths"},
		"pattern":          {mtx + "pattern general\n2 2 1\n1 2\n", tables.Options{Weight: "value"}, tables.ErrInput, "line 1: pattern entries are not lengths"},
		"complex":          {mtx + "complex general\n2 2 1\n1 2 3 4\n", tables.Options{Weight: "value"}, tables.ErrInput, "line 1: complex entries are not lengths"},
		"matrix negative":  {mtx + "real general\n2 2 1\n1 2 -3\n", tables.Options{Weight: "value"}, tables.ErrInput, `line 3: length "-3"`},
		"METIS without":    {"2 1\n2\n1\n", tables.Options{Weight: "value", Format: tables.FormatMETIS}, tables.ErrInput, "line 1: edges have no weights (METIS format 000)"},
		"METIS zero":       {"2 1 1\n2 0\n1 0\n", tables.Options{Weight: "value", Format: tables.FormatMETIS}, tables.ErrInput, `line 2: length "0"`},
	} {
		_, _, err := lengthsRead(t, strings.NewReader(c.text), c.opts)
		if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// lengthColumn is a column of Arrow, with its values as read.
type lengthColumn struct {
	array arrow.Array
	want  [3]string
}

func lengthColumns() map[string]lengthColumn {
	mem := memory.DefaultAllocator
	columns := make(map[string]lengthColumn)
	float64s := array.NewFloat64Builder(mem)
	float64s.AppendValues([]float64{0.1, 3, 1.0 / 3}, nil)
	columns["float64"] = lengthColumn{float64s.NewArray(), [3]string{"1e-1", "3", "3333333333333333e-16"}}
	float32s := array.NewFloat32Builder(mem)
	float32s.AppendValues([]float32{0.1, 16777216, 0.25}, nil)
	columns["float32"] = lengthColumn{float32s.NewArray(), [3]string{"1e-1", "16777216", "25e-2"}}
	ints := array.NewInt16Builder(mem)
	ints.AppendValues([]int16{1, 32767, 100}, nil)
	columns["int16"] = lengthColumn{ints.NewArray(), [3]string{"1", "32767", "100"}}
	bytes := array.NewUint8Builder(mem)
	bytes.AppendValues([]uint8{1, 255, 100}, nil)
	columns["uint8"] = lengthColumn{bytes.NewArray(), [3]string{"1", "255", "100"}}
	words := array.NewUint64Builder(mem)
	words.AppendValues([]uint64{1, 10, 1 << 63}, nil)
	columns["uint64"] = lengthColumn{words.NewArray(), [3]string{"1", "10", "9223372036854775808"}}
	decimals := array.NewDecimal128Builder(mem, &arrow.Decimal128Type{Precision: 30, Scale: 3})
	large, _ := decimal128.FromString("12345678901234567890.125", 30, 3)
	decimals.AppendValues([]decimal128.Num{decimal128.FromI64(1500), decimal128.FromI64(1), large}, nil)
	columns["decimal128"] = lengthColumn{decimals.NewArray(), [3]string{"15e-1", "1e-3", "12345678901234567890125e-3"}}
	texts := array.NewStringBuilder(mem)
	texts.AppendValues([]string{"0.1", "7", "1e2"}, nil)
	columns["text"] = lengthColumn{texts.NewArray(), [3]string{"1e-1", "7", "1e2"}}
	dictionary := array.NewDictionaryBuilder(mem, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Float64}).(*array.Float64DictionaryBuilder)
	for _, x := range []float64{0.5, 0.75, 0.5} {
		if err := dictionary.Append(x); err != nil {
			panic(err)
		}
	}
	columns["dictionary"] = lengthColumn{dictionary.NewArray(), [3]string{"5e-1", "75e-2", "5e-1"}}
	return columns
}

func threeEdges(lengths arrow.Array) arrow.Record {
	ids := array.NewInt64Builder(memory.DefaultAllocator)
	ids.AppendValues([]int64{1, 2, 3}, nil)
	column := ids.NewArray()
	return array.NewRecord(arrow.NewSchema([]arrow.Field{
		{Name: "src", Type: column.DataType()}, {Name: "w", Type: lengths.DataType(), Nullable: true}, {Name: "dst", Type: column.DataType()},
	}, nil), []arrow.Array{column, lengths, column}, 3)
}

func TestLengthsInArrow(t *testing.T) {
	for name, c := range lengthColumns() {
		data := streamOf([]arrow.Record{threeEdges(c.array), threeEdges(c.array)})
		got, _, err := lengthsRead(t, bytes.NewReader(data), tables.Options{Weight: "w"})
		once := fmt.Sprintf("1>1:%s 2>2:%s 3>3:%s", c.want[0], c.want[1], c.want[2])
		if want := once + " " + once; err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

// Numbers of more digits than an int64 holds are the same in text and in Arrow.
func TestLongLengthsInTextAndArrow(t *testing.T) {
	const number = "12345678901234567890123456789012345.678"
	decimals := array.NewDecimal128Builder(memory.DefaultAllocator, &arrow.Decimal128Type{Precision: 38, Scale: 3})
	value, err := decimal128.FromString(number, 38, 3)
	if err != nil {
		t.Fatal(err)
	}
	decimals.AppendValues([]decimal128.Num{value, value, value}, nil)
	wide := array.NewDecimal256Builder(memory.DefaultAllocator, &arrow.Decimal256Type{Precision: 60, Scale: 3})
	wide.AppendValues([]decimal256.Num{decimal256.FromDecimal128(value), decimal256.FromDecimal128(value), decimal256.FromDecimal128(value)}, nil)
	text, _, err2 := lengthsRead(t, strings.NewReader("src,dst,w\n1,1,"+number+"\n2,2,"+number+"\n3,3,"+number+"\n"), tables.Options{Weight: "w"})
	for _, column := range []arrow.Array{decimals.NewArray(), wide.NewArray()} {
		arrows, _, err := lengthsRead(t, bytes.NewReader(streamOf([]arrow.Record{threeEdges(column)})), tables.Options{Weight: "w"})
		if want := "1>1:12345678901234567890123456789012345678e-3"; err != nil || err2 != nil || arrows != text || !strings.HasPrefix(text, want) {
			t.Errorf("%v: %q, %v; %q, %v; want %q", column.DataType(), arrows, err, text, err2, want)
		}
	}
}

func TestLengthsRefusedInArrow(t *testing.T) {
	mem := memory.DefaultAllocator
	for value, says := range map[float64]string{
		0: `record batch 0: column "w": row 1: length 0 is not a finite`, -2: "length -2 is not a finite", math.Inf(1): "length +Inf is not a finite",
	} {
		b := array.NewFloat64Builder(mem)
		b.AppendValues([]float64{1, value, 1}, nil)
		_, _, err := lengthsRead(t, bytes.NewReader(streamOf([]arrow.Record{threeEdges(b.NewArray())})), tables.Options{Weight: "w"})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", value, err, says)
		}
	}
	b := array.NewFloat64Builder(mem)
	b.AppendValues([]float64{1, math.NaN(), 1}, []bool{true, true, false})
	record := threeEdges(b.NewArray())
	if _, _, err := lengthsRead(t, bytes.NewReader(streamOf([]arrow.Record{record})), tables.Options{Weight: "w"}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "row 1: length NaN") {
		t.Errorf("NaN: %v", err)
	}
	b.AppendValues([]float64{1, 5, 0}, []bool{true, true, false})
	data := streamOf([]arrow.Record{threeEdges(b.NewArray())})
	if _, _, err := lengthsRead(t, bytes.NewReader(data), tables.Options{Weight: "w"}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "w": null at row 2`) {
		t.Errorf("null: %v", err)
	}
	got, summary, err := lengthsRead(t, bytes.NewReader(data), tables.Options{Weight: "w", Nulls: tables.NullsDrop})
	if err != nil || got != "1>1:1 2>2:5" || summary.NullsDropped != 1 {
		t.Errorf("null dropped: %q, %d dropped, %v", got, summary.NullsDropped, err)
	}
	for _, scale := range []int32{-1 << 31, 1<<31 - 1, 40000} {
		b := array.NewDecimal128Builder(mem, &arrow.Decimal128Type{Precision: 38, Scale: scale})
		b.AppendValues([]decimal128.Num{decimal128.FromI64(1), decimal128.FromI64(2), decimal128.FromI64(3)}, nil)
		_, _, err := lengthsRead(t, bytes.NewReader(streamOf([]arrow.Record{threeEdges(b.NewArray())})), tables.Options{Weight: "w"})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), fmt.Sprintf("decimal lengths of scale %d", scale)) {
			t.Errorf("scale %d: %v", scale, err)
		}
	}
	bools := array.NewBooleanBuilder(mem)
	bools.AppendValues([]bool{true, true, true}, nil)
	if _, _, err := lengthsRead(t, bytes.NewReader(streamOf([]arrow.Record{threeEdges(bools.NewArray())})), tables.Options{Weight: "w"}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "lengths of type bool") {
		t.Errorf("bool: %v", err)
	}
}

func TestLengthsInParquet(t *testing.T) {
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{
		schema.NewInt64Node("src", parquet.Repetitions.Required, -1),
		schema.NewInt64Node("dst", parquet.Repetitions.Required, -1),
		schema.NewFloat64Node("double", parquet.Repetitions.Optional, -1),
		schema.NewFloat32Node("float", parquet.Repetitions.Required, -1),
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("cents", parquet.Repetitions.Required, schema.NewDecimalLogicalType(9, 2), parquet.Types.Int32, 0, -1)),
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("wide", parquet.Repetitions.Required, schema.NewDecimalLogicalType(20, 3), parquet.Types.FixedLenByteArray, 9, -1)),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	group := w.AppendRowGroup()
	must := func(_ int64, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	next := func() file.ColumnChunkWriter {
		column, err := group.NextColumn()
		must(0, err)
		return column
	}
	must(next().(*file.Int64ColumnChunkWriter).WriteBatch([]int64{1, 2}, nil, nil))
	must(next().(*file.Int64ColumnChunkWriter).WriteBatch([]int64{2, 3}, nil, nil))
	must(next().(*file.Float64ColumnChunkWriter).WriteBatch([]float64{0.3, 1e-7}, []int16{1, 1}, nil))
	must(next().(*file.Float32ColumnChunkWriter).WriteBatch([]float32{0.3, 2}, nil, nil))
	must(next().(*file.Int32ColumnChunkWriter).WriteBatch([]int32{150, 7}, nil, nil))
	must(next().(*file.FixedLenByteArrayColumnChunkWriter).WriteBatch([]parquet.FixedLenByteArray{{0, 0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 5}}, nil, nil))
	if err := errors.Join(group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]string{
		"double": "1>2:3e-1 2>3:1e-7", "float": "1>2:3e-1 2>3:2", "cents": "1>2:15e-1 2>3:7e-2", "wide": "1>2:256e-3 2>3:5e-3",
	} {
		got, _, err := lengthsRead(t, bytes.NewReader(out.Bytes()), tables.Options{Weight: column})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", column, got, err, want)
		}
	}
}
