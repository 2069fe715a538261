// Command dial writes the AVX-512 kernel of package dial. Run it with go generate in that package. Its kernel.go has the same
// in Go.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
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

// frame is the frame that the kernel gets. Each step loads it again, as it needs all registers.
type frame struct{ gotypes.Component }

func loadFrame() frame { return frame{Dereference(Param("f"))} }

// base loads where a slice of the frame begins.
func (f frame) base(name string) reg.GPVirtual {
	return Load(f.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// look is the kernel. Its three steps leave their results in registers.
func look() {
	TEXT("lookAVX512", NOSPLIT, "func(f *frame, taken *bucket, linked, first int) (links, offers, put int)")
	Pragma("noescape")
	Doc("See kernel.")
	f := loadFrame()
	distance, list := f.base("distance"), f.base("list")
	last := take(distance, list, f.base("chunks"), f.base("firsts"))
	linked, offers, put := GP64(), GP64(), GP64()
	Load(Param("linked"), linked)
	Load(Param("first"), offers)
	MOVQ(offers, put)
	offered, nears := arcs(distance, list, last, linked, offers)
	enter(distance, offered, nears, offers, put)
	Store(linked, ReturnIndex(0))
	Store(offers, ReturnIndex(1))
	Store(put, ReturnIndex(2))
	VZEROUPPER()
	RET()
}

// take lists the chunks of the bucket's vertices, eight at once. It returns where the list ends.
func take(distance, list, lines, firsts reg.GPVirtual) (end reg.GPVirtual) {
	at, last, ascending, eights := GP64(), GP64(), YMM(), YMM()
	end = GP64()
	MOVQ(list, end)
	taken := Dereference(Param("taken"))
	Load(taken.Field("count"), last.As32())
	Load(taken.Field("entries").Base(), at)
	LEAQ(Mem{Base: at, Index: last, Scale: 8}, last)
	few := GP64()
	MOVQ(U64(0x0706050403020100), few)
	VMOVQ(few, ascending.AsX())
	VPMOVZXBD(ascending.AsX(), ascending)
	MOVL(U32(8), few.As32())
	VPBROADCASTD(few.As32(), eights)
	Label("entry")
	v, near, first, count, none, numbered := GP64(), GP64(), GP64(), GP64(), GP32(), YMM()
	MOVQ(Mem{Base: at}, near)
	MOVL(near.As32(), v.As32())
	SHRQ(U8(32), near)
	MOVL(Mem{Base: firsts, Index: v, Scale: 4}, first.As32())
	MOVL(Mem{Base: firsts, Index: v, Scale: 4, Disp: 4}, count.As32())
	SUBL(first.As32(), count.As32())
	XORL(none, none)
	CMPL(near.As32(), Mem{Base: distance, Index: v, Scale: 4})
	CMOVLNE(none, count.As32())
	VPBROADCASTD(first.As32(), numbered)
	SHLQ(U8(6), first)
	PREFETCHT0(Mem{Base: lines, Index: first, Scale: 1})
	VPADDD(numbered, ascending, numbered)
	place := GP64()
	MOVQ(end, place)
	LEAQ(Mem{Base: end, Index: count, Scale: 4}, end)
	Label("more")
	VMOVDQU(numbered, Mem{Base: place})
	VPADDD(numbered, eights, numbered)
	ADDQ(U8(32), place)
	SUBL(U8(8), count.As32())
	JG(LabelRef("more"))
	ADDQ(U8(8), at)
	CMPQ(at, last)
	JLT(LabelRef("entry"))
	return end
}

// arcs looks at the arcs of the listed chunks. It lists offers and links.
func arcs(distance, at, last, linked, offers reg.GPVirtual) (offered, nears reg.GPVirtual) {
	f := loadFrame()
	lines, owners, senders, after, before := f.base("chunks"), f.base("owners"), f.base("senders"), f.base("after"), f.base("before")
	offered, nears = f.base("offered"), f.base("offers")
	ties, _ := f.Field("ties").Resolve()
	tie := YMM()
	VPBROADCASTD(ties.Addr, tie)
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
	SUBQ(U8(4), at)
	JMP(LabelRef("following"))
	Label("chunk")
	c, u, all := GP64(), GP64(), K()
	owner, near, vertices, steps, others, sums, least := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	MOVL(Mem{Base: at}, c.As32())
	MOVL(Mem{Base: owners, Index: c, Scale: 4}, u.As32())
	SHLQ(U8(6), c)
	VMOVDQU(Mem{Base: lines, Index: c, Scale: 1}, vertices)
	VMOVDQU(Mem{Base: lines, Index: c, Scale: 1, Disp: 32}, steps)
	VPBROADCASTD(Mem{Base: distance, Index: u, Scale: 4}, near)
	VPBROADCASTD(u.As32(), owner)
	KXNORB(all, all, all)
	VPXOR(others, others, others)
	VPGATHERDD(Mem{Base: distance, Index: vertices, Scale: 4}, all, others)
	smaller, equal := K(), K()
	VPADDD(near, steps, sums)
	VPADDD(others, tie, least)
	VPCMPD(Imm(1), least, sums, smaller)
	VMOVDQU(owner, Mem{Base: senders, Index: offers, Scale: 4})
	add(vertices, smaller, offered, offers)
	add(sums, smaller, nears, offers)
	count(smaller, offers)
	TESTQ(linked, linked)
	JS(LabelRef("following"))
	VPADDD(others, steps, sums)
	VPCMPD(Imm(0), near, sums, equal)
	add(vertices, equal, before, linked)
	VMOVDQU(owner, Mem{Base: after, Index: linked, Scale: 4})
	count(equal, linked)
	Label("following")
	ADDQ(U8(4), at)
	CMPQ(at, last)
	JLT(LabelRef("chunk"))
	return offered, nears
}

// enter puts offers into buckets, up to one whose bucket is full.
func enter(distance, offered, nears, offers, put reg.GPVirtual) {
	f, lists, shift, waiting := loadFrame(), GP64(), GP64(), GP64()
	Load(f.Field("lists"), lists)
	Load(f.Field("shift"), shift)
	Load(f.Field("waiting"), waiting)
	JMP(LabelRef("next"))
	Label("offer")
	v, near, list, place, old, smaller, entries := GP64(), GP64(), GP64(), GP64(), GP32(), GP64(), GP64()
	MOVL(Mem{Base: offered, Index: put, Scale: 4}, v.As32())
	MOVL(Mem{Base: nears, Index: put, Scale: 4}, near.As32())
	SHRXL(shift.As32(), near.As32(), list.As32())
	ANDL(U32(1<<12-1), list.As32()) // mostBuckets-1
	SHLL(U8(5), list.As32())
	ADDQ(lists, list)
	MOVL(Mem{Base: list, Disp: 24}, place.As32())
	CMPQ(place, Mem{Base: list, Disp: 8})
	JGE(LabelRef("full"))
	MOVQ(Mem{Base: list}, entries)
	MOVL(Mem{Base: distance, Index: v, Scale: 4}, old)
	CMPL(near.As32(), old)
	CMOVLCC(old, near.As32())
	SBBQ(smaller, smaller)
	MOVL(near.As32(), Mem{Base: distance, Index: v, Scale: 4})
	SHLQ(U8(32), near)
	ORQ(v, near)
	MOVQ(near, Mem{Base: entries, Index: place, Scale: 8})
	SUBL(smaller.As32(), Mem{Base: list, Disp: 24})
	SUBQ(smaller, waiting)
	INCQ(put)
	Label("next")
	CMPQ(put, offers)
	JLT(LabelRef("offer"))
	Label("full")
	kept, _ := Dereference(Param("f")).Field("waiting").Resolve()
	MOVQ(waiting, kept.Addr)
}
