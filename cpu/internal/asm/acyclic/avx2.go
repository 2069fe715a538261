package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 has a quarter of the registers and no masks: what is so in a lane is a number of
// all bits, of 16 bits for path counts and of 64 for float64.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

func (avx2) scratch(bytes int) Mem { return AllocLocal(bytes) }

func (avx2) registers(k *kernel) int { return lanes * k.size / 32 }

func (a avx2) load(k *kernel, row Mem) (all []reg.VecVirtual) {
	for i := range a.registers(k) {
		v := YMM()
		VMOVDQU(part(row, i, 32), v)
		all = append(all, v)
	}
	return all
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

// words makes 16 bits of each answer, in two registers.
func (avx2) words(k *kernel, answers []reg.VecVirtual) []reg.VecVirtual {
	if k.size == 2 {
		return answers
	}
	var out []reg.VecVirtual
	for i := 0; i < len(answers); i += 2 {
		v := YMM()
		VPACKSSDW(answers[i+1], answers[i], v)
		VPERMQ(Imm(0xd8), v, v)
		out = append(out, v)
	}
	return out
}

// keep writes answers where wide finds them.
func (avx2) keep(words []reg.VecVirtual, at Mem) {
	for i, v := range words {
		VMOVDQU(v, part(at, i, 32))
	}
}

// wide is the answers of four lanes, 64 bits each.
func (avx2) wide(at Mem, four int) reg.VecVirtual {
	v := YMM()
	VPMOVSXWQ(part(at, four, 8), v)
	return v
}

// bitsOf is a bit for every answer.
func (avx2) bitsOf(words []reg.VecVirtual) reg.GPVirtual {
	v, lanes := YMM(), GP32()
	VPACKSSWB(words[1], words[0], v)
	VPERMQ(Imm(0xd8), v, v)
	VPMOVMSKB(v, lanes)
	return lanes
}

func (a avx2) within(k *kernel) {
	limit, far := YMM(), k.farOf(YMM())
	broadcast(k.size, k.at("limit"), limit)
	k.near = a.load(k, k.row)
	for i, d := range k.near {
		beyond := YMM()
		a.greater(k, d, limit, beyond)
		VPBLENDVB(beyond, far, d, d)
		VMOVDQU(d, part(k.row, i, 32))
	}
	k.sums = nil
}

// reachedOf is the answers to which lanes reach the vertex.
func (a avx2) reachedOf(k *kernel, row []reg.VecVirtual) []reg.VecVirtual {
	far := k.farOf(YMM())
	var reached []reg.VecVirtual
	for _, d := range row {
		v := YMM()
		a.greater(k, far, d, v)
		reached = append(reached, v)
	}
	return a.words(k, reached)
}

func (a avx2) finish(k *kernel) {
	reached, ones := a.reachedOf(k, k.near), YMM()
	VPCMPEQW(ones, ones, ones)
	var counts, full []reg.VecVirtual
	for i, r := range reached {
		count, v := YMM(), YMM()
		VMOVDQU(part(k.counts, i, 32), count)
		VPCMPEQW(ones, count, v)
		VPAND(r, v, v)
		counts, full = append(counts, count), append(full, v)
	}
	ORL(a.bitsOf(full), k.at("full"))
	for i := range 8 {
		s := YMM()
		VPMOVZXWD(part(k.counts, i, 8), s.AsX())
		VCVTDQ2PD(s.AsX(), s)
		VMOVUPD(s, part(k.s, i, 32))
	}
	k.sums = counts
}

func (a avx2) finishMany(k *kernel) {
	k.sums = []reg.VecVirtual{} // wanted, though in memory
	k.ifMultiple("single", func(at Mem) {
		mu, start, none := YMM(), YMM(), YMM()
		VBROADCASTSD(at, mu)
		lanes := GP64()
		MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, lanes.As32())
		VPXOR(none, none, none)
		for i := range 8 {
			s, times, others := YMM(), YMM(), YMM()
			a.fourBits(lanes, i, start)
			VPCMPEQQ(none, start, others)
			VMOVUPD(part(k.s, i, 32), s)
			VMULPD(mu, s, times)
			VBLENDVPD(others, times, s, s)
			VMOVUPD(s, part(k.s, i, 32))
		}
	})
	a.keep(a.reachedOf(k, k.near), k.scratch)
	for i := range 8 {
		s, most := YMM(), YMM()
		VMOVUPD(k.inArray("most", 4*i), most)
		VMAXPD(part(k.s, i, 32), most, s)
		VBLENDVPD(a.wide(k.scratch, i), s, most, most)
		VMOVUPD(most, k.inArray("most", 4*i))
	}
}

// fourBits are the bits of four lanes, one in each number; 0: the lane has none.
func (avx2) fourBits(lanes reg.GPVirtual, four int, to reg.VecVirtual) {
	shifted := GP64()
	MOVQ(lanes, shifted)
	SHRQ(Imm(uint64(4*four)), shifted)
	VMOVQ(shifted, to.AsX())
	VPBROADCASTQ(to.AsX(), to)
	VPAND(constant("bits"), to, to)
}

