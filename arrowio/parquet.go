package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/thrift"
)

// readParquet reads the id columns of a Parquet file, and that of lengths. Arrow's
// library parses the footer, and package parquetpages decodes.
func readParquet(ctx context.Context, in *input, out *funnel) error {
	source, err := openParquet(ctx, in)
	if err != nil {
		return err
	}
	typeOf := func(i int) (arrow.DataType, parquetpages.Layout, error) {
		if out.vertices && slices.Contains(out.opts.Keep, source.columns.names[i]) {
			return source.columns.keptType(i)
		}
		return source.columns.idType(i)
	}
	table, err := newEdgeTable(out, source.columns.names, func(i int) (arrow.DataType, error) {
		typ, _, err := typeOf(i)
		return typ, err
	}, func(i int) (lengthType, error) {
		typ, _, err := source.columns.lengthType(i)
		return typ, err
	})
	if err != nil {
		return err
	}
	source.direct(out, table.directions)
	for i := range table.columns {
		if c := &table.columns[i]; table.kept(i) {
			c.convert = source.columns.converter(c.position)
		}
	}
	projection, err := source.project(table.positions(), func(i int) (parquetpages.Layout, error) {
		if table.weight > 0 && i == table.columns[table.weight].position {
			_, layout, err := source.columns.lengthType(i)
			return layout, err
		}
		_, layout, err := typeOf(i)
		return layout, err
	})
	if err != nil {
		return err
	}
	return projection.read(ctx, source.file, table, out.opts.Threads)
}

// parquetInput is a Parquet file and what its footer says.
type parquetInput struct {
	file    randomFile
	footer  *metadata.FileMetaData
	expand  int   // how many bytes one may become
	end     int64 // of the pages, where the footer starts
	columns *parquetColumns
}

// openParquet reads the footer.
func openParquet(ctx context.Context, in *input) (f parquetInput, err error) {
	f.expand = in.from.MaxExpansion
	if f.file, err = in.random(); err != nil {
		return f, err
	}
	if f.footer, f.end, err = parquetFooter(f.file); err != nil {
		return f, err
	}
	f.columns, err = topLevel(ctx, f.footer)
	return f, err
}

// magicParquet begins and ends a file.
const magicParquet = "PAR1"

// tailBytes are read at once, in the hope that the footer is in them.
const tailBytes = 64 << 10

