package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has all path counts of a row in one register, and a mask register says in
// which lanes something is so.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

func (avx512) scratch(int) Mem { return Mem{} }

// Conditions of comparisons.
const (
	equal     = 0
	lessEqual = 2
	notEqual  = 4
	notLess   = 5
	greater   = 6
)

func (avx512) registers(k *kernel) int { return lanes * k.size / 64 }

// compare gives the lanes in which x is so to y.
func (a avx512) compare(k *kernel, condition uint64, x, y []reg.VecVirtual) reg.OpmaskVirtual {
	lanes := K()
	if k.size == 2 {
		VPCMPW(Imm(condition), y[0], x[0], lanes)
		return lanes
	}
	low := K()
	VPCMPD(Imm(condition), y[0], x[0], low)
	VPCMPD(Imm(condition), y[1], x[1], lanes)
	KUNPCKWD(low, lanes, lanes)
	return lanes
}

func (a avx512) within(k *kernel) {
	limit, far := ZMM(), k.farOf(ZMM())
	broadcast(k.size, k.at("limit"), limit)
	k.near, k.sums = nil, nil
	for i := range a.registers(k) {
		d, beyond := ZMM(), K()
		if k.size == 2 {
			VMOVDQU16(part(k.row, i, 64), d)
			VPCMPW(Imm(greater), limit, d, beyond)
			VMOVDQU16(far, beyond, d)
			VMOVDQU16(d, part(k.row, i, 64))
		} else {
			VMOVDQU32(part(k.row, i, 64), d)
			VPCMPD(Imm(greater), limit, d, beyond)
			VMOVDQU32(far, beyond, d)
			VMOVDQU32(d, part(k.row, i, 64))
		}
		k.near = append(k.near, d)
	}
	fars := []reg.VecVirtual{far, far}
	k.reached = a.compare(k, notEqual, k.near, fars)
}

func (a avx512) finish(k *kernel) {
	counts, full, lanes, ones := ZMM(), K(), GP32(), ZMM()
	VMOVDQU16(k.counts, counts)
	VPTERNLOGD(Imm(0xff), ones, ones, ones)
	VPCMPEQW(ones, counts, k.reached.(reg.OpmaskVirtual), full)
	KMOVD(full, lanes)
	ORL(lanes, k.at("full"))
	for i := range 4 {
		s := ZMM()
		VPMOVZXWD(part(k.counts, i, 16), s.AsY())
		VCVTDQ2PD(s.AsY(), s)
		VMOVUPD(s, part(k.s, i, 64))
	}
	k.sums = []reg.VecVirtual{counts}
}

// line is the part of a mask for eight lanes.
func line(mask reg.OpmaskVirtual, i int) reg.OpmaskVirtual {
	if i == 0 {
		return mask
	}
	lanes := K()
	KSHIFTRD(Imm(uint64(8*i)), mask, lanes)
	return lanes
}

func (a avx512) finishMany(k *kernel) {
	k.sums = nil
	for i := range 4 {
		s := ZMM()
		VMOVUPD(part(k.s, i, 64), s)
		k.sums = append(k.sums, s)
	}
	k.ifMultiple("single", func(at Mem) {
		mu, others := ZMM(), K()
		VBROADCASTSD(at, mu)
		KMOVD(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, others)
		KNOTD(others, others)
		for i, s := range k.sums {
			VMULPD(mu, s, line(others, i), s)
			VMOVUPD(s, part(k.s, i, 64))
		}
	})
	for i, s := range k.sums {
		most := ZMM()
		VMOVUPD(k.inArray("most", 8*i), most)
		VMAXPD(s, most, line(k.reached.(reg.OpmaskVirtual), i), most)
		VMOVUPD(most, k.inArray("most", 8*i))
	}
}

func (a avx512) offer(k *kernel, other, length Mem) (keep, take any) {
	long := ZMM()
	broadcast(k.size, length, long)
	var offers, olds []reg.VecVirtual
	for i, d := range k.near {
		offer, old := ZMM(), ZMM()
		add(k.size, d, long, offer)
		if k.size == 2 {
			VMOVDQU16(part(other, i, 64), old)
		} else {
			VMOVDQU32(part(other, i, 64), old)
		}
		offers, olds = append(offers, offer), append(olds, old)
	}
	if k.sums != nil { // path counts are wanted
		keep, take = a.compare(k, notLess, offers, olds), a.compare(k, lessEqual, offers, olds)
	}
	for i, offer := range offers {
		if k.size == 2 {
			VPMINSW(offer, olds[i], offer)
			VMOVDQU16(offer, part(other, i, 64))
		} else {
			VPMINSD(offer, olds[i], offer)
			VMOVDQU32(offer, part(other, i, 64))
		}
	}
	return keep, take
}

