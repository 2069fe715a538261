package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has a line in one register and takes its part of a lane mask, a byte or
// a word, straight into a mask register. An avx512 kernel reads the listed rows once, whole, and leaves
// their sums in memory, by line; for an entry with lanes in few lines it reads them line by line. Lines without
// lanes are left out. Where few begins was measured; rows of float32 have four lines at most
// and are always read whole, and rows that are far always line by line.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

// lanes are those of most batches: kernels that read whole rows have a register for each of their lines.
func (avx512) lanes() int { return 64 }

// gather adds the listed rows and runs body with the sums of each line in which the entry has lanes.
func (a avx512) gather(k *kernel, e entry, body func(l place, sum reg.VecVirtual)) {
	some, byLine, lines := k.lines(e), k.label("byLine"), Mem{}
	if !k.pieces {
		if k.size == 8 {
			count := GP64()
			lines = AllocLocal(8) // how many
			POPCNTQ(some, count)
			MOVQ(count, lines)
			CMPQ(count, Imm(fewLines))
			JLE(LabelRef(byLine))
		}
		sums := newSums(k.lanes / k.lineLanes())
		k.sum(k.rows, k.field("listMask"), &adder512{kernel: k, sums: sums})
		for j, sum := range sums {
			VMOVUPD(sum, k.lane("lineSums", j*k.lineLanes()))
		}
		if k.size == 8 {
			Label(byLine)
		}
	}
	k.eachLine(some, func(l line) {
		sums := []reg.VecVirtual{ZMM()}
		load := func() {
			p := place{offset: GP64()}
			MOVQ(l.byte, p.offset)
			SHLQ(Imm(6), p.offset)
			VMOVUPD(p.inArray(k, "lineSums", 0), sums[0])
		}
		add := func() {
			zero512(sums)
			k.lookAt = 1
			k.sumOf(l, &adder512{kernel: k, sums: sums})
		}
		switch {
		case k.pieces:
			add()
		case k.size == 4:
			load()
		default:
			whole, added := k.label("whole"), k.label("added")
			CMPQ(lines, Imm(fewLines))
			JG(LabelRef(whole))
			add()
			JMP(LabelRef(added))
			Label(whole)
			load()
			Label(added)
		}
		body(k.placeOf(e, l), sums[0])
	})
}

// fewLines are read one after the other.
const fewLines = 2

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

// adder512 adds lines of rows. There are two totals, of float64, to a sum of
// float32.
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
	weight := ZMM()
	VBROADCASTSD(k.of("weight", e.vertex), weight)
	a.gather(k, e, func(l place, sum reg.VecVirtual) {
		k.multiply(e, ZMM, sum)
		a.store(k, l, sum)
		for lane := 0; lane < k.lineLanes(); lane += 8 {
			lanes, sum, reached, mask := K(), ZMM(), l.inArray(k, "reached", lane), l.mask
			mask.Disp += lane / 8
			KMOVB(mask, lanes)
			VMOVUPD(reached, sum)
			VADDPD(weight, sum, lanes, sum)
			VMOVUPD(sum, reached)
		}
	})
}

func (a avx512) depend(k *kernel, e entry) {
	all := k.sums(func() []reg.VecVirtual { return newSums(1) })
	weight := k.broadcast(k.of("weight", e.vertex), ZMM())
	a.gather(k, e, func(l place, sum reg.VecVirtual) {
		lanes, s, d := a.load(k, l.mask), ZMM(), ZMM()
		if k.size == 8 {
			if k.entries {
				VPMOVZXWD(avx2{}.paths(k, l), s.AsY())
				VCVTDQ2PD(s.AsY(), s)
			} else {
				VMOVUPD_Z(l.row, lanes, s)
			}
			VMULPD(sum, s, d)
			k.ifDrawn(func() {
				drawn, shared := ZMM(), ZMM()
				VMULPD(l.inArray(k, "stretch", 0), d, d)
				VMULPD(l.inArray(k, "draws", 0), d, drawn)
				VADDPD(drawn, all[1].partial[0], all[1].partial[0])
				VMULPD(d, drawn, drawn)
				VADDPD(drawn, all[2].partial[0], all[2].partial[0])
				VMULPD(l.inArray(k, "share", 0), weight, shared)
				VDIVPD_Z(s, shared, lanes, s)
			}, func() { VDIVPD_Z(s, weight, lanes, s) })
			a.account(k, l, 0, d, all)
			VADDPD(s, sum, sum)
		} else {
			VMOVUPS_Z(l.row, lanes, s)
			VMULPS(sum, s, d)
			half, wide := YMM(), ZMM()
			VCVTPS2PD(d.AsY(), wide)
			a.account(k, l, 0, wide, all)
			VEXTRACTF32X8(Imm(1), d, half)
			wide = ZMM()
			VCVTPS2PD(half, wide)
			a.account(k, l, 8, wide, all)
			VDIVPS_Z(s, weight, lanes, s)
			VADDPS(s, sum, sum)
		}
		k.multiply(e, ZMM, sum)
		a.store(k, l, sum)
	})
	k.addSums(e, all, func(parts []reg.VecVirtual) reg.VecVirtual {
		half := YMM()
		VEXTRACTF64X4(Imm(1), parts[0], half)
		VADDPD(half, parts[0].AsY(), half)
		return addFour(half)
	})
}

// account adds dependencies of eight lanes to got, and to the sums with the
// weights of the sources.
func (avx512) account(k *kernel, l place, lane int, d reg.VecVirtual, all []sum8) {
	sum, got := ZMM(), l.inArray(k, "got", lane)
	VADDPD(got, d, sum)
	VMOVUPD(sum, got)
	VMULPD(l.inArray(k, "source", lane), d, sum)
	VADDPD(sum, all[0].partial[0], all[0].partial[0])
}

// store writes the sums in the lanes of the mask.
func (a avx512) store(k *kernel, l place, sum reg.VecVirtual) {
	lanes := a.load(k, l.mask)
	if k.size == 8 {
		VMOVUPD(sum, lanes, l.row)
	} else {
		VMOVUPS(sum, lanes, l.row)
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
