package parquetpages

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/budget"
)

// Kinds of page, and codecs, by their numbers in the format.
// https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3

	codecNone      = 0
	codecSnappy    = 1
	codecGzip      = 2
	codecBrotli    = 4
	codecLZ4Hadoop = 5 // deprecated
	codecZstd      = 6
	codecLZ4Raw    = 7
)

const (
	HeaderBytes = 512      // enough for most page headers
	maxHeader   = 16 << 20 // bytes; statistics may hold whole values
)

// pages reads the pages of one column chunk after the other. A page is valid until the
// next is read. Arrow's page reader makes room for any size in a header, and checks no
// checksum.
type pages struct {
	file          io.ReaderAt
	position, end int64 // of the unread part
	codec         int64
	expansion     int // Options.MaxExpansion
	zstd          *zstd.Decoder
	head, raw     []byte
	data          []byte        // of the page, decompressed
	charge        budget.Charge // of raw and data
}

// room empties a buffer and makes room for n bytes in it. A replaced buffer is given back
// first: nothing refers to it any more.
func (p *pages) room(buffer *[]byte, n int64) error {
	if *buffer = (*buffer)[:0]; n <= int64(cap(*buffer)) {
		return nil
	}
	p.charge.Waste(int64(cap(*buffer)))
	*buffer = nil
	n += n / 8 // the next page may be a bit larger
	if err := p.charge.Take(n); err != nil {
		return err
	}
	*buffer = make([]byte, 0, n)
	return nil
}

// next reads and decompresses the next page.
func (p *pages) next() (h pageHeader, data []byte, err error) {
	var length int
	for window := int64(HeaderBytes); ; window *= 4 {
		window = min(window, p.end-p.position, maxHeader)
		if err := p.read(&p.head, p.position, window); err != nil {
			return h, nil, err
		}
		var ok bool
		if h, length, ok = parsePageHeader(p.head); ok {
			break
		}
		if window == min(p.end-p.position, maxHeader) {
			return h, nil, faults.Corrupt("no page header at byte %d", p.position)
		}
	}
	p.position += int64(length)
	switch {
	case h.compressed < 0 || h.compressed > p.end-p.position:
		return h, nil, faults.Corrupt("page of %d bytes at byte %d ends behind its column", h.compressed, p.position)
	case h.uncompressed < 0 || h.uncompressed > faults.MayExpand(h.compressed, p.expansion):
		return h, nil, faults.Corrupt("page of %d bytes unpacks to %d", h.compressed, h.uncompressed)
	case h.values < 0:
		return h, nil, faults.Corrupt("page of %d values", h.values)
	}
	if err := p.read(&p.raw, p.position, h.compressed); err != nil {
		return h, nil, err
	}
	p.position += h.compressed
	if h.hasCRC && crc32.ChecksumIEEE(p.raw) != uint32(h.crc) {
		return h, nil, faults.Corrupt("page before byte %d: its checksum does not match", p.position)
	}
	data, err = p.unpack(&h)
	return h, data, err
}

// read fills the buffer with n bytes of the file.
func (p *pages) read(buffer *[]byte, position, n int64) error {
	if err := p.room(buffer, n); err != nil {
		return err
	}
	*buffer = (*buffer)[:n]
	if got, err := p.file.ReadAt(*buffer, position); got < int(n) {
		if errors.Is(err, io.EOF) {
			return faults.Corrupt("cut short: the file ends inside a page")
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
			return nil, faults.Corrupt("page of %d bytes with %d bytes of levels", h.compressed, plain)
		}
	}
	if err := p.room(&p.data, h.uncompressed); err != nil {
		return nil, err
	}
	p.data = p.data[:h.uncompressed]
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
	case errors.Is(err, faults.ErrInput):
		return nil, err
	case err != nil:
		return nil, faults.Corrupt("page before byte %d: %w", p.position, err)
	case n != len(values):
		return nil, faults.Corrupt("page before byte %d: %d bytes where its header says %d", p.position, n, len(values))
	}
	return data, nil
}

// decompress fills values and returns the number of bytes there were.
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
	case codecLZ4Hadoop:
		return unpackHadoop(values, packed)
	}
	return 0, faults.Rejected("pages compressed with codec %s", compress.Compression(codec))
}