func (avx512) count(k *kernel, theirs Mem, keep, take any) {
	sum := ZMM()
	VMOVDQU16_Z(theirs, keep.(reg.OpmaskVirtual), sum)
	VPADDUSW(k.sums[0], sum, take.(reg.OpmaskVirtual), sum)
	VMOVDQU16(sum, theirs)
}

func (avx512) countMany(k *kernel, theirs Mem, keep, take any) {
	for i, s := range k.sums {
		sum := ZMM()
		VMOVUPD_Z(part(theirs, i, 64), line(keep.(reg.OpmaskVirtual), i), sum)
		VADDPD(s, sum, line(take.(reg.OpmaskVirtual), i), sum)
		VMOVUPD(sum, part(theirs, i, 64))
	}
}

func (a avx512) begin(k *kernel) {
	k.near, k.sums, k.sent = nil, nil, nil
	for i := range a.registers(k) {
		d := ZMM()
		VMOVDQU32(part(k.row, i, 64), d)
		k.near = append(k.near, d)
	}
	for i := range 4 {
		sum := ZMM()
		VPXORQ(sum, sum, sum)
		k.sums = append(k.sums, sum)
		if k.flows {
			sent := ZMM()
			VMOVUPD(part(k.s, i, 64), sent)
			VMULPD(k.inArray("source", 8*i), sent, sent)
			k.sent = append(k.sent, sent)
		}
	}
}

func (a avx512) add(k *kernel, other, c, length Mem) {
	long := ZMM()
	broadcast(k.size, length, long)
	var offers, theirs []reg.VecVirtual
	for i, d := range k.near {
		offer, their := ZMM(), ZMM()
		add(k.size, d, long, offer)
		VMOVDQU32(part(other, i, 64), their)
		offers, theirs = append(offers, offer), append(theirs, their)
	}
	tight := a.compare(k, equal, offers, theirs)
	if !k.flows {
		for i, sum := range k.sums {
			VADDPD(part(c, i, 64), sum, line(tight, i), sum)
		}
		return
	}
	parts := ZMM()
	VPXORQ(parts, parts, parts)
	for i, sum := range k.sums {
		number, lanes := ZMM(), line(tight, i)
		VMOVUPD_Z(part(c, i, 64), lanes, number)
		VADDPD(number, sum, lanes, sum)
		VMULPD(k.sent[i], number, number)
		VADDPD(number, parts, lanes, parts)
	}
	k.addFlow(fold(parts), length)
}

// fold adds the halves.
func fold(v reg.VecVirtual) reg.VecVirtual {
	half := YMM()
	VEXTRACTF64X4(Imm(1), v, half)
	VADDPD(half, v.AsY(), half)
	return half
}

func (a avx512) end(k *kernel) {
	far, begin, begins := k.farOf(ZMM()), GP32(), K()
	reached, others := a.compare(k, notEqual, k.near, []reg.VecVirtual{far, far}), K()
	MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, begin)
	KMOVD(begin, begins)
	KANDND(reached, begins, others)
	weight, score := ZMM(), ZMM()
	VBROADCASTSD(Mem{Base: k.base("weight"), Index: k.x, Scale: 8}, weight)
	VPXORQ(score, score, score)
	TESTL(begin, begin)
	JZ(LabelRef("between"))
	for i, sum := range k.sums {
		d := ZMM()
		VMULPD(part(k.s, i, 64), sum, d)
		VMOVUPD(d, line(begins, i), k.inArray("own", 8*i))
	}
	Label("between")
	accumulate := func(name string, i int, number reg.VecVirtual, lanes reg.OpmaskVirtual) {
		sum := ZMM()
		VMOVUPD(k.inArray(name, 8*i), sum)
		VADDPD(number, sum, lanes, sum)
		VMOVUPD(sum, k.inArray(name, 8*i))
	}
	for i, sum := range k.sums {
		s, d, lanes := ZMM(), ZMM(), line(others, i)
		VMOVUPD(part(k.s, i, 64), s)
		VMULPD(s, sum, d)
		away := ZMM()
		if k.size == 2 {
			VPMOVSXWD(part(k.row, i, 16), away.AsY())
			VCVTDQ2PD(away.AsY(), away)
		} else {
			VCVTDQ2PD(part(k.row, i, 32), away)
		}
		VMULPD(weight, away, away)
		accumulate("reached", i, weight, lanes)
		accumulate("away", i, away, lanes)
		accumulate("got", i, d, lanes)
		VMULPD(k.inArray("source", 8*i), d, d)
		VADDPD(d, score, lanes, score)
		all := line(reached, i)
		VDIVPD_Z(s, weight, all, s)
		VADDPD_Z(s, sum, all, sum)
	}
	k.ifMultiple("single", func(at Mem) {
		mu := ZMM()
		VBROADCASTSD(at, mu)
		for _, sum := range k.sums {
			VMULPD(mu, sum, sum)
		}
	})
	for i, sum := range k.sums {
		VMOVUPD(sum, part(k.s, i, 64))
	}
	k.addScore(fold(score))
}
