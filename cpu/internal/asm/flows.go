package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// eachFlow runs body for the listed rows, and adds the sum that it gives to the flow of
// the row's edge.
func (k *kernel) eachFlow(body func(row, mask Mem) reg.VecVirtual) {
	slots, flows, i := k.field("listSlot"), k.field("flows"), GP64()
	XORQ(i, i)
	k.eachRow(i, k.count, k.rows, k.field("listMask"), func(row, mask Mem) {
		total, slot := body(row, mask), GP64()
		MOVL(Mem{Base: slots, Index: i, Scale: 4}, slot.As32())
		at := Mem{Base: flows, Index: slot, Scale: 8}
		VADDSD(at, total, total)
		VMOVSD(total, at)
	})
}

// flow has what the entry sends, S times the weights of the sources, in registers, and
// reads all lines of every listed row, which depend then finds in the cache.
func (a avx512) flow(k *kernel, e entry) {
	var sent []reg.VecVirtual
	for _, l := range k.wholeRow(e) {
		s := ZMM()
		VMOVUPD_Z(l.row, a.load(k, l.mask), s)
		VMULPD(l.inArray(k, "source", 0), s, s)
		sent = append(sent, s)
	}
	k.eachFlow(func(row, mask Mem) reg.VecVirtual {
		sum, half := ZMM(), YMM()
		VPXORQ(sum, sum, sum)
		for j, s := range sent {
			row.Disp, mask.Disp = 64*j, j
			lanes, flow := a.load(k, mask), ZMM()
			VMULPD(row, s, flow)
			VADDPD(flow, sum, lanes, sum)
		}
		VEXTRACTF64X4(Imm(1), sum, half)
		VADDPD(half, sum.AsY(), half)
		return addFour(half)
	})
}

// flow is that of avx512, with what the entry sends on the stack, since there are too few
// registers.
func (a avx2) flow(k *kernel, e entry) {
	shifts := a.shifts(k)
	sent := AllocLocal(8 * k.lanes)
	zero := YMM()
	VXORPD(zero, zero, zero)
	for _, l := range k.wholeRow(e) {
		for j, signs := range a.signs(k, shifts, l.mask) {
			row, s := l.row, YMM()
			row.Disp += 32 * j
			VMASKMOVPD(row, signs, s)
			VMULPD(l.inArray(k, "source", 4*j), s, s)
			VMOVUPD(s, sent.Offset(8*l.lane+32*j))
		}
	}
	k.eachFlow(func(row, mask Mem) reg.VecVirtual {
		sums := newPair()
		zero2(sums[:])
		for line := range k.lanes / 8 {
			mask.Disp = line
			for j, signs := range a.signs(k, shifts, mask) {
				flow := YMM()
				row.Disp = 64*line + 32*j
				VMOVUPD(row, flow)
				VMULPD(sent.Offset(64*line+32*j), flow, flow)
				VBLENDVPD(signs, flow, zero, flow)
				VADDPD(flow, sums[j], sums[j])
			}
		}
		VADDPD(sums[1], sums[0], sums[0])
		return addFour(sums[0])
	})
}
