package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// keepSlot appends the number of an arc's edge to listSlot, beside the list of
// rows.
func (k *kernel) keepSlot(at, count reg.GPVirtual) {
	slot := k.base("slots")
	ADDQ(at, slot)
	SUBQ(k.field(k.frame.Field("targets").Base()), slot)
	MOVL(Mem{Base: slot}, slot.As32())
	MOVL(slot.As32(), Mem{Base: k.base("listSlot"), Index: count, Scale: 4})
}

// send stores source mass times S of a vertex in sending, while its row still holds S.
func (k *kernel) send(r reg.GPVirtual, bits reg.VecVirtual) {
	row := k.rowOf(r)
	for i := range halfRegisters {
		s := YMM()
		VMASKMOVPD(part(row, i), k.signs(bits, i), s)
		VMULPD(k.lane("source", 4*i), s, s)
		VMOVUPD(s, k.lane("sending", 4*i))
	}
}

// flow is the flow over the arc of the current row. It has four parts, one for every fourth lane. They stay
// in memory from the first half of the lanes to the second, and are then added up.
type flow struct {
	*kernel
	parts reg.VecVirtual
	at    reg.GPVirtual // address of the parts
}

func (k *kernel) flow() []flow { return []flow{{k, YMM(), k.base("listFlow")}} }

func (f flow) begin() {
	first := f.label("first")
	VXORPD(f.parts, f.parts, f.parts)
	CMPQ(f.inFrame, f.ofFrame())
	JEQ(LabelRef(first))
	VMOVUPD(Mem{Base: f.at}, f.parts)
	Label(first)
}

func (f flow) end(i reg.GPVirtual) {
	first := f.label("first")
	VMOVUPD(f.parts, Mem{Base: f.at})
	CMPQ(f.inFrame, f.ofFrame())
	JEQ(LabelRef(first))
	slot, high, sum, to := GP64(), XMM(), XMM(), f.base("flows")
	MOVL(Mem{Base: f.base("listSlot"), Index: i, Scale: 4}, slot.As32())
	VEXTRACTF128(Imm(1), f.parts, high)
	VADDPD(high, f.parts.AsX(), high)
	VUNPCKHPD(high, high, sum)
	VADDSD(sum, high, sum)
	LEAQ(Mem{Base: to, Index: slot, Scale: 8}, to)
	VADDSD(Mem{Base: to}, sum, sum)
	VMOVSD(sum, Mem{Base: to})
	Label(first)
	ADDQ(Imm(32), f.at)
}
