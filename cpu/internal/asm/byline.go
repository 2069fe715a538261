package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of one line: see lineKernels in package cpu.

func forwardLine() {
	k := beginLine("forwardLine")
	Doc("One line of the way out: see lineKernels.forward.")
	k.eachPicked(func(e entry) {
		k.partOf(e)
		k.reach(k, e)
	})
	endLine()
}

func backwardLine(name string, kept bool) {
	k := beginLine(name)
	k.kept = kept
	Doc("One line of the way back: see lineKernels." + strings.Replace(name, "Line", "", 1) + ".")
	k.eachPicked(func(e entry) {
		k.partOf(e)
		k.depend(k, e)
	})
	endLine()
}

func lastLine() {
	k := beginLine("lastLine")
	Doc("One line of what nothing follows: see lineKernels.last.")
	none := newPair() // 0, but NaN where a path count was no number
	zero2(none[:])
	k.eachPicked(func(e entry) {
		avx2{}.eachLine(k, e, func(l signed) {
			var ratios pair
			row := l.row
			for j := range ratios {
				row.Disp = 32 * j
				s, zero := YMM(), YMM()
				ratios[j] = k.broadcast(k.of("weight", e.vertex), YMM())
				VMASKMOVPD(row, l.signs[j], s)
				VDIVPD(s, ratios[j], ratios[j])
				VXORPD(zero, zero, zero)
				VMULPD(zero, s, s)
				VADDPD(s, none[j], none[j])
			}
			k.multiply(e, YMM, ratios[:]...)
			avx2{}.store(k, l, ratios)
		})
	})
	offset := GP64()
	MOVQ(k.line, offset)
	SHLQ(Imm(6), offset)
	for j, sum := range none {
		got := k.lane("got", 4*j)
		got.Index, got.Scale = offset, 1
		VADDPD(got, sum, sum)
		VMOVUPD(sum, got)
	}
	endLine()
}

func listOut() {
	k := beginList("listOut", "from, to, out, rows, enough int) (at, end, listed int)")
	Doc("What entries add up on the way out: see lineKernels.listOut.")
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
	Doc("What entries add up on the way back: see lineKernels.listBack.")
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
	enough, err := Param("enough").Resolve()
	if err != nil {
		panic(err)
	}
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	CMPQ(k.count, enough.Addr)
	JGE(LabelRef("end"))
	body()
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
}

// keepPart notes where the rows of an entry are in the list.
func (k *kernel) keepPart(e, start reg.GPVirtual) {
	parts := k.field("parts")
	MOVL(start.As32(), Mem{Base: parts, Index: e, Scale: 8})
	MOVL(k.count.As32(), Mem{Base: parts, Index: e, Scale: 8, Disp: 4})
}

// pick moves the end of what is picked on by arithmetic, as takePart does.
func pick() {
	TEXT("pickAVX2", NOSPLIT, "func(f *frame, line int, entries, picked []uint32) int")
	Doc("The entries that have lanes in a line: see lineKernels.pick.")
	Pragma("noescape")
	masks := Load(Dereference(Param("f")).Field("mask").Base(), GP64()).(reg.GPVirtual)
	ADDQ(Load(Param("line"), GP64()), masks)
	at, end := Load(Param("entries").Base(), GP64()), Load(Param("entries").Len(), GP64())
	LEAQ(Mem{Base: at, Index: end, Scale: 4}, end)
	picked, count, i := Load(Param("picked").Base(), GP64()), GP64(), GP64()
	XORQ(count, count)
	CMPQ(at, end)
	JGE(LabelRef("picked"))
	Label("entry")
	MOVL(Mem{Base: at}, i.As32())
	MOVL(i.As32(), Mem{Base: picked, Index: count, Scale: 4})
	CMPB(Mem{Base: masks, Index: i, Scale: 8}, Imm(1)) // carry if zero
	SBBQ(I8(-1), count)
	ADDQ(Imm(4), at)
	CMPQ(at, end)
	JLT(LabelRef("entry"))
	Label("picked")
	Store(count, ReturnIndex(0))
	RET()
}

func beginLine(name string) *kernel {
	k := &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 8}
	TEXT(name+k.vectors.name(), NOSPLIT, "func(f *frame, rows []float64, line int, picked []uint32)")
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.rows = Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	k.line = Load(Param("line"), GP64()).(reg.GPVirtual)
	return k
}

// eachPicked runs body for the entries picked.
func (k *kernel) eachPicked(body func(e entry)) {
	i := GP64()
	XORQ(i, i)
	end, err := Param("picked").Len().Resolve()
	if err != nil {
		panic(err)
	}
	Label("entry")
	CMPQ(i, end.Addr)
	JGE(LabelRef("end"))
	k.fetchPicked(i)
	k.at = GP64()
	picked := Load(Param("picked").Base(), GP64()).(reg.GPVirtual)
	MOVL(Mem{Base: picked, Index: i, Scale: 4}, k.at.As32())
	body(entry{k.vertex(), k.at})
	INCQ(i)
	JMP(LabelRef("entry"))
	Label("end")
}

const (
	// pickedAhead is how many entries ahead of an entry its row is asked for.
	pickedAhead = 16
	// listedAhead is how far ahead in the list rows are asked for; package cpu makes room.
	listedAhead = 24
)

// fetchPicked asks memory for the row of an entry that comes soon.
func (k *kernel) fetchPicked(i reg.GPVirtual) {
	soon, last, v := GP64(), Load(Param("picked").Len(), GP64()).(reg.GPVirtual), GP64()
	LEAQ(Mem{Base: i, Disp: pickedAhead}, soon)
	DECQ(last)
	CMPQ(soon, last)
	CMOVQGT(last, soon)
	picked := Load(Param("picked").Base(), GP64()).(reg.GPVirtual)
	MOVL(Mem{Base: picked, Index: soon, Scale: 4}, soon.As32())
	MOVL(Mem{Base: k.field("vertex"), Index: soon, Scale: 4}, v.As32())
	PREFETCHT0(k.row(k.rows, v))
}

// fetchListed asks memory for a row that comes soon in the list.
func (k *kernel) fetchListed(i reg.GPVirtual) {
	u := GP64()
	MOVL(Mem{Base: k.field("list"), Index: i, Scale: 4, Disp: 4 * listedAhead}, u.As32())
	k.bytesOfRows(u)
	PREFETCHT0(Mem{Base: k.rows, Index: u, Scale: 1})
}

func endLine() {
	VZEROUPPER()
	RET()
}

// partOf has the rows of an entry be those to add.
func (k *kernel) partOf(e entry) {
	parts := k.field("parts")
	k.start, k.count = GP64(), GP64()
	MOVL(Mem{Base: parts, Index: e.at, Scale: 8}, k.start.As32())
	MOVL(Mem{Base: parts, Index: e.at, Scale: 8, Disp: 4}, k.count.As32())
}
