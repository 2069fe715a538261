package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels that visit vertices, and their operations on rows.

// equal returns the mask of the lanes in which a row in memory has the given levels.
func equal(row Mem, levels []reg.VecVirtual) reg.GPVirtual {
	if len(levels) == 1 {
		low, high, mask := YMM(), XMM(), GP64()
		VPCMPEQW(row, levels[0], low)
		VEXTRACTI128(Imm(1), low, high)
		VPACKSSWB(high, low.AsX(), high)
		VPMOVMSKB(high, mask.As32())
		return mask
	}
	var halves [2]reg.GPVirtual
	for h := range halves {
		low, high := YMM(), YMM()
		VPCMPEQW(part(row, 2*h), levels[2*h], low)
		VPCMPEQW(part(row, 2*h+1), levels[2*h+1], high)
		VPACKSSWB(high, low, low) // half by half
		VPERMQ(Imm(0b11011000), low, low)
		halves[h] = GP64()
		VPMOVMSKB(low, halves[h].As32())
	}
	SHLQ(Imm(32), halves[1])
	ORQ(halves[1], halves[0])
	return halves[0]
}

// keep writes a neighbour to the list. It stays there unless the mask is 0. keep overwrites
// the mask.
func (k *kernel) keep(u, mask, count reg.GPVirtual) {
	MOVL(u.As32(), Mem{Base: k.base("list"), Index: count, Scale: 4})
	MOVQ(mask, Mem{Base: k.base("listMask"), Index: count, Scale: 8})
	advance(count, mask)
}

// spread loads a mask into all parts of a register.
func (k *kernel) spread(mask Mem) reg.VecVirtual {
	bits := YMM()
	VPBROADCASTQ(mask, bits)
	return bits
}

// signs moves the mask bits of the lanes of a register to their signs.
func (k *kernel) signs(bits reg.VecVirtual, i int) reg.VecVirtual {
	signs, shift := YMM(), shifts64().Offset(32*i)
	if k.inFrame != nil {
		shift = Mem{Base: k.shifts, Disp: 32 * i}
	}
	VPSLLVQ(shift, bits, signs)
	return signs
}

// gather adds the first count listed rows, in their ready lanes, and
// runs body with the sums. For a wide row it loops over two halves. With flows, send stores the vertex's mass times S
// before each half, and gather adds the flows of the rows' arcs.
func (k *kernel) gather(count reg.GPVirtual, ready reg.VecVirtual, send func(), body func(sums []reg.VecVirtual)) {
	if k.width < lanes {
		body(k.add(count, ready, nil))
		return
	}
	again, before, frame, inFrame := k.label("half"), GP64(), k.ofFrame(), GP64()
	MOVQ(frame, inFrame)
	Label(again)
	k.inFrame, k.shifts, k.rows = inFrame, GP64(), Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	MOVQ(inFrame, before)
	SUBQ(frame, before)
	LEAQ(shifts64(), k.shifts)
	ADDQ(before, k.shifts)
	ADDQ(before, k.rows)
	var sums []reg.VecVirtual
	if send == nil {
		sums = k.add(count, ready, nil)
	} else {
		sums = some(halfRegisters)
		k.either("slots", func() {
			send()
			k.add(count, ready, sums, k.flow()...)
		}, func() { k.add(count, ready, sums) })
	}
	body(sums)
	ADDQ(U32(32*halfRegisters), inFrame)
	MOVQ(inFrame, before)
	SUBQ(frame, before)
	CMPQ(before, U32(8*lanes))
	JLT(LabelRef(again))
	k.inFrame, k.rows = nil, nil
}

// halfRegisters hold a half of a wide row.
const halfRegisters = lanes / 8

// add adds the listed rows in their ready lanes. It uses the registers sums, unless they are nil.
func (k *kernel) add(count reg.GPVirtual, ready reg.VecVirtual, sums []reg.VecVirtual, flows ...flow) []reg.VecVirtual {
	list, masks, i := k.base("list"), k.base("listMask"), GP64()
	if sums == nil {
		sums = some(min(halfRegisters, k.registers()))
	}
	for _, sum := range sums {
		VXORPD(sum, sum, sum)
	}
	XORQ(i, i)
	each(k.label("row"), i, count, func() {
		u := GP64()
		MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
		bits := k.spread(Mem{Base: masks, Index: i, Scale: 8})
		VPAND(ready, bits, bits)
		row := k.rowOf(u)
		for _, f := range flows {
			f.begin()
		}
		for j, sum := range sums {
			number, signs := YMM(), k.signs(bits, j)
			VMASKMOVPD(part(row, j), signs, number)
			VADDPD(number, sum, sum)
			for _, f := range flows {
				VFMADD231PD(k.lane("sending", 4*j), number, f.parts)
			}
		}
		for _, f := range flows {
			f.end(i)
		}
	})
	return sums
}

