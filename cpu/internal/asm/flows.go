package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flowAdder adds one or two consecutive lines of rows, and the flows of
// the rows' arcs. A flow has four parts, one for every fourth lane, which stay in memory from line to
// line.
type flowAdder struct {
	*kernel
	shifts pair
	sums   []pair        // by line
	flow   reg.GPVirtual // address of the current row's parts
}

func (a *flowAdder) add(row, mask Mem) {
	parts := YMM()
	VMOVUPD(Mem{Base: a.flow}, parts)
	for i := range a.sums {
		bits := YMM()
		mask.Disp = i
		VPBROADCASTB(mask, bits)
		for j, sum := range a.sums[i] {
			c := YMM()
			VPSLLVQ(a.shifts[j], bits, c)
			row.Disp = 64*i + 32*j
			VMASKMOVPD(row, c, c)
			VADDPD(c, sum, sum)
			VFMADD231PD(a.lane("sent", 8*i+4*j), c, parts)
		}
	}
	VMOVUPD(parts, Mem{Base: a.flow})
	ADDQ(Imm(32), a.flow)
}

func (*flowAdder) clearTotals() {}
func (*flowAdder) carry()       {}
func (*flowAdder) round()       {}

// eachLineFlows gathers the entry's listed rows with flows and settles the entry. It takes two
// consecutive lines at a time, if all have lanes: then it reads the rows and the parts of the flows
// only once for them.
func (a avx2) eachLineFlows(k *kernel, e entry, all []sum8) {
	g := group{k, line{byte: GP64(), rows: GP64()}, AllocLocal(8)}
	shifts, lines := a.shifts(k), GP64()
	k.either("counts", func() {
		MOVQ(k.linesOf(e.all), lines)
		a.settleAlone(k, e, shifts, lines)
	}, func() { MOVQ(k.lines(e), lines) })
	TESTQ(lines, lines)
	JZ(LabelRef("linesEnd"))
	Label("line")
	following, size := GP64(), GP64() // a bit for each line that follows
	TZCNTQ(lines, g.byte)
	SHRXQ(g.byte, lines, following)
	const two = 1<<2 - 1
	MOVQ(U32(2*16), size)
	ANDQ(Imm(two), following)
	CMPQ(following, Imm(two))
	JEQ(LabelRef("grouped"))
	MOVQ(U32(16), size)
	Label("grouped")
	MOVQ(size, g.size)
	k.rowsOf(g.line)
	g.each("send", func(i reg.GPVirtual) {
		p := k.placeOf(e, g.line)
		for j, number := range a.paths(k, p, a.signs(k, shifts, p.mask)) {
			VMULPD(p.inArray(k, "source", 4*j), number, number)
			VMOVUPD(number, place{offset: i}.inArray(k, "sent", 4*j))
		}
	})
	TZCNTQ(lines, g.byte)
	CMPQ(g.size, U32(16))
	JNE(LabelRef("twoLines"))
	g.gather(shifts, 1)
	JMP(LabelRef("gathered"))
	Label("twoLines")
	g.gather(shifts, 2)
	Label("gathered")
	g.each("settle", func(i reg.GPVirtual) {
		BLSRQ(lines, lines)
		p, sums := k.placeOf(e, g.line), newPair()
		for j, sum := range sums {
			VMOVUPD(place{offset: i}.inArray(k, "lineSums", 4*j), sum)
		}
		a.settle(k, e, signed{g.line, p, a.signs(k, shifts, p.mask), shifts}, sums, all)
	})
	TESTQ(lines, lines)
	JNZ(LabelRef("line"))
	Label("linesEnd")
	a.addFlows(k)
}

// group is a group of consecutive lines.
type group struct {
	*kernel
	line     // the current one
	size Mem // 16 for each
}

// each runs body for the lines, with i the place.offset of each in the group. The line behind the group is then the current one.
func (g group) each(label string, body func(i reg.GPVirtual)) {
	i := GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	INCQ(g.byte)
	ADDQ(Imm(16), i)
	CMPQ(i, g.size)
	JNE(LabelRef(label))
}

// gather adds up so many lines.
func (g group) gather(shifts pair, count int) {
	to := &flowAdder{kernel: g.kernel, shifts: shifts, flow: g.field("listFlow")}
	for range count {
		to.sums = append(to.sums, newPair())
		zero2(to.sums[len(to.sums)-1][:])
	}
	g.lookAt = count
	g.sumOf(g.line, to)
	for i, sums := range to.sums {
		for j, sum := range sums {
			VMOVUPD(sum, g.lane("lineSums", 8*i+4*j))
		}
	}
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
