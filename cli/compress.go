package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"bcstage/arrowio/tables"
)

// Endings of compressed text.
const (
	endingGzip = ".gz"
	endingZstd = ".zst"
)

// cutCompression removes the ending of a compression from a path.
func cutCompression(path string) (plain, ending string) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case endingGzip, endingZstd:
		return path[:len(path)-len(ending)], ending
	}
	return path, ""
}

// compressible refuses to compress formats other than text: they compress their own parts, and
// readers need random access.
func compressible(path string, format tables.Format) error {
	if plain, ending := cutCompression(path); ending != "" && isBinary(format) {
		return &usageError{fmt.Sprintf("%s: only text can be compressed as a whole, not %s", path, format), "-o " + plain}
	}
	return nil
}

// compressed compresses the output of write by the path's ending. Equal bytes in give equal bytes
// out.
func compressed(path string, write func(io.Writer) error) func(io.Writer) error {
	_, ending := cutCompression(path)
	if ending == "" {
		return write
	}
	return func(w io.Writer) error {
		var packed io.WriteCloser = gzip.NewWriter(w)
		if ending == endingZstd {
			var err error
			if packed, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); err != nil {
				return err
			}
		}
		if err := buffered(packed, write); err != nil {
			return err
		}
		return packed.Close()
	}
}
