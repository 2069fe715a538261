package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

const integerColumn = `part,"1"`

// scoreTable is a table of ids, given as text, each with a score and an
// integer.
func scoreTable(dt arrow.DataType, names ...string) tables.Table {
	a := idArray(memory.DefaultAllocator, dt, names...)
	defer a.Release()
	var p columnar.Promoter
	defer p.Release()
	var column ids.Column
	if err := p.Promote(&column, a, 0, a.Len()); err != nil {
		panic(err)
	}
	t := tables.Table{IDs: column.Keys(), Type: idtypes.Of(dt), Metadata: []tables.KeyValue{{Key: "n", Value: strconv.Itoa(len(names))}, {Key: "note", Value: "a\nb"}}}
	scores, integers := tables.Floats{}, tables.Ints{}
	for i := range names {
		scores = append(scores, float64(i)*1e6/3)
		integers = append(integers, int64(i)-math.MaxInt32)
	}
	t.Columns = []tables.Column{{Name: tables.ScoreColumn, Values: scores}, {Name: integerColumn, Values: integers}}
	return t
}

// writtenRow is a row as another reader sees it.
type writtenRow struct {
	id      string
	score   float64
	integer int64
}

func writtenRows(t tables.Table) (rows []writtenRow) {
	for row := range t.Rows() {
		v := t.Vertex(row)
		written := writtenRow{id: t.Type.Format(t.IDs, v), integer: t.Ints(integerColumn)[v]}
		if scores := t.Floats(tables.ScoreColumn); scores != nil {
			written.score = scores[v]
		}
		rows = append(rows, written)
	}
	return rows
}

// rowsOfRecord reads a record with Arrow.
func rowsOfRecord(record arrow.Record) (rows []writtenRow) {
	var p columnar.Promoter
	defer p.Release()
	var column ids.Column
	if err := p.Promote(&column, record.Column(0), 0, int(record.NumRows())); err != nil {
		panic(err)
	}
	for i := range column.Len() {
		rows = append(rows, writtenRow{
			idtypes.Of(idtypes.OfField(record.Schema().Field(0))).Format(column.Keys(), i),
			record.Column(1).(*array.Float64).Value(i),
			record.Column(2).(*array.Int64).Value(i),
		})
	}
	return rows
}

func uniqueIDs(rows [][2]string) (ids []string) {
	for _, row := range rows {
		for _, id := range row {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func TestWriteEveryIDType(t *testing.T) {
	for _, test := range idTypeTables {
		table := scoreTable(test.dt, uniqueIDs(test.rows)...)
		for _, order := range [][]uint32{nil, {2, 0, 1}, {}} {
			table.Order = order
			for _, format := range TableFormats() {
				t.Run(fmt.Sprint(test.dt, "/", format, "/", len(order)), func(t *testing.T) {
					var out bytes.Buffer
					if err := Write(context.Background(), &out, format, table); err != nil {
						t.Fatal(err)
					}
					rows, typ, metadata := readBack(t, format, out.Bytes(), &table)
					if want := writtenRows(table); !slices.Equal(rows, want) {
						t.Errorf("%v, want %v", rows, want)
					}
					if typ != nil && (!arrow.TypeEqual(typ, test.dt) || metadata["bcstage:note"] != "a\nb" || len(metadata) != 2) {
						t.Errorf("type %s, metadata %v", typ, metadata)
					}
				})
			}
		}
	}
}

func TestWriteText(t *testing.T) {
	table := tables.Table{
		IDs:  tables.Keys{Bytes: []byte(`plaina,bsay "x"` + "\nline"), Offsets: []int64{0, 5, 8, 15, 15, 20}},
		Type: tables.StringIDs(),
		Columns: []tables.Column{
			{Name: "first", Values: tables.Ints{1, 2, 3, 4, math.MinInt64}},
			{Name: tables.ScoreColumn, Values: tables.Floats{0, 1e15, 123456789012345.5, 1.0 / 3, 1e-7}},
			{Name: `a "b"`, Values: tables.Floats{-1.5, 0, 0, 0, 0}},
			{Name: "true", Values: tables.Bools{true, false, false, false, true}},
		},
	}
	for format, want := range map[tables.Format]string{
		tables.FormatCSV: "vertex,first,betweenness_centrality,\"a \"\"b\"\"\",true\nplain,1,0,-1.5,true\n\"a,b\",2,1e+15,0,false\n\"say \"\"x\"\"\",3,123456789012345.5,0,false\n\"\",4,0.3333333333333333,0,false\n\"\nline\",-9223372036854775808,1e-07,0,true\n",
		FormatJSONL: `{"vertex":"plain","first":1,"betweenness_centrality":0,"a \"b\"":-1.5,"true":true}
{"vertex":"a,b","first":2,"betweenness_centrality":1e+15,"a \"b\"":0,"true":false}
{"vertex":"say \"x\"","first":3,"betweenness_centrality":123456789012345.5,"a \"b\"":0,"true":false}
{"vertex":"","first":4,"betweenness_centrality":0.3333333333333333,"a \"b\"":0,"true":false}
{"vertex":"\u000aline","first":-9223372036854775808,"betweenness_centrality":1e-07,"a \"b\"":0,"true":true}
`,
	} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, table); err != nil || out.String() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", format, err, out.String(), want)
		}
	}
}

