package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 works on one cache line of the entry's row after the other, in two
// registers. It skips lines in which the entry has no lanes: most lines, where
// levels are spread. A lane contributes if its mask bit, shifted
// to the sign of its number, is set.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

func (avx2) lanes() int { return 0 }

// pair is the two registers that hold a line.
type pair [2]reg.VecVirtual

func newPair() pair { return pair{YMM(), YMM()} }

// signed is a line with the entry's mask bits in the signs of lanes, and the shifts that move
// them there.
type signed struct {
	line
	place
	signs, shifts pair
}

// eachLine runs body for the lines in which the entry's mask has lanes.
func (a avx2) eachLine(k *kernel, e entry, body func(l signed)) {
	shifts := a.shifts(k)
	one := func(l line) {
		p := k.placeOf(e, l)
		body(signed{l, p, a.signs(k, shifts, p.mask), shifts})
	}
	k.eachLine(k.lines(e), one)
}

// shifts loads the shifts that move mask bits to the signs.
func (avx2) shifts(k *kernel) pair {
	shifts := newPair()
	for j, shift := range shifts {
		VMOVDQU(table(fmt.Sprint("shift", 8*k.size)).Offset(32*j), shift)
	}
	return shifts
}

// signs returns the mask bits of a line, moved to the sign bits of lanes.
func (avx2) signs(k *kernel, shifts pair, mask Mem) pair {
	bits, signs := YMM(), newPair()
	if k.size == 8 {
		VPBROADCASTB(mask, bits)
	} else {
		VPBROADCASTW(mask, bits)
	}
	for j, shift := range shifts {
		if k.size == 8 {
			VPSLLVQ(shift, bits, signs[j])
		} else {
			VPSLLVD(shift, bits, signs[j])
		}
	}
	return signs
}

// gather adds the listed rows in the lanes of a line.
func (a avx2) gather(k *kernel, l signed) pair {
	to := &adder2{kernel: k, shifts: l.shifts, sums: newPair()}
	zero2(to.sums[:])
	k.lookAt = 1
	k.sumOf(l.line, to)
	return to.sums
}

func zero2(sums []reg.VecVirtual) {
	for _, sum := range sums {
		VXORPD(sum, sum, sum)
	}
}

// adder2 adds one line of rows. A sum of float32 has two totals, of
// float64.
type adder2 struct {
	*kernel
	shifts, sums pair
	totals       []reg.VecVirtual
}

func (a *adder2) add(row, mask Mem) {
	for j, signs := range (avx2{}).signs(a.kernel, a.shifts, mask) {
		number, sum := YMM(), a.sums[j]
		row.Disp = 32 * j
		if a.size == 8 {
			VMASKMOVPD(row, signs, number)
			VADDPD(number, sum, sum)
		} else {
			VMASKMOVPS(row, signs, number)
			VADDPS(number, sum, sum)
		}
	}
}

func (a *adder2) clearTotals() {
	a.totals = []reg.VecVirtual{YMM(), YMM(), YMM(), YMM()}
	zero2(a.totals)
}

func (a *adder2) carry() {
	for j, sum := range a.sums {
		low, half, high := YMM(), XMM(), YMM()
		VCVTPS2PD(sum.AsX(), low)
		VADDPD(low, a.totals[2*j], a.totals[2*j])
		VEXTRACTF128(Imm(1), sum, half)
		VCVTPS2PD(half, high)
		VADDPD(high, a.totals[2*j+1], a.totals[2*j+1])
	}
	zero2(a.sums[:])
}

func (a *adder2) round() {
	for j, sum := range a.sums {
		high := XMM()
		VCVTPD2PSY(a.totals[2*j+1], high)
		VCVTPD2PSY(a.totals[2*j], sum.AsX())
		VINSERTF128(Imm(1), high, sum, sum)
	}
}

func (a avx2) reach(k *kernel, e entry) {
	a.eachLine(k, e, func(l signed) {
		sums := a.gather(k, l)
		k.multiply(e, YMM, sums[:]...)
		a.store(k, l, sums)
		weight := YMM()
		VBROADCASTSD(k.of("weight", e.vertex), weight)
		for j, signs := range a.wide(k, l) {
			zero, reached, sum := YMM(), l.inArray(k, "reached", 4*j), YMM()
			VXORPD(zero, zero, zero)
			VBLENDVPD(signs, weight, zero, sum)
			VADDPD(reached, sum, sum)
			VMOVUPD(sum, reached)
		}
	})
}

// wide returns the signs of a line for float64, four lanes at a time.
func (avx2) wide(k *kernel, l signed) []reg.VecVirtual {
	if k.size == 8 {
		return l.signs[:]
	}
	var all []reg.VecVirtual
	for _, signs := range l.signs {
		low, high := YMM(), YMM()
		VPMOVSXDQ(signs.AsX(), low)
		VEXTRACTI128(Imm(1), signs, high.AsX())
		VPMOVSXDQ(high.AsX(), high)
		all = append(all, low, high)
	}
	return all
}

func (a avx2) depend(k *kernel, e entry) {
	all := k.sums(func() []reg.VecVirtual {
		p := newPair()
		zero2(p[:])
		return p[:]
	})
	if k.flows {
		a.eachLineFlows(k, e, all)
	} else {
		a.eachLine(k, e, func(l signed) {
			sums := a.gather(k, l)
			a.settle(k, e, l, sums, a.paths(k, l.place, l.signs), all)
		})
	}
	k.addSums(e, all, func(parts []reg.VecVirtual) reg.VecVirtual {
		VADDPD(parts[1], parts[0], parts[0])
		return addFour(parts[0])
	})
}

