package arrowio

import (
	"encoding/binary"
	"slices"
)

// Encodings of values, by their numbers in the format.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingDictionary      = 8
	encodingSplit           = 9
)

// idLayout is how a column chunk holds ids.
type idLayout struct {
	integers bool
	bytes    int  // of an integer, 4 or 8, or of every string; 0: strings have lengths
	bits     int  // of an integer's type, 8 to 64
	signed   bool // of an integer
	optional bool // definition levels say which rows are null
}

// pageValues decodes the values of one page, nulls left out.
type pageValues interface {
	// read appends n values to the column.
	read(column *idColumn, n int) error
}

// valuesOf chooses the decoder of a page's values.
func (l idLayout) valuesOf(encoding int64, data []byte, dictionary *idColumn) (pageValues, error) {
	switch {
	case encoding == encodingDictionary, encoding == encodingPlainDictionary:
		if dictionary == nil {
			return nil, corrupt("page of indices without a dictionary")
		}
		if len(data) == 0 {
			return &lookedUp{dictionary: dictionary}, nil
		}
		if data[0] > 32 {
			return nil, corrupt("dictionary indices of %d bits", data[0])
		}
		return &lookedUp{dictionary, hybrid{data: data[1:], width: int(data[0])}, nil}, nil
	case encoding == encodingPlain && l.integers:
		return &plainIntegers{l, data}, nil
	case encoding == encodingPlain && l.bytes > 0:
		return &fixedStrings{l.bytes, data}, nil
	case encoding == encodingPlain:
		return &plainStrings{data}, nil
	case encoding == encodingDelta && l.integers:
		d, err := newDeltas(data)
		return &deltaIntegers{l, d}, err
	case encoding == encodingSplit && l.integers:
		return &splitIntegers{l, data, 0}, nil
	case encoding == encodingDeltaLength && !l.integers && l.bytes == 0:
		return newSizedStrings(data)
	case encoding == encodingDeltaBytes && !l.integers:
		return newPrefixedStrings(data, l.bytes)
	}
	return nil, corrupt("page of encoding %d", encoding)
}

// extend gives an integer of the layout's width, in the low bits, 64.
func (l idLayout) extend(id uint64) uint64 {
	switch {
	case l.bytes == 8:
		return id
	case l.signed:
		return uint64(int32(id))
	}
	return uint64(uint32(id))
}

// check refuses integers that their type does not hold: 8- and 16-bit ones are
// stored in 32 bits.
func (l idLayout) check(ids []uint64) error {
	if !l.integers || l.bits >= 32 {
		return nil
	}
	shift := 64 - l.bits
	for _, id := range ids {
		narrow := id << shift >> shift
		if l.signed {
			narrow = uint64(int64(id<<shift) >> shift)
		}
		if narrow != id {
			return corrupt("id %d in a column of %d bits", int64(id), l.bits)
		}
	}
	return nil
}

// grow makes room for n more integers, which it returns.
func (c *idColumn) grow(n int) []uint64 {
	have := len(c.Ints)
	c.Ints = slices.Grow(c.Ints, n)[:have+n]
	return c.Ints[have:]
}

// appendText appends one string.
func (c *idColumn) appendText(parts ...[]byte) {
	for _, part := range parts {
		c.Bytes = append(c.Bytes, part...)
	}
	c.Offsets = append(c.Offsets, int64(len(c.Bytes)))
}

type plainIntegers struct {
	idLayout
	data []byte
}

