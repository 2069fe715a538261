package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where kernels find what the frame has.

// listed loads where the entry's part of a list begins that has numbers of so many bytes.
func (k *kernel) listed(name string, size uint8) reg.GPVirtual {
	list := k.field(name)
	if k.pieces {
		first, parts := GP64(), k.field("parts")
		MOVL(Mem{Base: parts, Index: k.at, Scale: 8}, first.As32())
		LEAQ(Mem{Base: list, Index: first, Scale: size}, list)
	}
	return list
}

// bytesOfRows turns a number of rows into their bytes.
func (k *kernel) bytesOfRows(n reg.GPVirtual) {
	if k.lanes == 0 {
		IMULQ(address(k.frame.Field("rowBytes")), n)
		return
	}
	SHLQ(Imm(uint64(bits.Len(uint(k.lanes*k.size))-1)), n)
}

// row of a vertex, counted from rows.
func (k *kernel) row(rows, v reg.GPVirtual) Mem {
	bytes := GP64()
	MOVQ(v, bytes)
	k.bytesOfRows(bytes)
	return Mem{Base: rows, Index: bytes, Scale: 1}
}

// mask of the entry.
func (k *kernel) mask(e entry) Mem {
	return Mem{Base: k.field("mask"), Index: e.at, Scale: 8}
}

// vertex of the entry.
func (k *kernel) vertex() reg.GPVirtual {
	v, vertices := GP64(), k.field("vertex")
	MOVL(Mem{Base: vertices, Index: k.at, Scale: 4}, v.As32())
	return v
}

// field loads where a slice of the frame begins.
func (k *kernel) field(name string) reg.GPVirtual {
	return Load(k.frame.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// lane is the address of an array of the frame from the given lane on.
func (k *kernel) lane(name string, lane int) Mem {
	return address(k.frame.Field(name).Index(lane))
}

// of is the address of an element, by vertex, of a slice of the frame.
func (k *kernel) of(name string, v reg.GPVirtual) Mem {
	return Mem{Base: k.field(name), Index: v, Scale: 8}
}

// address is where a parameter or a field is.
func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}

// table is the address of a table of package lanes.
func table(name string) Mem { return NewDataAddr(Symbol{Name: "·" + name}, 0) }