// parquetFooter reads the end of a file,
//
//	metadata (Thrift)  length (int32)  "PAR1"
//
// and returns the metadata and where it starts.
func parquetFooter(file randomFile) (footer *metadata.FileMetaData, start int64, err error) {
	defer faults.Recover(&err)
	const end = 4 + int64(len(magicParquet))
	if start = file.Size() - end; start < int64(len(magicParquet)) {
		return nil, 0, faults.Corrupt("cut short: no room for a footer")
	}
	// Most footers are short: one read gets all.
	tail := make([]byte, min(file.Size(), tailBytes))
	if err := readAt(file, tail, file.Size()-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	data, mark := tail[:int64(len(tail))-end], tail[int64(len(tail))-end:]
	length := int64(binary.LittleEndian.Uint32(mark))
	switch {
	case bytes.Equal(mark[4:], []byte("PARE")):
		return nil, 0, faults.Rejected("the footer is encrypted")
	case string(mark[4:]) != magicParquet || length > start-int64(len(magicParquet)):
		return nil, 0, faults.Corrupt("cut short: the file does not end with a footer")
	}
	start -= length
	if length <= int64(len(data)) {
		data = data[int64(len(data))-length:]
	} else {
		data = make([]byte, length)
		if err := readAt(file, data, start); err != nil {
			return nil, 0, err
		}
	}
	if !thrift.WellFormed(data) {
		return nil, 0, faults.Corrupt("the footer claims more than it holds")
	}
	if footer, err = metadata.NewFileMetaData(data, nil); err != nil {
		return nil, 0, faults.Corrupt("footer: %w", err)
	}
	return footer, start, nil
}

// extent is where in the file the pages of one column of a row group lie. The
// chunk's length is no more than a guess: old writers did not count the
// dictionary.
type extent struct {
	parquetpages.Chunk
	likely    int64 // where the footer says that the pages end; may be wrong
	encrypted bool
	elsewhere bool // in another file
}

// projection is what is to be read of a Parquet file: for each row group how
// many rows, and for each column that is wanted where its pages are.
type projection struct {
	layouts []parquetpages.Layout
	expand  int // how many bytes one may become
	rows    []int64
	extents [][]extent // by row group, then by column
	batch   int64      // how many rows make one, by what the footer says of their bytes
}

// project checks the footer's counts and offsets.
func (f *parquetInput) project(positions []int, layoutOf func(i int) (parquetpages.Layout, error)) (p *projection, err error) {
	defer faults.Recover(&err)
	p = &projection{expand: f.expand}
	for _, i := range positions {
		layout, err := layoutOf(i)
		if err != nil {
			return nil, err
		}
		p.layouts = append(p.layouts, layout)
	}
	p.batch = batchRows
	total := int64(0)
	for group := range f.footer.RowGroups {
		rg := f.footer.RowGroup(group)
		rows := rg.NumRows()
		if total += rows; rows < 0 || total < 0 {
			return nil, faults.Corrupt("row group %d: %d rows", group, rows)
		}
		if have, want := rg.NumColumns(), f.footer.Schema.NumColumns(); have != want {
			return nil, faults.Corrupt("row group %d: %d columns where the schema has %d", group, have, want)
		}
		var extents []extent
		bytes := int64(0)
		for _, i := range positions {
			column, err := rg.ColumnChunk(f.columns.leaves[i])
			if err != nil {
				return nil, faults.Corrupt("row group %d: %w", group, err)
			}
			if column.NumValues() != rows {
				return nil, faults.Corrupt("row group %d: column %q: %d values in %d rows", group, f.columns.names[i], column.NumValues(), rows)
			}
			bytes += max(column.TotalUncompressedSize(), 0)
			start := column.DataPageOffset()
			if dictionary := column.DictionaryPageOffset(); column.HasDictionaryPage() && dictionary > 0 && dictionary < start {
				start = dictionary
			}
			if rows > 0 && (start < int64(len(magicParquet)) || start >= f.end) {
				return nil, faults.Corrupt("row group %d: column %q: pages at byte %d of %d", group, f.columns.names[i], start, f.end)
			}
			extents = append(extents, extent{
				Chunk:     parquetpages.Chunk{Start: start, End: f.end, Codec: int64(column.Compression())},
				likely:    min(start+max(column.TotalCompressedSize(), 0)+parquetpages.HeaderBytes, f.end),
				encrypted: column.CryptoMetadata() != nil, elsewhere: column.FilePath() != "",
			})
		}
		p.batch = min(p.batch, rowsOf(rows, bytes))
		p.rows = append(p.rows, rows)
		p.extents = append(p.extents, extents)
	}
	if total != f.footer.GetNumRows() {
		return nil, faults.Corrupt("row groups of %d rows in a file of %d", total, f.footer.GetNumRows())
	}
	return p, nil
}

// direct looks at the directions in a file, as far as the footer tells: "Directed" is the
// first of Gephi's words, and "Undirected" the last.
func (f *parquetInput) direct(out *funnel, i int) {
	if i < 0 || f.columns.leaves[i] < 0 {
		return
	}
	contradicts := func(group int) (found bool) {
		var damaged error
		defer faults.Recover(&damaged) // of statistics; the column is not read
		column, err := f.footer.RowGroup(group).ColumnChunk(f.columns.leaves[i])
		if err != nil {
			return false
		}
		statistics, err := column.Statistics()
		if err != nil || statistics == nil || !statistics.HasMinMax() {
			return false
		}
		words, ok := statistics.(*metadata.ByteArrayStatistics)
		return ok && (out.opts.contradicts(words.Min()) || out.opts.contradicts(words.Max()))
	}
	for group := range f.footer.RowGroups {
		if contradicts(group) {
			out.contradicted(f.columns.names[i])
			return
		}
	}
}
