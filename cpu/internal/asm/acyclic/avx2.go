package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 has a quarter of the register space and no mask registers. An answer has a number per lane, all ones for
// yes: of 16 bits in registers, and of 64 for float64.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

func (avx2) row() []reg.VecVirtual { return registers(4, YMM) }

func (avx2) answers() []reg.Register {
	return registers(2, func() reg.Register { return YMM() })
}

func (avx2) load(k *kernel, row Mem, to []reg.VecVirtual) {
	for i, v := range to[:k.size] {
		VMOVDQU(part(row, i, 32), v)
	}
}

func (avx2) greater(k *kernel, x, y Op, to Op) { // x > y
	if k.size == 2 {
		VPCMPGTW(y, x, to)
	} else {
		VPCMPGTD(y, x, to)
	}
}

func (avx2) equal(k *kernel, x, y Op, to Op) {
	if k.size == 2 {
		VPCMPEQW(y, x, to)
	} else {
		VPCMPEQD(y, x, to)
	}
}

// words runs body for each register of a row, and packs its answers to 16 bits per lane.
func (avx2) words(k *kernel, body func(i int, answers []reg.Register), to ...[]reg.Register) {
	for i := range 2 {
		var answers []reg.Register
		for _, x := range to {
			answers = append(answers, x[i])
		}
		if k.size == 2 {
			body(i, answers)
			continue
		}
		low, high := avx2{}.some(len(to)), avx2{}.some(len(to))
		body(2*i, low)
		body(2*i+1, high)
		for j, x := range answers {
			VPACKSSDW(high[j], low[j], x)
			VPERMQ(Imm(0xd8), x, x)
		}
	}
}

func (avx2) some(count int) []reg.Register {
	return registers(count, func() reg.Register { return YMM() })
}

// keep writes answers to memory, for wide.
func (avx2) keep(words []reg.Register, at Mem) {
	for i, v := range words {
		VMOVDQU(v, part(at, i, 32))
	}
}

// wide loads the answers of four lanes, 64 bits each.
func (avx2) wide(four Mem) reg.VecVirtual {
	v := YMM()
	VPMOVSXWQ(four, v)
	return v
}

func (a avx2) limit(k *kernel) {
	limit, far, beyond := YMM(), k.farOf(YMM()), YMM()
	k.broadcast(k.at("limit"), limit)
	for i, d := range k.near[:k.size] {
		a.greater(k, d, limit, beyond)
		VPBLENDVB(beyond, far, d, d)
		VMOVDQU(d, part(k.row, i, 32))
	}
}

func (a avx2) answerReached(k *kernel, to []reg.Register) {
	far := k.farOf(YMM())
	a.words(k, func(i int, answers []reg.Register) { a.greater(k, far, k.near[i], answers[0]) }, to)
}

func (a avx2) finish(k *kernel) {
	ones, full, lanes := YMM(), a.some(2), GP32()
	VPCMPEQW(ones, ones, ones)
	for i, v := range full {
		VPCMPEQW(part(k.counts, i, 32), ones, v)
		VPAND(k.reached[i], v, v)
	}
	a.mask(full, lanes)
	ORL(lanes, k.at("full"))
}

func (avx2) mask(answer []reg.Register, to reg.GPVirtual) {
	bytes := YMM()
	VPACKSSWB(answer[1], answer[0], bytes)
	VPERMQ(Imm(0xd8), bytes, bytes)
	VPMOVMSKB(bytes, to)
}

// lanes4 is the number of registers that hold a row of float64.
const lanes4 = lanes / 4

