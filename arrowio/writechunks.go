package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sync"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"
	"github.com/klauspost/compress/zstd"

	"bcstage/internal/parallel"
)

// parquetMagic begins and ends a Parquet file.
const parquetMagic = "PAR1"

// parquetFile is a Parquet file whose column chunks are encoded in memory, side by side. Arrow's
// own writer of files encodes one after the other. Chunks are encoded as if each was the first of
// the file; end moves their offsets.
type parquetFile struct {
	out     positioned
	footer  *metadata.FileMetaDataBuilder
	options *parquet.WriterProperties
	encoder *zstd.Encoder // of all threads; Arrow's codec makes one for every page
	begins  []int64       // of the chunks
	spare   sync.Pool     // of *chunkBuffer
}

// newParquetFile begins a file of some columns.
func newParquetFile(w io.Writer, threads int, columns schema.FieldList, pairs metadata.KeyValueMetadata, more ...parquet.WriterProperty) (*parquetFile, error) {
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, columns, -1)
	if err != nil {
		return nil, err
	}
	f := &parquetFile{out: positioned{w: w}, options: parquet.NewWriterProperties(append([]parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(false), // ids are unique
		parquet.WithVersion(parquet.V2_LATEST),
	}, more...)...)}
	f.footer = metadata.NewFileMetadataBuilder(schema.NewSchema(root), f.options, pairs)
	if f.encoder, err = zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(threads)); err != nil {
		return nil, err
	}
	_, err = io.WriteString(&f.out, parquetMagic)
	return f, err
}

// addRowGroup adds a piece for every column of a row group.
func (f *parquetFile) addRowGroup(columns []columnWriter, first, rows int, add func(parallel.Piece) error) error {
	group := f.footer.AppendRowGroup()
	group.SetNumRows(rows)
	for _, column := range columns {
		chunk := group.NextColumnChunk()
		if err := add(func(ctx context.Context) (func(context.Context) error, error) {
			encoded, err := f.encode(ctx, chunk, column, first, rows)
			return func(ctx context.Context) error { return f.append(ctx, encoded) }, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// encode encodes a column chunk.
func (f *parquetFile) encode(ctx context.Context, of *metadata.ColumnChunkMetaDataBuilder, column columnWriter, first, rows int) (*chunkBuffer, error) {
	to, _ := f.spare.Get().(*chunkBuffer)
	if to == nil {
		to = &chunkBuffer{}
	}
	to.Reset()
	path := of.Descr().Path()
	pages, err := file.NewPageWriter(to, f.options.CompressionFor(path), f.options.CompressionLevelFor(path), of, 0, 0, f.options.Allocator(), false, nil, nil)
	if err != nil {
		return nil, err
	}
	chunk := file.NewColumnChunkWriter(of, chunkPages{pages, f.encoder, to}, f.options)
	for at := first; at < first+rows && err == nil; at += writeRows {
		if err = ctx.Err(); err == nil {
			err = column(chunk, at, min(writeRows, first+rows-at))
		}
	}
	if closing := chunk.Close(); err == nil {
		err = closing
	}
	to.Truncate(int(chunk.TotalBytesWritten())) // Arrow appends the footer's entry, with offsets of this buffer
	return to, err
}

// append writes a chunk.
func (f *parquetFile) append(ctx context.Context, chunk *chunkBuffer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.begins = append(f.begins, f.out.position)
	_, err := f.out.Write(chunk.Bytes())
	f.spare.Put(chunk)
	return err
}

// end writes the footer.
func (f *parquetFile) end() error {
	footer, err := f.footer.Snapshot()
	if err != nil {
		return err
	}
	for number, group := range footer.RowGroups {
		ordinal, compressed := int16(number), int64(0)
		group.Ordinal, group.TotalCompressedSize = &ordinal, &compressed
		group.FileOffset = &f.begins[number*len(group.Columns)]
		for i, column := range group.Columns {
			moved := f.begins[number*len(group.Columns)+i] - int64(len(parquetMagic))
			column.FileOffset = 0 // there is no second copy of the entry
			chunk := column.MetaData
			chunk.DataPageOffset += moved
			if chunk.DictionaryPageOffset != nil {
				*chunk.DictionaryPageOffset += moved
			}
			if pages := chunk.EncodingStats; len(pages) == 3 && pages[1].Encoding > pages[2].Encoding {
				pages[1], pages[2] = pages[2], pages[1] // they come from a map
			}
			group.TotalByteSize += chunk.TotalUncompressedSize
			compressed += chunk.TotalCompressedSize
		}
	}
	begin := f.out.position
	if _, err := footer.WriteTo(&f.out, nil); err != nil {
		return err
	}
	end := binary.LittleEndian.AppendUint32(nil, uint32(f.out.position-begin))
	_, err = f.out.Write(append(end, parquetMagic...))
	return err
}

// chunkBuffer holds the pages of a column chunk.
type chunkBuffer struct {
	bytes.Buffer
	page []byte
}

// Tell is the position in a file of this chunk alone. Arrow takes a dictionary at 0 for none.
func (c *chunkBuffer) Tell() int64 { return int64(len(parquetMagic) + c.Len()) }

// chunkPages compresses pages with the file's encoder.
type chunkPages struct {
	file.PageWriter
	encoder *zstd.Encoder
	to      *chunkBuffer
}

// Compress returns a page, which holds until the next call.
func (c chunkPages) Compress(_ *bytes.Buffer, page []byte) []byte {
	c.to.page = c.encoder.EncodeAll(page, c.to.page[:0])
	return c.to.page
}
