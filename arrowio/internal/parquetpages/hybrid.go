package parquetpages

import (
	"encoding/binary"

	"bcstage/arrowio/internal/faults"
)

// hybrid decodes Parquet's mix of runs and bit-packed groups, the form of definition
// levels and dictionary indices:
//
//	run:     varint(2*length)  value in ceil(width/8) bytes
//	packed:  varint(2*groups+1)  groups of 8 values of width bits
//
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
type hybrid struct {
	data   []byte
	width  int // bits of a value, 0..32
	value  uint32
	run    int // values left of the current run
	packed int // or of the current packed groups, within their bytes
	group  [8]uint32
	unread []uint32 // of group; part of packed
}

// load begins the next run or groups.
func (h *hybrid) load() error {
	head, n := binary.Uvarint(h.data)
	if n <= 0 {
		return faults.Corrupt("levels or indices end too early")
	}
	h.data = h.data[n:]
	size := (h.width + 7) / 8
	if head&1 == 1 {
		groups := head >> 1
		// The last group may be cut off where its values end.
		if groups == 0 || (h.width > 0 && groups > uint64((len(h.data)+h.width-1)/h.width)) || groups > 1<<28 {
			return faults.Corrupt("%d groups of indices in %d bytes", groups, len(h.data))
		}
		h.packed = int(groups) * 8
		if there := len(h.data) * 8; h.packed*h.width > there {
			h.packed = there / h.width
			h.data = h.data[:(h.packed*h.width+7)/8]
		}
		return nil
	}
	length := head >> 1
	if length == 0 || length > 1<<40 || size > len(h.data) {
		return faults.Corrupt("run of %d indices in %d bytes", length, len(h.data))
	}
	var word [4]byte
	copy(word[:], h.data[:size])
	h.value, h.run = binary.LittleEndian.Uint32(word[:]), int(length)
	h.data = h.data[size:]
	if h.value > uint32(uint64(1)<<h.width-1) {
		return faults.Corrupt("run of %d in %d bits", h.value, h.width)
	}
	return nil
}

// repeats takes n values if they are known to be equal without decoding.
func (h *hybrid) repeats(n int) (value uint32, ok bool, err error) {
	if h.run == 0 && h.packed == 0 {
		if err := h.load(); err != nil {
			return 0, false, err
		}
	}
	if h.run < n {
		return 0, false, nil
	}
	h.run -= n
	return h.value, true, nil
}

// read fills values.
func (h *hybrid) read(values []uint32) error {
	for len(values) > 0 {
		switch {
		case h.run > 0:
			n := min(h.run, len(values))
			for i := range values[:n] {
				values[i] = h.value
			}
			h.run -= n
			values = values[n:]
		case len(h.unread) > 0:
			n := copy(values, h.unread)
			h.unread = h.unread[n:]
			h.packed -= n
			values = values[n:]
		case min(h.packed, len(values)) >= 8:
			n := min(h.packed, len(values)) &^ 7
			h.unpack(values[:n])
			h.packed -= n
			values = values[n:]
		case h.packed > 0:
			h.unpack(h.group[:])
			h.unread = h.group[:min(h.packed, 8)]
		default:
			if err := h.load(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpack takes whole groups of 8 values. Missing bytes of the last group read as
// zero; read never hands these on.
func (h *hybrid) unpack(values []uint32) {
	mask := uint64(1)<<h.width - 1
	for len(values) > 0 {
		data := h.data
		var tail [40]byte // a group of at most 32 bytes and a word behind it
		if len(data) < len(tail) {
			copy(tail[:], data)
			data = tail[:]
		}
		for i := range 8 {
			bit := i * h.width
			values[i] = uint32(binary.LittleEndian.Uint64(data[bit/8:]) >> (bit % 8) & mask)
		}
		values = values[8:]
		h.data = h.data[min(h.width, len(h.data)):]
	}
}