// broadcast loads a number into all parts of a register.
func (k *kernel) broadcast(at Mem) reg.VecVirtual {
	v := YMM()
	if k.wide {
		v = ZMM()
	}
	VBROADCASTSD(at, v)
	return v
}

// multiply multiplies the sums with the vertex's multiplicity, if vertices have some.
func (k *kernel) multiply(vertex reg.GPVirtual, sums []reg.VecVirtual) {
	single, all := k.label("single"), k.base("multiplicity")
	TESTQ(all, all)
	JZ(LabelRef(single))
	mu := k.broadcast(Mem{Base: all, Index: vertex, Scale: 8})
	for _, sum := range sums {
		VMULPD(mu, sum, sum)
	}
	Label(single)
}

// store writes sums to their part of a row, in the lanes whose bits are set. If the mask has all lanes with a source, it
// writes the whole part.
func (k *kernel) store(row Mem, mask reg.GPVirtual, bits reg.VecVirtual, sums []reg.VecVirtual) {
	some, stored := k.label("some"), k.label("stored")
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JNE(LabelRef(some))
	for j, sum := range sums {
		VMOVUPD(sum, part(row, j))
	}
	JMP(LabelRef(stored))
	Label(some)
	for j, sum := range sums {
		old, signs := YMM(), k.signs(bits, j)
		VMOVUPD(part(row, j), old)
		VBLENDVPD(signs, sum, old, old)
		VMOVUPD(old, part(row, j))
	}
	Label(stored)
}

func (k *kernel) vertex(r reg.GPVirtual) reg.GPVirtual {
	v, order := GP64(), k.base("order")
	MOVL(Mem{Base: order, Index: r, Scale: 4}, v.As32())
	return v
}

func count() { beginRows("count", "list, late []uint32) int").count() }

// countDrawn is count for rows of drawnLanes.
func countDrawn() { beginDrawn("countDrawn", "list, late []uint32) int").count() }

// beginDrawn begins a kernel that works on drawnLanes lanes.
func beginDrawn(name, arguments string) *kernel {
	k := beginRows(name, arguments)
	k.width = drawnLanes
	return k
}

func (k *kernel) count() {
	left := GP64()
	XORQ(left, left)
	k.eachListed(func(at, r reg.GPVirtual) {
		k.fetch(at, 1)
		todo, behind, count := GP64(), GP64(), GP64()
		MOVQ(Mem{Base: k.base("done"), Index: r, Scale: 8}, todo)
		NOTQ(todo)
		ANDQ(k.field(k.frame.Field("everyLane")), todo)
		XORQ(behind, behind)
		XORQ(count, count)
		wanted, same := []reg.VecVirtual(nil), equal
		if k.wide {
			wanted, same = k.near(r, func(ops ...Op) { VPADDW(ops...) }), equalWide
		} else {
			minus, row := ones(), levelsOf(k.base("levels"), r)
			wanted = some(k.width / 16)
			for i, x := range wanted {
				VPADDW(part(row, i), minus, x)
			}
		}
		k.eachNeighbour(r, func(_, u reg.GPVirtual) {
			mask, missing := same(levelsOf(k.base("levels"), u), wanted), GP64()
			ANDQ(todo, mask)
			MOVQ(Mem{Base: k.base("done"), Index: u, Scale: 8}, missing)
			ANDNQ(mask, missing, missing)
			ORQ(missing, behind)
			k.keep(u, mask, count)
		})
		late, ready := Load(Param("late").Base(), GP64()).(reg.GPVirtual), GP64()
		MOVL(r.As32(), Mem{Base: late, Index: left, Scale: 4})
		MOVQ(behind, ready)
		advance(left, behind)
		ANDNQ(todo, ready, ready)
		JZ(LabelRef("next"))
		ORQ(ready, Mem{Base: k.base("done"), Index: r, Scale: 8})
		visits, visit := k.field(k.frame.Field("visits")), GP64()
		MOVQ(visits, visit)
		MOVL(r.As32(), Mem{Base: k.base("rank"), Index: visit, Scale: 4})
		mask := Mem{Base: k.base("mask"), Index: visit, Scale: 8}
		MOVQ(ready, mask)
		INCQ(visits)
		ADDQ(count, k.field(k.frame.Field("rowLoads")))
		if vertex := k.vertex(r); k.wide {
			sums := k.addWide(count)
			k.multiply(vertex, sums)
			row := k.rowOf(r)
			for i, sum := range sums {
				now := mask
				now.Disp += i
				VMOVUPD(sum, bitsOf(now), eight(row, i))
			}
		} else {
			bits := k.spread(mask)
			k.gather(count, bits, nil, func(sums []reg.VecVirtual) {
				k.multiply(vertex, sums)
				k.store(k.rowOf(r), ready, bits, sums)
			})
		}
		Label("next")
	})
	Store(left, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
