package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels for drawn sources, drawnLanes at a time: a register holds their levels of a
// vertex.

func measureDrawn() {
	k := begin("measureDrawn", "from, to int)")
	levels, sums, one, perLane := k.base("levels"), k.base("sums"), YMM(), YMM()
	VPSRLW(Imm(15), ones(), one)
	VMOVDQU(k.lane("perLane", 0), perLane)
	r, end := param("from"), param("to")
	each("rank", r, end, func() {
		sum := YMM()
		VMOVDQU(levelsOf(levels, r), sum)
		VPADDW(sum, perLane, perLane)
		VPMADDWD(one, sum, sum)
		VMOVD(addEight(sum), Mem{Base: sums, Index: r, Scale: 4})
	})
	VMOVDQU(perLane, k.lane("perLane", 0))
	VZEROUPPER()
	RET()
}

func dependDrawn() {
	k, visit := beginDrawn("dependDrawn", "from, to int)"), param("to")
	r, mask, count := k.visitBefore(visit)
	wanted, row := YMM(), levelsOf(k.base("levels"), r)
	VMOVDQU(row, wanted)
	VPSUBW(ones(), wanted, wanted)
	k.eachNeighbour(r, func(_, u reg.GPVirtual) {
		common := equal(levelsOf(k.base("levels"), u), []reg.VecVirtual{wanted})
		ANDQ(mask, common)
		k.keep(u, common, count)
	})
	ADDQ(count, k.field(k.frame.Field("rowLoads")))

	parts := some(3) // of the score, of the sum over draws, and of squares
	for _, p := range parts {
		VXORPD(p, p, p)
	}
	vertex, numbers, bits := k.vertex(r), k.rowOf(r), k.spread(Mem{Base: k.base("mask"), Index: visit, Scale: 8})
	k.gather(count, bits, nil, func(sums []reg.VecVirtual) {
		weight, slope := k.broadcast(Mem{Base: k.base("weight"), Index: vertex, Scale: 8}), k.broadcast(k.field(k.frame.Field("slope")))
		for i, sum := range sums {
			s, d, distance, ratio := YMM(), YMM(), YMM(), YMM()
			VMASKMOVPD(part(numbers, i), k.signs(bits, i), s)
			VMULPD(sum, s, d)
			k.distance(row, i, slope, distance)
			VMULPD(distance, s, s)
			VDIVPD(s, weight, ratio)
			VADDPD(ratio, sum, sum)
			VMULPD(k.broadcast(k.field(k.frame.Field("stretch"))), distance, distance)
			VMULPD(distance, d, d)
			VADDPD(k.lane("got", 4*i), d, distance)
			VMOVUPD(distance, k.lane("got", 4*i))
			term := YMM()
			VMULPD(k.lane("source", 4*i), d, term)
			VADDPD(term, parts[0], parts[0])
			VMULPD(k.lane("draws", 4*i), d, term)
			VADDPD(term, parts[1], parts[1])
			VMULPD(d, term, term)
			VADDPD(term, parts[2], parts[2])
		}
		k.multiply(vertex, sums)
		k.store(numbers, mask, bits, sums)
	})
	k.addParts(r, parts)
	JMP(LabelRef("visit"))
	Label("end")
	VZEROUPPER()
	RET()
}

// distance computes the distances of four lanes' sources, as they count for targets.
func (k *kernel) distance(row Mem, i int, slope, to reg.VecVirtual) {
	row.Disp = 8 * i
	VPMOVZXWD(row, to.AsX())
	VCVTDQ2PD(to.AsX(), to)
	VSUBPD(k.lane("from", 4*i), to, to)
	VMULPD(slope, to, to)
	VADDPD(k.broadcast(k.field(k.frame.Field("level"))), to, to)
}

// addParts adds up the four parts of each of three sums, and adds them to a rank's parts.
func (k *kernel) addParts(r reg.GPVirtual, parts []reg.VecVirtual) {
	two, third, half := YMM(), YMM(), XMM()
	VHADDPD(parts[1], parts[0], two)
	VEXTRACTF128(Imm(1), two, half)
	VADDPD(half, two.AsX(), two.AsX())
	VHADDPD(parts[2], parts[2], third)
	VEXTRACTF128(Imm(1), third, half)
	VADDPD(half, third.AsX(), third.AsX())
	VINSERTF128(Imm(1), third.AsX(), two, two)
	at := rowOf(k.base("parts"), r, 32)
	VADDPD(at, two, two)
	VMOVUPD(two, at)
}
