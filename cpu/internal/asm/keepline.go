package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Lists for searches line by line, and the part that a line keeps: see lineKernels and
// lineFrame in package lanes.

func listOut() {
	k := beginList("listOut", "from, to, out, rows, enough int) (at, end, listed int)")
	Doc("The rows that entries add up on the forward pass: see lineKernels.listOut.")
	out := Load(Param("out"), GP64()).(reg.GPVirtual)
	k.eachToList(func() {
		start := GP64()
		MOVQ(k.count, start)
		all := k.takePart("inOffsets", "inTargets", "here")
		k.enter(all, out)
		k.keepPart(out, start)
		INCQ(out)
		Label("next")
	})
	Store(k.at, ReturnIndex(0))
	Store(out, ReturnIndex(1))
	Store(k.count, ReturnIndex(2))
	RET()
}

func listBack() {
	k := beginList("listBack", "from, to, rows, enough int) (at, listed int)")
	Doc("The rows that entries add up on the backward pass: see lineKernels.listBack.")
	k.eachToList(func() {
		start := GP64()
		MOVQ(k.count, start)
		k.takePart("offsets", "targets", "next")
		v, m, base := k.vertex(), GP64(), k.field("here")
		MOVQ(k.mask(entry{at: k.at}), m)
		MOVQ(m, Mem{Base: base, Index: v, Scale: 8})
		k.keepPart(k.at, start)
	})
	Store(k.at, ReturnIndex(0))
	Store(k.count, ReturnIndex(1))
	RET()
}

func beginList(name, arguments string) *kernel {
	k := &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 8, more: true}
	TEXT(name+k.vectors.name(), NOSPLIT, "func(f *frame, "+arguments)
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.at = Load(Param("from"), GP64()).(reg.GPVirtual)
	k.count = Load(Param("rows"), GP64()).(reg.GPVirtual)
	return k
}

// eachToList runs body for entries, until enough rows are listed.
func (k *kernel) eachToList(body func()) {
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	CMPQ(k.count, address(Param("enough")))
	JGE(LabelRef("end"))
	body()
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
}

// keepPart stores where the rows of an entry begin and end in the list.
func (k *kernel) keepPart(e, start reg.GPVirtual) {
	parts := k.field("parts")
	MOVL(start.As32(), Mem{Base: parts, Index: e, Scale: 8})
	MOVL(k.count.As32(), Mem{Base: parts, Index: e, Scale: 8, Disp: 4})
}

// keeper drops numbers whose masks have no lanes in a line, from eight numbers at a time.
type keeper struct {
	*kernel
	first, zero reg.VecVirtual // a mask's first byte; 0
	table       reg.GPVirtual
}

func newKeeper(k *kernel) *keeper {
	t := &keeper{k, YMM(), YMM(), GP64()}
	VPCMPEQD(t.first, t.first, t.first)
	VPSRLQ(Imm(56), t.first, t.first)
	VXORPD(t.zero, t.zero, t.zero)
	LEAQ(table("keptOf"), t.table)
	return t
}

// eight loads the line's byte of eight masks. It returns which are 0 (none), and the order that puts the
// others first.
func (t *keeper) eight(masks Mem) (lanes, order reg.VecVirtual, none reg.GPVirtual) {
	lanes, high, none, order := YMM(), YMM(), GP64(), YMM()
	VPAND(masks, t.first, lanes)
	masks.Disp += 32
	VPAND(masks, t.first, high)
	VSHUFPS(Imm(0x88), high, lanes, lanes) // the first halves of all quarters of both
	VPERMQ(Imm(0xd8), lanes, lanes)
	empty := YMM()
	VPCMPEQD(t.zero, lanes, empty)
	VMOVMSKPS(empty, none.As32())
	VPMOVZXBD(Mem{Base: t.table, Index: none, Scale: 8}, order)
	return lanes, order, none
}

// keep stores eight numbers, the kept ones first; later numbers overwrite the rest.
func (t *keeper) keep(numbers, order reg.VecVirtual, to, at reg.GPVirtual) {
	kept := YMM()
	VPERMD(numbers, order, kept)
	VMOVDQU(kept, Mem{Base: to, Index: at, Scale: 4})
}

