package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flowAdder2 is adder2 that adds to the flows of the listed rows' arcs, too: four parts
// of each, lanes four apart, which stay in memory from line to line.
type flowAdder2 struct {
	adder2
	sent pair          // source times S, of the entry's line
	flow reg.GPVirtual // of the row at hand: where its parts are
}

func (a *flowAdder2) add(row, mask Mem) {
	parts := YMM()
	VMOVUPD(Mem{Base: a.flow}, parts)
	for j, signs := range (avx2{}).signs(a.kernel, a.shifts, mask) {
		c, sum := YMM(), a.sums[j]
		row.Disp = 32 * j
		VMASKMOVPD(row, signs, c)
		VADDPD(c, sum, sum)
		VFMADD231PD(a.sent[j], c, parts)
	}
	VMOVUPD(parts, Mem{Base: a.flow})
	ADDQ(Imm(32), a.flow)
}

// gatherFlows is gather with flows.
func (a avx2) gatherFlows(k *kernel, l signed) pair {
	to := &flowAdder2{adder2: adder2{kernel: k, shifts: l.shifts, sums: newPair()}, sent: newPair(), flow: k.field("listFlow")}
	row := l.row
	for j, sent := range to.sent {
		row.Disp = 32 * j
		VMASKMOVPD(row, l.signs[j], sent)
		VMULPD(l.inArray(k, "source", 4*j), sent, sent)
	}
	zero2(to.sums[:])
	k.sumOf(l.line, to)
	return to.sums
}

// eachListed runs body for the listed rows, by number.
func (k *kernel) eachListed(body func(i reg.GPVirtual)) {
	begin, done, i := k.label("listed"), k.label("listedEnd"), GP64()
	XORQ(i, i)
	CMPQ(i, k.count)
	JGE(LabelRef(done))
	Label(begin)
	body(i)
	INCQ(i)
	CMPQ(i, k.count)
	JLT(LabelRef(begin))
	Label(done)
}

// addFlows adds the parts of the listed rows up, to the flows of their edges, and sets
// them to zero.
func (avx2) addFlows(k *kernel) {
	flow, slots, flows, zero := k.field("listFlow"), k.field("listSlot"), k.field("flows"), YMM()
	VXORPD(zero, zero, zero)
	k.eachListed(func(i reg.GPVirtual) {
		parts, slot := YMM(), GP64()
		VMOVUPD(Mem{Base: flow}, parts)
		VMOVUPD(zero, Mem{Base: flow})
		total := addFour(parts)
		MOVL(Mem{Base: slots, Index: i, Scale: 4}, slot.As32())
		at := Mem{Base: flows, Index: slot, Scale: 8}
		VADDSD(at, total, total)
		VMOVSD(total, at)
		ADDQ(Imm(32), flow)
	})
}
