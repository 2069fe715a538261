package arrowio

import "encoding/binary"

// Type codes of Thrift's compact protocol.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt32  = 5
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12

	maxThriftDepth = 32
)

// compact walks a structure in Thrift's compact protocol. After something that
// is not there, or that claims to be longer than what is there, failed is set
// and all that is read is zero.
type compact struct {
	data   []byte
	failed bool
}

func (c *compact) fail() {
	c.data, c.failed = nil, true
}

func (c *compact) byte() byte {
	if len(c.data) == 0 {
		c.fail()
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

func (c *compact) varint() uint64 {
	value, n := binary.Uvarint(c.data)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.data = c.data[n:]
	return value
}

func (c *compact) integer() int64 {
	value := c.varint()
	return int64(value>>1) ^ -int64(value&1)
}

// structure calls visit for each field; visit returns false to have it skipped.
func (c *compact) structure(visit func(id int, kind byte) bool) { c.structureAt(visit, 0) }

func (c *compact) structureAt(visit func(id int, kind byte) bool, depth int) {
	if depth > maxThriftDepth {
		c.fail()
	}
	for id := 0; ; {
		head := c.byte()
		kind := head & 15
		if kind == thriftStop || c.failed {
			return
		}
		if delta := int(head >> 4); delta > 0 {
			id += delta
		} else {
			id = int(int16(c.integer()))
		}
		if !visit(id, kind) {
			c.skip(kind, false, depth+1)
		}
	}
}

// skip passes over one value. Booleans take a byte only as elements.
func (c *compact) skip(kind byte, element bool, depth int) {
	switch kind {
	case thriftTrue, thriftFalse:
		if element {
			c.byte()
		}
	case thriftByte:
		c.byte()
	case thriftInt16, thriftInt32, thriftInt64:
		c.varint()
	case thriftDouble:
		c.pass(8)
	case thriftBinary:
		c.pass(c.varint())
	case thriftList, thriftSet:
		head := c.byte()
		count := uint64(head >> 4)
		if count == 15 {
			count = c.varint()
		}
		c.elements(count, depth, head&15)
	case thriftMap:
		if count := c.varint(); count > 0 {
			kinds := c.byte()
			c.elements(count, depth, kinds>>4, kinds&15)
		}
	case thriftStruct:
		c.structureAt(func(int, byte) bool { return false }, depth)
	default:
		c.fail()
	}
}

func (c *compact) pass(n uint64) {
	if n > uint64(len(c.data)) {
		c.fail()
		return
	}
	c.data = c.data[n:]
}

// elements passes over count elements of one or two values, each at least a byte.
func (c *compact) elements(count uint64, depth int, kinds ...byte) {
	if count > uint64(len(c.data)) || depth > maxThriftDepth {
		c.fail()
		return
	}
	for range count {
		for _, kind := range kinds {
			c.skip(kind, true, depth+1)
		}
		if c.failed {
			return
		}
	}
}

// wellFormed tells whether data begins with a whole structure. Thrift's own
// reader makes room for as many elements as a list claims.
func wellFormed(data []byte) bool {
	c := compact{data: data}
	c.structure(func(int, byte) bool { return false })
	return !c.failed
}
