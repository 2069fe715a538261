// Command dial writes the AVX-512 kernel of package dial. Run it with go generate in that package. Its kernel.go has the same
// in Go.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module with the types of the signature
)

func main() {
	Package("bcstage/cpu/internal/dial")
	ConstraintExpr("!purego")
	look()
	Generate()
}

// frame returns where a slice of the frame begins.
func frame(name string) reg.GPVirtual {
	return Load(Dereference(Param("f")).Field(name).Base(), GP64()).(reg.GPVirtual)
}

// look looks at eight arcs at a time.
func look() {
	TEXT("lookAVX512", NOSPLIT, "func(f *frame, first, end, linked int) (offers, links int)")
	Pragma("noescape")
	Doc("See kernel.")
	at, linked, offers := GP64(), GP64(), GP64()
	Load(Param("first"), at)
	Load(Param("linked"), linked)
	XORL(offers.As32(), offers.As32())
	distance, targets, lengths := frame("distance"), frame("targets"), frame("lengths")
	offered, nears, before := frame("offered"), frame("offers"), frame("before")

	Label("vertex")
	u, i, end, list := GP64(), GP64(), GP64(), frame("order")
	MOVL(Mem{Base: list, Index: at, Scale: 4}, u.As32())
	list = frame("passed")
	MOVL(linked.As32(), Mem{Base: list, Index: at, Scale: 4})
	list = frame("offsets")
	MOVQ(Mem{Base: list, Index: u, Scale: 8}, i)
	MOVQ(Mem{Base: list, Index: u, Scale: 8, Disp: 8}, end)
	near := YMM()
	VPBROADCASTD(Mem{Base: distance, Index: u, Scale: 4}, near)
	JMP(LabelRef("more"))

	Label("arcs")
	left, mask, all, some := GP32(), GP32(), K(), K()
	MOVL(end.As32(), left)
	SUBL(i.As32(), left)
	MOVL(U32(8), mask)
	CMPL(left, mask)
	CMOVLGT(mask, left)
	MOVL(U32(0xff), mask)
	BZHIL(left, mask, mask)
	KMOVB(mask, all)
	KMOVB(mask, some)
	vertices, steps, others, sums := YMM(), YMM(), YMM(), YMM()
	VMOVDQU32_Z(Mem{Base: targets, Index: i, Scale: 4}, all, vertices)
	VMOVDQU32_Z(Mem{Base: lengths, Index: i, Scale: 4}, all, steps)
	VPXOR(others, others, others)
	VPGATHERDD(Mem{Base: distance, Index: vertices, Scale: 4}, some, others)
	add := func(v reg.VecVirtual, lanes reg.Register, to, count reg.GPVirtual) {
		compressed := YMM()
		VPCOMPRESSD_Z(v, lanes, compressed)
		VMOVDQU32(compressed, Mem{Base: to, Index: count, Scale: 4})
	}
	count := func(lanes reg.Register, to reg.GPVirtual) {
		n := GP32()
		KMOVB(lanes, n)
		POPCNTL(n, n)
		ADDQ(n.As64(), to)
	}
	smaller, equal := K(), K()
	VPADDD(near, steps, sums)
	VPCMPD(Imm(1), others, sums, all, smaller)
	add(vertices, smaller, offered, offers)
	add(sums, smaller, nears, offers)
	count(smaller, offers)
	VPADDD(others, steps, sums)
	VPCMPD(Imm(0), near, sums, all, equal)
	add(vertices, equal, before, linked)
	count(equal, linked)
	ADDQ(U8(8), i)
	Label("more")
	CMPQ(i, end)
	JLT(LabelRef("arcs"))
	INCQ(at)
	last := GP64()
	Load(Param("end"), last)
	CMPQ(at, last)
	JLT(LabelRef("vertex"))
	Store(offers, ReturnIndex(0))
	Store(linked, ReturnIndex(1))
	VZEROUPPER()
	RET()
}
