package parquetpages

import (
	"encoding/binary"

	"bcstage/arrowio/internal/faults"
)

// deltas decodes DELTA_BINARY_PACKED: the first value, then blocks of
// differences, each block with its own smallest difference and each miniblock
// with its own width.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#DELTAENC
type deltas struct {
	data       []byte
	left       int64 // values not read yet
	perMini    int
	widths     []byte // of the block's remaining miniblocks
	minis      int    // per block
	smallest   uint64
	last       uint64
	first      bool // the first value is not read yet
	mini       []uint64
	miniUnread []uint64
}

const maxMiniblock = 1 << 16 // values; writers use 32 to 256

// newDeltas decodes at most `most` values: a few bytes may stand for any number of equal
// ones, which would take long.
func newDeltas(data []byte, most int64) (*deltas, error) {
	d := &deltas{data: data, first: true}
	block, minis, count, first := d.varint(), d.varint(), d.varint(), d.varint()
	if d.data == nil || minis == 0 || minis > 1<<16 || block%minis != 0 || block/minis > maxMiniblock || block/minis%8 != 0 || block == 0 || count > uint64(most) {
		return nil, faults.Corrupt("deltas: %d values in blocks of %d with %d miniblocks", count, block, minis)
	}
	d.minis, d.perMini, d.left = int(minis), int(block/minis), int64(count)
	d.last = unzigzag(first)
	return d, nil
}

func unzigzag(v uint64) uint64 { return v>>1 ^ -(v & 1) }

// varint sets data to nil if there is none.
func (d *deltas) varint() uint64 {
	value, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data = nil
		return 0
	}
	d.data = d.data[n:]
	return value
}

// read fills values.
func (d *deltas) read(values []uint64) error {
	if int64(len(values)) > d.left {
		return faults.Corrupt("deltas: %d values where %d are left", len(values), d.left)
	}
	d.left -= int64(len(values))
	if d.first && len(values) > 0 {
		d.first = false
		values[0] = d.last
		values = values[1:]
	}
	for len(values) > 0 {
		if len(d.miniUnread) == 0 {
			if err := d.load(); err != nil {
				return err
			}
		}
		n := min(len(values), len(d.miniUnread))
		last := d.last
		for i, delta := range d.miniUnread[:n] {
			last += delta + d.smallest
			values[i] = last
		}
		d.last = last
		d.miniUnread = d.miniUnread[n:]
		values = values[n:]
	}
	return nil
}

// load decodes the next miniblock.
func (d *deltas) load() error {
	if len(d.widths) == 0 {
		d.smallest = unzigzag(d.varint())
		if len(d.data) < d.minis {
			return faults.Corrupt("deltas end too early")
		}
		d.widths, d.data = d.data[:d.minis], d.data[d.minis:]
	}
	width := int(d.widths[0])
	d.widths = d.widths[1:]
	size := d.perMini / 8 * width
	if width > 64 || size > len(d.data) {
		return faults.Corrupt("deltas of %d bits end too early", width)
	}
	if cap(d.mini) < d.perMini {
		d.mini = make([]uint64, d.perMini)
	}
	d.miniUnread = d.mini[:d.perMini]
	unpackWide(d.miniUnread, d.data[:size], width)
	d.data = d.data[size:]
	return nil
}

// rest is the data after the deltas, once all have been read.
func (d *deltas) rest() []byte { return d.data }

// splitDeltas returns deltas to read, and the data after the last one.
func splitDeltas(data []byte, most int64) (d *deltas, rest []byte, err error) {
	if d, err = newDeltas(data, most); err != nil {
		return nil, nil, err
	}
	scan := *d
	if err := scan.skipAll(); err != nil {
		return nil, nil, err
	}
	return d, scan.rest(), nil
}

// skipAll reads the remaining values, to get at the rest.
func (d *deltas) skipAll() error {
	var scratch [256]uint64
	for d.left > 0 {
		if err := d.read(scratch[:min(d.left, int64(len(scratch)))]); err != nil {
			return err
		}
	}
	return nil
}

// unpackWide unpacks values of up to 64 bits.
func unpackWide(values []uint64, data []byte, width int) {
	if width == 0 {
		clear(values)
		return
	}
	mask := ^uint64(0) >> (64 - width)
	for i := range values {
		bit := i * width
		at, shift := bit/8, bit%8
		if len(data)-at >= 9 {
			values[i] = (binary.LittleEndian.Uint64(data[at:])>>shift | uint64(data[at+8])<<1<<(63-shift)) & mask
			continue
		}
		var tail [9]byte
		copy(tail[:], data[at:])
		values[i] = (binary.LittleEndian.Uint64(tail[:])>>shift | uint64(tail[8])<<1<<(63-shift)) & mask
	}
}