func (a avx2) finishMany(k *kernel) {
	a.keep(k.reached, k.scratch)
	k.ifMultiple(func(at Mem) {
		mu, start := YMM(), GP64()
		VBROADCASTSD(at, mu)
		MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, start.As32())
		a.eachFour(k, func(four int, of func(row Mem, size int) Mem) {
			s, times := YMM(), YMM()
			VMOVUPD(of(k.s, 8), s)
			VMULPD(mu, s, times)
			VBLENDVPD(a.without(start), times, s, s)
			VMOVUPD(s, of(k.s, 8))
		})
	})
	a.eachFour(k, func(four int, of func(row Mem, size int) Mem) {
		s, most := YMM(), YMM()
		VMOVUPD(of(k.inArray("most", 0), 8), most)
		VMAXPD(of(k.s, 8), most, s)
		VBLENDVPD(a.wide(of(k.scratch, 2)), s, most, most)
		VMOVUPD(most, of(k.inArray("most", 0), 8))
	})
}

// eachFour runs body for fours of lanes, two in each round of a loop. of returns their part of a row whose numbers have
// size bytes.
func (avx2) eachFour(k *kernel, body func(four int, of func(row Mem, size int) Mem)) {
	k.eachEight(func(i reg.GPVirtual) {
		for four := range 2 {
			body(four, func(row Mem, size int) Mem { return part(row, four, 4*size).Idx(i, uint8(size/2)) })
		}
	})
}

// without answers which of four lanes have no bit. It overwrites the bits.
func (avx2) without(bits reg.GPVirtual) reg.VecVirtual {
	v, none := YMM(), YMM()
	VMOVQ(bits, v.AsX())
	VPBROADCASTQ(v.AsX(), v)
	VPAND(NewDataAddr(NewStaticSymbol("bits"), 0), v, v)
	VPXOR(none, none, none)
	VPCMPEQQ(none, v, v)
	SHRQ(Imm(4), bits)
	return v
}

func (a avx2) offer(k *kernel, other, length Mem, ask bool) {
	long := YMM()
	k.broadcast(length, long)
	offer := func(i int, answers []reg.Register) {
		offer, old := YMM(), YMM()
		k.add(k.near[i], long, offer)
		VMOVDQU(part(other, i, 32), old)
		if ask {
			less, some := answers[0], answers[1]
			a.greater(k, old, offer, less)
			a.equal(k, old, offer, some)
			VPOR(less, some, some)
		}
		k.least(offer, old, old)
		VMOVDQU(old, part(other, i, 32))
	}
	if ask {
		a.words(k, offer, k.less, k.some)
		return
	}
	for i := range k.size {
		offer(i, nil)
	}
}

func (avx2) count(k *kernel, theirs Mem) {
	for i, less := range k.less {
		sum, more := YMM(), YMM()
		VPANDN(part(theirs, i, 32), less, sum)
		VPAND(part(k.counts, i, 32), k.some[i], more)
		VPADDUSW(more, sum, sum)
		VMOVDQU(sum, part(theirs, i, 32))
	}
}

func (a avx2) countMany(k *kernel, theirs Mem) {
	a.keep(k.less, k.scratch)
	a.keep(k.some, part(k.scratch, 1, 64))
	for i := range lanes4 {
		old, sum := YMM(), YMM()
		VANDNPD(part(theirs, i, 32), a.wide(part(k.scratch, i, 8)), old)
		VADDPD(part(k.s, i, 32), old, sum)
		VBLENDVPD(a.wide(part(k.scratch, lanes4+i, 8)), sum, old, old)
		VMOVUPD(old, part(theirs, i, 32))
	}
}

func (a avx2) begin(k *kernel) {
	k.either(k.at("many"), func() {
		counts := rowOf(k.base("counts"), k.x, 2)
		a.eachFour(k, func(_ int, of func(row Mem, size int) Mem) {
			s := YMM()
			VPMOVZXWD(of(counts, 2), s.AsX())
			VCVTDQ2PD(s.AsX(), s)
			VMOVUPD(s, of(k.s, 8))
		})
	}, func() {})
	k.sums = registers(lanes4, YMM)
	for _, sum := range k.sums {
		VXORPD(sum, sum, sum)
	}
}

