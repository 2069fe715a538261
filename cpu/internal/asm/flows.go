package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flowAdder adds a line of rows, and the flows of the rows' arcs. A flow has four parts, one for every
// fourth lane, which stay in memory from line to line.
type flowAdder struct {
	*kernel
	shifts, sums, sent pair          // sent: source mass times S
	flow               reg.GPVirtual // address of the current row's parts
}

func (a *flowAdder) add(row, mask Mem) {
	parts := YMM()
	VMOVUPD(Mem{Base: a.flow}, parts)
	for j, signs := range (avx2{}).signs(a.kernel, a.shifts, mask) {
		row.Disp = 32 * j
		VMASKMOVPD(row, signs, signs)
		VADDPD(signs, a.sums[j], a.sums[j])
		VFMADD231PD(a.sent[j], signs, parts)
	}
	VMOVUPD(parts, Mem{Base: a.flow})
	ADDQ(Imm(32), a.flow)
}

func (*flowAdder) clearTotals() {}
func (*flowAdder) carry()       {}
func (*flowAdder) round()       {}

// eachLineFlows gathers the entry's listed rows with flows and settles the entry, line by line.
func (a avx2) eachLineFlows(k *kernel, e entry, all []sum8) {
	shifts, lines := a.shifts(k), GP64()
	k.either("counts", func() {
		MOVQ(k.linesOf(e.all), lines)
		a.settleAlone(k, e, shifts, lines)
	}, func() { MOVQ(k.lines(e), lines) })
	k.lookAt = 1
	k.eachLine(lines, func(l line) {
		p := k.placeOf(e, l)
		signs := a.signs(k, shifts, p.mask)
		paths := a.paths(k, p, signs)
		to := &flowAdder{kernel: k, shifts: shifts, sums: newPair(), sent: newPair(), flow: k.field("listFlow")}
		zero2(to.sums[:])
		for j, sent := range to.sent {
			VMULPD(p.inArray(k, "source", 4*j), paths[j], sent)
		}
		k.sumOf(l, to)
		a.settle(k, e, signed{l, p, signs, shifts}, to.sums, paths, all)
	})
	a.addFlows(k)
}

// backRows is backRows of package lanes.
const backRows = 1 << 9

// backwardInPieces is backward, but lists backRows rows, of several entries, before it adds them up. So it can prefetch
// later rows: the processor does not look beyond the rows of an entry, whose end it cannot predict.
func backwardInPieces(k *kernel, name string) {
	k.more, k.pieces = true, true
	k.begin(name, " int)")
	Doc("The backward pass: see kernels." + name + ".")
	k.first = AllocLocal(8)
	first, pieceEnd := AllocLocal(8), AllocLocal(8)
	loads, end := address(k.frame.Field("rowLoads")), func() Mem { return Mem{Base: k.field("parts"), Index: k.at, Scale: 8, Disp: 4} }
	Label("piece")
	k.compareEnd()
	JGE(LabelRef("end"))
	MOVQ(k.at, first)
	XORQ(k.count, k.count)
	MOVQ(k.count, k.first)
	Label("toList")
	all := k.takePart("offsets", "targets", "next")
	MOVL(k.count.As32(), end())
	if k.flows { // behind the masks of its rows
		MOVQ(all, Mem{Base: k.field("listMask"), Index: k.count, Scale: 8})
		INCQ(k.count)
		DECQ(loads)
	}
	k.mark()
	INCQ(k.at)
	k.compareEnd()
	JGE(LabelRef("enough"))
	CMPQ(k.count, U32(backRows))
	JLT(LabelRef("toList"))
	Label("enough")
	ADDQ(k.count, loads)
	MOVQ(k.at, pieceEnd)
	MOVQ(first, k.at)

	Label("entry")
	MOVL(end(), k.count.As32())
	e := entry{vertex: k.vertex(), at: k.at, all: GP64()}
	if k.flows {
		MOVQ(Mem{Base: k.field("listMask"), Index: k.count, Scale: 8}, e.all)
	}
	k.depend(k, e)
	if k.flows {
		INCQ(k.count)
	}
	MOVQ(k.count, k.first)
	INCQ(k.at)
	CMPQ(k.at, pieceEnd)
	JLT(LabelRef("entry"))
	JMP(LabelRef("piece"))
	Label("end")
	VZEROUPPER()
	RET()
}

