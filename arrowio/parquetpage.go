package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Kinds of page, and codecs, by their numbers in the format.
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3

	codecNone     = 0
	codecSnappy   = 1
	codecGzip     = 2
	codecBrotli   = 4
	codecLZ4Frame = 5 // Hadoop's, deprecated
	codecZstd     = 6
	codecLZ4Raw   = 7

	pageHeaderBytes = 512      // what most need
	maxPageHeader   = 16 << 20 // bytes; statistics may hold whole values
)

// pageHeader is what the reader needs of a page's header.
type pageHeader struct {
	kind                     int64
	uncompressed, compressed int64 // bytes
	crc                      int64
	hasCRC                   bool
	values, encoding, levels int64 // levels: encoding of the definition levels of a data page
	definition, repetition   int64 // bytes of levels in front of a data page v2
	stored                   bool  // data page v2 whose values are not compressed
}

// parsePageHeader returns the header at the beginning of data and its length,
// or false if data ends before the header does or holds none.
func parsePageHeader(data []byte) (h pageHeader, length int, ok bool) {
	c := compact{data: data}
	c.structure(func(id int, kind byte) bool {
		integer := kind == thriftInt32
		switch {
		case id == 1 && integer:
			h.kind = c.integer()
		case id == 2 && integer:
			h.uncompressed = c.integer()
		case id == 3 && integer:
			h.compressed = c.integer()
		case id == 4 && integer:
			h.crc, h.hasCRC = c.integer(), true
		case (id == 5 || id == 7 || id == 8) && kind == thriftStruct:
			h.parse(&c, id)
		default:
			return false
		}
		return true
	})
	return h, len(data) - len(c.data), !c.failed
}

// parse reads the part of the header that belongs to one kind of page.
func (h *pageHeader) parse(c *compact, part int) {
	const v1, dictionary, v2 = 5, 7, 8
	c.structure(func(id int, kind byte) bool {
		integer := kind == thriftInt32
		switch {
		case id == 1 && integer:
			h.values = c.integer()
		case id == 2 && integer && part != v2, id == 4 && integer && part == v2:
			h.encoding = c.integer()
		case id == 3 && integer && part == v1:
			h.levels = c.integer()
		case id == 5 && integer && part == v2:
			h.definition = c.integer()
		case id == 6 && integer && part == v2:
			h.repetition = c.integer()
		case id == 7 && part == v2:
			h.stored = kind == thriftFalse
			return kind == thriftTrue || kind == thriftFalse
		default:
			return false
		}
		return true
	})
}

// pages reads the pages of one column chunk after the other. A page is valid
// until the next is read. Arrow's page reader makes room for whatever a header
// says, and checks no checksum.
type pages struct {
	file          io.ReaderAt
	position, end int64 // of what is left to read
	codec         int64
	expansion     int // Options.MaxExpansion
	zstd          *zstd.Decoder
	head, raw     []byte
	data          []byte // of the page, decompressed
}

func newPages(file io.ReaderAt, expansion int) (*pages, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	return &pages{file: file, expansion: expansion, zstd: decoder}, err
}

func (p *pages) close() { p.zstd.Close() }

// next reads and decompresses the next page.
func (p *pages) next() (h pageHeader, data []byte, err error) {
	var length int
	for window := int64(pageHeaderBytes); ; window *= 4 {
		window = min(window, p.end-p.position, maxPageHeader)
		if err := p.read(&p.head, p.position, window); err != nil {
			return h, nil, err
		}
		var ok bool
		if h, length, ok = parsePageHeader(p.head); ok {
			break
		}
		if window == min(p.end-p.position, maxPageHeader) {
			return h, nil, corrupt("no page header at byte %d", p.position)
		}
	}
	p.position += int64(length)
	switch {
	case h.compressed < 0 || h.compressed > p.end-p.position:
		return h, nil, corrupt("page of %d bytes at byte %d ends behind its column", h.compressed, p.position)
	case h.uncompressed < 0 || h.uncompressed > mayExpand(h.compressed, p.expansion):
		return h, nil, corrupt("page of %d bytes unpacks to %d", h.compressed, h.uncompressed)
	case h.values < 0:
		return h, nil, corrupt("page of %d values", h.values)
	}
	if err := p.read(&p.raw, p.position, h.compressed); err != nil {
		return h, nil, err
	}
	p.position += h.compressed
	if h.hasCRC && crc32.ChecksumIEEE(p.raw) != uint32(h.crc) {
		return h, nil, corrupt("page before byte %d: its checksum does not match", p.position)
	}
	data, err = p.unpack(&h)
	return h, data, err
}

// read fills the buffer with n bytes of the file.
func (p *pages) read(buffer *[]byte, position, n int64) error {
	*buffer = slices.Grow((*buffer)[:0], int(n))[:n]
	if got, err := p.file.ReadAt(*buffer, position); got < int(n) {
		if errors.Is(err, io.EOF) {
			return corrupt("cut short: the file ends inside a page")
		}
		return fmt.Errorf("reading: %w", err)
	}
	return nil
}

// unpack decompresses the page in raw.
func (p *pages) unpack(h *pageHeader) ([]byte, error) {
	plain := int64(0) // bytes in front that are never compressed
	if h.kind == dataPageV2 {
		plain = h.definition + h.repetition
		if h.definition < 0 || h.repetition < 0 || plain > min(h.compressed, h.uncompressed) {
			return nil, corrupt("page of %d bytes with %d bytes of levels", h.compressed, plain)
		}
	}
	p.data = slices.Grow(p.data[:0], int(h.uncompressed))[:h.uncompressed]
	data := p.data
	copy(data, p.raw[:plain])
	values, packed := data[plain:], p.raw[plain:]
	if len(values) == 0 && len(packed) == 0 {
		return data, nil
	}
	codec := p.codec
	if h.stored {
		codec = codecNone
	}
	n, err := p.decompress(codec, values, packed)
	switch {
	case errors.Is(err, ErrInput):
		return nil, err
	case err != nil:
		return nil, corrupt("page before byte %d: %w", p.position, err)
	case n != len(values):
		return nil, corrupt("page before byte %d: %d bytes where its header says %d", p.position, n, len(values))
	}
	return data, nil
}

// decompress fills values and returns how many bytes there were.
func (p *pages) decompress(codec int64, values, packed []byte) (int, error) {
	switch codec {
	case codecNone:
		if copy(values, packed); len(packed) != len(values) {
			return len(packed), nil
		}
		return len(values), nil
	case codecSnappy:
		if n, err := snappy.DecodedLen(packed); err != nil || n != len(values) {
			return n, err
		}
		_, err := snappy.Decode(values, packed)
		return len(values), err
	case codecZstd:
		out, err := p.zstd.DecodeAll(packed, values[:0:len(values)])
		return len(out), err
	case codecLZ4Raw:
		return lz4.UncompressBlock(packed, values)
	case codecGzip, codecBrotli:
		codec, err := compress.GetCodec(compress.Compression(codec))
		if err != nil {
			return 0, err
		}
		stream := codec.NewReader(bytes.NewReader(packed))
		defer stream.Close()
		return io.ReadFull(stream, values)
	case codecLZ4Frame:
		return 0, rejected("pages compressed with LZ4 in Hadoop's framing, which is deprecated: write the file again with zstd")
	}
	return 0, rejected("pages compressed with codec %s", compress.Compression(codec))
}
