package arrowio

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/tables"
)

// Only text used to follow --ids string: integers of Parquet and Arrow, and of
// formats that number their vertices, stayed integers without a word.
func TestColumnsOfIntegersAsStrings(t *testing.T) {
	p := arrow.PrimitiveTypes
	strings := tables.Options{IDs: tables.IDsString, Nulls: tables.NullsDrop}
	for _, test := range []struct {
		src, dst arrow.DataType
		rows     [][2]string
	}{
		{p.Int64, p.Int8, [][2]string{{"-9223372036854775808", "-1"}, {"7", "127"}}},
		{p.Uint64, p.Int32, [][2]string{{"18446744073709551615", "-5"}, {"0", "1"}}},
		{p.Int64, arrow.BinaryTypes.String, [][2]string{{"12", "ann"}, {"7", "007"}}},
		{dictionaryOf(p.Int8, p.Uint16), p.Uint32, [][2]string{{"65535", "1"}, {"65535", "2"}}},
	} {
		rows := append(slices.Clone(test.rows), [2]string{null, "1"})
		record := edgeRecord(memory.DefaultAllocator, test.src, test.dst, rows...)
		got, summary, err := edgesOf(streamOf([]arrow.Record{record}), strings)
		if err != nil || !slices.Equal(got, test.rows) || summary.IDs.String() != "utf8" || summary.NullsDropped != 1 {
			t.Errorf("%s and %s: %v of %s, %d dropped, %v", test.src, test.dst, got, summary.IDs, summary.NullsDropped, err)
		}
		record.Release()
	}

	data, want := parquetOf(1<<30, nil, 70_000, 3)
	got, summary, err := edgesOf(data, strings)
	if err != nil || !slices.Equal(got, want) || summary.IDs.String() != "utf8" {
		t.Errorf("Parquet: %d rows of %s, %v", len(got), summary.IDs, err)
	}
}

func TestFormatsOfOneTableAsStrings(t *testing.T) {
	data, _ := parquetOf(1<<30, nil, 1)
	paths := []string{
		writeFile(t, "a.csv", "src,dst\nann,007\n"),
		writeFile(t, "b.parquet", string(data)),
		writeFile(t, "c.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
		writeFile(t, "d.graph", "2 1\n2\n1\n"),
		writeFile(t, "e.col", "p edge 2 1\ne 2 1\n"),
	}
	got, err := readAll(t.Context(), tables.Options{Paths: paths, IDs: tables.IDsString, Vertices: writeFile(t, "v", "id\n7\n")})
	if err != nil || !strings.HasPrefix(got.edges(), "ann>007 ") || !strings.HasSuffix(got.edges(), " 1>2 1>2 2>1 2>1") || got.IDs.String() != "utf8" {
		t.Error(got.edges(), got.IDs, err)
	}
	if vertices := strings.Join(got.vertices, " "); vertices != "7 1 2 1 2 1 2" {
		t.Error(vertices)
	}
}

func TestStringsAreNoIntegers(t *testing.T) {
	s := arrow.BinaryTypes.String
	record := edgeRecord(memory.DefaultAllocator, s, s, [2]string{"1", "2"})
	defer record.Release()
	_, err := readString(string(bytes.Clone(streamOf([]arrow.Record{record}))), tables.Options{IDs: tables.IDsInt})
	checkError(t, err, tables.ErrInput, `arrowio: standard input: column "src": ids of type utf8, not integers; Options.IDs "auto" takes them as they are`)
}
