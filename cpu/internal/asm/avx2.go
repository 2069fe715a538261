package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 works on one cache line of the entry's row after the other, in two
// registers, and leaves out the lines in which the entry has no lanes: where
// levels are spread, these are most. A lane takes part if its mask bit, shifted
// to the sign of its number, is set.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

// data is, for each lane of a line, how far its mask bit is from the sign bit.
func (avx2) data() {
	GLOBL("shift64", attr.RODATA|attr.NOPTR)
	for lane := range 8 {
		DATA(8*lane, U64(63-lane))
	}
	GLOBL("shift32", attr.RODATA|attr.NOPTR)
	for lane := range 16 {
		DATA(4*lane, U32(31-lane))
	}
}

// pair is the two registers that hold a line.
type pair [2]reg.VecVirtual

func newPair() pair { return pair{YMM(), YMM()} }

// line is a cache line of a row.
type line struct {
	byte   reg.GPVirtual // of a mask, that its first lane is in
	rows   reg.GPVirtual // where it is in the row of vertex 0
	signs  pair          // the entry's mask, by lane at the sign
	shifts pair
}

// eachLine runs body for the lines in which the entry's mask has lanes.
func (a avx2) eachLine(k *kernel, e entry, body func(l line)) {
	shifts := newPair()
	for j, shift := range shifts {
		VMOVDQU(NewDataAddr(NewStaticSymbol(fmt.Sprintf("shift%d", 8*k.size)), 32*j), shift)
	}
	lines := a.lines(k, k.mask(e))
	JZ(LabelRef("linesEnd"))
	Label("line")
	l := line{byte: GP64(), rows: GP64(), shifts: shifts}
	TZCNTQ(lines, l.byte)
	BLSRQ(lines, lines)
	mask := GP64()
	LEAQ(k.mask(e), mask)
	l.signs = a.signs(k, l, Mem{Base: mask, Index: l.byte, Scale: 1})
	MOVQ(l.byte, l.rows)
	SHLQ(Imm(4+uint64(k.size)/4), l.rows) // eight lanes to a byte of the mask
	ADDQ(Load(Param("rows").Base(), GP64()), l.rows)
	body(l)
	TESTQ(lines, lines)
	JNZ(LabelRef("line"))
	Label("linesEnd")
}

// lines has a bit for every line in which the mask has lanes: the number of the
// line's first byte in the mask. It sets the zero flag.
func (avx2) lines(k *kernel, mask Mem) reg.GPVirtual {
	lines, bytes, zero := GP64(), XMM(), XMM()
	VMOVQ(mask, bytes)
	VPXOR(zero, zero, zero)
	first := uint64(0xff)
	if k.size == 8 {
		VPCMPEQB(zero, bytes, bytes)
	} else {
		VPCMPEQW(zero, bytes, bytes)
		first = 0x55
	}
	VPMOVMSKB(bytes, lines.As32())
	NOTQ(lines)
	ANDQ(U32(first), lines)
	return lines
}

// signs are the mask bits of a line, by lane moved to the sign bits.
func (avx2) signs(k *kernel, l line, mask Mem) pair {
	bits, signs := YMM(), newPair()
	if k.size == 8 {
		VPBROADCASTB(mask, bits)
	} else {
		VPBROADCASTW(mask, bits)
	}
	for j, shift := range l.shifts {
		if k.size == 8 {
			VPSLLVQ(shift, bits, signs[j])
		} else {
			VPSLLVD(shift, bits, signs[j])
		}
	}
	return signs
}

// gather adds the listed rows in the lanes of a line.
func (a avx2) gather(k *kernel, l line) pair {
	sums := newPair()
	for _, sum := range sums {
		VXORPD(sum, sum, sum)
	}
	masks := k.field("listMask")
	ADDQ(l.byte, masks)
	k.eachRow(l.rows, masks, func(row, mask Mem) {
		for j, signs := range a.signs(k, l, mask) {
			number := YMM()
			row.Disp = 32 * j
			if k.size == 8 {
				VMASKMOVPD(row, signs, number)
				VADDPD(number, sums[j], sums[j])
			} else {
				VMASKMOVPS(row, signs, number)
				VADDPS(number, sums[j], sums[j])
			}
		}
	})
	return sums
}

