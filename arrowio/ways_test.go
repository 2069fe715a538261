package arrowio

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// waysRead returns the directions of all edges, and the kept columns beside them.
func waysRead(t *testing.T, data []byte, opts tables.Options) (ways []int8, kept []tables.KeptValues, summary tables.Summary, err error) {
	t.Helper()
	opts.Stdin = bytes.NewReader(data)
	edges := make(chan tables.Batch)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for b := range edges {
			ways = append(ways, b.Ways...)
			if kept == nil {
				kept = make([]tables.KeptValues, len(b.Kept))
			}
			for i, values := range b.Kept {
				kept[i].Append(values, nil)
			}
			b.Release()
		}
	}()
	summary, err = Read(t.Context(), opts, edges)
	<-done
	return ways, kept, summary, err
}

// Every type of column can give directions, in every format; the column itself and that of lengths may be
// kept too.
func TestWaysOfEveryType(t *testing.T) {
	mem := memory.DefaultAllocator
	yes, no, back := "yes", "No", "-1"
	columns := map[string]struct {
		json string
		typ  arrow.DataType
		want []int8
	}{
		"text":       {`["` + yes + `", "` + no + `", null, "` + back + `", "TRUE", "reversible"]`, arrow.BinaryTypes.String, []int8{1, 0, 0, -1, 1, 0}},
		"dictionary": {`["yes", "no", null, "reverse", "yes", "no"]`, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, []int8{1, 0, 0, -1, 1, 0}},
		"booleans":   {`[true, false, null, true, false, true]`, arrow.FixedWidthTypes.Boolean, []int8{1, 0, 0, 1, 0, 1}},
		"int8":       {`[1, 0, null, -1, 1, 0]`, arrow.PrimitiveTypes.Int8, []int8{1, 0, 0, -1, 1, 0}},
		"int64":      {`[1, 0, null, -1, 1, 0]`, arrow.PrimitiveTypes.Int64, []int8{1, 0, 0, -1, 1, 0}},
		"float64":    {`[1, 0, null, -1, 1, 0]`, arrow.PrimitiveTypes.Float64, []int8{1, 0, 0, -1, 1, 0}},
		"float32":    {`[1, 0, null, -1, 1, 0]`, arrow.PrimitiveTypes.Float32, []int8{1, 0, 0, -1, 1, 0}},
	}
	for name, c := range columns {
		values, _, err := array.FromJSON(mem, c.typ, strings.NewReader(c.json))
		if err != nil {
			t.Fatal(err)
		}
		ids, _, _ := array.FromJSON(mem, arrow.PrimitiveTypes.Int64, strings.NewReader(`[1,2,3,4,5,6]`))
		lengths, _, _ := array.FromJSON(mem, arrow.PrimitiveTypes.Float64, strings.NewReader(`[1,2.5,3,4,5,6]`))
		schema := arrow.NewSchema([]arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int64}, {Name: "dst", Type: arrow.PrimitiveTypes.Int64},
			{Name: "way", Type: c.typ, Nullable: true}, {Name: "m", Type: arrow.PrimitiveTypes.Float64}}, nil)
		record := array.NewRecord(schema, []arrow.Array{ids, ids, values, lengths}, 6)
		var stream bytes.Buffer
		w := ipc.NewWriter(&stream, ipc.WithSchema(schema))
		if err := errors.Join(w.Write(record), w.Close()); err != nil {
			t.Fatal(err)
		}
		data := map[tables.Format][]byte{tables.FormatArrow: stream.Bytes()}
		for _, format := range []tables.Format{tables.FormatArrow, tables.FormatParquet, tables.FormatCSV} {
			ways, kept, summary, err := waysRead(t, data[format], tables.Options{OneWay: "way", EdgeKeep: []string{"way", "m"}, Weight: "m"})
			if err != nil || !slices.Equal(ways, c.want) || len(kept) != 2 || len(summary.EdgeKept) != 2 || !kept[0].Null[2] {
				t.Errorf("%s in %s: %d, %v; want %d; kept %v of %v", name, format, ways, err, c.want, kept, summary.EdgeKept)
				break
			}
			if format != tables.FormatArrow {
				continue
			}
			edges := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2, 3, 4, 5, 6}}, Type: summary.IDs, Columns: []tables.Column{{Name: "m", Values: tables.Floats{1, 2.5, 3, 4, 5, 6}}},
				Pairs: &tables.Pairs{Names: [2]string{"src", "dst"}, Ends: [2][]uint32{{0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 0}}}}
			edges.Kept = []tables.KeptColumn{{Name: "way", Type: summary.EdgeKept[0].Type, KeptValues: kept[0]}}
			for _, format := range []tables.Format{tables.FormatParquet, tables.FormatCSV} {
				var file bytes.Buffer
				if err := Write(t.Context(), &file, format, edges); err != nil {
					t.Fatal(err)
				}
				data[format] = file.Bytes()
			}
		}
	}
}

