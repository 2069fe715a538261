package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// benchmarkEdges are a million edges between vertices of skewed degree.
func benchmarkEdges() (src, dst []int64) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 1 << 20 {
		a, b := random.Float64(), random.Float64()
		src = append(src, int64(a*a*(1<<20)))
		dst = append(dst, int64(b*b*(1<<20)))
	}
	return src, dst
}

// benchmarkFiles are the edges in the columnar formats.
func benchmarkFiles() map[string][]byte {
	src, dst := benchmarkEdges()
	columns := schema.FieldList{
		schema.NewInt64Node("src", parquet.Repetitions.Required, -1),
		schema.NewInt64Node("dst", parquet.Repetitions.Required, -1),
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, columns, -1)
	if err != nil {
		panic(err)
	}
	files := make(map[string][]byte)
	plain := parquet.WithDictionaryDefault(false)
	for name, properties := range map[string][]parquet.WriterProperty{
		"parquet plain":       {plain},
		"parquet snappy":      {plain, parquet.WithCompression(compress.Codecs.Snappy)},
		"parquet zstd":        {plain, parquet.WithCompression(compress.Codecs.Zstd)},
		"parquet dictionary":  {parquet.WithDictionaryPageSizeLimit(1 << 30)},
		"parquet delta":       {plain, parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked)},
		"parquet page 2 zstd": {plain, parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Zstd)},
	} {
		var out bytes.Buffer
		w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
		group := w.AppendRowGroup()
		for _, values := range [][]int64{src, dst} {
			column, err := group.NextColumn()
			if err == nil {
				_, err = column.(*file.Int64ColumnChunkWriter).WriteBatch(values, nil, nil)
			}
			if err != nil {
				panic(err)
			}
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		files[name] = out.Bytes()
	}
	for _, dt := range []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String} {
		var records []arrow.Record
		for first := 0; first < len(src); first += columnar.BatchRows {
			var rows [][2]string
			for i := first; i < first+columnar.BatchRows; i++ {
				rows = append(rows, [2]string{fmt.Sprint(src[i]), fmt.Sprint(dst[i])})
			}
			records = append(records, edgeRecord(memory.DefaultAllocator, dt, dt, rows...))
		}
		files["stream "+dt.String()] = streamOf(records)
	}
	return files
}

func BenchmarkReadColumnar(b *testing.B) {
	for name, data := range benchmarkFiles() {
		path := filepath.Join(b.TempDir(), "edges")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			rows := int64(0)
			for b.Loop() {
				edges := make(chan tables.Batch, 2)
				done := make(chan struct{})
				go func() {
					for batch := range edges {
						batch.Release()
					}
					close(done)
				}()
				summary, err := Read(context.Background(), tables.Options{Paths: []string{path}}, edges)
				if <-done; err != nil {
					b.Fatal(err)
				}
				rows += summary.Rows
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Medges/s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	const n = 1 << 20
	scores := make(tables.Floats, n)
	ints := tables.Table{IDs: tables.Keys{Ints: make([]uint64, n)}, Columns: []tables.Column{{Name: tables.ScoreColumn, Values: scores}}}
	words := tables.Table{Type: tables.StringIDs(), IDs: tables.Keys{Offsets: []int64{0}}, Columns: ints.Columns}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		ints.IDs.Ints[i] = uint64(i)
		scores[i] = random.ExpFloat64() * 1000
		words.IDs.Bytes = fmt.Appendf(words.IDs.Bytes, "vertex %d", i)
		words.IDs.Offsets = append(words.IDs.Offsets, int64(len(words.IDs.Bytes)))
	}
	for _, table := range []tables.Table{ints, words} {
		for _, format := range TableFormats() {
			b.Run(fmt.Sprint(format, "/", table.Type), func(b *testing.B) {
				for b.Loop() {
					if err := Write(context.Background(), io.Discard, format, table); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}