// Ids that are not UTF-8 have a form of their own in JSON too, which has no
// bytes.
func TestDifferentIDsNeverLookAlike(t *testing.T) {
	table := tables.Table{Type: tables.StringIDs(), IDs: tables.Keys{Offsets: []int64{0}}}
	for _, id := range []string{"\xff", "\xfe", "\uFFFD", `\xff`, "a\xc3", "a\xc3\x28", "a\xe2\x82", `{"base64":"/w=="}`, "/w=="} {
		table.IDs.Bytes = append(table.IDs.Bytes, id...)
		table.IDs.Offsets = append(table.IDs.Offsets, int64(len(table.IDs.Bytes)))
	}
	for _, format := range []tables.Format{tables.FormatCSV, FormatJSONL} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, table); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(out.String()) {
			if seen[line] {
				t.Errorf("%s: two ids are written %q", format, line)
			}
			seen[line] = true
		}
		if first, _, _ := strings.Cut(out.String(), "\n"); format == FormatJSONL && first != `{"vertex":{"base64":"/w=="}}` {
			t.Errorf("%q", first)
		}
	}
}

// Ids so long that records, and pages, hold few of them.
func TestWriteLongIDs(t *testing.T) {
	const n = 5
	table := tables.Table{Type: tables.StringIDs(), IDs: tables.Keys{Offsets: []int64{0}}, Columns: []tables.Column{{Name: tables.ScoreColumn, Values: make(tables.Floats, n)}, {Name: integerColumn, Values: make(tables.Ints, n)}}}
	random := rand.New(rand.NewPCG(7, 7))
	for range n {
		for range recordBytes/16 - 1 {
			table.IDs.Bytes = binary.LittleEndian.AppendUint64(table.IDs.Bytes, random.Uint64())
		}
		table.IDs.Offsets = append(table.IDs.Offsets, int64(len(table.IDs.Bytes)))
	}
	for _, format := range []tables.Format{tables.FormatArrow, tables.FormatParquet} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, table); err != nil {
			t.Fatal(err)
		}
		rows, _, _ := readBack(t, format, out.Bytes(), &table)
		if !slices.Equal(rows, writtenRows(table)) {
			t.Errorf("%s: other rows", format)
		}
	}
}

// A table larger than a row group.
func TestWriteRowGroups(t *testing.T) {
	const n = rowGroupRows + writeRows + 5
	table := tables.Table{Type: tables.Uint64IDs(), IDs: tables.Keys{Ints: make([]uint64, n)}, Columns: []tables.Column{{Name: tables.ScoreColumn, Values: make(tables.Floats, n)}}}
	for i := range n {
		table.IDs.Ints[i] = uint64(i) << 20
	}
	var out bytes.Buffer
	if err := Write(context.Background(), &out, tables.FormatParquet, table); err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if r.NumRowGroups() != rowGroupRows/writeRows+2 || r.RowGroup(0).NumRows() != writeRows {
		t.Errorf("%d row groups, %d rows in the first", r.NumRowGroups(), r.RowGroup(0).NumRows())
	}
	if most := groupRows(rowGroups * rowGroupRows); most != rowGroupRows || groupRows(2*rowGroups*rowGroupRows) != most {
		t.Errorf("groups of a large table have %d rows", most)
	}
	edges := make(chan tables.Batch)
	failed := make(chan error, 1)
	go func() {
		_, err := readVertexBytes(out.Bytes(), edges)
		failed <- err
	}()
	at := 0
	for batch := range edges {
		if !slices.Equal(batch.Vertices.Ints, table.IDs.Ints[at:at+batch.Vertices.Len()]) {
			t.Errorf("other ids from row %d on", at)
		}
		at += batch.Vertices.Len()
		batch.Release()
	}
	if err := <-failed; err != nil || at != n {
		t.Errorf("%d rows, %v", at, err)
	}
}

