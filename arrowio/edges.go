package arrowio

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// edgeRows is the number of edges written at once.
const edgeRows = 1 << 16

// EdgeFormats lists the formats that WriteEdges takes.
func EdgeFormats() []tables.Format {
	return []tables.Format{tables.FormatCSV, tables.FormatEdgeList, tables.FormatArrow, FormatArrowFile, tables.FormatParquet}
}

// WriteEdges writes integer edges as a table of the columns src and dst (an
// edge list has no header), in memory that does not depend on their number. It
// ends soon after ctx does, with ctx.Err().
func WriteEdges(ctx context.Context, w io.Writer, format tables.Format, edges iter.Seq2[uint64, uint64]) error {
	var err error
	switch format {
	case tables.FormatCSV:
		err = writeEdgeText(ctx, w, "src,dst\n", ',', edges)
	case tables.FormatEdgeList:
		err = writeEdgeText(ctx, w, "", ' ', edges)
	case tables.FormatArrow:
		err = writeEdgeRecords(ctx, edges, ipc.NewWriter(w, ipc.WithSchema(edgeSchema())))
	case FormatArrowFile:
		place := &positioned{w: w}
		var out *ipc.FileWriter
		if out, err = ipc.NewFileWriter(place, ipc.WithSchema(edgeSchema())); err == nil {
			err = writeEdgeRecords(ctx, edges, markedFile{out, place})
		}
	case tables.FormatParquet:
		err = writeEdgeParquet(ctx, w, edges)
	default:
		err = faults.Usage("edges in format %q: want one of %q", format, EdgeFormats())
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	return err
}

func writeEdgeText(ctx context.Context, w io.Writer, header string, separator byte, edges iter.Seq2[uint64, uint64]) error {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(header)
	line, rows := make([]byte, 0, 64), 0
	for u, v := range edges {
		line = append(strconv.AppendUint(line[:0], u, 10), separator)
		line = append(strconv.AppendUint(line, v, 10), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
		if rows++; rows%edgeRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return out.Flush()
}

func edgeSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "src", Type: arrow.PrimitiveTypes.Int64},
		{Name: "dst", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
}

// writeEdgeRecords ends the output only if it has all edges: otherwise readers
// see that it is cut short.
func writeEdgeRecords(ctx context.Context, edges iter.Seq2[uint64, uint64], out recordWriter) error {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, edgeSchema())
	defer builder.Release()
	src, dst := builder.Field(0).(*array.Int64Builder), builder.Field(1).(*array.Int64Builder)
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		record := builder.NewRecord()
		defer record.Release()
		return out.Write(record)
	}
	for u, v := range edges {
		src.Append(int64(u))
		dst.Append(int64(v))
		if src.Len() == edgeRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if src.Len() > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return out.Close()
}

func writeEdgeParquet(ctx context.Context, w io.Writer, edges iter.Seq2[uint64, uint64]) error {
	columns := schema.FieldList{
		schema.NewInt64Node("src", parquet.Repetitions.Required, -1),
		schema.NewInt64Node("dst", parquet.Repetitions.Required, -1),
	}
	return parquetFile(w, columns, nil, func(f *file.Writer) error {
		var pending [2][]int64
		flush := func() error {
			group := f.AppendRowGroup()
			for i, values := range pending {
				chunk, err := group.NextColumn()
				if err != nil {
					return err
				}
				for piece := range slices.Chunk(values, edgeRows) {
					if err := ctx.Err(); err != nil {
						return err
					}
					if _, err := chunk.(*file.Int64ColumnChunkWriter).WriteBatch(piece, nil, nil); err != nil {
						return err
					}
				}
				pending[i] = values[:0]
			}
			return group.Close()
		}
		for u, v := range edges {
			pending[0] = append(pending[0], int64(u))
			pending[1] = append(pending[1], int64(v))
			if len(pending[0]) == rowGroupRows {
				if err := flush(); err != nil {
					return err
				}
			}
			if len(pending[0])%edgeRows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if len(pending[0]) == 0 {
			return nil
		}
		return flush()
	})
}
