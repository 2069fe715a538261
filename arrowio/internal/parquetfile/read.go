// Package parquetfile reads the chosen columns of a Parquet file: its footer with Arrow's
// library, its pages with package parquetpages.
//
// Flow: Open reads the footer; project finds the pages of the columns. Decoders, one per
// column for several row groups at a time, send pieces, which become batches in order.
// EachColumn yields columns one after the other. A file of an icebug-disk graph takes ids and
// sources from its neighbours.
//
// Ownership: a piece belongs to its receiver. No goroutine outlives Read or EachColumn.
//
// Complexity: linear in the rows; memory of the row groups decoded side by side, at most a
// quarter of the file's rows.
package parquetfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/internal/thrift"
)

// Read reads the id columns of a Parquet file, and the column of lengths. Arrow's library
// parses the footer, and package parquetpages decodes.
func Read(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	source, err := Open(ctx, in)
	if err != nil {
		return err
	}
	if csr, err := source.isCSR(); err != nil || csr && !out.Vertices {
		if err != nil {
			return err
		}
		return source.readCSR(ctx, in, out)
	}
	typeOf := func(i int) (arrow.DataType, parquetpages.Layout, error) {
		if slices.Contains(out.Opts.Beside(out.Vertices), source.Columns.Names[i]) {
			return source.Columns.KeptType(i)
		}
		return source.Columns.IDType(i)
	}
	table, err := columnar.NewTable(out, source.Columns.Names, func(i int) (arrow.DataType, error) {
		typ, _, err := typeOf(i)
		return typ, err
	}, func(i int) (lengths.Type, error) {
		typ, _, err := source.Columns.lengthType(i)
		return typ, err
	})
	if err != nil {
		return err
	}
	if kept := out.Opts.Beside(out.Vertices); len(kept) > 0 {
		if err := out.KeepGeo(kept, source.Footer.KeyValueMetadata().FindValue(edgetable.GeoKey)); err != nil {
			return err
		}
	}
	source.direct(out, table.Directions)
	for i := range table.Columns {
		if c := &table.Columns[i]; table.Kept(i) {
			c.Convert = source.Columns.Converter(c.Position)
		}
	}
	projection, err := source.project(table.Positions(), func(i int) (parquetpages.Layout, error) {
		if table.Weight > 0 && i == table.Columns[table.Weight].Position {
			_, layout, err := source.Columns.lengthType(i)
			return layout, err
		}
		_, layout, err := typeOf(i)
		return layout, err
	})
	if err != nil {
		return err
	}
	return projection.read(ctx, source.file, table, out.Opts.Threads)
}

// File is a Parquet file with its footer.
type File struct {
	file    sources.RandomFile
	Footer  *metadata.FileMetaData
	expand  int   // how many bytes one byte may become
	end     int64 // of the pages: start of the footer
	Columns *Columns
}

// Open reads the footer.
func Open(ctx context.Context, in *sources.Input) (f File, err error) {
	f.expand = in.From.MaxExpansion
	if f.file, err = in.Random(); err != nil {
		return f, err
	}
	if f.Footer, f.end, err = footerOf(f.file); err != nil {
		return f, err
	}
	f.Columns, err = TopLevel(ctx, f.Footer)
	return f, err
}

// Magic begins and ends a file.
const Magic = "PAR1"

// TailBytes are read at once; most footers fit.
const TailBytes = 64 << 10

