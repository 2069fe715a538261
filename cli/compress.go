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

// Endings that have text written compressed.
const (
	endingGzip = ".gz"
	endingZstd = ".zst"
)

// cutCompression takes the ending of a compression off a path.
func cutCompression(path string) (plain, ending string) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case endingGzip, endingZstd:
		return path[:len(path)-len(ending)], ending
	}
	return path, ""
}

// compressible refuses a compressed file of a format that is not text: those
// compress by themselves, and readers want to read them at random.
func compressible(path string, format tables.Format) error {
	if plain, ending := cutCompression(path); ending != "" && isBinary(format) {
		return &usageError{fmt.Sprintf("%s: only text is written compressed as a whole, and %s is none", path, format), "-o " + plain}
	}
	return nil
}

// compressed is write, compressed as the path's ending says. The same bytes in
// give the same bytes out.
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
