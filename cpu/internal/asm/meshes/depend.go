package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of the backward pass, which add up dependencies and scores.

// visitBefore begins the loop of the backward pass. It steps to the previous visit, or jumps
// to the end, and loads the visit's vertex and mask, and a count of 0.
func (k *kernel) visitBefore(visit reg.GPVirtual) (r, mask, count reg.GPVirtual) {
	Label("visit")
	DECQ(visit)
	CMPQ(visit, k.field(Param("from")))
	JLT(LabelRef("end"))
	r, mask, count = GP64(), GP64(), GP64()
	at := k.base("rank")
	LEAQ(Mem{Base: at, Index: visit, Scale: 4}, at)
	MOVL(Mem{Base: at}, r.As32())
	k.fetch(at, -1)
	MOVQ(Mem{Base: k.base("mask"), Index: visit, Scale: 8}, mask)
	XORQ(count, count)
	return r, mask, count
}

// depend adds to the flows of arcs, too, if the frame has slots.
func depend() {
	k, visit := beginRows("depend", "from, to int)"), param("to")
	r, mask, count := k.visitBefore(visit)
	minus, wanted, row := ones(), some(quarters), levelsOf(k.base("levels"), r)
	for i, x := range wanted {
		VMOVDQU(part(row, i), x)
		VPSUBW(minus, x, x)
	}
	list := func(keepSlot func(at, count reg.GPVirtual)) {
		k.eachNeighbour(r, func(at, u reg.GPVirtual) {
			common := equal(levelsOf(k.base("levels"), u), wanted)
			ANDQ(mask, common)
			keepSlot(at, count)
			k.keep(u, common, count)
		})
	}
	k.either("slots", func() { list(k.keepSlot) }, func() { list(func(_, _ reg.GPVirtual) {}) })
	ADDQ(count, k.field(k.frame.Field("rowLoads")))

	bits := k.spread(Mem{Base: k.base("mask"), Index: visit, Scale: 8})
	k.gather(count, bits, func() { k.send(r, bits) }, func(sums []reg.VecVirtual) {
		vertex, numbers := k.vertex(r), k.rowOf(r)
		weight, shares, to := k.broadcast(Mem{Base: k.base("weight"), Index: vertex, Scale: 8}), k.shares(visit), k.base("sent")
		ADDQ(k.inFrame, to)
		SUBQ(k.ofFrame(), to)
		for i, sum := range sums {
			s, d := YMM(), YMM()
			VMASKMOVPD(part(numbers, i), k.signs(bits, i), s)
			VMULPD(sum, s, d)
			k.account(to, 4*i, d)
			ratio := YMM()
			VMULPD(part(shares, i), weight, ratio)
			VDIVPD(s, ratio, ratio)
			VFMADD132PD(k.field(k.frame.Field("hop").Index(0)), ratio, sum)
		}
		k.multiply(vertex, sums)
		k.store(numbers, mask, bits, sums)
	})
	sent := k.base("sent")
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JEQ(LabelRef("whole"))
	slot := GP64()
	MOVL(Mem{Base: k.base("slot"), Index: visit, Scale: 4}, slot.As32())
	k.gatherSent(sent, slot)
	TESTB(Imm(1), slot.As8())
	JZ(LabelRef("visit"))
	Label("whole")
	k.score(k.vertex(r), levelsOf(k.base("levels"), r), sent)
	JMP(LabelRef("visit"))
	Label("end")
	VZEROUPPER()
	RET()
}

// shares returns the address of a visit's shares in the current half of the lanes.
func (k *kernel) shares(visit reg.GPVirtual) Mem {
	at, row := k.field(k.frame.Field("shares").Index(0)), GP64()
	ANDNQ(k.field(k.frame.Field("shareMask")), visit, row)
	SHLQ(Imm(9), row)
	at.Base, at.Index, at.Scale = k.inFrame, row, 1
	return at
}

// account adds dependencies of four lanes to got, and stores them, times the masses of
// the sources, in sent.
func (k *kernel) account(sent reg.GPVirtual, lane int, d reg.VecVirtual) {
	got := YMM()
	VADDPD(k.lane("got", lane), d, got)
	VMOVUPD(got, k.lane("got", lane))
	VMULPD(k.lane("source", lane), d, d)
	VMOVUPD(d, Mem{Base: sent, Disp: 8 * lane})
}

