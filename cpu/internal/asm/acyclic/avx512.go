package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has all path counts of a row in one register. A mask register holds an
// answer.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

// Conditions of comparisons.
const (
	equal     = 0
	lessEqual = 2
	notEqual  = 4
	notLess   = 5
	greater   = 6
)

func (avx512) row() []reg.VecVirtual { return registers(2, ZMM) }

func (avx512) answers() []reg.Register {
	return registers(1, func() reg.Register { return K() })
}

func (avx512) load(k *kernel, row Mem, to []reg.VecVirtual) {
	for i, v := range to[:k.size/2] {
		VMOVDQU32(part(row, i, 64), v)
	}
}

// compare returns the lanes in which the condition holds for x and y.
func (avx512) compare(k *kernel, condition uint64, x, y []reg.VecVirtual, lanes reg.Register) {
	if k.size == 2 {
		VPCMPW(Imm(condition), y[0], x[0], lanes)
		return
	}
	low := K()
	VPCMPD(Imm(condition), y[0], x[0], low)
	VPCMPD(Imm(condition), y[1], x[1], lanes)
	KUNPCKWD(low, lanes, lanes)
}

func (a avx512) limit(k *kernel) {
	limit, far, beyond := ZMM(), k.farOf(ZMM()), K()
	k.broadcast(k.at("limit"), limit)
	for i, d := range k.near[:k.size/2] {
		if k.size == 2 {
			VPCMPW(Imm(greater), limit, d, beyond)
			VMOVDQU16(far, beyond, d)
		} else {
			VPCMPD(Imm(greater), limit, d, beyond)
			VMOVDQU32(far, beyond, d)
		}
		VMOVDQU32(d, part(k.row, i, 64))
	}
}

func (a avx512) answerReached(k *kernel, to []reg.Register) {
	far := k.farOf(ZMM())
	a.compare(k, notEqual, k.near, []reg.VecVirtual{far, far}, to[0])
}

func (avx512) mask(answer []reg.Register, to reg.GPVirtual) { KMOVD(answer[0], to) }

func (a avx512) finish(k *kernel) {
	counts, full, lanes, ones := ZMM(), K(), GP32(), ZMM()
	VMOVDQU16(k.counts, counts)
	VPTERNLOGD(Imm(0xff), ones, ones, ones)
	VPCMPEQW(ones, counts, k.reached[0], full)
	KMOVD(full, lanes)
	ORL(lanes, k.at("full"))
}

// paths loads the vertex's path counts in backward.
func (avx512) paths(k *kernel) []reg.VecVirtual {
	all := registers(lanes8, ZMM)
	k.either(k.at("many"), func() {
		counts := rowOf(k.base("counts"), k.x, 2)
		for i, s := range all {
			VPMOVZXWD(part(counts, i, 16), s.AsY())
			VCVTDQ2PD(s.AsY(), s)
		}
	}, func() {
		for i, s := range all {
			VMOVUPD(part(k.s, i, 64), s)
		}
	})
	return all
}

// lanes8 is the number of registers that hold a row of float64.
const lanes8 = lanes / 8

// line returns the part of a mask for eight lanes.
func line(mask reg.Register, i int) reg.Register {
	if i == 0 {
		return mask
	}
	lanes := K()
	KSHIFTRD(Imm(uint64(8*i)), mask, lanes)
	return lanes
}

func (a avx512) finishMany(k *kernel) {
	k.ifMultiple(func(at Mem) {
		mu, others, s := ZMM(), K(), ZMM()
		VBROADCASTSD(at, mu)
		KMOVD(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, others)
		KNOTD(others, others)
		for i := range lanes8 {
			VMOVUPD(part(k.s, i, 64), s)
			VMULPD(mu, s, line(others, i), s)
			VMOVUPD(s, part(k.s, i, 64))
		}
	})
	for i := range lanes8 {
		most := ZMM()
		VMOVUPD(k.inArray("most", 8*i), most)
		VMAXPD(part(k.s, i, 64), most, line(k.reached[0], i), most)
		VMOVUPD(most, k.inArray("most", 8*i))
	}
}

func (a avx512) offer(k *kernel, other, length Mem, ask bool) {
	long, offers, olds := ZMM(), a.row()[:k.size/2], a.row()[:k.size/2]
	k.broadcast(length, long)
	a.load(k, other, olds)
	for i, offer := range offers {
		k.add(k.near[i], long, offer)
	}
	if ask {
		a.compare(k, notLess, offers, olds, k.less[0])
		a.compare(k, lessEqual, offers, olds, k.some[0])
	}
	for i, offer := range offers {
		k.least(offer, olds[i], offer)
		VMOVDQU32(offer, part(other, i, 64))
	}
}

