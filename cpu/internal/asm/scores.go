package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sum8 has eight partial sums, and names the slice, by vertex, to which their sum is added. The sum is
// divided by the vertex's multiplicity so many times.
type sum8 struct {
	field   string
	divided int
	partial []reg.VecVirtual
}

// sums returns the sums of the backward pass. registers makes the registers of one.
func (k *kernel) sums(registers func() []reg.VecVirtual) (list []sum8) {
	list = append(list, sum8{"scores", 1, registers()})
	if k.drawn {
		list = append(list, sum8{"drawn", 1, registers()}, sum8{"squares", 2, registers()})
	}
	return list
}

// addSums adds the sums to the vertex's. total adds up the parts of a sum.
func (k *kernel) addSums(e entry, all []sum8, total func(parts []reg.VecVirtual) reg.VecVirtual) {
	add := func(some []sum8) {
		for _, s := range some {
			k.addSum(e, s, total(s.partial))
		}
	}
	add(all[:1])
	if k.drawn {
		k.either("drawn", func() { add(all[1:]) }, nil)
	}
}

// addSum adds a total to the vertex's.
func (k *kernel) addSum(e entry, s sum8, total reg.VecVirtual) {
	k.ifMultiple(func(multiplicities reg.GPVirtual) {
		for range s.divided {
			VDIVSD(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, total, total)
		}
	})
	sum := k.of(s.field, e.vertex)
	VADDSD(sum, total, total)
	VMOVSD(total, sum)
}
