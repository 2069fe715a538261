package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deadEndKernel takes the arcs to a dead end three times: for the level of its nearest
// predecessors, for the sum of their path counts, and to add its c to them.
type deadEndKernel struct {
	*kernel
	near, more, first, end reg.GPVirtual // first and end of the predecessors
	nearest                reg.VecVirtual
}

// each runs body for the predecessors.
func (k *deadEndKernel) each(body func(at, u reg.GPVirtual)) {
	begin, at, u := k.label("predecessor"), GP64(), GP64()
	MOVQ(k.first, at)
	Label(begin)
	MOVL(Mem{Base: at}, u.As32())
	body(at, u)
	ADDQ(Imm(4), at)
	CMPQ(at, k.end)
	JLT(LabelRef(begin))
}

// levels returns the address of a vertex's levels, and doubles its number u.
func (k *deadEndKernel) levels(u reg.GPVirtual) Mem {
	SHLQ(Imm(1), u)
	return Mem{Base: k.near, Index: u, Scale: 8}
}

// eachNearest runs body for the predecessors, with the lanes in which they are nearest
// and the offset of their numbers.
func (k *deadEndKernel) eachNearest(body func(lanes pair, offset reg.GPVirtual)) {
	k.each(func(_, u reg.GPVirtual) {
		equal := XMM()
		VPCMPEQW(k.levels(u), k.nearest, equal)
		SHLQ(Imm(5), u)
		body(wideLanes(equal), u)
	})
}

// wideLanes extends the 16 bits of each lane to 64.
func wideLanes(lanes reg.VecVirtual) pair {
	wide, high := newPair(), XMM()
	VPMOVSXWQ(lanes, wide[0])
	VPSRLDQ(Imm(8), lanes, high)
	VPMOVSXWQ(high, wide[1])
	return wide
}

func deadEndsLine() {
	k := &deadEndKernel{kernel: &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 8}}
	TEXT("deadEndsLineAVX2", NOSPLIT, "func(f *frame, rows []float64, line, first, end int)")
	Doc("One line of dead ends: see lineKernels.deadEnds.")
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.rows = Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	k.near, k.more, k.first, k.end, k.nearest = k.field("near"), k.field("more"), GP64(), GP64(), XMM()
	none, i := XMM(), Load(Param("first"), GP64()).(reg.GPVirtual)
	VPCMPEQW(none, none, none)
	VPSRLW(Imm(15), none, none) // level 1 is none
	got, reached, beyond := k.loadLane("got"), k.loadLane("reached"), k.loadLane("beyond")
	Label("deadEnd")
	CMPQ(i, address(Param("end")))
	JGE(LabelRef("end"))
	k.predecessors(i)
	VMOVDQA(none, k.nearest)
	k.each(func(at, u reg.GPVirtual) {
		VPMAXUW(k.levels(u), k.nearest, k.nearest)
		soon := GP64()
		MOVL(Mem{Base: at, Disp: 4 * listedAhead}, soon.As32())
		PREFETCHT0(k.levels(soon))
		SHLQ(Imm(5), soon)
		PREFETCHT0(Mem{Base: k.rows, Index: soon, Scale: 1})
		PREFETCHT0(Mem{Base: k.more, Index: soon, Scale: 1})
	})
	open, any := XMM(), GP64()
	VPCMPEQW(none, k.nearest, open) // lanes that do not reach the dead end
	VPMOVMSKB(open, any.As32())
	CMPL(any.As32(), U32(0xffff))
	JE(LabelRef("next"))
	sums := newPair()
	zero2(sums[:])
	k.eachNearest(func(lanes pair, offset reg.GPVirtual) {
		for j, sum := range sums {
			VANDPD(Mem{Base: k.rows, Index: offset, Scale: 1, Disp: 32 * j}, lanes[j], lanes[j])
			VADDPD(lanes[j], sum, sum)
		}
	})
	t := k.deadEnd(i)
	e := entry{vertex: t}
	k.multiply(e, YMM, sums[:]...)
	weight, levels := k.broadcast(k.of("weight", t), YMM()), YMM()
	VPMOVZXWD(k.nearest, levels)
	closed := wideLanes(open)
	for j, sum := range sums {
		x := YMM()
		VXORPD(x, x, x)
		VMULPD(x, sum, x) // 0, or NaN if a path count is not a number
		VADDPD(x, got[j], got[j])
		VANDNPD(weight, closed[j], x)
		VADDPD(x, reached[j], reached[j])
		level, half := YMM(), XMM()
		VEXTRACTI128(Imm(uint64(j)), levels, half)
		VCVTDQ2PD(half, level)
		VMULPD(x, level, x)
		VADDPD(x, beyond[j], beyond[j])
		VDIVPD(sum, weight, sum)
	}
	k.multiply(e, YMM, sums[:]...)
	k.eachNearest(func(lanes pair, offset reg.GPVirtual) {
		for j, c := range sums {
			at := Mem{Base: k.more, Index: offset, Scale: 1, Disp: 32 * j}
			VANDPD(c, lanes[j], lanes[j])
			VADDPD(at, lanes[j], lanes[j])
			VMOVUPD(lanes[j], at)
		}
	})
	Label("next")
	INCQ(i)
	JMP(LabelRef("deadEnd"))
	Label("end")
	k.storeLane("got", got)
	k.storeLane("reached", reached)
	k.storeLane("beyond", beyond)
	endLine()
}

// deadEnd loads the i-th dead end.
func (k *deadEndKernel) deadEnd(i reg.GPVirtual) reg.GPVirtual {
	t := GP64()
	MOVL(Mem{Base: k.field("deadEnds"), Index: i, Scale: 4}, t.As32())
	return t
}

// predecessors loads where the predecessors of the i-th dead end begin and end. It has at least one.
func (k *deadEndKernel) predecessors(i reg.GPVirtual) {
	offsets, targets := k.field("deadEndOffsets"), k.field("deadEndTargets")
	MOVQ(Mem{Base: offsets, Index: i, Scale: 8}, k.first)
	LEAQ(Mem{Base: targets, Index: k.first, Scale: 4}, k.first)
	MOVQ(Mem{Base: offsets, Index: i, Scale: 8, Disp: 8}, k.end)
	LEAQ(Mem{Base: targets, Index: k.end, Scale: 4}, k.end)
}
