package parquetpages

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// Blocks of one and of several parts; every cut, and every wrong length, is an error.
func TestUnpackHadoop(t *testing.T) {
	part := func(text []byte) []byte {
		packed := make([]byte, lz4.CompressBlockBound(len(text)))
		var c lz4.Compressor
		n, err := c.CompressBlock(text, packed)
		if err != nil {
			t.Fatal(err)
		}
		return append(binary.BigEndian.AppendUint32(nil, uint32(n)), packed[:n]...)
	}
	long := bytes.Repeat([]byte("parquet-mr "), 300)
	want := append(bytes.Clone(long), "and a second blockand a second block"...)
	packed := binary.BigEndian.AppendUint32(nil, uint32(len(long)))
	packed = append(append(packed, part(long[:1000])...), part(long[1000:])...)
	packed = append(packed, 0, 0, 0, 0) // an empty block
	first := len(packed)
	packed = binary.BigEndian.AppendUint32(packed, uint32(len(want)-len(long)))
	packed = append(packed, part(want[len(long):])...)

	values := make([]byte, len(want))
	if n, err := unpackHadoop(values, packed); err != nil || !bytes.Equal(values[:n], want) {
		t.Fatalf("%d bytes, %v", n, err)
	}
	for cut := range packed {
		n, err := unpackHadoop(values, packed[:cut])
		whole := cut == 0 || cut == first || cut == first-4
		if whole != (err == nil) || n == len(want) {
			t.Errorf("cut to %d of %d: %d bytes, %v", cut, len(packed), n, err)
		}
	}
	if _, err := unpackHadoop(values[:len(want)-1], packed); err == nil {
		t.Error("more than a page's header says, and no error")
	}
	for _, at := range []int{0, 4, first, first + 4} {
		for _, length := range []uint32{1 << 31, 1<<32 - 1, 1} {
			wrong := bytes.Clone(packed)
			binary.BigEndian.PutUint32(wrong[at:], length)
			if _, err := unpackHadoop(values, wrong); err == nil {
				t.Errorf("length %d at byte %d: no error", length, at)
			}
		}
	}
}
