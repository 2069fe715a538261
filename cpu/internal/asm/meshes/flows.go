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
func (k *kernel) send(r reg.GPVirtual, bits reg.VecVirtual) {
	row := k.rowOf(r)
	for i := range halfRegisters {
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
	parts reg.VecVirtual
	at    reg.GPVirtual // where the parts are kept
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
