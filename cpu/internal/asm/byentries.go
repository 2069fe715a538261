package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of a search by entries: see entryKernels in package lanes. Rows of counts have 64 lanes, of 16
// bits, and are added up whole, in four registers.

func countEntries() {
	k := beginCount(avx2{})
	most, listed := YMM(), GP64()
	VMOVDQU(k.lane("most", 0), most)
	e, counts, row := k.eachToCount(listed), k.field("counts"), GP64()
	sums := []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
	zero2(sums)
	k.sumEntries(listed, counts, sums)
	k.ifMultiple(func(multiplicities reg.GPVirtual) {
		one, mu, zero := GP64(), YMM(), YMM()
		VCVTTSD2SIQ(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, one)
		VMOVQ(one, mu.AsX())
		VPBROADCASTW(mu.AsX(), mu)
		VPXOR(zero, zero, zero)
		for _, sum := range sums { // more than 16 bits: all of them are set
			high, fits := YMM(), YMM()
			VPMULHUW(mu, sum, high)
			VPMULLW(mu, sum, sum)
			VPCMPEQW(zero, high, fits)
			VPCMPEQW(zero, fits, fits)
			VPOR(fits, sum, sum)
		}
	})
	bits, mask := YMM(), k.mask(e)
	VMOVDQU(table("wordLaneBits"), bits)
	MOVQ(k.at, row)
	SHLQ(Imm(7), row)
	for j, sum := range sums {
		mask.Disp = 2 * j
		lanes := YMM()
		VPBROADCASTW(mask, lanes)
		VPAND(bits, lanes, lanes)
		VPCMPEQW(bits, lanes, lanes)
		VPAND(lanes, sum, sum)
		VPMAXUW(sum, most, most)
		VMOVDQU(sum, Mem{Base: counts, Index: row, Scale: 1, Disp: 32 * j})
	}
	weight := k.wholeWeight(e, YMM())
	VMOVDQU(table("laneBits"), bits)
	for j := range 8 {
		mask.Disp = j
		lanes, mass := YMM(), k.lane("mass", 8*j)
		VPBROADCASTB(mask, lanes)
		VPAND(bits, lanes, lanes)
		VPCMPEQD(bits, lanes, lanes)
		VPAND(lanes, weight, lanes)
		VPADDD(mass, lanes, lanes)
		VMOVDQU(lanes, mass)
	}
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	VMOVDQU(most, k.lane("most", 0))
	endLine()
}

// countEntries512 is countEntries with lane masks in mask registers.
func countEntries512() {
	k := beginCount(avx512{})
	most, listed := ZMM(), GP64()
	VPXORQ(most, most, most)
	VMOVDQU(k.lane("most", 0), most.AsY())
	e, counts, row := k.eachToCount(listed), k.field("counts"), GP64()
	sums := newSums(2)
	k.sumEntries(listed, counts, sums)
	k.ifMultiple(func(multiplicities reg.GPVirtual) {
		one, mu, all := GP64(), ZMM(), ZMM()
		VCVTTSD2SIQ(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, one)
		VMOVQ(one, mu.AsX())
		VPBROADCASTW(mu.AsX(), mu)
		VPTERNLOGD(Imm(0xff), all, all, all)
		for _, sum := range sums { // more than 16 bits: all of them are set
			high, more := ZMM(), K()
			VPMULHUW(mu, sum, high)
			VPMULLW(mu, sum, sum)
			VPTESTMW(high, high, more)
			VMOVDQU16(all, more, sum)
		}
	})
	mask := k.mask(e)
	MOVQ(k.at, row)
	SHLQ(Imm(7), row)
	for j, sum := range sums {
		mask.Disp = 4 * j
		lanes := K()
		KMOVD(mask, lanes)
		VMOVDQU16_Z(sum, lanes, sum)
		VPMAXUW(sum, most, most)
		VMOVDQU16(sum, Mem{Base: counts, Index: row, Scale: 1, Disp: 64 * j})
	}
	weight := k.wholeWeight(e, ZMM())
	for j := range 4 {
		mask.Disp = 2 * j
		lanes, sum, mass := K(), ZMM(), k.lane("mass", 16*j)
		KMOVW(mask, lanes)
		VMOVDQU32(mass, sum)
		VPADDD(weight, sum, lanes, sum)
		VMOVDQU32(sum, mass)
	}
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	high := YMM()
	VEXTRACTI64X4(Imm(1), most, high)
	VPMAXUW(high, most.AsY(), high)
	VMOVDQU(high, k.lane("most", 0))
	endLine()
}

// wholeWeight fills a register with the weight of an entry's vertex, as numbers of 32 bits.
func (k *kernel) wholeWeight(e entry, v reg.VecVirtual) reg.VecVirtual {
	one := GP64()
	VCVTTSD2SIQ(k.of("weight", e.vertex), one)
	VMOVQ(one, v.AsX())
	VPBROADCASTD(v.AsX(), v)
	return v
}

func beginCount(v vectors) *kernel {
	k := &kernel{vectors: v, number: number{"float64", 8}, lanes: 64}
	TEXT("countEntries"+v.name(), NOSPLIT, "func(f *frame, from, to int)")
	Pragma("noescape")
	Doc("The forward pass: see entryKernels.count.")
	k.frame = Dereference(Param("f"))
	k.at = Load(Param("from"), GP64()).(reg.GPVirtual)
	return k
}

// eachToCount begins the loop over entries, with listed at 0. It stores each vertex's entry in entryNext.
func (k *kernel) eachToCount(listed reg.GPVirtual) entry {
	XORQ(listed, listed)
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	e := entry{vertex: k.vertex(), at: k.at}
	MOVL(k.at.As32(), Mem{Base: k.field("entryNext"), Index: e.vertex, Scale: 4})
	return e
}

// sumEntries adds up the listed rows of an entry, from number i on, to sums, and leaves i behind them. It prefetches rows
// of later entries: the processor does not look so far ahead, since the number of rows of an
// entry is not predictable.
func (k *kernel) sumEntries(i, rows reg.GPVirtual, sums []reg.VecVirtual) {
	list, number, end := k.field("list"), k.field("entryHere"), GP64()
	MOVL(Mem{Base: k.field("parts"), Index: k.at, Scale: 8, Disp: 4}, end.As32())
	CMPQ(i, end)
	JGE(LabelRef("rowsEnd"))
	Label("row")
	u, soon := GP64(), GP64()
	MOVL(Mem{Base: list, Index: i, Scale: 4, Disp: 4 * listedAhead}, soon.As32())
	MOVL(Mem{Base: number, Index: soon, Scale: 4}, soon.As32())
	SHLQ(Imm(7), soon)
	PREFETCHT0(Mem{Base: rows, Index: soon, Scale: 1})
	PREFETCHT0(Mem{Base: rows, Index: soon, Scale: 1, Disp: 64})
	MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
	MOVL(Mem{Base: number, Index: u, Scale: 4}, u.As32())
	SHLQ(Imm(7), u)
	for j, sum := range sums {
		VPADDUSW(Mem{Base: rows, Index: u, Scale: 1, Disp: 128 / len(sums) * j}, sum, sum)
	}
	INCQ(i)
	CMPQ(i, end)
	JLT(LabelRef("row"))
	Label("rowsEnd")
}