// A dictionary's index becomes wider when it cannot count the vertices.
func TestWriteWidensDictionaryIndex(t *testing.T) {
	p := arrow.PrimitiveTypes
	for _, test := range []struct {
		index arrow.DataType
		n     int
		want  arrow.DataType
	}{
		{p.Int8, 128, p.Int8}, {p.Int8, 129, p.Int16}, {p.Uint8, 256, p.Uint8}, {p.Uint8, 257, p.Uint16},
		{p.Int8, 40000, p.Int32}, {p.Uint16, 65537, p.Uint32}, {p.Int64, 1, p.Int64},
	} {
		table := tables.Table{Type: idtypes.Of(dictionaryOf(test.index, arrow.BinaryTypes.String)), IDs: tables.Keys{Offsets: make([]int64, test.n+1)}}
		if want := dictionaryOf(test.want, arrow.BinaryTypes.String); !arrow.TypeEqual(nameColumns(&table)[0].outputType(), want) {
			t.Errorf("%s, %d ids: %s, want %s", test.index, test.n, nameColumns(&table)[0].outputType(), want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	good := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2}}, Columns: []tables.Column{{Name: tables.ScoreColumn, Values: tables.Floats{1, 2}}}}
	for what, table := range map[string]tables.Table{
		"form of keys": {IDs: good.IDs, Type: tables.StringIDs()},
		"floats":       {IDs: good.IDs, Columns: []tables.Column{{Name: "x", Values: tables.Floats{1}}}},
		"integers":     {IDs: good.IDs, Columns: []tables.Column{{Name: "x", Values: tables.Ints{1}}}},
		"no values":    {IDs: good.IDs, Columns: []tables.Column{{Name: "x"}}},
		"twice":        {IDs: good.IDs, Columns: []tables.Column{{Name: "x", Values: tables.Ints{1, 2}}, {Name: "x", Values: tables.Floats{1, 2}}}},
		"vertex":       {IDs: good.IDs, Columns: []tables.Column{{Name: tables.VertexColumn, Values: tables.Ints{1, 2}}}},
		"order":        {IDs: good.IDs, Order: []uint32{2}},
		"NaN":          {IDs: good.IDs, Columns: []tables.Column{{Name: "x", Values: tables.Floats{1, math.NaN()}}}},
		"infinity":     {IDs: good.IDs, Columns: []tables.Column{{Name: "x", Values: tables.Floats{math.Inf(1), 1}}}},
	} {
		if err := Write(context.Background(), &bytes.Buffer{}, tables.FormatCSV, table); !errors.Is(err, tables.ErrUsage) {
			t.Errorf("%s: %v", what, err)
		}
	}
	narrow := tables.Table{IDs: tables.Keys{Ints: []uint64{300}}, Type: idtypes.Of(arrow.PrimitiveTypes.Int8)}
	wrong := tables.Table{IDs: tables.Keys{Bytes: []byte("abc"), Offsets: []int64{0, 3}}, Type: idtypes.Of(fixedSize(4))}
	for _, table := range []tables.Table{narrow, wrong} {
		for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet} {
			if err := Write(context.Background(), &bytes.Buffer{}, format, table); !errors.Is(err, tables.ErrUsage) {
				t.Errorf("%s in %s: %v", table.Type, format, err)
			}
		}
	}
	if err := Write(context.Background(), &bytes.Buffer{}, "xml", good); !errors.Is(err, tables.ErrUsage) {
		t.Error(err)
	}
}

// If an output fails after any number of bytes, the write fails, and the part
// written does not read as whole.
func TestWriteToFailingOutput(t *testing.T) {
	table := scoreTable(arrow.BinaryTypes.String, uniqueIDs(texts)...)
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, format := range TableFormats() {
		var whole bytes.Buffer
		if err := Write(context.Background(), &whole, format, table); err != nil {
			t.Fatal(err)
		}
		for n := 0; n < whole.Len(); n += 13 {
			if err := Write(context.Background(), &brokenPipe{n}, format, table); !errors.Is(err, errBroken) {
				t.Fatalf("%s after %d of %d bytes: %v", format, n, whole.Len(), err)
			}
		}
		closing := &closable{}
		if err := Write(context.Background(), closing, format, table); err != nil || closing.closed {
			t.Errorf("%s: %v, output closed: %v", format, err, closing.closed)
		}
		if err := Write(stopped, &bytes.Buffer{}, format, table); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", format, err)
		}
	}
}

type closable struct {
	bytes.Buffer
	closed bool
}

func (c *closable) Close() error {
	c.closed = true
	return nil
}

func TestToRecords(t *testing.T) {
	table := scoreTable(dictionaryOf(arrow.PrimitiveTypes.Int16, arrow.BinaryTypes.String), uniqueIDs(texts)...)
	records := make(chan Record)
	failed := make(chan error, 1)
	go func() { failed <- ToRecords(context.Background(), table, records) }()
	var rows []writtenRow
	for record := range records {
		rows = append(rows, rowsOfRecord(record)...)
		record.Release()
	}
	if err := <-failed; err != nil || !slices.Equal(rows, writtenRows(table)) {
		t.Errorf("%v, %v", rows, err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := ToRecords(ctx, table, make(chan Record)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWritingReleasesMemory(t *testing.T) {
	for _, test := range idTypeTables {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		table := scoreTable(test.dt, uniqueIDs(test.rows)...)
		for _, failure := range []error{nil, errBroken} {
			err := eachRecord(context.Background(), &table, mem, schemaOf(&table), func(arrow.Record) error { return failure })
			if !errors.Is(err, failure) {
				t.Error(err)
			}
		}
		mem.AssertSize(t, 0)
	}
}