// footerOf reads the end of a file,
//
//	metadata (Thrift)  length (int32)  "PAR1"
//
// and returns the metadata and where it starts.
func footerOf(file sources.RandomFile) (footer *metadata.FileMetaData, start int64, err error) {
	defer faults.Recover(&err)
	const end = 4 + int64(len(Magic))
	if start = file.Size() - end; start < int64(len(Magic)) {
		return nil, 0, faults.Corrupt("cut short: no room for a footer")
	}
	// Most footers are short: one read gets all.
	tail := make([]byte, min(file.Size(), TailBytes))
	if err := sources.ReadAt(file, tail, file.Size()-int64(len(tail))); err != nil {
		return nil, 0, err
	}
	data, mark := tail[:int64(len(tail))-end], tail[int64(len(tail))-end:]
	length := int64(binary.LittleEndian.Uint32(mark))
	switch {
	case bytes.Equal(mark[4:], []byte("PARE")):
		return nil, 0, faults.Rejected("the footer is encrypted")
	case string(mark[4:]) != Magic || length > start-int64(len(Magic)):
		return nil, 0, faults.Corrupt("cut short: the file does not end with a footer")
	}
	start -= length
	if length <= int64(len(data)) {
		data = data[int64(len(data))-length:]
	} else {
		data = make([]byte, length)
		if err := sources.ReadAt(file, data, start); err != nil {
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

// extent is the place of the pages of one column of a row group. The chunk's length is only a
// guess: old writers did not count the dictionary.
type extent struct {
	parquetpages.Chunk
	likely    int64 // end of the pages by the footer; may be wrong
	encrypted bool
	elsewhere bool // in another file
}

// projection is the part of a Parquet file to read: for each row group the number of rows, and
// for each chosen column the place of its pages.
type projection struct {
	layouts []parquetpages.Layout
	expand  int // how many bytes one byte may become
	rows    []int64
	extents [][]extent                // by row group, then by column
	batch   int64                     // rows of a batch, by their bytes in the footer
	rewrite func([]*ids.Column) error // turns the columns of a batch into those of the table; nil: they are the same
}

// project checks the footer's counts and offsets.
func (f *File) project(positions []int, layoutOf func(i int) (parquetpages.Layout, error)) (p *projection, err error) {
	defer faults.Recover(&err)
	p = &projection{expand: f.expand}
	for _, i := range positions {
		layout, err := layoutOf(i)
		if err != nil {
			return nil, err
		}
		p.layouts = append(p.layouts, layout)
	}
	p.batch = columnar.BatchRows
	total := int64(0)
	for group := range f.Footer.RowGroups {
		rg := f.Footer.RowGroup(group)
		rows := rg.NumRows()
		if total += rows; rows < 0 || total < 0 {
			return nil, faults.Corrupt("row group %d: %d rows", group, rows)
		}
		if have, want := rg.NumColumns(), f.Footer.Schema.NumColumns(); have != want {
			return nil, faults.Corrupt("row group %d: %d columns where the schema has %d", group, have, want)
		}
		var extents []extent
		bytes := int64(0)
		for _, i := range positions {
			column, err := rg.ColumnChunk(f.Columns.leaves[i])
			if err != nil {
				return nil, faults.Corrupt("row group %d: %w", group, err)
			}
			if column.NumValues() != rows {
				return nil, faults.Corrupt("row group %d: column %q: %d values in %d rows", group, f.Columns.Names[i], column.NumValues(), rows)
			}
			bytes += max(column.TotalUncompressedSize(), 0)
			start := column.DataPageOffset()
			if dictionary := column.DictionaryPageOffset(); column.HasDictionaryPage() && dictionary > 0 && dictionary < start {
				start = dictionary
			}
			if rows > 0 && (start < int64(len(Magic)) || start >= f.end) {
				return nil, faults.Corrupt("row group %d: column %q: pages at byte %d of %d", group, f.Columns.Names[i], start, f.end)
			}
			extents = append(extents, extent{
				Chunk:     parquetpages.Chunk{Start: start, End: f.end, Codec: int64(column.Compression())},
				likely:    min(start+max(column.TotalCompressedSize(), 0)+parquetpages.HeaderBytes, f.end),
				encrypted: column.CryptoMetadata() != nil, elsewhere: column.FilePath() != "",
			})
		}
		p.batch = min(p.batch, columnar.RowsOf(rows, bytes))
		p.rows = append(p.rows, rows)
		p.extents = append(p.extents, extents)
	}
	if total != f.Footer.GetNumRows() {
		return nil, faults.Corrupt("row groups of %d rows in a file of %d", total, f.Footer.GetNumRows())
	}
	return p, nil
}

// direct checks the directions in a file by the footer's statistics: "Directed" is the first
// of Gephi's words, and "Undirected" the last.
func (f *File) direct(out *edgetable.Funnel, i int) {
	if i < 0 || f.Columns.leaves[i] < 0 {
		return
	}
	contradicts := func(group int) (found bool) {
		var damaged error
		defer faults.Recover(&damaged) // of statistics; the column is not read
		column, err := f.Footer.RowGroup(group).ColumnChunk(f.Columns.leaves[i])
		if err != nil {
			return false
		}
		statistics, err := column.Statistics()
		if err != nil || statistics == nil || !statistics.HasMinMax() {
			return false
		}
		words, ok := statistics.(*metadata.ByteArrayStatistics)
		return ok && (out.Opts.Contradicts(words.Min()) || out.Opts.Contradicts(words.Max()))
	}
	for group := range f.Footer.RowGroups {
		if contradicts(group) {
			out.Contradicted(f.Columns.Names[i])
			return
		}
	}
}
