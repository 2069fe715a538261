package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels that find and add up levels.

func relax() {
	k := begin("relax", "list, changed []uint32) int")
	levels, count, minus, unreached := k.base("levels"), GP64(), ones(), YMM()
	VPBROADCASTW(NewDataAddr(NewStaticSymbol("far"), 0), unreached)
	XORQ(count, count)
	k.eachListed(func(_, r reg.GPVirtual) {
		least := some(quarters)
		for _, x := range least {
			VMOVDQA(unreached, x)
		}
		k.eachNeighbour(r, func(_, u reg.GPVirtual) {
			row := levelsOf(levels, u)
			for i, x := range least {
				VPMINUW(part(row, i), x, x)
			}
		})
		row, same := levelsOf(levels, r), ones()
		for i, x := range least {
			old := YMM()
			VMOVDQU(part(row, i), old)
			VPSUBW(minus, x, x)
			VPMINUW(old, x, x)
			VMOVDQU(x, part(row, i))
			VPCMPEQW(old, x, x)
			VPAND(x, same, same)
		}
		bits, changed := GP64(), Load(Param("changed").Base(), GP64()).(reg.GPVirtual)
		VPMOVMSKB(same, bits.As32())
		NOTL(bits.As32())
		MOVL(r.As32(), Mem{Base: changed, Index: count, Scale: 4})
		advance(count, bits)
	})
	Store(count, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func measure() {
	k := begin("measure", "from, to int)")
	levels, sums, one, perLane := k.base("levels"), k.base("sums"), YMM(), some(quarters)
	VPSRLW(Imm(15), ones(), one)
	for i, x := range perLane {
		VMOVDQU(k.lane("perLane", 16*i), x)
	}
	r, end := param("from"), param("to")
	each("rank", r, end, func() {
		row, sum := levelsOf(levels, r), YMM()
		VPXOR(sum, sum, sum)
		for i, x := range perLane {
			level := YMM()
			VMOVDQU(part(row, i), level)
			VPADDW(level, x, x)
			VPMADDWD(one, level, level)
			VPADDD(level, sum, sum)
		}
		VMOVD(addEight(sum), Mem{Base: sums, Index: r, Scale: 4})
	})
	for i, x := range perLane {
		VMOVDQU(x, k.lane("perLane", 16*i))
	}
	VZEROUPPER()
	RET()
}

// addEight adds up the numbers of 32 bits of a register, which it spends.
func addEight(sum reg.VecVirtual) reg.Register {
	half, low := XMM(), sum.AsX()
	VEXTRACTI128(Imm(1), sum, half)
	VPADDD(half, low, low)
	VPSHUFD(Imm(0b01001110), low, half)
	VPADDD(half, low, low)
	VPSHUFD(Imm(0b10110001), low, half)
	VPADDD(half, low, low)
	return low
}

func collect() {
	k := begin("collect", "inverses []uint64, from, to int)")
	levels, sums, most, inverse := k.base("levels"), k.base("sums"), k.base("most"), k.base("inverse")
	inverses, one, all := Load(Param("inverses").Base(), GP64()).(reg.GPVirtual), YMM(), ones()
	VPSRLW(Imm(15), all, one)
	r, end := param("from"), param("to")
	each("rank", r, end, func() {
		row, sum, largest := levelsOf(levels, r), YMM(), YMM()
		VPXOR(sum, sum, sum)
		VPXOR(largest, largest, largest)
		for i := range quarters {
			level := YMM()
			VMOVDQU(part(row, i), level)
			VPMAXUW(level, largest, largest)
			VPMADDWD(one, level, level)
			VPADDD(level, sum, sum)
		}
		total := GP64()
		VMOVD(addEight(sum), total.As32())
		ADDL(total.As32(), Mem{Base: sums, Index: r, Scale: 4})
		// The least of the complements is that of the largest.
		half, x := XMM(), GP64()
		VPXOR(all, largest, largest)
		VEXTRACTI128(Imm(1), largest, half)
		VPMINUW(half, largest.AsX(), half)
		VPHMINPOSUW(half, half)
		VPEXTRW(Imm(0), half, x.As32())
		XORL(U32(0xffff), x.As32())
		old := GP64()
		MOVL(Mem{Base: most, Index: r, Scale: 4}, old.As32())
		CMPL(x.As32(), old.As32())
		CMOVLCS(old.As32(), x.As32())
		MOVL(x.As32(), Mem{Base: most, Index: r, Scale: 4})
		totals := []reg.GPVirtual{GP64(), GP64()} // neither waits for the other
		for _, total := range totals {
			XORQ(total, total)
		}
		for lane := range lanes {
			level := GP64()
			row.Disp = 2 * lane
			MOVWLZX(row, level.As32())
			ADDQ(Mem{Base: inverses, Index: level, Scale: 8}, totals[lane%2])
		}
		ADDQ(totals[1], totals[0])
		ADDQ(totals[0], Mem{Base: inverse, Index: r, Scale: 8})
	})
	VZEROUPPER()
	RET()
}
