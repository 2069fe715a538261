package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// keepSlot writes the number of the edge along an arc to the list of those of the rows that
// take part.
func (k *kernel) keepSlot(at, count reg.GPVirtual) {
	slot := k.base("slots")
	ADDQ(at, slot)
	SUBQ(k.field(k.frame.Field("targets").Base()), slot)
	MOVL(Mem{Base: slot}, slot.As32())
	MOVL(slot.As32(), Mem{Base: k.base("listSlot"), Index: count, Scale: 4})
}

// send writes down what a vertex sends, while its row still holds S.
func (k *kernel) send(row Mem, bits reg.VecVirtual) {
	for i := range k.registers() {
		s := YMM()
		VMASKMOVPD(part(row, i), k.signs(bits, i), s)
		VMULPD(k.lane("source", 4*i), s, s)
		VMOVUPD(s, k.lane("sending", 4*i))
	}
}

// flow is what goes over the arc of the row at hand: four parts, lanes four apart, which are
// kept in memory from the first half of the lanes to the second, and then added up.
type flow struct {
	*kernel
	second bool
	parts  reg.VecVirtual
	at     reg.GPVirtual // where the parts are kept
}

func (k *kernel) beginFlows(first int) flow {
	return flow{k, first > 0, YMM(), k.base("listFlow")}
}

func (f flow) begin() {
	if f.second {
		VMOVUPD(Mem{Base: f.at}, f.parts)
	} else {
		VXORPD(f.parts, f.parts, f.parts)
	}
}

func (f flow) end(i reg.GPVirtual) {
	if f.second {
		slot, high, sum, to := GP64(), XMM(), XMM(), f.base("flows")
		MOVL(Mem{Base: f.base("listSlot"), Index: i, Scale: 4}, slot.As32())
		VEXTRACTF128(Imm(1), f.parts, high)
		VADDPD(high, f.parts.AsX(), high)
		VUNPCKHPD(high, high, sum)
		VADDSD(sum, high, sum)
		LEAQ(Mem{Base: to, Index: slot, Scale: 8}, to)
		VADDSD(Mem{Base: to}, sum, sum)
		VMOVSD(sum, Mem{Base: to})
	} else {
		VMOVUPD(f.parts, Mem{Base: f.at})
	}
	ADDQ(Imm(32), f.at)
}
