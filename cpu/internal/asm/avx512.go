package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has a line in one register and loads its part of a lane mask, a byte or
// a word, directly into a mask register. An avx512 kernel reads the listed rows once, whole.
// For an entry with lanes in few lines, it reads them line by line, and skips the
// other lines. The limit of few was measured. It is higher if rows are prefetched. Rows of
// float32 have four lines at most and are always read whole.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

// lanes returns the lanes of most batches: kernels that read whole rows have a register for each line.
func (avx512) lanes() int { return 64 }

// gather adds the listed rows and runs body with the sums by line. body runs once with all
// lines, or for each line in which the entry has lanes.
func (a avx512) gather(k *kernel, e entry, body func(lines []place, sums []reg.VecVirtual)) {
	lines := k.lanes / k.lineLanes()
	few := lines / 4
	if k.pieces {
		few = lines / 2
	}
	if few > 0 && k.size == 8 {
		some, count := k.lines(e), GP64()
		POPCNTQ(some, count)
		CMPQ(count, Imm(uint64(few)))
		JGT(LabelRef("whole"))
		k.lookAt = 1
		k.eachLine(some, func(l line) {
			sums := newSums(1)
			k.sumOf(l, &adder512{kernel: k, sums: sums})
			body([]place{k.placeOf(e, l)}, sums)
		})
		JMP(LabelRef("done"))
		Label("whole")
	}
	sums := newSums(lines)
	k.lookAt = lines
	k.sum(k.rows, k.listed("listMask", 8), &adder512{kernel: k, sums: sums})
	body(k.wholeRow(e), sums)
	Label("done")
}

func newSums(count int) (sums []reg.VecVirtual) {
	for range count {
		sums = append(sums, ZMM())
	}
	zero512(sums)
	return sums
}

func zero512(sums []reg.VecVirtual) {
	for _, sum := range sums {
		VPXORQ(sum, sum, sum)
	}
}

// adder512 adds lines of rows. A sum of float32 has two totals, of
// float64.
type adder512 struct {
	*kernel
	sums, totals []reg.VecVirtual
}

func (a *adder512) add(row, mask Mem) {
	for j, sum := range a.sums {
		row.Disp, mask.Disp = 64*j, 64/a.size/8*j
		lanes := avx512{}.load(a.kernel, mask)
		if a.size == 8 {
			VADDPD(row, sum, lanes, sum)
		} else {
			VADDPS(row, sum, lanes, sum)
		}
	}
}

func (a *adder512) clearTotals() { a.totals = newSums(2 * len(a.sums)) }

func (a *adder512) carry() {
	for j, sum := range a.sums {
		low, half, high := ZMM(), YMM(), ZMM()
		VCVTPS2PD(sum.AsY(), low)
		VADDPD(low, a.totals[2*j], a.totals[2*j])
		VEXTRACTF32X8(Imm(1), sum, half)
		VCVTPS2PD(half, high)
		VADDPD(high, a.totals[2*j+1], a.totals[2*j+1])
	}
	zero512(a.sums)
}

func (a *adder512) round() {
	for j, sum := range a.sums {
		high := YMM()
		VCVTPD2PS(a.totals[2*j+1], high)
		VCVTPD2PS(a.totals[2*j], sum.AsY())
		VINSERTF32X8(Imm(1), high, sum, sum)
	}
}

// load loads the part of a lane mask that belongs to a line.
func (avx512) load(k *kernel, mask Mem) reg.OpmaskVirtual {
	lanes := K()
	if k.size == 8 {
		KMOVB(mask, lanes)
	} else {
		KMOVW(mask, lanes)
	}
	return lanes
}

func (a avx512) reach(k *kernel, e entry) {
	a.gather(k, e, func(lines []place, sums []reg.VecVirtual) {
		k.multiply(e, ZMM, sums...)
		a.store(k, lines, sums)
		weight := ZMM()
		VBROADCASTSD(k.of("weight", e.vertex), weight)
		for _, l := range lines {
			for lane := 0; lane < k.lineLanes(); lane += 8 {
				lanes, sum, reached, mask := K(), ZMM(), l.inArray(k, "reached", lane), l.mask
				mask.Disp += lane / 8
				KMOVB(mask, lanes)
				VMOVUPD(reached, sum)
				VADDPD(weight, sum, lanes, sum)
				VMOVUPD(sum, reached)
			}
		}
	})
}

