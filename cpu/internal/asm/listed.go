package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Lists of the rows of an entry's neighbours, and loops over them.

// takePart emits the Go function of that name, for the entry's neighbours. rowOffsets and rowTargets name
// slices of the frame. With flows it lists their edges, too. The end
// of the list advances by arithmetic: a branch on the neighbour's mask is not predictable.
func (k *kernel) takePart(rowOffsets, rowTargets, level string) (all reg.GPVirtual) {
	v := k.vertex()
	target, end, targets := GP64(), GP64(), k.field(rowTargets)
	offsets := k.field(rowOffsets)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8}, target)
	LEAQ(Mem{Base: targets, Index: target, Scale: 4}, target)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8, Disp: 8}, end)
	LEAQ(Mem{Base: targets, Index: end, Scale: 4}, end)

	m, masks := GP64(), k.field("mask")
	MOVQ(Mem{Base: masks, Index: k.at, Scale: 8}, m)
	marks, list, listMask := k.field(level), k.field("list"), k.field("listMask")
	var toSlot, listSlot reg.GPVirtual // toSlot: from a target to its slot
	if k.flows {
		toSlot, listSlot = k.field("slots"), k.field("listSlot")
		SUBQ(targets, toSlot)
	}
	all = GP64()
	XORQ(all, all)
	if !k.more {
		XORQ(k.count, k.count)
	}
	CMPQ(target, end)
	JGE(LabelRef("listed"))
	if k.flows {
		k.skipFours(target, end, marks, m)
	}
	Label("neighbour")
	u, common := GP64(), GP64()
	MOVL(Mem{Base: target}, u.As32())
	MOVQ(Mem{Base: marks, Index: u, Scale: 8}, common)
	ANDQ(m, common)
	MOVL(u.As32(), Mem{Base: list, Index: k.count, Scale: 4})
	if k.flows {
		MOVL(Mem{Base: target, Index: toSlot, Scale: 1}, u.As32())
		MOVL(u.As32(), Mem{Base: listSlot, Index: k.count, Scale: 4})
	}
	ORQ(common, all)
	MOVQ(common, Mem{Base: listMask, Index: k.count, Scale: 8})
	CMPQ(common, Imm(1)) // carry if zero
	SBBQ(I8(-1), k.count)
	ADDQ(Imm(4), target)
	CMPQ(target, end)
	JLT(LabelRef("neighbour"))
	Label("listed")
	if k.more {
		return all
	}
	ADDQ(k.count, address(k.frame.Field("rowLoads")))
	return all
}

// skipFours skips neighbours in fours while none of the four contributes. Many entries have no contributing neighbour.
func (k *kernel) skipFours(target, end, marks, m reg.GPVirtual) {
	last := GP64()
	LEAQ(Mem{Base: end, Disp: -16}, last)
	CMPQ(target, last)
	JG(LabelRef("neighbour"))
	Label("four")
	some := GP64()
	for i := range 4 {
		u := GP64()
		MOVL(Mem{Base: target, Disp: 4 * i}, u.As32())
		if mark := (Mem{Base: marks, Index: u, Scale: 8}); i == 0 {
			MOVQ(mark, some)
		} else {
			ORQ(mark, some)
		}
	}
	TESTQ(m, some)
	JNZ(LabelRef("neighbour"))
	ADDQ(Imm(16), target)
	CMPQ(target, last)
	JLE(LabelRef("four"))
	CMPQ(target, end)
	JGE(LabelRef("listed"))
}

// eachRow runs body for the listed rows i..end-1, and leaves i at end. body gets a row's address
// counted from rows, and its mask's counted from
// masks.
func (k *kernel) eachRow(i, end, rows, masks reg.GPVirtual, body func(row, mask Mem)) {
	list := k.field("list")
	begin, done := k.label("row"), k.label("rowsEnd")
	CMPQ(i, end)
	JGE(LabelRef(done))
	Label(begin)
	if k.pieces {
		soon := GP64()
		MOVL(Mem{Base: list, Index: i, Scale: 4, Disp: 4 * listedAhead}, soon.As32())
		k.bytesOfRows(soon)
		for line := range k.lookAt {
			PREFETCHT0(Mem{Base: rows, Index: soon, Scale: 1, Disp: 64 * line})
		}
	}
	u := GP64()
	MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
	k.bytesOfRows(u)
	body(Mem{Base: rows, Index: u, Scale: 1}, Mem{Base: masks, Index: i, Scale: 8})
	INCQ(i)
	CMPQ(i, end)
	JLT(LabelRef(begin))
	Label(done)
}
