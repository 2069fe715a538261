package parquetpages

import (
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
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

// Layout is a column's storage of ids.
type Layout struct {
	Integers bool
	Bytes    int  // of an integer, 4 or 8, or of every string; 0: strings have lengths
	Bits     int  // of an integer's type, 8 to 64; 1: a boolean
	Signed   bool // of an integer
	Optional bool // definition levels say which rows are null
}

// pageValues decodes the values of one page, nulls left out.
type pageValues interface {
	// read appends n values to the column.
	read(column *ids.Column, n int) error
}

// valuesOf chooses the decoder of a page's values, at most `most` of them.
func (l Layout) valuesOf(encoding int64, data []byte, most int64, dictionary *ids.Column) (pageValues, error) {
	switch {
	case encoding == encodingDictionary, encoding == encodingPlainDictionary:
		if dictionary == nil {
			return nil, faults.Corrupt("page of indices without a dictionary")
		}
		if len(data) == 0 {
			return &lookedUp{dictionary: dictionary}, nil
		}
		if data[0] > 32 {
			return nil, faults.Corrupt("dictionary indices of %d bits", data[0])
		}
		return &lookedUp{dictionary, hybrid{data: data[1:], width: int(data[0])}, nil}, nil
	case l.Integers && l.Bits == 1:
		return newBits(encoding, data)
	case encoding == encodingPlain && l.Integers:
		return &plainIntegers{l, data}, nil
	case encoding == encodingPlain && l.Bytes > 0:
		return &fixedStrings{l.Bytes, data}, nil
	case encoding == encodingPlain:
		return &plainStrings{data}, nil
	case encoding == encodingDelta && l.Integers:
		d, err := newDeltas(data, most)
		return &deltaIntegers{l, d}, err
	case encoding == encodingSplit && l.Integers:
		return &splitIntegers{l, data, 0}, nil
	case encoding == encodingSplit && l.Bytes > 0:
		return &splitStrings{l.Bytes, data, 0}, nil
	case encoding == encodingDeltaLength && !l.Integers && l.Bytes == 0:
		return newSizedStrings(data, most)
	case encoding == encodingDeltaBytes && !l.Integers:
		return newPrefixedStrings(data, most, l.Bytes)
	}
	return nil, faults.Corrupt("page of encoding %d", encoding)
}

// extend extends an integer of the layout's width, in the low bits, to 64.
func (l Layout) extend(id uint64) uint64 {
	switch {
	case l.Bytes == 8:
		return id
	case l.Signed:
		return uint64(int32(id))
	}
	return uint64(uint32(id))
}

// check refuses integers outside the range of their type: 8- and 16-bit ones are
// stored in 32 bits.
func (l Layout) check(ids []uint64) error {
	if !l.Integers || l.Bits >= 32 {
		return nil
	}
	shift := 64 - l.Bits
	for _, id := range ids {
		narrow := id << shift >> shift
		if l.Signed {
			narrow = uint64(int64(id<<shift) >> shift)
		}
		if narrow != id {
			return faults.Corrupt("id %d in a column of %d bits", int64(id), l.Bits)
		}
	}
	return nil
}
