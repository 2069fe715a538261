package parquetpages

import (
	"encoding/binary"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// plainBits are booleans, eight to a byte, the lowest bit first.
type plainBits struct {
	data []byte
	at   int // bit
}

func (p *plainBits) read(column *ids.Column, n int) error {
	if n > 8*len(p.data)-p.at {
		return faults.Corrupt("%d booleans in %d bytes", n, len(p.data))
	}
	values := column.Grow(n)
	for i := range values {
		values[i] = uint64(p.data[(p.at+i)/8] >> ((p.at + i) % 8) & 1)
	}
	p.at += n
	return nil
}

// hybridBits are booleans in runs and groups, behind their length.
type hybridBits struct {
	hybrid
	part []uint32
}

func (h *hybridBits) read(column *ids.Column, n int) error {
	h.part = append(h.part[:0], make([]uint32, n)...)
	if err := h.hybrid.read(h.part); err != nil {
		return err
	}
	for i, values := 0, column.Grow(n); i < n; i++ {
		values[i] = uint64(h.part[i])
	}
	return nil
}

// newBits chooses the decoder of a page of booleans.
func newBits(encoding int64, data []byte) (pageValues, error) {
	switch encoding {
	case encodingPlain:
		return &plainBits{data: data}, nil
	case encodingRLE:
		const head = 4
		if len(data) < head || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-head) {
			return nil, faults.Corrupt("%d bytes of booleans", len(data))
		}
		return &hybridBits{hybrid: hybrid{data: data[head:][:binary.LittleEndian.Uint32(data)], width: 1}}, nil
	}
	return nil, faults.Corrupt("booleans of encoding %d", encoding)
}
