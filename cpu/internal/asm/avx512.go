package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has a line in one register and loads its part of a lane mask, a byte or
// a word, directly into a mask register. An avx512 kernel reads the listed rows once, whole.
// For an entry with lanes in few lines, it reads them line by line, and skips the
// other lines. The limit of few was measured. Rows of float32 have four lines at most and are always read whole.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

// lanes returns the lanes of most batches: kernels that read whole rows have a register for each line.
func (avx512) lanes() int { return 64 }

// eachLine adds the listed rows and runs body for the lines in which the entry has lanes, with their sums. Sums of whole
// rows are in the frame meanwhile. The code for one line serves all: a loop costs less than the divisions in it.
func (a avx512) eachLine(k *kernel, e entry, body func(l place, sum, weight reg.VecVirtual)) {
	const few = 4 // rows are prefetched
	lines, count, whole := k.lines(e), GP64(), AllocLocal(8)
	POPCNTQ(lines, count)
	MOVQ(count, whole)
	CMPQ(count, Imm(few))
	JLE(LabelRef("eachLine"))
	sums := newSums(k.lanes / k.lineLanes())
	k.lookAt = len(sums)
	k.sum(Load(Param("rows").Base(), GP64()).(reg.GPVirtual), k.field("listMask"), &adder512{kernel: k, sums: sums})
	for j, sum := range sums {
		VMOVUPD(sum, k.lane("lineSums", 8*j))
	}
	Label("eachLine")
	l, again, end := line{GP64(), GP64()}, k.label("line"), k.label("linesEnd")
	p, sum, weight := k.newPlace(l), newSums(1), k.broadcast(k.of("weight", e.vertex), ZMM())
	k.findRow(e, p)
	TESTQ(lines, lines)
	JZ(LabelRef(end))
	Label(again)
	TZCNTQ(lines, l.byte)
	BLSRQ(lines, lines)
	MOVQ(l.byte, p.offset)
	SHLQ(Imm(4), p.offset)
	CMPQ(whole, Imm(few))
	JG(LabelRef("added"))
	k.rowsOf(l)
	k.lookAt = 1
	zero512(sum)
	k.sumOf(l, &adder512{kernel: k, sums: sum})
	JMP(LabelRef("settle"))
	Label("added")
	VMOVUPD(p.inArray(k, "lineSums", 0), sum[0])
	Label("settle")
	body(p, sum[0], weight)
	TESTQ(lines, lines)
	JNZ(LabelRef(again))
	Label(end)
}

// gather adds the listed rows and runs body with the sums by line. body runs once with all
// lines, or for each line in which the entry has lanes.
func (a avx512) gather(k *kernel, e entry, body func(lines []place, sums []reg.VecVirtual)) {
	lines := k.lanes / k.lineLanes()
	if few := lines / 4; few > 0 && k.size == 8 {
		some, count := k.lines(e), GP64()
		POPCNTQ(some, count)
		CMPQ(count, Imm(uint64(few)))
		JGT(LabelRef("whole"))
		k.eachLine(some, func(l line) {
			sums := newSums(1)
			k.sumOf(l, &adder512{kernel: k, sums: sums})
			body([]place{k.placeOf(e, l)}, sums)
		})
		JMP(LabelRef("done"))
		Label("whole")
	}
	sums := newSums(lines)
	k.sum(k.rows, k.field("listMask"), &adder512{kernel: k, sums: sums})
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
		for j, l := range lines {
			a.store(k, l, sums[j])
		}
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
	if k.pieces {
		a.eachLine(k, e, func(l place, sum, weight reg.VecVirtual) {
			a.settle(k, l, sum, weight, all)
			k.multiply(e, ZMM, sum)
			a.store(k, l, sum)
		})
	} else {
		a.gather(k, e, func(lines []place, sums []reg.VecVirtual) {
			weight := k.broadcast(k.of("weight", e.vertex), ZMM())
			for j, sum := range sums {
				a.settle(k, lines[j], sum, weight, all)
			}
			k.multiply(e, ZMM, sums...)
			for j, sum := range sums {
				a.store(k, lines[j], sum)
			}
		})
	}
	k.addSums(e, all, func(parts []reg.VecVirtual) reg.VecVirtual {
		half := YMM()
		VEXTRACTF64X4(Imm(1), parts[0], half)
		VADDPD(half, parts[0].AsY(), half)
		return addFour(half)
	})
}

// settle computes dependencies from the sums of a line.
func (a avx512) settle(k *kernel, l place, sum, weight reg.VecVirtual, all []sum8) {
	lanes, s, d, mass := a.load(k, l.mask), ZMM(), ZMM(), weight
	if k.size == 4 {
		VMOVUPS_Z(l.row, lanes, s)
		VMULPS(sum, s, d)
		half, wide := YMM(), ZMM()
		VCVTPS2PD(d.AsY(), wide)
		a.account(k, l, 0, wide, all)
		VEXTRACTF32X8(Imm(1), d, half)
		wide = ZMM()
		VCVTPS2PD(half, wide)
		a.account(k, l, 8, wide, all)
		VDIVPS_Z(s, mass, lanes, s)
		VADDPS(s, sum, sum)
		return
	}
	byVertex := func() { VMOVUPD_Z(l.row, lanes, s) }
	if k.pieces {
		k.either("counts", func() {
			k.findCounts(l)
			VPMOVZXWD(l.counts, s.AsY())
			VCVTDQ2PD(s.AsY(), s)
		}, byVertex)
	} else {
		byVertex()
	}
	VMULPD(sum, s, d)
	if k.drawn {
		mass = ZMM()
		VMULPD(l.inArray(k, "share", 0), weight, mass)
		k.either("drawn", func() {
			drawn := ZMM()
			VMULPD(l.inArray(k, "stretch", 0), d, d)
			VMULPD(l.inArray(k, "draws", 0), d, drawn)
			VADDPD(drawn, all[1].partial[0], all[1].partial[0])
			VMULPD(d, drawn, drawn)
			VADDPD(drawn, all[2].partial[0], all[2].partial[0])
		}, nil)
	}
	a.account(k, l, 0, d, all)
	VDIVPD_Z(s, mass, lanes, s)
	VFMADD132PD_BCST(address(k.frame.Field("hop").Index(0)), s, sum)
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

// store writes the sums of a line in the lanes of the mask.
func (a avx512) store(k *kernel, l place, sum reg.VecVirtual) {
	lanes := a.load(k, l.mask)
	if k.size == 8 {
		VMOVUPD(sum, lanes, l.row)
	} else {
		VMOVUPS(sum, lanes, l.row)
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