func keepRows() {
	TEXT("keepRowsAVX2", NOSPLIT, "func(f *frame, line, rows int) int")
	Doc("The rows that have lanes in a line: see lineKernels.keepRows.")
	Pragma("noescape")
	k := &kernel{frame: Dereference(Param("f"))}
	t := newKeeper(k)
	i, count := GP64(), GP64()
	list, masks := k.field("list"), k.field("listMask")
	ADDQ(Load(Param("line"), GP64()), masks)
	rows := address(Param("rows"))
	XORQ(i, i)
	XORQ(count, count)
	rowAt, before, counted := k.lineField("rowAt"), k.lineField("before"), GP64()
	LEAQ(table("keptBefore"), counted)
	Label("eight") // the eight with the end are computed, too
	_, order, none := t.eight(Mem{Base: masks})
	offsets, all, counts := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: list, Index: i, Scale: 4}, offsets)
	VPSLLD(Imm(6), offsets, offsets)
	t.keep(offsets, order, rowAt, count)
	VMOVD(count.As32(), all.AsX())
	VPBROADCASTD(all.AsX(), all)
	VPMOVZXBD(Mem{Base: counted, Index: none, Scale: 8}, counts)
	VPADDD(all, counts, counts)
	VMOVDQU(counts, Mem{Base: before, Index: i, Scale: 4})
	XORL(Imm(0xff), none.As32())
	POPCNTL(none.As32(), none.As32())
	ADDQ(none, count)
	ADDQ(Imm(64), masks)
	ADDQ(Imm(8), i)
	CMPQ(i, rows)
	JLE(LabelRef("eight"))
	MOVQ(rows, i)
	MOVL(Mem{Base: before, Index: i, Scale: 4}, count.As32())
	Store(count, ReturnIndex(0))
	endLine()
}

func keepEntries() {
	TEXT("keepEntriesAVX2", NOSPLIT, "func(f *frame, line int, entries *links) int")
	Doc("The entries that have lanes in a line: see lineKernels.keepEntries.")
	Pragma("noescape")
	k := &kernel{frame: Dereference(Param("f"))}
	t := newKeeper(k)
	links := Dereference(Param("entries"))
	vertices, masks, ends := Load(links.Field("vertex").Base(), GP64()), Load(links.Field("mask").Base(), GP64()).(reg.GPVirtual), Load(links.Field("end").Base(), GP64())
	left, count := Load(links.Field("vertex").Len(), GP64()).(reg.GPVirtual), GP64()
	ADDQ(Load(Param("line"), GP64()), masks)
	XORQ(count, count)
	entryAt, entryMask, entryEnd := k.lineField("entryAt"), k.lineField("entryMask"), k.lineField("entryEnd")
	entryNumber, numbers, before := k.lineField("entryNumber"), Load(links.Field("number").Base(), GP64()), k.lineField("before")
	numbered := YMM()
	VMOVDQU(table("upToEight"), numbered)
	CMPQ(left, Imm(0))
	JLE(LabelRef("done"))
	Label("eight")
	lanes, order, none := t.eight(Mem{Base: masks})
	offsets, there, all, kept := YMM(), YMM(), YMM(), GP64()
	VMOVD(left.As32(), there.AsX())
	VPBROADCASTD(there.AsX(), there)
	VPCMPGTD(numbered, there, there) // numbers behind the end do not count
	VMOVMSKPS(there, kept.As32())
	VMOVDQU(Mem{Base: vertices}, offsets)
	VPSLLD(Imm(6), offsets, offsets)
	t.keep(offsets, order, entryAt, count)
	t.keep(lanes, order, entryMask, count)
	VMOVDQU(Mem{Base: ends}, all)
	rows := YMM()
	VPXOR(rows, rows, rows)
	VPGATHERDD(there, Mem{Base: before, Index: all, Scale: 4}, rows)
	t.keep(rows, order, entryEnd, count)
	number := YMM()
	VMOVDQU(Mem{Base: numbers}, number)
	t.keep(number, order, entryNumber, count)
	XORL(Imm(0xff), none.As32())
	ANDL(none.As32(), kept.As32())
	POPCNTL(kept.As32(), kept.As32())
	ADDQ(kept, count)
	ADDQ(Imm(32), vertices)
	ADDQ(Imm(64), masks)
	ADDQ(Imm(32), ends)
	ADDQ(Imm(32), numbers)
	SUBQ(Imm(8), left)
	JG(LabelRef("eight"))
	Label("done")
	Store(count, ReturnIndex(0))
	endLine()
}
