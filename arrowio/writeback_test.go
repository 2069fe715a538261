package arrowio

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// readBack reads the output of Write, with other readers where possible.
func readBack(t *testing.T, format tables.Format, data []byte, table *tables.Table) ([]writtenRow, arrow.DataType, map[string]string) {
	switch format {
	case tables.FormatArrow:
		r, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		var rows []writtenRow
		for r.Next() {
			rows = append(rows, rowsOfRecord(r.Record())...)
		}
		return rows, idtypes.OfField(r.Schema().Field(0)), r.Schema().Metadata().ToMap()
	case FormatArrowFile:
		r, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var rows []writtenRow
		for i := range r.NumRecords() {
			record, err := r.Record(i)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, rowsOfRecord(record)...)
		}
		return rows, idtypes.OfField(r.Schema().Field(0)), r.Schema().Metadata().ToMap()
	case tables.FormatParquet:
		return readParquetBack(t, data)
	case tables.FormatCSV:
		return readCSVBack(t, data), nil, nil
	}
	return readJSONBack(t, data, table.Type.IsInteger()), nil, nil
}

func readParquetBack(t *testing.T, data []byte) (rows []writtenRow, typ arrow.DataType, metadata map[string]string) {
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := parquetfile.TopLevel(t.Context(), r.MetaData())
	if err != nil {
		t.Fatal(err)
	}
	if typ, _, err = columns.IDType(0); err != nil {
		t.Fatal(err)
	}
	metadata = make(map[string]string)
	for _, pair := range r.MetaData().KeyValueMetadata() {
		if pair.Key != parquetfile.ArrowSchemaKey {
			metadata[pair.Key] = *pair.Value
		}
	}
	ids, _, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
		return readVertexBytes(data, edges)
	})
	if err != nil {
		t.Fatal(err)
	}
	for group := range r.NumRowGroups() {
		n := r.RowGroup(group).NumRows()
		scores, integers := make([]float64, n), make([]int64, n)
		for i := range 2 {
			column, err := r.RowGroup(group).Column(1 + i)
			if err != nil {
				t.Fatal(err)
			}
			switch column := column.(type) {
			case *file.Float64ColumnChunkReader:
				_, _, err = column.ReadBatch(n, scores, nil, nil)
			case *file.Int64ColumnChunkReader:
				_, _, err = column.ReadBatch(n, integers, nil, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range scores {
			rows = append(rows, writtenRow{ids[len(rows)][0], scores[i], integers[i]})
		}
	}
	return rows, typ, metadata
}

// readVertexBytes reads a vertex table.
func readVertexBytes(data []byte, edges chan<- tables.Batch) (tables.Summary, error) {
	defer close(edges)
	opts, err := checked(tables.Options{Stdin: bytes.NewReader(data)})
	if err != nil {
		return tables.Summary{}, err
	}
	out := edgetable.NewFunnel(edges, reading(&opts), nil)
	_, err = readInput(context.Background(), bytesOf(&opts), "-", "", out, true)
	return out.Finish(), err
}

func readCSVBack(t *testing.T, data []byte) (rows []writtenRow) {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if header := []string{"vertex", "betweenness_centrality", `part,"1"`}; !slices.Equal(records[0], header) {
		t.Errorf("header %q", records[0])
	}
	for _, record := range records[1:] {
		score, err1 := strconv.ParseFloat(record[1], 64)
		integer, err2 := strconv.ParseInt(record[2], 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, writtenRow{record[0], score, integer})
	}
	return rows
}

func readJSONBack(t *testing.T, data []byte, integers bool) (rows []writtenRow) {
	for line := range bytes.Lines(data) {
		var object map[string]json.RawMessage
		var row writtenRow
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		row.id = string(object["vertex"])
		if !integers {
			var bytes struct{ Base64 []byte }
			if json.Unmarshal(object["vertex"], &bytes) == nil {
				row.id = string(bytes.Base64)
			} else if err := json.Unmarshal(object["vertex"], &row.id); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(json.Unmarshal(object["betweenness_centrality"], &row.score), json.Unmarshal(object[`part,"1"`], &row.integer)); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// Ids that differ only in blanks stay the same when this package reads its own text.
func TestBlanksReadBack(t *testing.T) {
	names := []string{"a", " a", "a ", "\ta", "a\t", " ", "a b"}
	var out bytes.Buffer
	if err := Write(context.Background(), &out, tables.FormatCSV, scoreTable(arrow.BinaryTypes.String, names...)); err != nil {
		t.Fatal(err)
	}
	rows, _, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
		return readVertexBytes(out.Bytes(), edges)
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, row[0])
	}
	if !slices.Equal(got, names) {
		t.Errorf("got %q, want %q", got, names)
	}
}