// gatherSent adds the lanes that a visit has sent to the vertex's slot, and makes sent the
// slot. No lane is sent twice, and lanes not sent are 0.
func (k *kernel) gatherSent(sent, slot reg.GPVirtual) {
	kept := GP64()
	MOVQ(slot, kept)
	SHRQ(Imm(1), kept)
	SHLQ(Imm(9), kept)
	ADDQ(sent, kept)
	line := GP64()
	XORQ(line, line)
	each("sent", line, U32(lanes/8), func() {
		offset := GP64()
		MOVQ(line, offset)
		SHLQ(Imm(6), offset)
		for i := range 2 {
			x, to := YMM(), part(Mem{Base: kept, Index: offset, Scale: 1}, i)
			VMOVUPD(part(Mem{Base: sent, Index: offset, Scale: 1}, i), x)
			VADDPD(to, x, x)
			VMOVUPD(x, to)
		}
	})
	MOVQ(kept, sent)
}

// score is frame.score in package meshes.
func (k *kernel) score(vertex reg.GPVirtual, row Mem, sent reg.GPVirtual) {
	least, most, buckets := GP64(), GP64(), k.base("buckets")
	lowest, highest := some(quarters), some(quarters)
	for i := range quarters {
		VMOVDQU(part(row, i), lowest[i])
		VMOVDQA(lowest[i], highest[i])
	}
	for n := quarters / 2; n > 0; n /= 2 {
		for i := range n {
			VPMINUW(lowest[i+n], lowest[i], lowest[i])
			VPMAXUW(highest[i+n], highest[i], highest[i])
		}
	}
	VPXOR(ones(), highest[0], highest[0])
	for i, to := range []reg.GPVirtual{least, most} {
		v, half := [][]reg.VecVirtual{lowest, highest}[i][0], XMM()
		VEXTRACTI128(Imm(1), v, half)
		VPMINUW(half, v.AsX(), half)
		VPHMINPOSUW(half, half)
		VPEXTRW(Imm(0), half, to.As32())
	}
	XORL(U32(0xffff), most.As32())
	levels, end, half := GP64(), GP64(), GP64()
	MOVQ(U32(8*4), half) // of the eight numbers of a bucket
	LEAQ(row, levels)
	LEAQ(Mem{Base: sent, Disp: 8 * lanes}, end)
	Label("four")
	for lane := range 4 {
		level, x := GP64(), XMM()
		MOVWLZX(Mem{Base: levels, Disp: 2 * lane}, level.As32())
		SHLQ(Imm(6), level)
		bucket := Mem{Base: buckets, Index: level, Scale: 1, Disp: 8 * lane}
		VMOVSD(Mem{Base: sent, Disp: 8 * lane}, x)
		VADDSD(bucket, x, x)
		VMOVSD(x, bucket)
	}
	ADDQ(half, buckets)
	NEGQ(half)
	ADDQ(Imm(8), levels)
	ADDQ(Imm(32), sent)
	CMPQ(sent, end)
	JLT(LabelRef("four"))
	score, zero, scores := XMM(), YMM(), k.base("scores")
	at := Mem{Base: scores, Index: vertex, Scale: 8}
	VMOVSD(at, score)
	VXORPD(zero, zero, zero)
	Label("level")
	level, sum, high, total, shareOf := GP64(), YMM(), XMM(), XMM(), k.base("shareOf")
	IMUL3Q(Imm(64), most, level)
	bucket := Mem{Base: buckets, Index: level, Scale: 1}
	VMOVUPD(part(bucket, 0), sum)
	VADDPD(part(bucket, 1), sum, sum)
	VMOVUPD(zero, part(bucket, 0))
	VMOVUPD(zero, part(bucket, 1))
	VEXTRACTF128(Imm(1), sum, high)
	VADDPD(high, sum.AsX(), high)
	VUNPCKHPD(high, high, total)
	VADDSD(total, high, total)
	VMULSD(Mem{Base: shareOf, Index: most, Scale: 8}, total, total)
	mu := k.base("multiplicity")
	TESTQ(mu, mu)
	JZ(LabelRef("alone"))
	VDIVSD(Mem{Base: mu, Index: vertex, Scale: 8}, total, total)
	Label("alone")
	VADDSD(total, score, score)
	DECQ(most)
	CMPQ(most, least)
	JGE(LabelRef("level"))
	VMOVSD(score, at)
}
