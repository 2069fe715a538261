// Package thrift walks structures in Thrift's compact protocol, the form of
// Parquet's footer and page headers, in memory that does not depend on their
// claims. Thrift's own reader makes room for as many elements as a list claims.
package thrift

import "encoding/binary"

// Type codes of Thrift's compact protocol.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
const (
	Stop   = 0
	True   = 1
	False  = 2
	Byte   = 3
	Int16  = 4
	Int32  = 5
	Int64  = 6
	Double = 7
	Binary = 8
	List   = 9
	Set    = 10
	Map    = 11
	Struct = 12
)

const maxDepth = 32

// Reader walks one structure. It fails at a missing value, or at one that claims
// to be longer than the data; after that every read gives zero.
type Reader struct {
	data   []byte
	failed bool
}

// NewReader reads the structure at the beginning of data.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Rest is the unread data.
func (r *Reader) Rest() []byte { return r.data }

// Failed says whether a read has failed.
func (r *Reader) Failed() bool { return r.failed }

func (r *Reader) fail() {
	r.data, r.failed = nil, true
}

func (r *Reader) byte() byte {
	if len(r.data) == 0 {
		r.fail()
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *Reader) varint() uint64 {
	value, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return value
}

// Integer reads the value of a field that is an integer.
func (r *Reader) Integer() int64 {
	value := r.varint()
	return int64(value>>1) ^ -int64(value&1)
}

// Structure calls visit for each field; visit returns false to skip it.
func (r *Reader) Structure(visit func(id int, kind byte) bool) { r.structureAt(visit, 0) }

func (r *Reader) structureAt(visit func(id int, kind byte) bool, depth int) {
	if depth > maxDepth {
		r.fail()
	}
	for id := 0; ; {
		head := r.byte()
		kind := head & 15
		if kind == Stop || r.failed {
			return
		}
		if delta := int(head >> 4); delta > 0 {
			id += delta
		} else {
			id = int(int16(r.Integer()))
		}
		if !visit(id, kind) {
			r.skip(kind, false, depth+1)
		}
	}
}

// skip skips one value. Booleans take a byte only as elements.
func (r *Reader) skip(kind byte, element bool, depth int) {
	switch kind {
	case True, False:
		if element {
			r.byte()
		}
	case Byte:
		r.byte()
	case Int16, Int32, Int64:
		r.varint()
	case Double:
		r.pass(8)
	case Binary:
		r.pass(r.varint())
	case List, Set:
		head := r.byte()
		count := uint64(head >> 4)
		if count == 15 {
			count = r.varint()
		}
		r.elements(count, depth, head&15)
	case Map:
		if count := r.varint(); count > 0 {
			kinds := r.byte()
			r.elements(count, depth, kinds>>4, kinds&15)
		}
	case Struct:
		r.structureAt(func(int, byte) bool { return false }, depth)
	default:
		r.fail()
	}
}

func (r *Reader) pass(n uint64) {
	if n > uint64(len(r.data)) {
		r.fail()
		return
	}
	r.data = r.data[n:]
}

// elements skips count elements of one or two values, each at least a byte.
func (r *Reader) elements(count uint64, depth int, kinds ...byte) {
	if count > uint64(len(r.data)) || depth > maxDepth {
		r.fail()
		return
	}
	for range count {
		for _, kind := range kinds {
			r.skip(kind, true, depth+1)
		}
		if r.failed {
			return
		}
	}
}

// WellFormed says whether data begins with a whole structure.
func WellFormed(data []byte) bool {
	r := Reader{data: data}
	r.Structure(func(int, byte) bool { return false })
	return !r.failed
}
