package parquetpages

import (
	"encoding/binary"

	"github.com/pierrec/lz4/v4"

	"bcstage/arrowio/internal/faults"
)

// unpackHadoop fills values from LZ4 in Hadoop's framing, which parquet-mr
// (Spark's "lz4") uses for pages:
//
//	block:  length unpacked (int32, big-endian)  parts until that many bytes are there
//	part:   length packed (int32, big-endian)  LZ4 block
//
// https://github.com/apache/hadoop, BlockCompressorStream
func unpackHadoop(values, packed []byte) (int, error) {
	at := 0
	length := func() (n int, err error) {
		if len(packed) < 4 {
			return 0, faults.Corrupt("LZ4 ends too early")
		}
		n = int(binary.BigEndian.Uint32(packed))
		packed = packed[4:]
		return n, nil
	}
	for len(packed) > 0 {
		block, err := length()
		if err != nil {
			return 0, err
		}
		if block > len(values)-at {
			return 0, faults.Corrupt("LZ4 block of %d bytes where %d are left", block, len(values)-at)
		}
		for block > 0 {
			part, err := length()
			if err != nil {
				return 0, err
			}
			if part > len(packed) {
				return 0, faults.Corrupt("LZ4 of %d bytes in %d", part, len(packed))
			}
			n, err := lz4.UncompressBlock(packed[:part], values[at:at+block])
			if err != nil {
				return 0, err
			}
			packed, at, block = packed[part:], at+n, block-n
			if n == 0 {
				return 0, faults.Corrupt("LZ4 of %d bytes holds none", part)
			}
		}
	}
	return at, nil
}
