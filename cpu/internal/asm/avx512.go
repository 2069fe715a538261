package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 keeps a row's sums in up to eight registers and takes lane masks, byte
// by byte or word by word, straight into mask registers.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

func (avx512) data() {}

func (avx512) gather(k *kernel) (sums []reg.VecVirtual) {
	for range k.lanes * k.size / 64 {
		sum := ZMM()
		VPXORQ(sum, sum, sum)
		sums = append(sums, sum)
	}
	k.eachRow(k.rows, k.field("listMask"), func(row, mask Mem) {
		for j, sum := range sums {
			row.Disp = 64 * j
			lanes := k.maskOf(mask, j)
			if k.size == 8 {
				VADDPD(row, sum, lanes, sum)
			} else {
				VADDPS(row, sum, lanes, sum)
			}
		}
	})
	return sums
}

// maskOf loads the part of a lane mask that belongs to register j of a row.
func (k *kernel) maskOf(mask Mem, j int) reg.OpmaskVirtual {
	lanes := K()
	if k.size == 8 {
		mask.Disp = j
		KMOVB(mask, lanes)
	} else {
		mask.Disp = 2 * j
		KMOVW(mask, lanes)
	}
	return lanes
}

func (a avx512) reach(k *kernel, e entry) {
	sums := a.gather(k)
	k.ifMultiple("simple", func(multiplicities reg.GPVirtual) {
		mu := k.broadcast(Mem{Base: multiplicities, Index: e.vertex, Scale: 8})
		for _, sum := range sums {
			k.multiply(mu, sum)
		}
	})
	row, mask := k.row(k.rows, e.vertex), k.mask(e)
	for j, sum := range sums {
		row.Disp = 64 * j
		if k.size == 8 {
			VMOVUPD(sum, k.maskOf(mask, j), row)
		} else {
			VMOVUPS(sum, k.maskOf(mask, j), row)
		}
	}
	weight := ZMM()
	VBROADCASTSD(k.of("weight", e.vertex), weight)
	for lane := 0; lane < k.lanes; lane += 8 {
		lanes, reached := K(), ZMM()
		mask.Disp = lane / 8
		KMOVB(mask, lanes)
		VMOVUPD(k.lane("reached", lane), reached)
		VADDPD(weight, reached, lanes, reached)
		VMOVUPD(reached, k.lane("reached", lane))
	}
}

func (a avx512) depend(k *kernel, e entry) {
	sums := a.gather(k)
	score := ZMM()
	VPXORQ(score, score, score)
	weight, row, mask := k.broadcast(k.of("weight", e.vertex)), k.row(k.rows, e.vertex), k.mask(e)
	for j, sum := range sums {
		lanes := k.maskOf(mask, j)
		row.Disp = 64 * j
		s, d := ZMM(), ZMM()
		if k.size == 8 {
			VMOVUPD_Z(row, lanes, s)
			VMULPD(sum, s, d)
			k.account(8*j, d, score)
			VDIVPD_Z(s, weight, lanes, s)
			VADDPD(s, sum, sum)
		} else {
			VMOVUPS_Z(row, lanes, s)
			VMULPS(sum, s, d)
			half, wide := YMM(), ZMM()
			VCVTPS2PD(d.AsY(), wide)
			k.account(16*j, wide, score)
			VEXTRACTF32X8(Imm(1), d, half)
			wide = ZMM()
			VCVTPS2PD(half, wide)
			k.account(16*j+8, wide, score)
			VDIVPS_Z(s, weight, lanes, s)
			VADDPS(s, sum, sum)
		}
	}
	half := YMM()
	VEXTRACTF64X4(Imm(1), score, half)
	VADDPD(half, score.AsY(), half)
	total := addFour(half)
	k.ifMultiple("simple", func(multiplicities reg.GPVirtual) {
		at := Mem{Base: multiplicities, Index: e.vertex, Scale: 8}
		mu := k.broadcast(at)
		for _, sum := range sums {
			k.multiply(mu, sum)
		}
		VDIVSD(at, total, total)
	})
	for j, sum := range sums {
		lanes := k.maskOf(mask, j)
		row.Disp = 64 * j
		if k.size == 8 {
			VMOVUPD(sum, lanes, row)
		} else {
			VMOVUPS(sum, lanes, row)
		}
	}
	k.addScore(e, total)
}

// account adds dependencies of eight lanes to got, and to score with the
// weight of the sources.
func (k *kernel) account(lane int, d, score reg.VecVirtual) {
	got, weighted := ZMM(), ZMM()
	VADDPD(k.lane("got", lane), d, got)
	VMOVUPD(got, k.lane("got", lane))
	VMULPD(k.lane("source", lane), d, weighted)
	VADDPD(weighted, score, score)
}

// broadcast fills a register with one float64 of memory, in the row's type.
func (k *kernel) broadcast(at Mem) reg.VecVirtual {
	v := ZMM()
	if k.size == 8 {
		VBROADCASTSD(at, v)
		return v
	}
	one := XMM()
	VXORPS(one, one, one)
	VCVTSD2SS(at, one, one)
	VBROADCASTSS(one, v)
	return v
}

func (k *kernel) multiply(by, v reg.VecVirtual) {
	if k.size == 8 {
		VMULPD(by, v, v)
	} else {
		VMULPS(by, v, v)
	}
}

// addFour gives (v[0]+v[2]) + (v[1]+v[3]), the order of scoreSum.
func addFour(v reg.VecVirtual) reg.VecVirtual {
	high, sum := XMM(), XMM()
	VEXTRACTF128(Imm(1), v, high)
	VADDPD(high, v.AsX(), high)
	VUNPCKHPD(high, high, sum)
	VADDSD(sum, high, sum)
	return sum
}

func (k *kernel) addScore(e entry, total reg.VecVirtual) {
	score := k.of("scores", e.vertex)
	VADDSD(score, total, total)
	VMOVSD(total, score)
}