// addFlows adds the parts of the listed rows to the flows of their edges, and clears
// them.
func (avx2) addFlows(k *kernel) {
	flow, slots, flows, zero := k.field("listFlow"), k.field("listSlot"), k.field("flows"), YMM()
	VXORPD(zero, zero, zero)
	i := k.firstRow()
	CMPQ(i, k.count)
	JGE(LabelRef("flowsAdded"))
	Label("oneFlow")
	parts := YMM()
	VMOVUPD(Mem{Base: flow}, parts)
	VMOVUPD(zero, Mem{Base: flow})
	slot, total := GP64(), addFour(parts)
	MOVL(Mem{Base: slots, Index: i, Scale: 4}, slot.As32())
	at := Mem{Base: flows, Index: slot, Scale: 8}
	VADDSD(at, total, total)
	VMOVSD(total, at)
	ADDQ(Imm(32), flow)
	INCQ(i)
	CMPQ(i, k.count)
	JLT(LabelRef("oneFlow"))
	Label("flowsAdded")
}

// sumFlows adds up four flows at a time, lists flows that are not 0, and collects signs.
func sumFlows() {
	TEXT("sumFlowsAVX2", NOSPLIT, "func(flows []float64, at []uint32, parts *[4]float64) (count int, negative bool)")
	Pragma("noescape")
	Doc("See FlowSums; flows are a multiple of four, and at has room for as many.")
	flows, left := Load(Param("flows").Base(), GP64()).(reg.GPVirtual), Load(Param("flows").Len(), GP64()).(reg.GPVirtual)
	at, parts, count := Load(Param("at").Base(), GP64()).(reg.GPVirtual), Load(Param("parts"), GP64()).(reg.GPVirtual), GP64()
	sum, signs, zero, numbers, four, kept := YMM(), YMM(), YMM(), XMM(), XMM(), GP64()
	for _, v := range []reg.VecVirtual{sum, signs, zero} {
		VXORPD(v, v, v)
	}
	one := GP32()
	MOVL(U32(4), one)
	VMOVD(one, four)
	VPBROADCASTD(four, four)
	VMOVDQU(table("upToEight"), numbers)
	LEAQ(table("keptOf"), kept)
	XORQ(count, count)
	SHRQ(Imm(2), left)
	JZ(LabelRef("end"))
	Label("four")
	x, some, listed, set, more := YMM(), YMM(), XMM(), GP64(), GP64()
	VMOVUPD(Mem{Base: flows}, x)
	VADDPD(x, sum, sum)
	VORPD(x, signs, signs)
	VCMPPD(Imm(4), zero, x, some) // not equal, or NaN
	VMOVMSKPD(some, set.As32())
	POPCNTQ(set, more)
	XORQ(U32(0xff), set) // flows that are 0, and the four that do not exist
	VPMOVZXBD(Mem{Base: kept, Index: set, Scale: 8}, listed)
	VPERMILPS(listed, numbers, listed)
	VMOVDQU(listed, Mem{Base: at, Index: count, Scale: 4})
	ADDQ(more, count)
	VPADDD(four, numbers, numbers)
	ADDQ(Imm(32), flows)
	DECQ(left)
	JNZ(LabelRef("four"))
	Label("end")
	VMOVUPD(sum, Mem{Base: parts})
	negative := GP32()
	VMOVMSKPD(signs, negative)
	TESTL(negative, negative)
	SETNE(negative.As8())
	Store(count, ReturnIndex(0))
	Store(negative.As8(), ReturnIndex(1))
	VZEROUPPER()
	RET()
}
