package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"

	"bcstage/arrowio/tables"
)

// largeTable has kept text, a score, and rows in reverse order; pairs have random first ends, more
// than a dictionary of Parquet holds.
func largeTable(n int, byPair bool) tables.Table {
	random := rand.New(rand.NewPCG(5, 6))
	ids, texts, scores := make([]uint64, n), tables.Keys{Offsets: []int64{0}}, make(tables.Floats, n)
	ends, order := [2][]uint32{make([]uint32, n), make([]uint32, n)}, make([]uint32, n)
	for i := range n {
		ids[i], scores[i] = uint64(i)<<20, random.ExpFloat64()
		texts.Bytes = strconv.AppendInt(texts.Bytes, int64(i%1000), 10)
		texts.Offsets = append(texts.Offsets, int64(len(texts.Bytes)))
		ends[0][i], ends[1][i], order[i] = uint32(random.IntN(n)), uint32(i/3), uint32(n-1-i)
	}
	table := tables.Table{IDs: tables.Keys{Ints: ids}, Type: tables.Int64IDs(), Order: order,
		Kept:    []tables.KeptColumn{{Name: "name", Type: tables.StringIDs(), KeptValues: tables.KeptValues{Keys: texts}}},
		Columns: []tables.Column{{Name: tables.ScoreColumn, Values: scores}}}
	if byPair {
		table.Pairs, table.Order = &tables.Pairs{Names: [2]string{"src", "dst"}, Ends: ends}, nil
	}
	return table
}

// The bytes of a table do not depend on the threads that write it.
func TestBytesDoNotDependOnThreads(t *testing.T) {
	for _, byPair := range []bool{false, true} {
		for _, format := range TableFormats() {
			n := 5*writeRows + 3
			if format == tables.FormatParquet {
				n += rowGroupRows
			}
			table := largeTable(n, byPair)
			var want []byte
			for _, threads := range []int{1, 2, 7} {
				table.Threads = threads
				var out bytes.Buffer
				if err := Write(t.Context(), &out, format, table); err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = out.Bytes()
				} else if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("%s, by pair %t: %d threads write other bytes than one", format, byPair, threads)
				}
			}
		}
	}
	if err := Write(t.Context(), io.Discard, tables.FormatCSV, tables.Table{Threads: maxThreads + 1}); !errors.Is(err, tables.ErrUsage) {
		t.Errorf("too many threads: %v", err)
	}
}

// A record that nobody makes holds no memory once its function was called with an ended context.
func TestRecordPiecesReleaseMemory(t *testing.T) {
	for _, test := range idTypeTables {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		table := scoreTable(test.dt, uniqueIDs(test.rows)...)
		var pieces []func(context.Context) (arrow.Record, error)
		if err := recordPieces(t.Context(), &table, mem, schemaOf(&table), func(record func(context.Context) (arrow.Record, error)) error {
			pieces = append(pieces, record)
			return nil
		}); err != nil || len(pieces) == 0 {
			t.Fatalf("%d pieces, %v", len(pieces), err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for _, record := range pieces {
			if _, err := record(ended); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", test.dt, err)
			}
		}
		mem.AssertSize(t, 0)
	}
}

// The footer's places and sizes are those of the chunks, of which there is nothing else in the file.
func TestParquetPlaces(t *testing.T) {
	var out bytes.Buffer
	if err := WriteEdges(t.Context(), &out, tables.FormatParquet, 2, countingEdges(2*rowGroupRows+7)); err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	at := int64(len(parquetMagic))
	for i := range r.NumRowGroups() {
		group := r.MetaData().RowGroup(i)
		compressed, plain := int64(0), int64(0)
		if group.FileOffset() != at || int(group.Ordinal()) != i {
			t.Errorf("row group %d is number %d at %d, not %d", i, group.Ordinal(), group.FileOffset(), at)
		}
		for j := range group.NumColumns() {
			chunk, err := group.ColumnChunk(j)
			if err != nil {
				t.Fatal(err)
			}
			if chunk.DataPageOffset() != at || chunk.HasDictionaryPage() {
				t.Errorf("row group %d, column %d: at %d, not %d", i, j, chunk.DataPageOffset(), at)
			}
			at += chunk.TotalCompressedSize()
			compressed, plain = compressed+chunk.TotalCompressedSize(), plain+chunk.TotalUncompressedSize()
		}
		if group.TotalCompressedSize() != compressed || group.TotalByteSize() != plain {
			t.Errorf("row group %d: %d of %d bytes, not %d of %d", i, group.TotalCompressedSize(), group.TotalByteSize(), compressed, plain)
		}
	}
	if footer := int64(r.MetaData().Size() + 8); at+footer != int64(out.Len()) {
		t.Errorf("%d bytes of chunks and %d of footer in a file of %d", at, footer, out.Len())
	}
}
