package parquetpages

import (
	"encoding/binary"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

type plainIntegers struct {
	Layout
	data []byte
}

func (p *plainIntegers) read(column *ids.Column, n int) error {
	if n > len(p.data)/p.Bytes {
		return faults.Corrupt("%d integers in %d bytes", n, len(p.data))
	}
	data := p.data[:n*p.Bytes]
	p.data = p.data[len(data):]
	ids := column.Grow(n)
	switch {
	case p.Bytes == 8:
		for i := range ids {
			ids[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
	case p.Signed:
		for i := range ids {
			ids[i] = uint64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
	default:
		for i := range ids {
			ids[i] = uint64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
	return nil
}

type deltaIntegers struct {
	Layout
	*deltas
}

func (d *deltaIntegers) read(column *ids.Column, n int) error {
	ids := column.Grow(n)
	if err := d.deltas.read(ids); err != nil {
		return err
	}
	if d.Bytes < 8 {
		for i, id := range ids {
			ids[i] = d.extend(id)
		}
	}
	return nil
}

// splitIntegers decodes BYTE_STREAM_SPLIT: all first bytes, then all second
// bytes, and so on.
type splitIntegers struct {
	Layout
	data []byte
	at   int
}

func (s *splitIntegers) read(column *ids.Column, n int) error {
	count := len(s.data) / s.Bytes
	if n > count-s.at || len(s.data)%s.Bytes != 0 {
		return faults.Corrupt("%d integers in %d bytes", n, len(s.data))
	}
	for i, ids := 0, column.Grow(n); i < n; i++ {
		id := uint64(0)
		for b := range s.Bytes {
			id |= uint64(s.data[b*count+s.at+i]) << (8 * b)
		}
		ids[i] = s.extend(id)
	}
	s.at += n
	return nil
}