func (p *plainIntegers) read(column *idColumn, n int) error {
	if n > len(p.data)/p.bytes {
		return corrupt("%d integers in %d bytes", n, len(p.data))
	}
	data := p.data[:n*p.bytes]
	p.data = p.data[len(data):]
	ids := column.grow(n)
	switch {
	case p.bytes == 8:
		for i := range ids {
			ids[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
	case p.signed:
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
	idLayout
	*deltas
}

func (d *deltaIntegers) read(column *idColumn, n int) error {
	ids := column.grow(n)
	if err := d.deltas.read(ids); err != nil {
		return err
	}
	if d.bytes < 8 {
		for i, id := range ids {
			ids[i] = d.extend(id)
		}
	}
	return nil
}

// splitIntegers decodes BYTE_STREAM_SPLIT: all first bytes, then all second
// bytes, and so on.
type splitIntegers struct {
	idLayout
	data []byte
	at   int
}

func (s *splitIntegers) read(column *idColumn, n int) error {
	count := len(s.data) / s.bytes
	if n > count-s.at || len(s.data)%s.bytes != 0 {
		return corrupt("%d integers in %d bytes", n, len(s.data))
	}
	for i, ids := 0, column.grow(n); i < n; i++ {
		id := uint64(0)
		for b := range s.bytes {
			id |= uint64(s.data[b*count+s.at+i]) << (8 * b)
		}
		ids[i] = s.extend(id)
	}
	s.at += n
	return nil
}

// lookedUp decodes indices into the chunk's dictionary.
type lookedUp struct {
	dictionary *idColumn
	indices    hybrid
	scratch    []uint32
}

func (l *lookedUp) read(column *idColumn, n int) error {
	l.scratch = slices.Grow(l.scratch[:0], n)[:n]
	if err := l.indices.read(l.scratch); err != nil {
		return err
	}
	if l.dictionary.Offsets == nil {
		values := l.dictionary.Ints
		ids := column.grow(n)
		for i, index := range l.scratch {
			if int(index) >= len(values) {
				return corrupt("dictionary index %d of %d values", index, len(values))
			}
			ids[i] = values[index]
		}
		return nil
	}
	text, offsets := l.dictionary.Bytes, l.dictionary.Offsets
	total := int64(len(column.Bytes))
	for _, index := range l.scratch {
		if int(index) >= len(offsets)-1 {
			return corrupt("dictionary index %d of %d values", index, len(offsets)-1)
		}
		if total += offsets[index+1] - offsets[index]; total > maxColumnBytes {
			return tooMuchText()
		}
	}
	column.Bytes = slices.Grow(column.Bytes, int(total)-len(column.Bytes))
	column.Offsets = slices.Grow(column.Offsets, n)
	for _, index := range l.scratch {
		column.appendText(text[offsets[index]:offsets[index+1]])
	}
	return nil
}

// plainStrings decodes strings that each come after their length.
type plainStrings struct{ data []byte }

func (p *plainStrings) read(column *idColumn, n int) error {
	column.Offsets = slices.Grow(column.Offsets, min(n, len(p.data)/4))
	for range n {
		if len(p.data) < 4 {
			return corrupt("strings end too early")
		}
		length := uint64(binary.LittleEndian.Uint32(p.data))
		if length > uint64(len(p.data)-4) {
			return corrupt("string of %d bytes in %d", length, len(p.data)-4)
		}
		column.appendText(p.data[4 : 4+length])
		p.data = p.data[4+length:]
	}
	return nil
}

// fixedStrings decodes strings of one length.
type fixedStrings struct {
	width int
	data  []byte
}

func (f *fixedStrings) read(column *idColumn, n int) error {
	if n > len(f.data)/f.width {
		return corrupt("%d strings of %d bytes in %d", n, f.width, len(f.data))
	}
	for range n {
		column.appendText(f.data[:f.width])
		f.data = f.data[f.width:]
	}
	return nil
}

// sizedStrings decodes DELTA_LENGTH_BYTE_ARRAY: all lengths, then all text.
type sizedStrings struct {
	lengths *deltas
	text    []byte
	scratch []uint64
}

func newSizedStrings(data []byte) (*sizedStrings, error) {
	lengths, err := newDeltas(data)
	if err != nil {
		return nil, err
	}
	scan := *lengths
	if err := scan.skipAll(); err != nil {
		return nil, err
	}
	return &sizedStrings{lengths: lengths, text: scan.rest()}, nil
}

// next takes the text of n strings and returns their lengths.
func (s *sizedStrings) next(n int) ([]uint64, error) {
	s.scratch = slices.Grow(s.scratch[:0], n)[:n]
	return s.scratch, s.lengths.read(s.scratch)
}

// take is the next so many bytes of text.
func (s *sizedStrings) take(length uint64) ([]byte, error) {
	if length > uint64(len(s.text)) {
		return nil, corrupt("string of %d bytes in %d", int64(length), len(s.text))
	}
	text := s.text[:length]
	s.text = s.text[length:]
	return text, nil
}

func (s *sizedStrings) read(column *idColumn, n int) error {
	lengths, err := s.next(n)
	if err != nil {
		return err
	}
	for _, length := range lengths {
		text, err := s.take(length)
		if err != nil {
			return err
		}
		column.appendText(text)
	}
	return nil
}

// prefixedStrings decodes DELTA_BYTE_ARRAY: how much of the string before is
// kept, and what follows it.
type prefixedStrings struct {
	prefixes *deltas
	suffixes *sizedStrings
	width    int // of every string; 0: any
	previous []byte
	scratch  []uint64
}

func newPrefixedStrings(data []byte, width int) (*prefixedStrings, error) {
	prefixes, err := newDeltas(data)
	if err != nil {
		return nil, err
	}
	scan := *prefixes
	if err := scan.skipAll(); err != nil {
		return nil, err
	}
	suffixes, err := newSizedStrings(scan.rest())
	if err != nil {
		return nil, err
	}
	return &prefixedStrings{prefixes: prefixes, suffixes: suffixes, width: width}, nil
}

func (p *prefixedStrings) read(column *idColumn, n int) error {
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
			return corrupt("string that keeps %d bytes of %d", int64(prefix), len(p.previous))
		}
		p.previous = append(p.previous[:prefix], suffix...)
		if p.width > 0 && len(p.previous) != p.width {
			return corrupt("string of %d bytes where all have %d", len(p.previous), p.width)
		}
		if len(column.Bytes)+len(p.previous) > maxColumnBytes {
			return tooMuchText()
		}
		column.appendText(p.previous)
	}
	return nil
}
