package sources

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"bcstage/arrowio/internal/faults"
)

// Magic bytes of the compressions, each at the start of a stream.
// Gzip: RFC 1952. Zstandard: RFC 8878. LZ4 and snappy: their frame format
// descriptions; s2 is klauspost's superset of snappy framing.
const (
	magicGzip   = "\x1f\x8b"
	magicZstd   = "\x28\xb5\x2f\xfd"
	magicLZ4    = "\x04\x22\x4d\x18"
	magicSnappy = "\xff\x06\x00\x00sNaPpY"
	magicS2     = "\xff\x06\x00\x00S2sTwO"
)

// zstdWindow is the largest window, and so memory; it is the zstd command's own
// limit.
const zstdWindow = 128 << 20

// decompress returns the decompressed stream if r's magic bytes say that it is
// compressed; otherwise nil, and it consumes nothing of r. The stream ends with
// io.EOF only at the true end; damage and truncation are ErrCorrupt. (Snappy
// framing has no end mark: a cut between two of its chunks cannot be seen.) size
// is that of r's file; 0: unknown.
func decompress(r *bufio.Reader, size int64, maxExpansion int) (io.Reader, error) {
	head, err := r.Peek(len(magicSnappy))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	is := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	d := &decompressed{source: r, maxExpansion: int64(maxExpansion)}
	source := io.Reader(sourceOf{d})
	switch {
	case is(magicGzip):
		d.format = "gzip"
		if 0 < size && size <= wholeBytes {
			source, err = d.whole(size)
		}
		if err == nil {
			d.decoder, err = gzip.NewReader(source)
		}
	case is(magicZstd):
		d.format = "zstd"
		// One decoder, without goroutines: a panic stays in Read.
		d.decoder, err = zstd.NewReader(source, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
	case is(magicLZ4):
		d.format, err = "lz4", nil
		d.decoder = lz4.NewReader(source)
	case is(magicSnappy), is(magicS2):
		d.format, err = "snappy", nil
		d.decoder = s2.NewReader(source)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, d.classify(err)
	}
	return d, nil
}

// decompressed is a decompressed stream with a limit on expansion, and errors by
// class.
type decompressed struct {
	source  io.Reader
	decoder io.Reader
	format  string

	in, out      int64
	maxExpansion int64
	sourceErr    error // of source, other than io.EOF
}

// wholeBytes is the size up to which a file is read before it is unpacked:
// gzip's decoder takes 0.85 of the time if it reads from memory.
const wholeBytes = 1 << 20

// whole reads all of the source, a file that had that size when opened.
func (d *decompressed) whole(size int64) (io.Reader, error) {
	data := make([]byte, size+1)
	n, err := io.ReadFull(sourceOf{d}, data)
	switch {
	case err == nil: // it has grown
		return io.MultiReader(bytes.NewReader(data), sourceOf{d}), nil
	case err != io.ErrUnexpectedEOF:
		return nil, err
	}
	return bytes.NewReader(data[:n]), nil
}

// sourceOf is the compressed side of a decompressed stream.
type sourceOf struct{ d *decompressed }

func (s sourceOf) Read(p []byte) (int, error) {
	n, err := s.d.source.Read(p)
	s.d.in += int64(n)
	if err != nil && err != io.EOF {
		s.d.sourceErr = err
	}
	return n, err
}

func (d *decompressed) Read(p []byte) (n int, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			n, err = 0, faults.Corrupt("%s: decoder failed: %v", d.format, broken)
		}
	}()
	n, err = d.decoder.Read(p)
	d.out += int64(n)
	if d.out > faults.ExpansionFree && d.out/d.maxExpansion > d.in {
		return 0, faults.Rejected("%s: expands more than %d times: refused as a decompression bomb", d.format, d.maxExpansion)
	}
	if err != nil && err != io.EOF {
		err = d.classify(err)
	}
	return n, err
}

// classify returns the source's error, if it has one, and otherwise an
// ErrCorrupt.
func (d *decompressed) classify(err error) error {
	switch {
	case d.sourceErr != nil:
		return d.sourceErr
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return faults.Corrupt("%s: cut short", d.format)
	}
	return faults.Corrupt("%s: %w", d.format, err)
}

// Magics lists the magic bytes of all compressions.
func Magics() []string {
	return []string{magicGzip, magicZstd, magicLZ4, magicSnappy, magicS2}
}
