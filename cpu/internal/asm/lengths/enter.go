package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func enter() {
	f := begin("enterAVX2", "c *crossing)")
	Doc("See kernels.enter.")
	c := Dereference(Param("c"))
	// By half of the lanes: places before bound are reached from the first end alone, those behind bound from the second.
	room := AllocLocal(6 * 32)
	bound := func(which, half int) Mem { return room.Offset(32 * (2*which + half)) }
	const before, behind, tie = 0, 1, 2
	narrow := distance{size: 4}
	length, limit := narrow.broadcast(address(c.Field("length"))), narrow.broadcast(address(c.Field("limit")))
	ends := [2]reg.GPVirtual{pointer(c.Field("from")), pointer(c.Field("to"))}
	one := YMM()
	VPCMPEQD(one, one, one)
	VPSRLD(Imm(31), one, one)
	through := [2]reg.GPVirtual{GP32(), GP32()}
	for half := 1; half >= 0; half-- {
		x, twice, middle, most, equal := YMM(), YMM(), YMM(), YMM(), YMM()
		VMOVDQU(part(Mem{Base: ends[0]}, half), x)
		VPSUBD(x, length, twice)
		VPADDD(part(Mem{Base: ends[1]}, half), twice, twice)
		for side, bits := range through {
			VPXOR(equal, equal, equal)
			if side == 1 {
				VPADDD(length, length, equal)
			}
			VPCMPEQD(equal, twice, equal)
			if half == 1 {
				VMOVMSKPS(equal, bits)
				SHLL(Imm(8), bits)
			} else {
				more := GP32()
				VMOVMSKPS(equal, more)
				ORL(more, bits)
			}
		}
		VPSUBD(x, limit, most)
		odd, late := YMM(), YMM()
		VPSRAD(Imm(1), twice, middle)
		VPCMPGTD(most, middle, late)
		VPADDD(middle, middle, odd)
		VPSUBD(twice, odd, odd) // 0, or all bits
		VPOR(odd, late, late)
		VPOR(middle, late, late)
		VMOVDQU(late, bound(tie, half))
		VPSUBD(one, twice, twice)
		VPSRAD(Imm(1), twice, twice)
		VPMINSD(twice, most, most)
		VPADDD(one, most, most)
		VMOVDQU(most, bound(before, half))
		least := YMM()
		VPSUBD(limit, length, least)
		VPADDD(part(Mem{Base: ends[1]}, half), least, least)
		VPSUBD(one, least, least)
		VPMAXSD(middle, least, least)
		VMOVDQU(least, bound(behind, half))
	}
	Store(through[0].As16(), c.Field("through").Index(0))
	Store(through[1].As16(), c.Field("through").Index(1))

	sent := [2][]reg.VecVirtual{some(4), some(4)}
	for _, side := range sent {
		for _, v := range side {
			VXORPD(v, v, v)
		}
	}
	positions, targets := Load(c.Field("position").Base(), GP64()).(reg.GPVirtual), Load(c.Field("target").Base(), GP64()).(reg.GPVirtual)
	by := [2]reg.GPVirtual{}
	for side := range by {
		by[side] = Load(c.Field("by").Index(side).Base(), GP64()).(reg.GPVirtual)
	}
	end, k, tied := Load(c.Field("position").Len(), GP64()).(reg.GPVirtual), GP64(), GP32()
	XORQ(k, k)
	XORL(tied, tied)
	each("place", k, end, func() {
		place, target := YMM(), YMM()
		VPBROADCASTD(Mem{Base: positions, Index: k, Scale: 4}, place)
		VBROADCASTSD(Mem{Base: targets, Index: k, Scale: 8}, target)
		for half := range 2 {
			equal, bits := YMM(), GP32()
			VPCMPEQD(bound(tie, half), place, equal)
			VMOVMSKPS(equal, bits)
			ORL(bits, tied)
		}
		for side := range 2 {
			sums := some(2)
			for half := range 2 {
				reaches := YMM()
				if side == 0 {
					VMOVDQU(bound(before, half), reaches)
					VPCMPGTD(place, reaches, reaches)
				} else {
					VPCMPGTD(bound(behind, half), place, reaches)
				}
				for q := range 2 {
					mask, number := YMM(), YMM()
					if q == 1 {
						VEXTRACTI128(Imm(1), reaches, reaches.AsX())
					}
					VPMOVSXDQ(reaches.AsX(), mask)
					VANDPD(target, mask, number)
					VADDPD(number, sent[side][2*half+q], sent[side][2*half+q])
					if source := f.line("source", 2*half+q); half == 0 {
						VANDPD(source, mask, sums[q])
					} else {
						VANDPD(source, mask, mask)
						VADDPD(mask, sums[q], sums[q])
					}
				}
			}
			total, at := scoreSum(sums), Mem{Base: by[side], Index: k, Scale: 8}
			VADDSD(at, total, total)
			VMOVSD(total, at)
		}
	})
	Store(tied, c.Field("tied"))
	for side := range sent {
		row := Mem{Base: pointer(c.Field("sent").Index(side))}
		for i, v := range sent[side] {
			sum := YMM()
			VADDPD(part(row, i), v, sum)
			VMOVUPD(sum, part(row, i))
		}
	}
	for i, v := range sent[0] {
		VADDPD(sent[1][i], v, v)
		VADDPD(f.line("reached", i), v, v)
		VMOVUPD(v, f.line("reached", i))
	}
	VZEROUPPER()
	RET()
}

func pointer(c gotypes.Component) reg.GPVirtual { return Load(c, GP64()).(reg.GPVirtual) }
