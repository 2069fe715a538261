package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"
	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/internal/thrift"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

// parquetOf is a file of edges i -> 3*i whose every null-th source is null, in
// row groups of the given lengths.
func parquetOf(nulls int, properties []parquet.WriterProperty, groups ...int) (data []byte, edges [][2]string) {
	optional := schema.NewInt64Node("u", parquet.Repetitions.Optional, -1)
	required := schema.NewInt32Node("v", parquet.Repetitions.Required, -1)
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{optional, required}, -1)
	if err != nil {
		panic(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
	row := 0
	for _, rows := range groups {
		var u []int64
		var v []int32
		var levels []int16
		for range rows {
			v = append(v, int32(3*row))
			if row%nulls == nulls-1 {
				levels = append(levels, 0)
			} else {
				levels = append(levels, 1)
				u = append(u, int64(row))
				edges = append(edges, [2]string{fmt.Sprint(row), fmt.Sprint(3 * row)})
			}
			row++
		}
		group := w.AppendRowGroup()
		column, _ := group.NextColumn()
		if _, err := column.(*file.Int64ColumnChunkWriter).WriteBatch(u, levels, nil); err != nil {
			panic(err)
		}
		column, _ = group.NextColumn()
		if _, err := column.(*file.Int32ColumnChunkWriter).WriteBatch(v, nil, nil); err != nil {
			panic(err)
		}
		if err := group.Close(); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes(), edges
}

// Batches, pages and row groups end in different places.
func TestReadParquetAcrossPages(t *testing.T) {
	for _, properties := range [][]parquet.WriterProperty{
		{parquet.WithDataPageSize(10000)},
		{parquet.WithDataPageSize(70000), parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2)},
		{parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked), parquet.WithDataPageSize(3000)},
	} {
		for _, nulls := range []int{3, 100000} {
			data, want := parquetOf(nulls, properties, 10, columnar.BatchRows+1, 0, 70001)
			rows, summary, err := edgesOf(data, tolerant)
			if err != nil || !slices.Equal(rows, want) || summary.Rows+summary.NullsDropped != 10+columnar.BatchRows+1+70001 {
				t.Errorf("every %d null: %d rows, want %d, %v", nulls, len(rows), len(want), err)
			}
		}
	}
}

// Batches are larger for many threads, if there are many of them. The rows are the same.
func TestReadParquetInLargeBatches(t *testing.T) {
	const rows = 48 * columnar.BatchRows
	data, _ := parquetOf(rows, nil, rows/2+7, rows/2)
	var want [2][]uint64
	for _, c := range []struct{ threads, times int }{{2, 1}, {6, 3}, {64, 3}} {
		edges := make(chan tables.Batch)
		var group errgroup.Group
		group.Go(func() error {
			_, err := Read(t.Context(), tables.Options{Nulls: tables.NullsDrop, Threads: c.threads, Stdin: bytes.NewReader(data)}, edges)
			return err
		})
		var got [2][]uint64
		largest := 0
		for b := range edges {
			largest = max(largest, b.Src.Len())
			got[0], got[1] = append(got[0], b.Src.Ints...), append(got[1], b.Dst.Ints...)
			b.Release()
		}
		if err := group.Wait(); err != nil || largest != c.times*columnar.BatchRows {
			t.Errorf("%d threads: %d rows in a batch, want %d, %v", c.threads, largest, c.times*columnar.BatchRows, err)
		}
		if want[0] == nil {
			want = got
		}
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("%d threads: %d rows, not those of 2 threads", c.threads, len(got[0]))
		}
	}
}

func TestReadParquetNamesTheNull(t *testing.T) {
	data, _ := parquetOf(100000, nil, 90000, 50000)
	_, _, err := edgesOf(data, tables.Options{})
	want := `arrowio: standard input: row group 1: column "u": null id at row 9999; ` + edgetable.DropNulls
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// refooted is the file with its footer changed.
func refooted(data []byte, change func(*metadata.FileMetaData)) []byte {
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		panic(err)
	}
	change(r.MetaData())
	length := binary.LittleEndian.Uint32(data[len(data)-8:])
	out := bytes.NewBuffer(bytes.Clone(data[:len(data)-8-int(length)]))
	n, err := r.MetaData().WriteTo(out, nil)
	if err != nil {
		panic(err)
	}
	return append(binary.LittleEndian.AppendUint32(out.Bytes(), uint32(n)), parquetfile.Magic...)
}

