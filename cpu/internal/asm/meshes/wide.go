package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels count and depend with registers of 512 bits, which hold eight lanes of a row. A mask register holds their
// bits, read from the mask in memory.

// eights is the number of registers that hold a row.
const eights = lanes / 8

// wide returns so many registers of 512 bits.
func wide(count int) (all []reg.VecVirtual) {
	for range count {
		all = append(all, ZMM())
	}
	return all
}

// eight returns the address of a part of a row, in steps of 64 bytes.
func eight(row Mem, i int) Mem {
	row.Disp += 64 * i
	return row
}

// bitsOf loads the bits of eight lanes of a mask.
func bitsOf(mask Mem) reg.Register {
	bits := K()
	KMOVB(mask, bits)
	return bits
}

// near loads the levels of a rank, plus or minus 1.
func (k *kernel) near(r reg.GPVirtual, minusOne func(ops ...Op)) []reg.VecVirtual {
	minus, levels, row := ZMM(), wide(2), levelsOf(k.base("levels"), r)
	VPTERNLOGD(Imm(0xff), minus, minus, minus)
	for i, x := range levels {
		VMOVDQU16(eight(row, i), x)
		minusOne(minus, x, x)
	}
	return levels
}

// equalWide returns the mask of the lanes in which a row in memory has the given levels.
func equalWide(row Mem, levels []reg.VecVirtual) reg.GPVirtual {
	low, high, mask := K(), K(), GP64()
	VPCMPEQW(row, levels[0], low)
	VPCMPEQW(eight(row, 1), levels[1], high)
	KUNPCKDQ(low, high, low)
	KMOVQ(low, mask)
	return mask
}

// addWide adds the first count listed rows, each in the lanes of its mask.
func (k *kernel) addWide(count reg.GPVirtual) []reg.VecVirtual {
	list, masks, i, sums := k.base("list"), k.base("listMask"), GP64(), wide(eights)
	for _, sum := range sums {
		VPXORQ(sum, sum, sum)
	}
	XORQ(i, i)
	each(k.label("row"), i, count, func() {
		u := GP64()
		MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
		row := k.rowOf(u)
		for j, sum := range sums {
			VADDPD(eight(row, j), sum, bitsOf(Mem{Base: masks, Index: i, Scale: 8, Disp: j}), sum)
		}
	})
	return sums
}

// dependWide is depend without flows.
func dependWide() {
	k, visit := beginWide("depend", "from, to int)"), param("to")
	r, mask, count := k.visitBefore(visit)
	wanted := k.near(r, func(ops ...Op) { VPSUBW(ops...) })
	k.eachNeighbour(r, func(_, u reg.GPVirtual) {
		common := equalWide(levelsOf(k.base("levels"), u), wanted)
		ANDQ(mask, common)
		k.keep(u, common, count)
	})
	ADDQ(count, k.field(k.frame.Field("rowLoads")))

	// What visits of some lanes send is added to a slot. lines has a bit for every eight lanes with a part in the visit.
	kept, sent, slot, lines, some, whole := K(), k.base("sent"), GP64(), GP64(), XMM(), k.label("whole")
	XORQ(slot, slot)
	KXORB(kept, kept, kept)
	MOVQ(U32(1<<eights-1), lines)
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JEQ(LabelRef(whole))
	MOVL(Mem{Base: k.base("slot"), Index: visit, Scale: 4}, slot.As32())
	KXNORB(kept, kept, kept)
	filled := K()
	VMOVQ(mask, some)
	VPTESTMB(some, some, filled)
	KMOVW(filled, lines.As32())
	Label(whole)
	offset := GP64()
	MOVQ(slot, offset)
	SHRQ(Imm(1), offset)
	SHLQ(Imm(9), offset)
	ADDQ(offset, sent)

	vertex, mu, single := k.vertex(r), ZMM(), k.label("single")
	weight, hop := k.broadcast(Mem{Base: k.base("weight"), Index: vertex, Scale: 8}), k.broadcast(k.field(k.frame.Field("hop").Index(0)))
	VBROADCASTSD(NewDataAddr(NewStaticSymbol("one"), 0), mu)
	all := k.base("multiplicity")
	TESTQ(all, all)
	JZ(LabelRef(single))
	VBROADCASTSD(Mem{Base: all, Index: vertex, Scale: 8}, mu)
	Label(single)

	shares := GP64()
	ANDNQ(k.field(k.frame.Field("shareMask")), visit, shares)
	SHLQ(Imm(9), shares)
	ADDQ(k.ofFrame(), shares)

	TESTQ(lines, lines)
	JZ(LabelRef("sent"))
	Label("line")
	line := GP64()
	TZCNTQ(lines, line)
	bits, masks := K(), k.base("mask")
	LEAQ(Mem{Base: masks, Index: visit, Scale: 8}, masks)
	KMOVB(Mem{Base: masks, Index: line, Scale: 1}, bits)
	theirs, rows := k.base("listMask"), Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	ADDQ(line, theirs)
	SHLQ(Imm(6), line)
	ADDQ(line, rows)
	numbers := rowOf(rows, r, 8*lanes)
	of := func(array string) Mem {
		m := k.field(k.frame.Field(array).Index(0))
		m.Index, m.Scale = line, 1
		return m
	}
	s, d, x, ratio, sum := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VMOVUPD_Z(numbers, bits, s)
	VPXORQ(sum, sum, sum)
	i := GP64()
	XORQ(i, i)
	each("row", i, count, func() {
		u := GP64()
		MOVL(Mem{Base: k.base("list"), Index: i, Scale: 4}, u.As32())
		VADDPD(rowOf(rows, u, 8*lanes), sum, bitsOf(Mem{Base: theirs, Index: i, Scale: 8}), sum)
	})
	VMULPD(s, sum, d)
	VADDPD(of("got"), d, x)
	VMOVUPD(x, of("got"))
	VMULPD(of("source"), d, d)
	VMOVUPD_Z(Mem{Base: sent, Index: line, Scale: 1}, kept, x)
	VADDPD(x, d, x)
	VMOVUPD(x, Mem{Base: sent, Index: line, Scale: 1})
	at := of("shares")
	at.Base = shares
	VMULPD(at, weight, ratio)
	VDIVPD(s, ratio, ratio)
	VFMADD132PD(hop, ratio, sum)
	VMULPD(mu, sum, sum)
	VMOVUPD(sum, bits, numbers)
	next := GP64()
	LEAQ(Mem{Base: lines, Disp: -1}, next)
	ANDQ(next, lines)
	JNZ(LabelRef("line"))
	Label("sent")
	TESTQ(slot, slot)
	JZ(LabelRef("score"))
	TESTB(Imm(1), slot.As8())
	JZ(LabelRef("visit"))
	Label("score")
	k.scoreWide(k.vertex(r), levelsOf(k.base("levels"), r), sent)
	JMP(LabelRef("visit"))
	Label("end")
	VZEROUPPER()
	RET()
}

