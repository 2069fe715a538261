package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of a search by entries: see entryKernels in package cpu. Rows have 64 lanes, and are added up
// whole, or half by half, in eight registers.

// laneBits has, for each lane of a byte of a mask, its bit.
func laneBits() {
	GLOBL("laneBits", attr.RODATA|attr.NOPTR)
	for lane := range 8 {
		DATA(4*lane, U32(1<<lane))
	}
}

func beginEntries(name, arguments string) *kernel {
	k := &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 64}
	TEXT(name+k.vectors.name(), NOSPLIT, "func(f *frame, from, to, "+arguments)
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.at = Load(Param("from"), GP64()).(reg.GPVirtual)
	k.count = GP64()
	return k
}

func forwardEntries() {
	k := beginEntries("forwardEntries", "out int) int")
	Doc("The way out: see entryKernels.forward.")
	out := Load(Param("out"), GP64()).(reg.GPVirtual)
	most := YMM()
	VMOVUPS(k.array("most"), most)
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	all := k.takeEntries("inOffsets", "inTargets", "here", true)
	e := k.enter(all, out)
	MOVL(out.As32(), Mem{Base: k.field("entryNext"), Index: e.vertex, Scale: 4})

	counts, row := k.field("counts"), GP64()
	sums := k.sumEntries("entryHere", counts, 8, 0, VADDPS)
	k.ifMultiple(func(multiplicities reg.GPVirtual) {
		mu := YMM()
		VCVTSD2SS(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, mu.AsX(), mu.AsX())
		VBROADCASTSS(mu.AsX(), mu)
		for _, sum := range sums {
			VMULPS(mu, sum, sum)
		}
	})
	bits, weight := YMM(), YMM()
	VMOVUPS(NewDataAddr(NewStaticSymbol("laneBits"), 0), bits)
	VXORPS(weight.AsX(), weight.AsX(), weight.AsX())
	VCVTSD2SS(k.of("weight", e.vertex), weight.AsX(), weight.AsX())
	VBROADCASTSS(weight.AsX(), weight)
	mask := k.mask(e)
	MOVQ(out, row)
	SHLQ(Imm(8), row)
	for j, sum := range sums {
		mask.Disp = j
		lanes, mass := YMM(), k.lane("mass", 8*j)
		VPBROADCASTB(mask, lanes)
		VPAND(bits, lanes, lanes)
		VPCMPEQD(bits, lanes, lanes)
		VANDPS(lanes, sum, sum)
		VMAXPS(sum, most, most)
		VMOVUPS(sum, Mem{Base: counts, Index: row, Scale: 1, Disp: 32 * j})
		VANDPS(lanes, weight, lanes)
		VADDPS(mass, lanes, lanes)
		VMOVUPS(lanes, mass)
	}
	INCQ(out)

	Label("next")
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	VMOVUPS(most, k.array("most"))
	Store(out, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func backwardEntries() {
	k := &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 64}
	TEXT("backwardEntriesAVX2", NOSPLIT, "func(f *frame, rows []float64, from, to int)")
	Pragma("noescape")
	Doc("The way back: see entryKernels.backward.")
	k.frame = Dereference(Param("f"))
	k.rows = Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	k.at = Load(Param("from"), GP64()).(reg.GPVirtual)
	k.count = GP64()
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	k.takePart("offsets", "targets", "next")
	e := entry{k.vertex(), k.at}
	m := GP64()
	MOVQ(k.mask(e), m)
	MOVQ(m, Mem{Base: k.field("here"), Index: e.vertex, Scale: 8})
	score := newPair()
	zero2(score[:])
	a := avx2{}
	a.eachLine(k, e, func(l signed) {
		sums := a.gather(k, l)
		counts, line := GP64(), GP64()
		MOVQ(k.at, counts)
		SHLQ(Imm(8), counts)
		ADDQ(k.field("counts"), counts)
		MOVQ(l.byte, line)
		SHLQ(Imm(5), line)
		weight := k.broadcast(k.of("weight", e.vertex), YMM())
		for j, sum := range sums {
			s, d, ratio := YMM(), YMM(), YMM()
			VCVTPS2PD(Mem{Base: counts, Index: line, Scale: 1, Disp: 16 * j}, s)
			VMULPD(sum, s, d)
			a.account(k, l, 4*j, d, j, []sum8{{partial: score[:]}})
			VDIVPD(s, weight, ratio)
			VADDPD(ratio, sum, sum)
		}
		k.multiply(e, YMM, sums[:]...)
		a.store(k, l, sums)
	})
	VADDPD(score[1], score[0], score[0])
	k.addSum(e, sum8{field: "scores", divided: 1}, addFour(score[0]))

	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	VZEROUPPER()
	RET()
}

// takeEntries is takePart without the lanes of neighbours.
func (k *kernel) takeEntries(rowOffsets, rowTargets, level string, wantAll bool) (all reg.GPVirtual) {
	v := k.vertex()
	target, end, targets := GP64(), GP64(), k.field(rowTargets)
	offsets := k.field(rowOffsets)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8}, target)
	LEAQ(Mem{Base: targets, Index: target, Scale: 4}, target)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8, Disp: 8}, end)
	LEAQ(Mem{Base: targets, Index: end, Scale: 4}, end)
	m := GP64()
	MOVQ(Mem{Base: k.field("mask"), Index: k.at, Scale: 8}, m)
	marks, list := k.field(level), k.field("list")
	all = GP64()
	XORQ(all, all)
	XORQ(k.count, k.count)
	CMPQ(target, end)
	JGE(LabelRef("listed"))
	Label("neighbour")
	u, common := GP64(), GP64()
	MOVL(Mem{Base: target}, u.As32())
	MOVQ(Mem{Base: marks, Index: u, Scale: 8}, common)
	ANDQ(m, common)
	MOVL(u.As32(), Mem{Base: list, Index: k.count, Scale: 4})
	if wantAll {
		ORQ(common, all)
	}
	CMPQ(common, Imm(1)) // carry if zero
	SBBQ(I8(-1), k.count)
	ADDQ(Imm(4), target)
	CMPQ(target, end)
	JLT(LabelRef("neighbour"))
	Label("listed")
	loads, err := k.frame.Field("rowLoads").Resolve()
	if err != nil {
		panic(err)
	}
	ADDQ(k.count, loads.Addr)
	return all
}

// sumEntries adds up eight registers of the rows of the listed vertices, from an offset of each row on. numbers
// says which rows they are, of so many bytes: a power of two.
func (k *kernel) sumEntries(numbers string, rows reg.GPVirtual, shift uint64, offset int, add func(...Op)) (sums []reg.VecVirtual) {
	for range 8 {
		sums = append(sums, YMM())
	}
	zero2(sums)
	list, number, i := k.field("list"), k.field(numbers), GP64()
	begin, done := k.label("row"), k.label("rowsEnd")
	XORQ(i, i)
	CMPQ(i, k.count)
	JGE(LabelRef(done))
	Label(begin)
	u := GP64()
	MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
	MOVL(Mem{Base: number, Index: u, Scale: 4}, u.As32())
	SHLQ(Imm(shift), u)
	for j, sum := range sums {
		add(Mem{Base: rows, Index: u, Scale: 1, Disp: offset + 32*j}, sum, sum)
	}
	INCQ(i)
	CMPQ(i, k.count)
	JLT(LabelRef(begin))
	Label(done)
	return sums
}

// array is the first eight of an array of float32 of the frame.
func (k *kernel) array(name string) Mem { return k.lane(name, 0) }