func (a avx512) depend(k *kernel, e entry) {
	all := k.sums(func() []reg.VecVirtual { return newSums(1) })
	a.gather(k, e, func(lines []place, sums []reg.VecVirtual) {
		weight := k.broadcast(k.of("weight", e.vertex), ZMM())
		k.ifDrawn(func() {
			for j, sum := range sums {
				a.settle(k, lines[j], sum, func(d reg.VecVirtual) reg.VecVirtual { return a.accountDraws(k, lines[j], weight, d, all) }, all)
			}
		}, func() {
			for j, sum := range sums {
				a.settle(k, lines[j], sum, func(reg.VecVirtual) reg.VecVirtual { return a.shared(k, lines[j], weight) }, all)
			}
		})
		k.multiply(e, ZMM, sums...)
		a.store(k, lines, sums)
	})
	k.addSums(e, all, func(parts []reg.VecVirtual) reg.VecVirtual {
		half := YMM()
		VEXTRACTF64X4(Imm(1), parts[0], half)
		VADDPD(half, parts[0].AsY(), half)
		return addFour(half)
	})
}

// settle computes dependencies from the sums of a line. massOf returns the mass that the vertex counts as a target, and
// may change D.
func (a avx512) settle(k *kernel, l place, sum reg.VecVirtual, massOf func(d reg.VecVirtual) reg.VecVirtual, all []sum8) {
	lanes, s, d := a.load(k, l.mask), ZMM(), ZMM()
	if k.size == 8 {
		if k.entries {
			VPMOVZXWD(k.countsOf(l), s.AsY())
			VCVTDQ2PD(s.AsY(), s)
		} else {
			VMOVUPD_Z(l.row, lanes, s)
		}
		VMULPD(sum, s, d)
		mass := massOf(d)
		a.account(k, l, 0, d, all)
		VDIVPD_Z(s, mass, lanes, s)
		VADDPD(s, sum, sum)
		return
	}
	VMOVUPS_Z(l.row, lanes, s)
	VMULPS(sum, s, d)
	half, wide := YMM(), ZMM()
	VCVTPS2PD(d.AsY(), wide)
	a.account(k, l, 0, wide, all)
	VEXTRACTF32X8(Imm(1), d, half)
	wide = ZMM()
	VCVTPS2PD(half, wide)
	a.account(k, l, 8, wide, all)
	VDIVPS_Z(s, massOf(d), lanes, s)
	VADDPS(s, sum, sum)
}

// account adds dependencies of eight lanes to got, and, times the
// masses of the sources, to the sums.
func (avx512) account(k *kernel, l place, lane int, d reg.VecVirtual, all []sum8) {
	sum, got := ZMM(), l.inArray(k, "got", lane)
	VADDPD(got, d, sum)
	VMOVUPD(sum, got)
	VMULPD(l.inArray(k, "source", lane), d, sum)
	VADDPD(sum, all[0].partial[0], all[0].partial[0])
}

// accountDraws computes D from the sum of the rows, adds to the sums of draws, and returns the vertex's mass as a target.
func (avx512) accountDraws(k *kernel, l place, weight, d reg.VecVirtual, all []sum8) reg.VecVirtual {
	drawn := ZMM()
	VMULPD(l.inArray(k, "stretch", 0), d, d)
	VMULPD(l.inArray(k, "draws", 0), d, drawn)
	VADDPD(drawn, all[1].partial[0], all[1].partial[0])
	VMULPD(d, drawn, drawn)
	VADDPD(drawn, all[2].partial[0], all[2].partial[0])
	return share(k, l, weight)
}

// shared returns the vertex's mass as a target of a block without Draws. Kernels by entry serve blocks with Decay, too.
func (avx512) shared(k *kernel, l place, weight reg.VecVirtual) reg.VecVirtual {
	if !k.entries {
		return weight
	}
	return share(k, l, weight)
}

// share multiplies the vertex's mass by the shares of a line.
func share(k *kernel, l place, weight reg.VecVirtual) reg.VecVirtual {
	mass := ZMM()
	VMULPD(l.inArray(k, "share", 0), weight, mass)
	return mass
}

// store writes the sums in the lanes of the mask.
func (a avx512) store(k *kernel, lines []place, sums []reg.VecVirtual) {
	for j, l := range lines {
		lanes := a.load(k, l.mask)
		if k.size == 8 {
			VMOVUPD(sums[j], lanes, l.row)
		} else {
			VMOVUPS(sums[j], lanes, l.row)
		}
	}
}

// addFour returns (v[0]+v[2]) + (v[1]+v[3]), the order of scoreSum.
func addFour(v reg.VecVirtual) reg.VecVirtual {
	high, sum := XMM(), XMM()
	VEXTRACTF128(Imm(1), v, high)
	VADDPD(high, v.AsX(), high)
	VUNPCKHPD(high, high, sum)
	VADDSD(sum, high, sum)
	return sum
}
