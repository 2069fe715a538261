package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels that visit vertices, and what those need of rows.

// equal is the mask of the lanes in which a row in memory has the given levels.
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
		VPACKSSWB(high, low, low)
		halves[h] = GP64()
		VPMOVMSKB(low, halves[h].As32())
	}
	SHLQ(Imm(32), halves[1])
	ORQ(halves[1], halves[0])
	return halves[0]
}

// keep writes a neighbour to the list, where it stays unless the mask is 0, and spends
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
	signs := YMM()
	VPSLLVQ(NewDataAddr(NewStaticSymbol("shifts64"), 32*i), bits, signs)
	return signs
}

// gather adds the first count listed rows, in those of their lanes that are ready, and
// runs body with as many of the sums as eight registers hold, from one of them on. With
// flows, it adds to those of the rows' arcs, too.
func (k *kernel) gather(count reg.GPVirtual, ready reg.VecVirtual, body func(first int, sums []reg.VecVirtual)) {
	const most = 8
	for first := 0; first < k.registers(); first += most {
		list, masks := k.base("list"), k.base("listMask")
		sums, i := some(min(most, k.registers())), GP64()
		for _, sum := range sums {
			VXORPD(sum, sum, sum)
		}
		XORQ(i, i)
		var f flow
		if k.flows {
			f = k.beginFlows(first)
		}
		each(fmt.Sprint("row", first), i, count, func() {
			u := GP64()
			MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
			bits := k.spread(Mem{Base: masks, Index: i, Scale: 8})
			VPAND(ready, bits, bits)
			row := k.rowOf(u)
			if k.flows {
				f.begin()
			}
			for j, sum := range sums {
				number, signs := YMM(), k.signs(bits, first+j)
				VMASKMOVPD(part(row, first+j), signs, number)
				VADDPD(number, sum, sum)
				if k.flows {
					VFMADD231PD(k.lane("sending", 4*(first+j)), number, f.parts)
				}
			}
			if k.flows {
				f.end(i)
			}
		})
		body(first, sums)
	}
}

// broadcast loads a number into all parts of a register.
func (k *kernel) broadcast(at Mem) reg.VecVirtual {
	v := YMM()
	VBROADCASTSD(at, v)
	return v
}

// multiply multiplies the sums with the vertex's multiplicity, if vertices have some.
func (k *kernel) multiply(vertex reg.GPVirtual, sums []reg.VecVirtual) {
	k.labels++
	single, all := fmt.Sprint("single", k.labels), k.base("multiplicity")
	TESTQ(all, all)
	JZ(LabelRef(single))
	mu := k.broadcast(Mem{Base: all, Index: vertex, Scale: 8})
	for _, sum := range sums {
		VMULPD(mu, sum, sum)
	}
	Label(single)
}

// store writes sums to their part of a row: where the bits are set, unless that is
// everywhere, where the lanes are all that there are.
func (k *kernel) store(row Mem, first int, mask reg.GPVirtual, bits reg.VecVirtual, sums []reg.VecVirtual) {
	k.labels++
	some, stored := fmt.Sprint("some", k.labels), fmt.Sprint("stored", k.labels)
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JNE(LabelRef(some))
	for j, sum := range sums {
		VMOVUPD(sum, part(row, first+j))
	}
	JMP(LabelRef(stored))
	Label(some)
	for j, sum := range sums {
		old, signs := YMM(), k.signs(bits, first+j)
		VMOVUPD(part(row, first+j), old)
		VBLENDVPD(signs, sum, old, old)
		VMOVUPD(old, part(row, first+j))
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

// beginDrawn is for a kernel that works on drawnLanes lanes.
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
		minus, wanted, row := ones(), some(k.width/16), levelsOf(k.base("levels"), r)
		for i, x := range wanted {
			VPADDW(part(row, i), minus, x)
		}
		k.eachNeighbour(r, func(_, u reg.GPVirtual) {
			mask, missing := equal(levelsOf(k.base("levels"), u), wanted), GP64()
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
		bits, numbers, vertex := k.spread(mask), k.rowOf(r), k.vertex(r)
		k.gather(count, bits, func(first int, sums []reg.VecVirtual) {
			k.multiply(vertex, sums)
			k.store(numbers, first, ready, bits, sums)
		})
		Label("next")
	})
	Store(left, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