func (a avx2) offer(k *kernel, other, length Mem) (less, some any) {
	long := YMM()
	broadcast(k.size, length, long)
	var smaller, equals []reg.VecVirtual
	for i, d := range k.near {
		offer, old := YMM(), YMM()
		add(k.size, d, long, offer)
		VMOVDQU(part(other, i, 32), old)
		if k.sums != nil { // path counts are wanted
			l, e := YMM(), YMM()
			a.greater(k, old, offer, l)
			a.equal(k, old, offer, e)
			VPOR(l, e, e)
			smaller, equals = append(smaller, l), append(equals, e)
		}
		if k.size == 2 {
			VPMINSW(offer, old, old)
		} else {
			VPMINSD(offer, old, old)
		}
		VMOVDQU(old, part(other, i, 32))
	}
	return a.words(k, smaller), a.words(k, equals)
}

func (avx2) count(k *kernel, theirs Mem, less, some any) {
	for i, count := range k.sums {
		sum, more := YMM(), YMM()
		VPANDN(part(theirs, i, 32), less.([]reg.VecVirtual)[i], sum)
		VPAND(count, some.([]reg.VecVirtual)[i], more)
		VPADDUSW(more, sum, sum)
		VMOVDQU(sum, part(theirs, i, 32))
	}
}

func (a avx2) countMany(k *kernel, theirs Mem, less, some any) {
	a.keep(less.([]reg.VecVirtual), k.scratch)
	a.keep(some.([]reg.VecVirtual), part(k.scratch, 1, 64))
	for i := range 8 {
		old, sum := YMM(), YMM()
		VANDNPD(part(theirs, i, 32), a.wide(k.scratch, i), old)
		VADDPD(part(k.s, i, 32), old, sum)
		VBLENDVPD(a.wide(part(k.scratch, 1, 64), i), sum, old, old)
		VMOVUPD(old, part(theirs, i, 32))
	}
}

func (a avx2) begin(k *kernel) {
	k.sums = nil
	for range 8 {
		sum := YMM()
		VXORPD(sum, sum, sum)
		k.sums = append(k.sums, sum)
	}
	if k.flows {
		for i := range 8 {
			sent := YMM()
			VMOVUPD(part(k.s, i, 32), sent)
			VMULPD(k.inArray("source", 4*i), sent, sent)
			VMOVUPD(sent, part(k.scratch, 2+i, 32))
		}
	}
}

func (a avx2) add(k *kernel, other, c, length Mem) {
	long := YMM()
	broadcast(k.size, length, long)
	var tight []reg.VecVirtual
	for i := range a.registers(k) {
		v := YMM()
		add(k.size, part(k.row, i, 32), long, v)
		a.equal(k, v, part(other, i, 32), v)
		tight = append(tight, v)
	}
	a.keep(a.words(k, tight), k.scratch)
	var parts [2]reg.VecVirtual
	if k.flows {
		for i := range parts {
			parts[i] = YMM()
			VXORPD(parts[i], parts[i], parts[i])
		}
	}
	for i, sum := range k.sums {
		number := YMM()
		VANDPD(part(c, i, 32), a.wide(k.scratch, i), number)
		VADDPD(number, sum, sum)
		if k.flows {
			VMULPD(part(k.scratch, 2+i, 32), number, number)
			VANDPD(a.wide(k.scratch, i), number, number)
			VADDPD(number, parts[i%2], parts[i%2])
		}
	}
	if k.flows {
		VADDPD(parts[1], parts[0], parts[0])
		k.addFlow(parts[0], length)
	}
}

func (a avx2) end(k *kernel) {
	a.keep(a.reachedOf(k, a.load(k, k.row)), k.scratch)
	lanes, none, score := GP64(), YMM(), YMM()
	MOVL(Mem{Base: k.base("start"), Index: k.x, Scale: 4}, lanes.As32())
	VPXOR(none, none, none)
	VXORPD(score, score, score)
	score2 := YMM()
	VXORPD(score2, score2, score2)
	weight := YMM()
	for i, sum := range k.sums {
		reached, others, d := a.wide(k.scratch, i), YMM(), YMM()
		VMULPD(part(k.s, i, 32), sum, d)
		a.fourBits(lanes, i, others)
		VPCMPEQQ(none, others, others) // not the source
		own := YMM()
		VMOVUPD(k.inArray("own", 4*i), own)
		VBLENDVPD(others, own, d, own)
		VMOVUPD(own, k.inArray("own", 4*i))
		VPAND(reached, others, others)
		accumulate := func(name string, number Op) {
			more := YMM()
			VANDPD(number, others, more)
			VADDPD(k.inArray(name, 4*i), more, more)
			VMOVUPD(more, k.inArray(name, 4*i))
		}
		VBROADCASTSD(Mem{Base: k.base("weight"), Index: k.x, Scale: 8}, weight)
		accumulate("reached", weight)
		accumulate("got", d)
		VMULPD(k.inArray("source", 4*i), d, d)
		VANDPD(others, d, d)
		to := score
		if i%2 == 1 {
			to = score2
		}
		VADDPD(d, to, to)
		away := YMM()
		if k.size == 2 {
			VPMOVSXWD(part(k.row, i, 8), away.AsX())
			VCVTDQ2PD(away.AsX(), away)
		} else {
			VCVTDQ2PD(part(k.row, i, 16), away)
		}
		VMULPD(weight, away, away)
		accumulate("away", away)
		VDIVPD(part(k.s, i, 32), weight, away)
		VADDPD(away, sum, sum)
		VANDPD(reached, sum, sum)
	}
	k.ifMultiple("single", func(at Mem) {
		VBROADCASTSD(at, weight)
		for _, sum := range k.sums {
			VMULPD(weight, sum, sum)
		}
	})
	for i, sum := range k.sums {
		VMOVUPD(sum, part(k.s, i, 32))
	}
	VADDPD(score2, score, score)
	k.addScore(score)
}