// scoreWide is frame.score. It adds up the lanes of a level in a register, not in a bucket.
func (k *kernel) scoreWide(vertex reg.GPVirtual, row Mem, sent reg.GPVirtual) {
	levels, numbers := wide(2), wide(eights)
	for i, x := range levels {
		VMOVDQU16(eight(row, i), x)
	}
	for i, x := range numbers {
		VMOVUPD(Mem{Base: sent, Disp: 64 * i}, x)
	}
	ends := [2]reg.GPVirtual{GP64(), GP64()}
	lowest, highest := reg.Z0, reg.Z1 // VPHMINPOSUW cannot name all registers
	VPMINUW(levels[0], levels[1], lowest)
	VPMAXUW(levels[0], levels[1], highest)
	VPTERNLOGD(Imm(0x55), highest, highest, highest) // the least of the complements is that of the largest
	for i, x := range []reg.VecPhysical{lowest, highest} {
		half := YMM()
		VEXTRACTI64X4(Imm(1), x, half)
		VPMINUW(half, x.AsY(), half)
		VEXTRACTI32X4(Imm(1), half, x.AsX())
		VPMINUW(half.AsX(), x.AsX(), x.AsX())
		VPHMINPOSUW(x.AsX(), x.AsX())
		VPEXTRW(Imm(0), x.AsX(), ends[i].As32())
	}
	least, level := ends[0], ends[1]
	XORL(U32(0xffff), level.As32())
	// Two levels in turn, above the largest if they are odd. There is a number of shareOf for that level, too.
	odd := GP64()
	MOVQ(least, odd)
	SUBQ(level, odd)
	ADDQ(Imm(1), odd)
	ANDQ(Imm(1), odd)
	ADDQ(odd, level)
	score, scores := XMM(), k.base("scores")
	at := Mem{Base: scores, Index: vertex, Scale: 8}
	VMOVSD(at, score)
	Label("level")
	var sums [2]reg.VecVirtual
	for i := range sums {
		these, low, high, sum := ZMM(), K(), K(), ZMM()
		VPBROADCASTW(level.As32(), these)
		VPCMPEQW(these, levels[0], low)
		VPCMPEQW(these, levels[1], high)
		VMOVAPD_Z(numbers[0], low, sum)
		for j, x := range numbers[1:] {
			bits := []reg.Register{low, high}[(j+1)/4]
			if by := (j + 1) % 4; by > 0 {
				part := K()
				KSHIFTRD(Imm(uint64(8*by)), bits, part)
				bits = part
			}
			VADDPD(x, sum, bits, sum)
		}
		sums[i] = sum
		DECQ(level)
	}
	both, other, second, shareOf, mu := ZMM(), ZMM(), YMM(), k.base("shareOf"), k.base("multiplicity")
	VSHUFF64X2(Imm(0x44), sums[1], sums[0], both) // the lower halves
	VSHUFF64X2(Imm(0xee), sums[1], sums[0], other)
	VADDPD(other, both, both)
	VPERMPD(Imm(0x4e), both, other)
	VADDPD(other, both, both)
	VPERMILPD(Imm(0x55), both, other)
	VADDPD(other, both, both)
	VEXTRACTF64X4(Imm(1), both, second)
	first, next, alone := both.AsX(), second.AsX(), k.label("alone")
	VMULSD(Mem{Base: shareOf, Index: level, Scale: 8, Disp: 16}, first, first)
	VMULSD(Mem{Base: shareOf, Index: level, Scale: 8, Disp: 8}, next, next)
	TESTQ(mu, mu)
	JZ(LabelRef(alone))
	VDIVSD(Mem{Base: mu, Index: vertex, Scale: 8}, first, first)
	VDIVSD(Mem{Base: mu, Index: vertex, Scale: 8}, next, next)
	Label(alone)
	VADDSD(first, score, score)
	VADDSD(next, score, score)
	CMPQ(level, least)
	JGE(LabelRef("level"))
	VMOVSD(score, at)
}