// settle turns the sums of a line's listed rows, and S, into the entry's own numbers.
func (a avx2) settle(k *kernel, e entry, l signed, sums, paths pair, all []sum8) {
	row := l.row
	weight := k.broadcast(k.of("weight", e.vertex), YMM())
	for j, sum := range sums {
		row.Disp = 32 * j
		s, d, ratio := paths[j], YMM(), YMM()
		if k.size == 8 {
			VMULPD(sum, s, d)
			if k.drawn {
				k.either("drawn", func() { a.accountDraws(k, l, 4*j, d, j, all) }, nil)
				VMULPD(l.inArray(k, "share", 4*j), weight, ratio)
				VDIVPD(s, ratio, ratio)
			} else {
				VDIVPD(s, weight, ratio)
			}
			a.account(k, l, 4*j, d, j, all)
			VFMADD132PD(address(k.frame.Field("hop").Index(0)), ratio, sum)
		} else {
			VMULPS(sum, s, d)
			half, wide := XMM(), YMM()
			VCVTPS2PD(d.AsX(), wide)
			a.account(k, l, 8*j, wide, 0, all)
			VEXTRACTF128(Imm(1), d, half)
			wide = YMM()
			VCVTPS2PD(half, wide)
			a.account(k, l, 8*j+4, wide, 1, all)
			VDIVPS(s, weight, ratio)
			VADDPS(ratio, sum, sum)
		}
	}
	k.multiply(e, YMM, sums[:]...)
	a.store(k, l, sums)
}

// settleAlone settles the entry's lines in which no listed row has lanes. lines are its other lines.
func (a avx2) settleAlone(k *kernel, e entry, shifts pair, lines reg.GPVirtual) {
	left, end := k.lines(e), k.label("alone")
	XORQ(lines, left) // which are among the entry's
	JZ(LabelRef(end))
	weight := k.broadcast(k.of("weight", e.vertex), YMM())
	again, l := k.label("alone"), line{byte: GP64()}
	Label(again)
	TZCNTQ(left, l.byte)
	BLSRQ(left, left)
	p := k.placeOf(e, l)
	k.findCounts(p)
	signs, ratios := a.signs(k, shifts, p.mask), newPair()
	for j, ratio := range ratios {
		loadCounts(p.counts, j, ratio)
		VDIVPD(ratio, weight, ratio)
	}
	k.multiply(e, YMM, ratios[:]...)
	a.store(k, signed{l, p, signs, shifts}, ratios)
	TESTQ(left, left)
	JNZ(LabelRef(again))
	Label(end)
}

// paths loads S of a line's lanes, and 0 in lanes that the entry does not have. In pieces, S is by entry if the frame has
// counts.
func (avx2) paths(k *kernel, p place, signs pair) pair {
	both := newPair()
	byVertex := func() {
		for half, s := range both {
			loadRow(k, p.row, half, signs[half], s)
		}
	}
	if !k.pieces {
		byVertex()
		return both
	}
	k.either("counts", func() {
		k.findCounts(p)
		for half, s := range both {
			loadCounts(p.counts, half, s)
		}
	}, byVertex)
	return both
}

func loadCounts(counts Mem, half int, s reg.VecVirtual) {
	counts.Disp += 8 * half
	VPMOVZXWD(counts, s.AsX())
	VCVTDQ2PD(s.AsX(), s)
}

func loadRow(k *kernel, row Mem, half int, signs, s reg.VecVirtual) {
	row.Disp += 32 * half
	if k.size == 8 {
		VMASKMOVPD(row, signs, s)
	} else {
		VMASKMOVPS(row, signs, s)
	}
}

// account is account of avx512 for half of eight lanes.
func (avx2) account(k *kernel, l signed, lane int, d reg.VecVirtual, half int, all []sum8) {
	sum, got := YMM(), l.inArray(k, "got", lane)
	VADDPD(got, d, sum)
	VMOVUPD(sum, got)
	VMULPD(l.inArray(k, "source", lane), d, sum)
	VADDPD(sum, all[0].partial[half], all[0].partial[half])
}

// accountDraws computes D from the sum of the rows, and adds to the sums of draws.
func (avx2) accountDraws(k *kernel, l signed, lane int, d reg.VecVirtual, half int, all []sum8) {
	drawn := YMM()
	VMULPD(l.inArray(k, "stretch", lane), d, d)
	VMULPD(l.inArray(k, "draws", lane), d, drawn)
	VADDPD(drawn, all[1].partial[half], all[1].partial[half])
	VMULPD(d, drawn, drawn)
	VADDPD(drawn, all[2].partial[half], all[2].partial[half])
}

// store writes the sums in the lanes of the mask. A masked store would take
// many cycles on processors without AVX-512.
func (avx2) store(k *kernel, l signed, sums pair) {
	row := l.row
	for j, sum := range sums {
		number := YMM()
		row.Disp = 32 * j
		if k.size == 8 {
			VMOVUPD(row, number)
			VBLENDVPD(l.signs[j], sum, number, number)
			VMOVUPD(number, row)
		} else {
			VMOVUPS(row, number)
			VBLENDVPS(l.signs[j], sum, number, number)
			VMOVUPS(number, row)
		}
	}
}
