package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels that find and add up levels.

// relax writes the kernel relax for levels of 16 bits, or for short ones.
func relax(name string, isShort bool) {
	k := begin(name, "list, changed []uint32) int")
	lesser, subtract, equal := VPMINUW, VPSUBW, VPCMPEQW
	levels, count, minus, unreached := k.base("levels"), GP64(), ones(), YMM()
	if isShort {
		lesser, subtract, equal = VPMINUB, VPSUBB, VPCMPEQB
		VPADDB(minus, minus, unreached) // one less than far, which is all ones
	} else {
		VPBROADCASTW(NewDataAddr(NewStaticSymbol("far"), 0), unreached)
	}
	XORQ(count, count)
	k.eachListed(func(_, r reg.GPVirtual) {
		least := some(quarters)
		for _, x := range least {
			VMOVDQA(unreached, x)
		}
		k.eachNeighbour(r, func(_, u reg.GPVirtual) {
			row := levelsOf(levels, u)
			for i, x := range least {
				lesser(part(row, i), x, x)
			}
		})
		row, same := levelsOf(levels, r), ones()
		for i, x := range least {
			old := YMM()
			VMOVDQU(part(row, i), old)
			subtract(minus, x, x)
			lesser(old, x, x)
			VMOVDQU(x, part(row, i))
			equal(old, x, x)
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
		CMPB(k.field(k.frame.Field("weighs")), Imm(0))
		JEQ(LabelRef("light"))
		k.weigh(row, r)
		Label("light")
	})
	for i, x := range perLane {
		VMOVDQU(x, k.lane("perLane", 16*i))
	}
	VZEROUPPER()
	RET()
}

// weigh adds the levels of a row, times the target mass of its rank, to weighed.
func (k *kernel) weigh(levels Mem, r reg.GPVirtual) {
	weight := k.broadcast(Mem{Base: k.base("weight"), Index: k.vertex(r), Scale: 8})
	row, sums, last := GP64(), GP64(), GP64()
	LEAQ(levels, row)
	LEAQ(k.lane("weighed", 0), sums)
	LEAQ(Mem{Base: sums, Disp: 8 * lanes}, last)
	Label("weigh")
	for i := range 4 {
		x, sum := YMM(), Mem{Base: sums, Disp: 32 * i}
		VPMOVZXWD(Mem{Base: row, Disp: 8 * i}, x.AsX())
		VCVTDQ2PD(x.AsX(), x)
		VMULPD(weight, x, x)
		VADDPD(sum, x, x)
		VMOVUPD(x, sum)
	}
	ADDQ(Imm(32), row)
	ADDQ(Imm(128), sums)
	CMPQ(sums, last)
	JLT(LabelRef("weigh"))
}

// addEight adds up the 32-bit numbers of a register, which it overwrites.
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
		ADDQ(sumInverses(row, inverses, MOVWLZX, 2), Mem{Base: inverse, Index: r, Scale: 8})
	})
	VZEROUPPER()
	RET()
}

// sumInverses adds up the inverses of a row's levels, of so many bytes each.
func sumInverses(row Mem, inverses reg.GPVirtual, load func(m, r Op), bytes int) reg.GPVirtual {
	const atOnce = 4
	at, end := GP64(), GP64()
	totals := []reg.GPVirtual{GP64(), GP64()} // two independent sums
	for _, total := range totals {
		XORQ(total, total)
	}
	LEAQ(row, at)
	LEAQ(Mem{Base: at, Disp: 2 * lanes}, end)
	Label("four")
	for lane := range atOnce {
		level := GP64()
		load(Mem{Base: at, Disp: bytes * lane}, level.As32())
		ADDQ(Mem{Base: inverses, Index: level, Scale: 8}, totals[lane%2])
	}
	ADDQ(Imm(uint64(bytes*atOnce)), at)
	CMPQ(at, end)
	JLT(LabelRef("four"))
	ADDQ(totals[1], totals[0])
	return totals[0]
}

const (
	// digitLevels bounds the range of a row's levels for which inverses are looked up digit by digit.
	digitLevels = 16
	// digitsOf is the number of digits, of 8 bits, of an inverse.
	digitsOf = 7
)

