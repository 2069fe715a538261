package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flowLanes is that of package cpu.
const flowLanes = 32

// flowPart is some lanes of the entry's row, from the first on, and the lines that
// they are.
type flowPart struct {
	first int
	lines []place
	to    Mem // of the entry's row of fresh, from the first lane on
}

// eachFlowPart runs body for every part in which the entry has lanes, and empty for the
// others.
func (k *kernel) eachFlowPart(e entry, body, empty func(p flowPart)) {
	for first := 0; first < k.lanes; first += flowLanes {
		none, done := k.label("partEmpty"), k.label("partEnd")
		mask, m := k.mask(e), GP32()
		mask.Disp = first / 8
		MOVL(mask, m)
		TESTL(m, m)
		JZ(LabelRef(none))
		body(k.flowPart(e, first))
		JMP(LabelRef(done))
		Label(none)
		empty(k.flowPart(e, first))
		Label(done)
	}
}

func (k *kernel) flowPart(e entry, first int) flowPart {
	p := flowPart{first, k.wholeRow(e)[first/8 : min(first+flowLanes, k.lanes)/8], k.row(k.field("fresh"), e.vertex)}
	p.to.Disp = 8 * first
	return p
}

// eachFlow runs body for the listed rows of c, from the part's first lane on, and adds
// the sum that it gives to the flow of the row's edge.
func (k *kernel) eachFlow(p flowPart, body func(row Mem) reg.VecVirtual) {
	after, slots, flows, i := k.field("after"), k.field("listSlot"), k.field("flows"), GP64()
	XORQ(i, i)
	k.eachRow(i, k.count, after, after, func(row, _ Mem) {
		row.Disp = 8 * p.first
		total, slot := body(row), GP64()
		MOVL(Mem{Base: slots, Index: i, Scale: 4}, slot.As32())
		at := Mem{Base: flows, Index: slot, Scale: 8}
		VADDSD(at, total, total)
		VMOVSD(total, at)
	})
}

// dependFlows has a part's sums, and what the entry sends, S times the weights of the
// sources, in registers, and reads every listed row once.
func (a avx512) dependFlows(k *kernel, e entry) {
	all := k.sums(func() []reg.VecVirtual { return newSums(1) })
	k.eachFlowPart(e, func(p flowPart) {
		var sent []reg.VecVirtual
		for _, l := range p.lines {
			s := ZMM()
			VMOVUPD_Z(l.row, a.load(k, l.mask), s)
			VMULPD(l.inArray(k, "source", 0), s, s)
			sent = append(sent, s)
		}
		sums := newSums(len(p.lines))
		k.eachFlow(p, func(row Mem) reg.VecVirtual {
			total, half, first := ZMM(), YMM(), row.Disp
			VPXORQ(total, total, total)
			for j, sum := range sums {
				row.Disp = first + 64*j
				c := ZMM()
				VMOVUPD(row, c)
				VADDPD(c, sum, sum)
				VMULPD(sent[j], c, c)
				VADDPD(c, total, total)
			}
			VEXTRACTF64X4(Imm(1), total, half)
			VADDPD(half, total.AsY(), half)
			return addFour(half)
		})
		weight := k.broadcast(k.of("weight", e.vertex), ZMM())
		for j, l := range p.lines {
			lanes := a.load(k, l.mask)
			s, d := ZMM(), ZMM()
			VMOVUPD_Z(l.row, lanes, s)
			VMULPD_Z(sums[j], s, lanes, d)
			a.account(k, l, 0, d, all)
			VDIVPD_Z(s, weight, lanes, s)
			VADDPD_Z(s, sums[j], lanes, s)
			VMOVUPD(s, p.to.Offset(64*j))
		}
	}, func(p flowPart) {
		zero := ZMM()
		VPXORQ(zero, zero, zero)
		for j := range p.lines {
			VMOVUPD(zero, p.to.Offset(64*j))
		}
	})
	half := YMM()
	VEXTRACTF64X4(Imm(1), all[0].partial[0], half)
	VADDPD(half, all[0].partial[0].AsY(), half)
	k.addSum(e, all[0], addFour(half))
}

// dependFlows has a part's sums in registers while it adds them, and on the stack what
// the entry sends, then the sums, and the score so far.
func (a avx2) dependFlows(k *kernel, e entry) {
	sent, score, zero := AllocLocal(8*min(flowLanes, k.lanes)), AllocLocal(64), YMM()
	VXORPD(zero, zero, zero)
	VMOVUPD(zero, score)
	VMOVUPD(zero, score.Offset(32))
	k.eachFlowPart(e, func(p flowPart) {
		shifts := a.shifts(k)
		var sums []reg.VecVirtual
		for i, l := range p.lines {
			for j, signs := range a.signs(k, shifts, l.mask) {
				row, s := l.row, YMM()
				row.Disp += 32 * j
				VMASKMOVPD(row, signs, s)
				VMULPD(l.inArray(k, "source", 4*j), s, s)
				VMOVUPD(s, sent.Offset(64*i+32*j))
				sums = append(sums, YMM())
			}
		}
		zero2(sums)
		k.eachFlow(p, func(row Mem) reg.VecVirtual {
			totals, first := newPair(), row.Disp
			zero2(totals[:])
			for i, sum := range sums {
				c := YMM()
				row.Disp = first + 32*i
				VMOVUPD(row, c)
				VADDPD(c, sum, sum)
				VMULPD(sent.Offset(32*i), c, c)
				VADDPD(c, totals[i%2], totals[i%2])
			}
			VADDPD(totals[1], totals[0], totals[0])
			return addFour(totals[0])
		})
		for i, sum := range sums { // what was sent is not needed any more
			VMOVUPD(sum, sent.Offset(32*i))
		}
		zero, shifts := YMM(), a.shifts(k)
		VXORPD(zero, zero, zero)
		partial := newPair()
		VMOVUPD(score, partial[0])
		VMOVUPD(score.Offset(32), partial[1])
		all := []sum8{{"scores", 1, partial[:]}}
		for i, l := range p.lines {
			for j, signs := range a.signs(k, shifts, l.mask) {
				row, s, d, sum := l.row, YMM(), YMM(), YMM()
				row.Disp += 32 * j
				VMOVUPD(sent.Offset(64*i+32*j), sum)
				VMASKMOVPD(row, signs, s)
				VBLENDVPD(signs, sum, zero, sum)
				VMULPD(sum, s, d)
				a.account(k, signed{place: l}, 4*j, d, j, all)
				ratio := k.broadcast(k.of("weight", e.vertex), YMM())
				VDIVPD(s, ratio, ratio)
				VADDPD(ratio, sum, sum)
				VBLENDVPD(signs, sum, zero, sum)
				VMOVUPD(sum, p.to.Offset(64*i+32*j))
			}
		}
		VMOVUPD(partial[0], score)
		VMOVUPD(partial[1], score.Offset(32))
	}, func(p flowPart) {
		zero := YMM()
		VXORPD(zero, zero, zero)
		for j := range 2 * len(p.lines) {
			VMOVUPD(zero, p.to.Offset(32*j))
		}
	})
	total := YMM()
	VMOVUPD(score, total)
	VADDPD(score.Offset(32), total, total)
	k.addSum(e, sum8{field: "scores", divided: 1}, addFour(total))
}