func (avx512) count(k *kernel, theirs Mem) {
	sum := ZMM()
	VMOVDQU16_Z(theirs, k.less[0], sum)
	VPADDUSW(k.counts, sum, k.some[0], sum)
	VMOVDQU16(sum, theirs)
}

func (avx512) countMany(k *kernel, theirs Mem) {
	for i := range lanes8 {
		sum := ZMM()
		VMOVUPD_Z(part(theirs, i, 64), line(k.less[0], i), sum)
		VADDPD(part(k.s, i, 64), sum, line(k.some[0], i), sum)
		VMOVUPD(sum, part(theirs, i, 64))
	}
}

func (avx512) begin(k *kernel) {
	k.sums, k.sending = registers(lanes8, ZMM), registers(lanes8, ZMM)
	for _, sum := range k.sums {
		VPXORQ(sum, sum, sum)
	}
}

func (a avx512) sent(k *kernel) {
	for i, s := range a.paths(k) {
		VMULPD(k.inArray("source", 8*i), s, k.sending[i])
	}
}

func (a avx512) tight(k *kernel, other, length Mem) {
	long, offers, theirs := ZMM(), a.row()[:k.size/2], a.row()[:k.size/2]
	k.broadcast(length, long)
	a.load(k, other, theirs)
	for i, offer := range offers {
		k.add(k.near[i], long, offer)
	}
	a.compare(k, equal, offers, theirs, k.tight[0])
}

func (avx512) add(k *kernel, c Mem) {
	for i, sum := range k.sums {
		VADDPD(part(c, i, 64), sum, line(k.tight[0], i), sum)
	}
}

func (avx512) addFlow(k *kernel, c Mem) reg.VecVirtual {
	parts := ZMM()
	VPXORQ(parts, parts, parts)
	for i, sum := range k.sums {
		number, lanes := ZMM(), line(k.tight[0], i)
		VMOVUPD_Z(part(c, i, 64), lanes, number)
		VADDPD(number, sum, lanes, sum)
		VMULPD(k.sending[i], number, number)
		VADDPD(number, parts, lanes, parts)
	}
	return fold(parts)
}

// fold adds the halves of a register.
func fold(v reg.VecVirtual) reg.VecVirtual {
	half := YMM()
	VEXTRACTF64X4(Imm(1), v, half)
	VADDPD(half, v.AsY(), half)
	return half
}

func (a avx512) end(k *kernel) {
	reached, others, start, begins, paths := a.answers(), K(), GP32(), K(), a.paths(k)
	k.bySize(func() { a.answerReached(k, reached) })
	MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, start)
	KMOVD(start, begins)
	KANDND(reached[0], begins, others)
	TESTL(start, start)
	between := k.label("between")
	JZ(LabelRef(between))
	for i, sum := range k.sums {
		d := ZMM()
		VMULPD(paths[i], sum, d)
		VMOVUPD(d, line(begins, i), k.inArray("own", 8*i))
	}
	Label(between)
	weight, score := ZMM(), ZMM()
	VBROADCASTSD(Mem{Base: k.base("weight"), Index: k.x, Scale: 8}, weight)
	VPXORQ(score, score, score)
	distances := registers(lanes8, YMM)
	k.bySize(func() {
		for i, d := range distances {
			k.widen(part(k.row, i, 8*k.size), d)
		}
	})
	for i, sum := range k.sums {
		s, d, away, lanes := paths[i], ZMM(), ZMM(), line(others, i)
		accumulate := func(name string, number reg.VecVirtual) {
			more := ZMM()
			VMOVUPD(k.inArray(name, 8*i), more)
			VADDPD(number, more, lanes, more)
			VMOVUPD(more, k.inArray(name, 8*i))
		}
		VMULPD(s, sum, d)
		VCVTDQ2PD(distances[i], away)
		VMULPD(weight, away, away)
		accumulate("reached", weight)
		accumulate("away", away)
		accumulate("got", d)
		VMULPD(k.inArray("source", 8*i), d, d)
		VADDPD(d, score, lanes, score)
		all := line(reached[0], i)
		VDIVPD_Z(s, weight, all, s)
		VADDPD_Z(s, sum, all, sum)
	}
	k.ifMultiple(func(at Mem) {
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
