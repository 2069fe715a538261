package arrowio

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func readTableBytes(data []byte) (Table, error) {
	return ReadTable(context.Background(), Options{Stdin: bytes.NewReader(data)})
}

func TestReadTable(t *testing.T) {
	for _, test := range idTypeTables {
		full := scoreTable(test.dt, uniqueIDs(test.rows)...)
		partial := full
		partial.Scores = nil
		empty := scoreTable(test.dt)
		for _, table := range []Table{full, partial, empty} {
			for _, format := range []Format{FormatArrow, FormatArrowFile, FormatParquet} {
				var out bytes.Buffer
				if err := Write(context.Background(), &out, format, table); err != nil {
					t.Fatal(err)
				}
				got, err := readTableBytes(out.Bytes())
				if err != nil {
					t.Fatalf("%s: %v", table.Type, err)
				}
				if (got.Scores == nil) != (table.Scores == nil) || !slices.Equal(got.Metadata, table.Metadata) || !arrow.TypeEqual(got.Type.arrow, table.Type.arrow) {
					t.Errorf("%s, %s: %+v, want %+v", table.Type, format, got, table)
				}
				if !slices.Equal(got.writtenRows(), table.writtenRows()) {
					t.Errorf("%s, %s: %v, want %v", table.Type, format, got.writtenRows(), table.writtenRows())
				}
				for n := 0; n < out.Len(); n += 7 * oneIn {
					if _, err := readTableBytes(out.Bytes()[:n]); err == nil {
						t.Fatalf("%s, %s: cut after %d of %d bytes, no error", table.Type, format, n, out.Len())
					}
				}
			}
		}
	}
}

func TestReadTableRefuses(t *testing.T) {
	edges := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	if _, err := readTableBytes(streamOf([]arrow.Record{edges})); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "has no place in a table of vertices") {
		t.Error(err)
	}
	if _, err := readTableBytes([]byte("vertex\n1\n")); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	if _, err := ReadTable(context.Background(), Options{Paths: []string{"a", "b"}}); !errors.Is(err, ErrUsage) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadTable(ctx, Options{Stdin: bytes.NewReader(nil)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
