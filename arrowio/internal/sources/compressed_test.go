package sources

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"bcstage/arrowio/internal/faults"
)

// A file may have grown or shrunk since its size was read.
func TestDecompressOfAnySize(t *testing.T) {
	text := strings.Repeat("12\t345\n", 20_000)
	var packed bytes.Buffer
	for range 2 { // members; the second may be the growth
		w := gzip.NewWriter(&packed)
		io.WriteString(w, text)
		w.Close()
	}
	length := int64(packed.Len())
	for _, size := range []int64{0, 1, length / 2, length - 1, length, length + 1, 2 * length, wholeBytes, wholeBytes + 1} {
		plain, err := decompress(bufio.NewReaderSize(bytes.NewReader(packed.Bytes()), 64), size, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(plain); err != nil || string(got) != text+text {
			t.Errorf("size %d of %d: %d bytes, %v", size, length, len(got), err)
		}
		plain, err = decompress(bufio.NewReader(bytes.NewReader(packed.Bytes()[:length-9])), size, 1<<20)
		if err == nil {
			_, err = io.ReadAll(plain)
		}
		if !errors.Is(err, faults.ErrCorrupt) {
			t.Errorf("size %d, cut short: %v", size, err)
		}
	}
}
