package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 keeps eight registers of sums; the row of 64 float64 takes two passes
// over the list. A lane takes part if its mask bit, shifted to the sign of its
// number, is set.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

// data is, for each lane, how far its mask bit is from the sign bit.
func (avx2) data() {
	GLOBL("shift64", attr.RODATA|attr.NOPTR)
	for lane := range 64 {
		DATA(8*lane, U64(63-lane))
	}
	GLOBL("shift32", attr.RODATA|attr.NOPTR)
	for lane := range 32 {
		DATA(4*lane, U32(31-lane))
	}
}

// signs are the mask bits of a register's lanes, moved to the sign bits.
func (avx2) signs(mask Mem, size, lane int) reg.VecVirtual {
	bits := YMM()
	if size == 8 {
		VPBROADCASTQ(mask, bits)
		VPSLLVQ(NewDataAddr(NewStaticSymbol("shift64"), 8*lane), bits, bits)
	} else {
		mask.Disp += lane / 32 * 4
		VPBROADCASTD(mask, bits)
		VPSLLVD(NewDataAddr(NewStaticSymbol("shift32"), lane%32*4), bits, bits)
	}
	return bits
}

// pass is up to eight registers of a row.
type pass struct {
	name string
	lane int // the first
	sums []reg.VecVirtual
}

// lanesOf is how many numbers a register holds.
func (k *kernel) lanesOf() int { return 32 / k.size }

func (a avx2) passes(k *kernel, body func(p pass)) {
	for lane := 0; lane < k.lanes; lane += 8 * k.lanesOf() {
		p := pass{name: fmt.Sprintf("lane%d", lane), lane: lane}
		for range min(8, (k.lanes-lane)/k.lanesOf()) {
			sum := YMM()
			VXORPD(sum, sum, sum)
			p.sums = append(p.sums, sum)
		}
		k.eachRow(p.name+"row", func(row, mask Mem) {
			for j, sum := range p.sums {
				at := lane + j*k.lanesOf()
				number := YMM()
				row.Disp = at * k.size
				if signs := a.signs(mask, k.size, at); k.size == 8 {
					VMASKMOVPD(row, signs, number)
					VADDPD(number, sum, sum)
				} else {
					VMASKMOVPS(row, signs, number)
					VADDPS(number, sum, sum)
				}
			}
		})
		body(p)
	}
}

func (a avx2) reach(k *kernel, e entry) {
	a.passes(k, func(p pass) {
		a.multiply(k, e, p)
		a.store(k, e, p)
	})
	zero, weight := YMM(), YMM()
	VXORPD(zero, zero, zero)
	VBROADCASTSD(k.of("weight", e.vertex), weight)
	for lane := 0; lane < k.lanes; lane += 4 {
		reached := YMM()
		VBLENDVPD(a.signs(e.mask, 8, lane), weight, zero, reached)
		VADDPD(k.lane("reached", lane), reached, reached)
		VMOVUPD(reached, k.lane("reached", lane))
	}
}

func (a avx2) depend(k *kernel, e entry) {
	score := [2]reg.VecVirtual{YMM(), YMM()}
	VXORPD(score[0], score[0], score[0])
	VXORPD(score[1], score[1], score[1])
	a.passes(k, func(p pass) {
		for j, sum := range p.sums {
			lane := p.lane + j*k.lanesOf()
			row := Mem{Base: e.row, Disp: lane * k.size}
			s, d, ratio := YMM(), YMM(), YMM()
			if signs := a.signs(e.mask, k.size, lane); k.size == 8 {
				VMASKMOVPD(row, signs, s)
				VMULPD(sum, s, d)
				a.account(k, lane, d, score[lane/4%2])
				VBROADCASTSD(k.of("weight", e.vertex), ratio)
				VDIVPD(s, ratio, ratio)
				VADDPD(ratio, sum, sum)
			} else {
				VMASKMOVPS(row, signs, s)
				VMULPS(sum, s, d)
				half, wide := XMM(), YMM()
				VCVTPS2PD(d.AsX(), wide)
				a.account(k, lane, wide, score[0])
				VEXTRACTF128(Imm(1), d, half)
				wide = YMM()
				VCVTPS2PD(half, wide)
				a.account(k, lane+4, wide, score[1])
				VXORPS(ratio.AsX(), ratio.AsX(), ratio.AsX())
				VCVTSD2SS(k.of("weight", e.vertex), ratio.AsX(), ratio.AsX())
				VBROADCASTSS(ratio.AsX(), ratio)
				VDIVPS(s, ratio, ratio)
				VADDPS(ratio, sum, sum)
			}
		}
		a.multiply(k, e, p)
		a.store(k, e, p)
	})
	VADDPD(score[1], score[0], score[0])
	total := addFour(score[0])
	k.ifMultiple("once", func(multiplicities reg.GPVirtual) {
		VDIVSD(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, total, total)
	})
	k.addScore(e, total)
}

// account is that of avx512, four lanes at a time.
func (avx2) account(k *kernel, lane int, d, score reg.VecVirtual) {
	sum := YMM()
	VADDPD(k.lane("got", lane), d, sum)
	VMOVUPD(sum, k.lane("got", lane))
	VMULPD(k.lane("source", lane), d, d)
	VADDPD(d, score, score)
}

// multiply multiplies the sums by the vertex's multiplicity.
func (avx2) multiply(k *kernel, e entry, p pass) {
	k.ifMultiple(p.name+"once", func(multiplicities reg.GPVirtual) {
		at, mu := Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, YMM()
		if k.size == 8 {
			VBROADCASTSD(at, mu)
		} else {
			VXORPS(mu.AsX(), mu.AsX(), mu.AsX())
			VCVTSD2SS(at, mu.AsX(), mu.AsX())
			VBROADCASTSS(mu.AsX(), mu)
		}
		for _, sum := range p.sums {
			if k.size == 8 {
				VMULPD(mu, sum, sum)
			} else {
				VMULPS(mu, sum, sum)
			}
		}
	})
}

// store writes the sums in the lanes of the mask. A masked store would take
// many cycles on processors that have no AVX-512.
func (a avx2) store(k *kernel, e entry, p pass) {
	for j, sum := range p.sums {
		lane := p.lane + j*k.lanesOf()
		row, signs := Mem{Base: e.row, Disp: lane * k.size}, a.signs(e.mask, k.size, lane)
		number := YMM()
		if k.size == 8 {
			VMOVUPD(row, number)
			VBLENDVPD(signs, sum, number, number)
			VMOVUPD(number, row)
		} else {
			VMOVUPS(row, number)
			VBLENDVPS(signs, sum, number, number)
			VMOVUPS(number, row)
		}
	}
}
