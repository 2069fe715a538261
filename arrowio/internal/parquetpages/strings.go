package parquetpages

import (
	"encoding/binary"
	"slices"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// plainStrings decodes strings, each after its length.
type plainStrings struct{ data []byte }

func (p *plainStrings) read(column *ids.Column, n int) error {
	column.Room(p.textOf(n), min(n, len(p.data)/4))
	for range n {
		if len(p.data) < 4 {
			return faults.Corrupt("strings end too early")
		}
		length := uint64(binary.LittleEndian.Uint32(p.data))
		if length > uint64(len(p.data)-4) {
			return faults.Corrupt("string of %d bytes in %d", length, len(p.data)-4)
		}
		column.AppendText(p.data[4 : 4+length])
		p.data = p.data[4+length:]
	}
	return nil
}

// textOf is the length of the text of the next n strings, as far as they are
// there.
func (p *plainStrings) textOf(n int) (text int) {
	for left := p.data; n > 0 && len(left) >= 4; n-- {
		length := uint64(binary.LittleEndian.Uint32(left))
		if length > uint64(len(left)-4) {
			break
		}
		text += int(length)
		left = left[4+length:]
	}
	return text
}

// fixedStrings decodes strings of one length.
type fixedStrings struct {
	width int
	data  []byte
}

func (f *fixedStrings) read(column *ids.Column, n int) error {
	if n > len(f.data)/f.width {
		return faults.Corrupt("%d strings of %d bytes in %d", n, f.width, len(f.data))
	}
	column.Room(n*f.width, n)
	for range n {
		column.AppendText(f.data[:f.width])
		f.data = f.data[f.width:]
	}
	return nil
}

// splitStrings decodes BYTE_STREAM_SPLIT of strings of one length.
type splitStrings struct {
	width int
	data  []byte
	at    int
}

func (s *splitStrings) read(column *ids.Column, n int) error {
	count := len(s.data) / s.width
	if n > count-s.at || len(s.data)%s.width != 0 {
		return faults.Corrupt("%d strings of %d bytes in %d", n, s.width, len(s.data))
	}
	have := len(column.Bytes)
	column.Room(n*s.width, n)
	column.Bytes = column.Bytes[:have+n*s.width]
	for b := range s.width {
		text := column.Bytes[have+b:]
		for i, part := range s.data[b*count+s.at:][:n] {
			text[i*s.width] = part
		}
	}
	for range n {
		have += s.width
		column.Offsets = append(column.Offsets, int64(have))
	}
	s.at += n
	return nil
}

// sizedStrings decodes DELTA_LENGTH_BYTE_ARRAY: all lengths, then all text.
type sizedStrings struct {
	lengths *deltas
	text    []byte
	scratch []uint64
}

func newSizedStrings(data []byte, most int64) (*sizedStrings, error) {
	lengths, text, err := splitDeltas(data, most)
	if err != nil {
		return nil, err
	}
	return &sizedStrings{lengths: lengths, text: text}, nil
}

// next takes the text of n strings and returns their lengths.
func (s *sizedStrings) next(n int) ([]uint64, error) {
	s.scratch = slices.Grow(s.scratch[:0], n)[:n]
	return s.scratch, s.lengths.read(s.scratch)
}

// take is the next `length` bytes of text.
func (s *sizedStrings) take(length uint64) ([]byte, error) {
	if length > uint64(len(s.text)) {
		return nil, faults.Corrupt("string of %d bytes in %d", int64(length), len(s.text))
	}
	text := s.text[:length]
	s.text = s.text[length:]
	return text, nil
}

func (s *sizedStrings) read(column *ids.Column, n int) error {
	lengths, err := s.next(n)
	if err != nil {
		return err
	}
	total := uint64(0)
	for _, length := range lengths {
		total += min(length, uint64(len(s.text)))
	}
	column.Room(int(min(total, uint64(len(s.text)))), n)
	for _, length := range lengths {
		text, err := s.take(length)
		if err != nil {
			return err
		}
		column.AppendText(text)
	}
	return nil
}

// prefixedStrings decodes DELTA_BYTE_ARRAY: how much of the previous string is
// kept, and the rest.
type prefixedStrings struct {
	prefixes *deltas
	suffixes *sizedStrings
	width    int // of every string; 0: any
	previous []byte
	scratch  []uint64
}

func newPrefixedStrings(data []byte, most int64, width int) (*prefixedStrings, error) {
	prefixes, rest, err := splitDeltas(data, most)
	if err != nil {
		return nil, err
	}
	suffixes, err := newSizedStrings(rest, most)
	if err != nil {
		return nil, err
	}
	return &prefixedStrings{prefixes: prefixes, suffixes: suffixes, width: width}, nil
}

func (p *prefixedStrings) read(column *ids.Column, n int) error {
	p.scratch = slices.Grow(p.scratch[:0], n)[:n]
	if err := p.prefixes.read(p.scratch); err != nil {
		return err
	}
	lengths, err := p.suffixes.next(n)
	if err != nil {
		return err
	}
	for i, prefix := range p.scratch {
		suffix, err := p.suffixes.take(lengths[i])
		if err != nil {
			return err
		}
		if prefix > uint64(len(p.previous)) {
			return faults.Corrupt("string that keeps %d bytes of %d", int64(prefix), len(p.previous))
		}
		p.previous = append(p.previous[:prefix], suffix...)
		if p.width > 0 && len(p.previous) != p.width {
			return faults.Corrupt("string of %d bytes where all have %d", len(p.previous), p.width)
		}
		if len(column.Bytes)+len(p.previous) > ids.MaxBytes {
			return ids.TooMuchText()
		}
		column.AppendText(p.previous)
	}
	return nil
}
