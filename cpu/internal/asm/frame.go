package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
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

// constants writes a table of numbers of so many bytes.
func constants(name string, size int, numbers ...uint64) Mem {
	at := GLOBL(name, attr.RODATA|attr.NOPTR)
	for first := 0; first < len(numbers); first += 8 / size {
		word := uint64(0)
		for i, x := range numbers[first:min(first+8/size, len(numbers))] {
			word |= x << (8 * size * i)
		}
		DATA(size*first, U64(word))
	}
	return at
}

// counted is n numbers: of 0, 1, ...
func counted(n int, of func(i int) uint64) (numbers []uint64) {
	for i := range n {
		numbers = append(numbers, of(i))
	}
	return numbers
}

// tables writes those that kernels read.
func tables() {
	// For each lane, how far its mask bit is from the sign bit: of a number of 64 bits in four lines, and of one of 32
	// in a line.
	constants("shift64", 8, counted(32, func(i int) uint64 { return uint64(63 - i) })...)
	constants("shift32", 4, counted(16, func(i int) uint64 { return uint64(31 - i) })...)
	// For each lane of a byte of a mask, its bit, and for each lane of a word.
	constants("laneBits", 4, counted(8, func(i int) uint64 { return 1 << i })...)
	constants("wordLaneBits", 2, counted(16, func(i int) uint64 { return 1 << i })...)
	constants("upToEight", 4, counted(8, func(i int) uint64 { return uint64(i) })...)
	// It keeps the sum of an entry whose rows go on, and nothing before a first row.
	constants("goesOn", 8, counted(8, func(i int) uint64 { return ^uint64(0) * uint64(1-i/4) })...)
}

// constant is the address of a table.
func constant(name string) Mem { return NewDataAddr(NewStaticSymbol(name), 0) }
