package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Operations on distances, which have 16 or 32 bits.

// farOf loads the distance of unreached vertices.
func (k *kernel) farOf(far reg.VecVirtual) reg.VecVirtual {
	k.broadcast(NewDataAddr(NewStaticSymbol(fmt.Sprint("far", k.size)), 0), far)
	return far
}

// broadcast loads a distance into all parts of a register.
func (k *kernel) broadcast(at Mem, to reg.VecVirtual) {
	if k.size == 2 {
		VPBROADCASTW(at, to)
	} else {
		VPBROADCASTD(at, to)
	}
}

// widen loads distances as 32-bit numbers.
func (k *kernel) widen(at Mem, to reg.Register) {
	if k.size == 2 {
		VPMOVSXWD(at, to)
	} else {
		VMOVDQU(at, to)
	}
}

// add adds distances, and least takes the smaller of two.
func (k *kernel) add(x, y, sum Op) {
	if k.size == 2 {
		VPADDW(x, y, sum)
	} else {
		VPADDD(x, y, sum)
	}
}

func (k *kernel) least(x, y, to Op) {
	if k.size == 2 {
		VPMINSW(x, y, to)
	} else {
		VPMINSD(x, y, to)
	}
}