// An invalid direction is refused with its row, and a format without columns has none.
func TestWaysRefused(t *testing.T) {
	numbers := func(json string) []byte {
		values, _, _ := array.FromJSON(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, strings.NewReader(json))
		schema := arrow.NewSchema([]arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int64}, {Name: "dst", Type: arrow.PrimitiveTypes.Int64}, {Name: "way", Type: arrow.PrimitiveTypes.Int64}}, nil)
		var stream bytes.Buffer
		w := ipc.NewWriter(&stream, ipc.WithSchema(schema))
		if err := errors.Join(w.Write(array.NewRecord(schema, []arrow.Array{values, values, values}, int64(values.Len()))), w.Close()); err != nil {
			t.Fatal(err)
		}
		return stream.Bytes()
	}
	for name, c := range map[string]struct {
		data []byte
		opts tables.Options
		err  error
		says string
	}{
		"a word":         {[]byte("src,dst,way\n1,2,yes\n2,3,maybe\n"), tables.Options{OneWay: "way"}, tables.ErrInput, `line 3: column "way": "maybe" does not say which way an edge runs`},
		"a number":       {numbers(`[1, 2]`), tables.Options{OneWay: "way"}, tables.ErrInput, `record batch 0: column "way": row 1: "2" does not say which way an edge runs`},
		"no such column": {[]byte("src,dst\n1,2\n"), tables.Options{OneWay: "way"}, tables.ErrInput, `no column "way" among`},
		"an id":          {[]byte("src,dst\n1,2\n"), tables.Options{OneWay: "dst"}, tables.ErrUsage, `column "dst"`},
		"lengths":        {[]byte("src,dst,m\n1,2,1\n"), tables.Options{OneWay: "m", Weight: "m"}, tables.ErrUsage, `column "m" holds ids or lengths`},
		"METIS":          {[]byte("2 1\n2\n1\n"), tables.Options{OneWay: "way", Format: tables.FormatMETIS}, tables.ErrInput, `Options.OneWay names "way", but the input has no columns`},
		"kept of METIS":  {[]byte("2 1\n2\n1\n"), tables.Options{EdgeKeep: []string{"x"}, Format: tables.FormatMETIS}, tables.ErrInput, `Options.EdgeKeep names ["x"], but the input has no columns`},
		"kept twice":     {[]byte("src,dst,x\n1,2,1\n"), tables.Options{EdgeKeep: []string{"x", "x"}}, tables.ErrUsage, "a name is empty, or occurs twice"},
	} {
		if _, _, _, err := waysRead(t, c.data, c.opts); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// In text without a header, numbers name the fields.
func TestWaysWithoutHeader(t *testing.T) {
	ways, kept, _, err := waysRead(t, []byte("1 2 7 yes x\n2 3 8 no y\n3 4 9 -1 z\n"), tables.Options{OneWay: "4", EdgeKeep: []string{"5", "3"}, Weight: "3", Format: tables.FormatEdgeList})
	if err != nil || !slices.Equal(ways, []int8{1, 0, -1}) || string(kept[0].Keys.Bytes) != "xyz" || string(kept[1].Keys.Bytes) != "789" {
		t.Errorf("%d, %v, %v", ways, kept, err)
	}
}