func (a avx2) reach(k *kernel, e entry) {
	a.eachLine(k, e, func(l line) {
		sums := a.gather(k, l)
		a.multiply(k, e, sums)
		a.store(k, e, l, sums)
		weight := YMM()
		VBROADCASTSD(k.of("weight", e.vertex), weight)
		for j, signs := range a.wide(k, l) {
			zero, reached, sum := YMM(), k.lineOf("reached", l, 4*j), YMM()
			VXORPD(zero, zero, zero)
			VBLENDVPD(signs, weight, zero, sum)
			VADDPD(reached, sum, sum)
			VMOVUPD(sum, reached)
		}
	})
}

// wide is the signs of a line for float64, four lanes at a time.
func (avx2) wide(k *kernel, l line) []reg.VecVirtual {
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

// lineOf is the address of an array of the frame, by lane, from a lane of the
// line on.
func (k *kernel) lineOf(name string, l line, lane int) Mem {
	at, bytes := k.lane(name, lane), GP64()
	MOVQ(l.byte, bytes)
	SHLQ(Imm(6), bytes)
	at.Index, at.Scale = bytes, 1
	return at
}

func (a avx2) depend(k *kernel, e entry) {
	score := newPair()
	VXORPD(score[0], score[0], score[0])
	VXORPD(score[1], score[1], score[1])
	a.eachLine(k, e, func(l line) {
		sums := a.gather(k, l)
		row := k.row(l.rows, e.vertex)
		for j, sum := range sums {
			row.Disp = 32 * j
			s, d, ratio := YMM(), YMM(), YMM()
			if k.size == 8 {
				VMASKMOVPD(row, l.signs[j], s)
				VMULPD(sum, s, d)
				a.account(k, l, 4*j, d, score[j])
				VBROADCASTSD(k.of("weight", e.vertex), ratio)
				VDIVPD(s, ratio, ratio)
				VADDPD(ratio, sum, sum)
			} else {
				VMASKMOVPS(row, l.signs[j], s)
				VMULPS(sum, s, d)
				half, wide := XMM(), YMM()
				VCVTPS2PD(d.AsX(), wide)
				a.account(k, l, 8*j, wide, score[0])
				VEXTRACTF128(Imm(1), d, half)
				wide = YMM()
				VCVTPS2PD(half, wide)
				a.account(k, l, 8*j+4, wide, score[1])
				VXORPS(ratio.AsX(), ratio.AsX(), ratio.AsX())
				VCVTSD2SS(k.of("weight", e.vertex), ratio.AsX(), ratio.AsX())
				VBROADCASTSS(ratio.AsX(), ratio)
				VDIVPS(s, ratio, ratio)
				VADDPS(ratio, sum, sum)
			}
		}
		a.multiply(k, e, sums)
		a.store(k, e, l, sums)
	})
	VADDPD(score[1], score[0], score[0])
	total := addFour(score[0])
	k.ifMultiple("once", func(multiplicities reg.GPVirtual) {
		VDIVSD(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, total, total)
	})
	k.addScore(e, total)
}

// account is that of avx512, four lanes at a time.
func (avx2) account(k *kernel, l line, lane int, d, score reg.VecVirtual) {
	sum, got := YMM(), k.lineOf("got", l, lane)
	VADDPD(got, d, sum)
	VMOVUPD(sum, got)
	VMULPD(k.lineOf("source", l, lane), d, d)
	VADDPD(d, score, score)
}

// multiply multiplies the sums by the vertex's multiplicity.
func (avx2) multiply(k *kernel, e entry, sums pair) {
	k.ifMultiple("single", func(multiplicities reg.GPVirtual) {
		at, mu := Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, YMM()
		if k.size == 8 {
			VBROADCASTSD(at, mu)
		} else {
			VXORPS(mu.AsX(), mu.AsX(), mu.AsX())
			VCVTSD2SS(at, mu.AsX(), mu.AsX())
			VBROADCASTSS(mu.AsX(), mu)
		}
		for _, sum := range sums {
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
func (avx2) store(k *kernel, e entry, l line, sums pair) {
	row := k.row(l.rows, e.vertex)
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
