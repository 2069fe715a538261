package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Addresses of the frame's fields and slices.

// bytesOfRows turns a number of rows into their bytes.
func (k *kernel) bytesOfRows(n reg.GPVirtual) {
	if k.lanes == 0 {
		IMULQ(address(k.frame.Field("rowBytes")), n)
		return
	}
	SHLQ(Imm(uint64(bits.Len(uint(k.lanes*k.size))-1)), n)
}

// mask returns the address of the entry's mask.
func (k *kernel) mask(e entry) Mem {
	return Mem{Base: k.field("mask"), Index: e.at, Scale: 8}
}

// vertex loads the vertex of the entry.
func (k *kernel) vertex() reg.GPVirtual {
	v, vertices := GP64(), k.field("vertex")
	MOVL(Mem{Base: vertices, Index: k.at, Scale: 4}, v.As32())
	return v
}

// field loads where a slice of the frame begins.
func (k *kernel) field(name string) reg.GPVirtual {
	return Load(k.frame.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// lane returns the address of an array of the frame from the given lane on.
func (k *kernel) lane(name string, lane int) Mem {
	return address(k.frame.Field(name).Index(lane))
}

// of returns the address of a vertex's element in a slice of the frame.
func (k *kernel) of(name string, v reg.GPVirtual) Mem {
	return Mem{Base: k.field(name), Index: v, Scale: 8}
}

// address returns the address of a parameter or a field.
func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}

// table returns the address of a table of package lanes.
func table(name string) Mem { return NewDataAddr(Symbol{Name: "·" + name}, 0) }