// leastByte returns the least of the bytes of a register, which it overwrites.
func leastByte(of reg.VecVirtual) reg.GPVirtual {
	half, other, least := XMM(), of.AsX(), GP64()
	VEXTRACTI128(Imm(1), of, half)
	VPMINUB(half, other, half)
	VPSRLW(Imm(8), half, other)
	VPMINUB(half, other, half) // the least of every two bytes, in the lower half of 16 bits
	VPSLLW(Imm(8), half, half)
	VPSRLW(Imm(8), half, half)
	VPHMINPOSUW(half, half)
	VPEXTRW(Imm(0), half, least.As32())
	return least
}

func collectShort() {
	k := begin("collectShort", "inverses []uint64, from, to int)")
	levels, sums, most, inverse := k.base("levels"), k.base("sums"), k.base("most"), k.base("inverse")
	inverses, all, none := Load(Param("inverses").Base(), GP64()).(reg.GPVirtual), ones(), YMM()
	VPXOR(none, none, none)
	r, end := param("from"), param("to")
	each("rank", r, end, func() {
		row, sum, largest, smallest, row8 := levelsOf(levels, r), YMM(), YMM(), YMM(), some(quarters)
		VPXOR(sum, sum, sum)
		VPXOR(largest, largest, largest)
		VMOVDQA(all, smallest)
		for i, level := range row8 {
			VMOVDQU(part(row, i), level)
			VPMAXUB(level, largest, largest)
			VPMINUB(level, smallest, smallest)
			eight := YMM()
			VPSADBW(none, level, eight)
			VPADDD(eight, sum, sum)
		}
		total := GP64()
		VMOVD(addEight(sum), total.As32())
		ADDL(total.As32(), Mem{Base: sums, Index: r, Scale: 4})
		// The least of the complements is that of the largest.
		VPXOR(all, largest, largest)
		x, least := leastByte(largest), leastByte(smallest)
		XORL(U32(0xff), x.As32())
		old, spread := GP64(), GP64()
		MOVQ(x, spread)
		SUBQ(least, spread)
		MOVL(Mem{Base: most, Index: r, Scale: 4}, old.As32())
		CMPL(x.As32(), old.As32())
		CMOVLCS(old.As32(), x.As32())
		MOVL(x.As32(), Mem{Base: most, Index: r, Scale: 4})
		whole, inverseSum, digit := YMM(), GP64(), GP64()
		CMPQ(spread, Imm(digitLevels))
		JGE(LabelRef("spread"))

		// Few levels: one instruction looks up a digit of the inverses of 32 lanes, another adds up eight.
		digits, by := k.base("digits"), YMM()
		VMOVD(least.As32(), by.AsX())
		VPBROADCASTB(by.AsX(), by)
		for _, level := range row8 {
			VPSUBB(by, level, level)
		}
		SHLQ(Imm(7), least)
		ADDQ(least, digits)
		VPXOR(whole, whole, whole)
		MOVQ(U32((digitsOf-1)*digitLevels), digit) // the last digit first
		Label("digit")
		table := YMM()
		VBROADCASTI128(Mem{Base: digits, Index: digit, Scale: 1}, table)
		VPSLLQ(Imm(8), whole, whole)
		for _, level := range row8 {
			sum := YMM()
			VPSHUFB(level, table, sum)
			VPSADBW(none, sum, sum)
			VPADDQ(sum, whole, whole)
		}
		SUBQ(Imm(digitLevels), digit)
		JGE(LabelRef("digit"))
		half := XMM()
		VEXTRACTI128(Imm(1), whole, half)
		VPADDQ(half, whole.AsX(), half)
		VPSHUFD(Imm(0b01001110), half, whole.AsX())
		VPADDQ(half, whole.AsX(), half)
		VMOVQ(half, inverseSum)
		JMP(LabelRef("summed"))
		Label("spread")
		MOVQ(sumInverses(row, inverses, MOVBLZX, 1), inverseSum)
		Label("summed")
		ADDQ(inverseSum, Mem{Base: inverse, Index: r, Scale: 8})
	})
	VZEROUPPER()
	RET()
}