// Decoded data is checked against every count of the footer.
func TestParquetCountsMustAgree(t *testing.T) {
	data, _ := parquetOf(5, []parquet.WriterProperty{parquet.WithDataPageSize(100)}, 300)
	for _, test := range []struct {
		what   string
		change func(*metadata.FileMetaData)
		says   string
	}{
		{"nothing", func(*metadata.FileMetaData) {}, ""},
		{"rows of the file", func(m *metadata.FileMetaData) { m.NumRows++ }, "row groups of 300 rows in a file of 301"},
		{"rows of the row group", func(m *metadata.FileMetaData) { m.NumRows--; m.RowGroups[0].NumRows-- }, "300 values in 299 rows"},
		{"fewer everywhere", func(m *metadata.FileMetaData) {
			m.NumRows--
			m.RowGroups[0].NumRows--
			for _, c := range m.RowGroups[0].Columns {
				c.MetaData.NumValues--
			}
		}, "pages hold 1 rows more than their row group"},
		{"more everywhere", func(m *metadata.FileMetaData) {
			m.NumRows++
			m.RowGroups[0].NumRows++
			for _, c := range m.RowGroups[0].Columns {
				c.MetaData.NumValues++
			}
		}, "row group 0: column"},
		{"negative", func(m *metadata.FileMetaData) { m.RowGroups[0].NumRows = -1 }, "-1 rows"},
		{"offset", func(m *metadata.FileMetaData) {
			m.RowGroups[0].Columns[1].MetaData.DictionaryPageOffset = nil
			m.RowGroups[0].Columns[1].MetaData.DataPageOffset = 1 << 40
		}, "pages at byte"},
		{"codec", func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = 1 }, "page before byte"},
		{"unknown codec", func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = 3 }, "codec LZO"},
		{"another file", func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = &[]string{"x"}[0] }, "in another file"},
		{"no column", func(m *metadata.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:1] }, "row group 0: 1 columns where the schema has 2"},
	} {
		_, _, err := edgesOf(refooted(data, test.change), tolerant)
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", test.what, err, test.says)
		}
		if err != nil && !errors.Is(err, tables.ErrCorrupt) && !errors.Is(err, tables.ErrInput) {
			t.Errorf("%s: error without a class: %v", test.what, err)
		}
	}
}

// Where pages have checksums, a changed byte in one is noticed.
func TestParquetChecksum(t *testing.T) {
	for _, name := range []string{"checksum.parquet", "checksum_page2.parquet"} {
		data, err := os.ReadFile(filepath.Join(fixtureFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := edgesOf(data, tables.Options{})
		if err != nil {
			t.Fatal(err)
		}
		noticed, silent := 0, 0
		footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
		for at := 4; at < footer; at += testgraphs.OneIn {
			changed := bytes.Clone(data)
			changed[at] ^= 0x10
			rows, _, err := edgesOf(changed, tables.Options{})
			switch {
			case err != nil && strings.Contains(err.Error(), "checksum"):
				noticed++
			case err == nil && !slices.Equal(rows, want):
				silent++
			}
		}
		// Headers have no checksum: the encoding or a count may still be changed there.
		if noticed < 300/testgraphs.OneIn || silent > 8 {
			t.Errorf("%s: %d changed bytes noticed, %d not", name, noticed, silent)
		}
	}
}

func TestParquetCancels(t *testing.T) {
	data, _ := parquetOf(1<<30, nil, 20*columnar.BatchRows)
	if more := readWhile(t, tables.Options{Stdin: bytes.NewReader(data)}, false, justCancel, context.Canceled); more > 2 {
		t.Errorf("%d more batches", more)
	}
}

// Lists in a footer that claim more than there is are refused before Thrift
// makes room for them.
func TestParquetFooterClaims(t *testing.T) {
	list := []byte{2<<4 | thrift.List, 0xf0 | thrift.Struct, 0xff, 0xff, 0xff, 0xff, 0x0f, 0} // field 2, 2^32-1 elements
	data := slices.Concat([]byte(parquetfile.Magic), make([]byte, 16), list)
	data = append(binary.LittleEndian.AppendUint32(data, uint32(len(list))), parquetfile.Magic...)
	if err := survive(t, "footer", data); !errors.Is(err, tables.ErrCorrupt) || !strings.Contains(err.Error(), "claims more than it holds") {
		t.Error(err)
	}
}

// A number of more than ten bytes may never end, so no reader waits for its end (CVE-2026-43871). It is refused
// before Thrift sees it, and by Thrift itself, which page headers and encrypted footers could reach.
func TestParquetFooterNumbersEnd(t *testing.T) {
	endless := append(slices.Repeat([]byte{0x80}, 1<<16), 0)
	for what, begin := range map[string][]byte{
		"version":           {1<<4 | thrift.Int32},
		"rows":              {3<<4 | thrift.Int64},
		"schema's elements": {2<<4 | thrift.List, 0xf0 | thrift.Struct},
		"writer's name":     {6<<4 | thrift.Binary},
		"unknown field":     {15<<4 | thrift.Int64},
		"unknown map":       {15<<4 | thrift.Map},
	} {
		footer := slices.Concat(begin, endless, []byte{thrift.Stop})
		data := slices.Concat([]byte(parquetfile.Magic), make([]byte, 16), footer)
		data = append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), parquetfile.Magic...)
		if err := survive(t, what, data); !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := metadata.NewFileMetaData(footer, nil); err == nil || !strings.Contains(err.Error(), "10 bytes") {
			t.Errorf("%s: Thrift says %v", what, err)
		}
	}
}

// With any number of row groups decoded side by side, rows come in the file's order, and the error names the
// first damaged group.
func TestParquetGroupsSideBySide(t *testing.T) {
	lengths := []int{900, 1000, 1, 0, 1000, 300, 1000, 1000, 77, 1000, 1000, 1000, 1000, 2}
	data, want := parquetOf(7, nil, lengths...)
	damaged := refooted(data, func(m *metadata.FileMetaData) {
		for group, column := range map[int]int{12: 0, 9: 1, 6: 1, 7: 0} {
			m.RowGroups[group].Columns[column].MetaData.Codec = 3
		}
	})
	for _, threads := range []int{1, 2, 3, 7, 64} {
		opts := tolerant
		opts.Threads = threads
		if rows, _, err := edgesOf(data, opts); err != nil || !slices.Equal(rows, want) {
			t.Errorf("%d threads: %d rows, want %d, %v", threads, len(rows), len(want), err)
		}
		if _, _, err := edgesOf(damaged, opts); err == nil || !strings.Contains(err.Error(), `row group 6: column "v": `) {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}