func (a avx2) sent(k *kernel) {
	a.eachFour(k, func(_ int, of func(row Mem, size int) Mem) {
		sent := YMM()
		VMOVUPD(of(k.s, 8), sent)
		VMULPD(of(k.inArray("source", 0), 8), sent, sent)
		VMOVUPD(sent, of(part(k.scratch, 1, 64), 8))
	})
}

func (a avx2) tight(k *kernel, other, length Mem) {
	long := YMM()
	k.broadcast(length, long)
	a.words(k, func(i int, answers []reg.Register) {
		k.add(k.near[i], long, answers[0])
		a.equal(k, answers[0], part(other, i, 32), answers[0])
	}, k.tight)
	a.keep(k.tight, k.scratch)
}

func (a avx2) add(k *kernel, c Mem) {
	for i, sum := range k.sums {
		number := a.wide(part(k.scratch, i, 8))
		VANDPD(part(c, i, 32), number, number)
		VADDPD(number, sum, sum)
	}
}

func (a avx2) addFlow(k *kernel, c Mem) reg.VecVirtual {
	parts := registers(2, YMM)
	for _, v := range parts {
		VXORPD(v, v, v)
	}
	for i, sum := range k.sums {
		lanes, number := a.wide(part(k.scratch, i, 8)), YMM()
		VANDPD(part(c, i, 32), lanes, number)
		VADDPD(number, sum, sum)
		VMULPD(part(k.scratch, 2+i, 32), number, number)
		VANDPD(lanes, number, number)
		VADDPD(number, parts[i%2], parts[i%2])
	}
	VADDPD(parts[1], parts[0], parts[0])
	return parts[0]
}

func (a avx2) end(k *kernel) {
	reached, sums := a.answers(), part(k.scratch, 1, 64)
	k.bySize(func() { a.answerReached(k, reached) })
	a.keep(reached, k.scratch)
	for i, sum := range k.sums {
		VMOVUPD(sum, part(sums, i, 32))
	}
	start, weight, scores := GP64(), YMM(), registers(2, YMM)
	MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, start.As32())
	VBROADCASTSD(Mem{Base: k.base("weight"), Index: k.x, Scale: 8}, weight)
	for _, score := range scores {
		VXORPD(score, score, score)
	}
	a.eachFour(k, func(four int, of func(row Mem, size int) Mem) {
		array := func(name string) Mem { return of(k.inArray(name, 0), 8) }
		s, sum, d, own := YMM(), YMM(), YMM(), YMM()
		VMOVUPD(of(k.s, 8), s)
		VMOVUPD(of(sums, 8), sum)
		VMULPD(s, sum, d)
		others := a.without(start)
		VMOVUPD(array("own"), own)
		VBLENDVPD(others, own, d, own)
		VMOVUPD(own, array("own"))
		reached := a.wide(of(k.scratch, 2))
		VPAND(reached, others, others)
		accumulate := func(name string, number reg.VecVirtual) {
			more := YMM()
			VANDPD(number, others, more)
			VADDPD(array(name), more, more)
			VMOVUPD(more, array(name))
		}
		accumulate("reached", weight)
		k.bySize(func() { k.widen(of(k.row, k.size), own.AsX()) })
		VCVTDQ2PD(own.AsX(), own)
		VMULPD(weight, own, own)
		accumulate("away", own)
		accumulate("got", d)
		VMULPD(array("source"), d, d)
		VANDPD(others, d, d)
		VADDPD(d, scores[four], scores[four])
		VDIVPD(s, weight, s)
		VADDPD(s, sum, sum)
		VANDPD(reached, sum, sum)
		VMOVUPD(sum, of(k.s, 8))
	})
	k.ifMultiple(func(at Mem) {
		mu := YMM()
		VBROADCASTSD(at, mu)
		a.eachFour(k, func(_ int, of func(row Mem, size int) Mem) {
			product := YMM()
			VMULPD(of(k.s, 8), mu, product)
			VMOVUPD(product, of(k.s, 8))
		})
	})
	VADDPD(scores[1], scores[0], scores[0])
	k.addScore(scores[0])
}
