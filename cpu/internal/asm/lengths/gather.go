package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gathering is the common part of count and depend: the links of a rank on one
// side, and the lanes to compute.
type gathering struct {
	frame
	r             reg.GPVirtual
	first, end    reg.GPVirtual
	ranks, masks  reg.GPVirtual
	fresh, vertex reg.GPVirtual
	sums          []reg.VecVirtual
}

// ready finds the lanes in which all links of a side are done, among the lanes of may, and those of
// links if every is set. It returns from the function if there are none.
func (f frame) ready(side, done string, may func(r, some reg.GPVirtual), every bool) *gathering {
	g := &gathering{frame: f, r: GP64()}
	Load(Param("r"), g.r)
	links := f.part(side)
	g.first, g.end = bounds(links.base("first"), g.r)
	g.ranks, g.masks = links.base("rank"), links.base("mask")
	doneBy, some, late, e := f.base(done), GP64(), GP64(), GP64()
	may(g.r, some)
	XORQ(late, late)
	MOVQ(g.first, e)
	each("link", e, g.end, func() {
		rank, mask, theirs := GP64(), GP64(), GP64()
		MOVL(Mem{Base: g.ranks, Index: e, Scale: 4}, rank.As32())
		MOVWLZX(Mem{Base: g.masks, Index: e, Scale: 2}, mask.As32())
		MOVWLZX(Mem{Base: doneBy, Index: rank, Scale: 2}, theirs.As32())
		if every {
			ORQ(mask, some)
		}
		NOTQ(theirs)
		ANDQ(mask, theirs)
		ORQ(theirs, late)
	})
	own := GP64()
	MOVWLZX(Mem{Base: doneBy, Index: g.r, Scale: 2}, own.As32())
	ORQ(own, late)
	NOTQ(late)
	ANDQ(late, some)
	g.fresh = some
	Store(g.fresh.As16(), ReturnIndex(0))
	TESTQ(some, some)
	JNZ(LabelRef("some"))
	VZEROUPPER()
	RET()
	Label("some")
	ORW(some.As16(), Mem{Base: doneBy, Index: g.r, Scale: 2})
	count := GP64()
	MOVQ(g.end, count)
	SUBQ(g.first, count)
	ADDQ(count, address(f.Field("rowLoads")))
	g.vertex = GP64()
	MOVL(Mem{Base: f.base("order"), Index: g.r, Scale: 4}, g.vertex.As32())
	g.gather()
	return g
}

// signs moves the mask bits of a quarter of the lanes to the sign.
func (g *gathering) signs(bits reg.VecVirtual, quarter int) reg.VecVirtual {
	signs := YMM()
	VPSLLVQ(shifts(quarter), bits, signs)
	return signs
}

// shifts returns the address of a quarter of shifts of package lengths.
func shifts(quarter int) Mem { return NewDataAddr(Symbol{Name: "·shifts"}, 32*quarter) }

func (g *gathering) spread(mask reg.GPVirtual) reg.VecVirtual {
	bits := YMM()
	VMOVQ(mask, bits.AsX())
	VPBROADCASTQ(bits.AsX(), bits)
	return bits
}

// gather adds the rows of the links in their lanes.
func (g *gathering) gather() {
	g.sums = some(4)
	shift := some(4) // in registers, while rows are many
	rows := g.base("rows")
	for i := range 4 {
		VMOVDQU(shifts(i), shift[i])
		VXORPD(g.sums[i], g.sums[i], g.sums[i])
	}
	each("row", g.first, g.end, func() {
		rank, mask := GP64(), GP64()
		MOVWLZX(Mem{Base: g.masks, Index: g.first, Scale: 2}, mask.As32())
		ANDQ(g.fresh, mask)
		JZ(LabelRef("none"))
		MOVL(Mem{Base: g.ranks, Index: g.first, Scale: 4}, rank.As32())
		row, bits := rowOf(rows, rank, 8*lanes), g.spread(mask)
		for i, sum := range g.sums {
			signs, number := YMM(), YMM()
			VPSLLVQ(shift[i], bits, signs)
			VMASKMOVPD(part(row, i), signs, number)
			VADDPD(number, sum, sum)
		}
		Label("none")
	})
}

// ifMultiple runs body with the vertex's multiplicity, if vertices have some.
func (g *gathering) ifMultiple(label string, body func(mu Mem)) {
	m := g.base("multiplicity")
	TESTQ(m, m)
	JZ(LabelRef(label))
	body(Mem{Base: m, Index: g.vertex, Scale: 8})
	Label(label)
}

func (g *gathering) multiply() {
	g.ifMultiple("single", func(at Mem) {
		mu := YMM()
		VBROADCASTSD(at, mu)
		for _, sum := range g.sums {
			VMULPD(mu, sum, sum)
		}
	})
}

func (g *gathering) weight() reg.VecVirtual {
	weight := YMM()
	VBROADCASTSD(Mem{Base: g.base("weight"), Index: g.vertex, Scale: 8}, weight)
	return weight
}

// start loads the lanes whose source this rank is.
func (g *gathering) start() reg.GPVirtual {
	start := GP64()
	MOVWLZX(Mem{Base: g.base("start"), Index: g.r, Scale: 2}, start.As32())
	return start
}

func count() {
	f := begin("countAVX2", "r int) uint16")
	Doc("See kernels.count.")
	g := f.ready("before", "counted", func(r, some reg.GPVirtual) {
		MOVWLZX(Mem{Base: f.base("start"), Index: r, Scale: 2}, some.As32())
	}, true)
	g.multiply()
	fresh, starts, weight := g.spread(g.fresh), g.spread(g.start()), g.weight()
	one := YMM()
	VBROADCASTSD(NewDataAddr(NewStaticSymbol("one"), 0), one)
	row, zero := rowOf(g.base("rows"), g.r, 8*lanes), noNumber()
	for i, sum := range g.sums {
		VBLENDVPD(g.signs(starts, i), one, sum, sum)
		signs, old := g.signs(fresh, i), YMM()
		VMOVUPD(part(row, i), old)
		VBLENDVPD(signs, sum, old, old)
		VMOVUPD(old, part(row, i))
		reached, most := YMM(), YMM()
		VBLENDVPD(signs, weight, zero, reached)
		VADDPD(g.line("reached", i), reached, reached)
		VMOVUPD(reached, g.line("reached", i))
		VBLENDVPD(signs, sum, zero, most)
		VMAXPD(g.line("most", i), most, most)
		VMOVUPD(most, g.line("most", i))
	}
	VZEROUPPER()
	RET()
}

func depend() {
	f := begin("dependAVX2", "r int) uint16")
	Doc("See kernels.depend.")
	g := f.ready("after", "passed", func(r, some reg.GPVirtual) {
		MOVWLZX(Mem{Base: f.base("counted"), Index: r, Scale: 2}, some.As32())
	}, false)
	fresh, starts, weight := g.spread(g.fresh), g.spread(g.start()), g.weight()
	ends, own, zero, score := YMM(), YMM(), noNumber(), some(2)
	VPANDN(fresh, starts, ends) // lanes to compute whose source this is not
	VPAND(fresh, starts, own)
	sown, at := g.part("byLane").base("sown"), GP64()
	MOVQ(address(g.part("byLane").Field("sownRows")), at)
	ANDQ(g.r, at)
	seed := rowOf(sown, at, 8*lanes)
	VXORPD(score[0], score[0], score[0])
	VXORPD(score[1], score[1], score[1])
	row := rowOf(g.base("rows"), g.r, 8*lanes)
	for i, sum := range g.sums {
		s, d, got, mass := YMM(), YMM(), YMM(), YMM()
		VMASKMOVPD(part(row, i), g.signs(fresh, i), s)
		VMULPD(sum, s, d)
		VMOVUPD(g.line("got", i), got)
		VBLENDVPD(g.signs(own, i), d, got, got)
		VMOVUPD(got, g.line("got", i))
		VMULPD(g.line("source", i), d, d)
		VBLENDVPD(g.signs(ends, i), d, zero, d)
		VADDPD(d, score[i%2], score[i%2])
		VADDPD(part(seed, i), weight, mass)
		VDIVPD(s, mass, s)
		VADDPD(s, sum, sum)
	}
	g.multiply()
	for i, sum := range g.sums {
		old := YMM()
		VMOVUPD(part(row, i), old)
		VBLENDVPD(g.signs(fresh, i), sum, old, old)
		VMOVUPD(old, part(row, i))
	}
	total := scoreSum(score)
	g.ifMultiple("alone", func(mu Mem) { VDIVSD(mu, total, total) })
	place := Mem{Base: g.base("scores"), Index: g.vertex, Scale: 8}
	VADDSD(place, total, total)
	VMOVSD(total, place)
	VZEROUPPER()
	RET()
}

// noNumber returns a register of zeros.
func noNumber() reg.VecVirtual {
	zero := YMM()
	VXORPD(zero, zero, zero)
	return zero
}

// scoreSum adds the numbers of two registers as the function of that name in package lengths.
func scoreSum(score []reg.VecVirtual) (total reg.VecVirtual) {
	VADDPD(score[1], score[0], score[0])
	high := XMM()
	total = XMM()
	VEXTRACTF128(Imm(1), score[0], high)
	VADDPD(high, score[0].AsX(), high)
	VUNPCKHPD(high, high, total)
	VADDSD(total, high, total)
	return total
}

func send() {
	f := begin("sendAVX2", "r int)")
	Doc("See kernels.send.")
	g := &gathering{frame: f, r: GP64(), fresh: GP64()}
	Load(Param("r"), g.r)
	MOVWLZX(Mem{Base: f.base("counted"), Index: g.r, Scale: 2}, g.fresh.As32())
	row := rowOf(f.part("byLane").base("counts"), g.r, 8*lanes)
	links := f.part("after")
	g.first, g.end = bounds(links.base("first"), g.r)
	g.ranks, g.masks = links.base("rank"), links.base("mask")
	rows, flowing, shift, counts, zero := g.base("rows"), g.part("byLane").base("flowing"), some(4), some(4), noNumber()
	for i := range 4 {
		VMOVDQU(shifts(i), shift[i])
		VMOVUPD(g.line("source", i), counts[i])
		VMULPD(part(row, i), counts[i], counts[i])
	}
	each("row", g.first, g.end, func() {
		rank, mask := GP64(), GP64()
		MOVWLZX(Mem{Base: g.masks, Index: g.first, Scale: 2}, mask.As32())
		ANDQ(g.fresh, mask)
		MOVL(Mem{Base: g.ranks, Index: g.first, Scale: 4}, rank.As32())
		row, bits, flow := rowOf(rows, rank, 8*lanes), g.spread(mask), some(2)
		VXORPD(flow[0], flow[0], flow[0])
		VXORPD(flow[1], flow[1], flow[1])
		for i, count := range counts {
			signs, number := YMM(), YMM()
			VPSLLVQ(shift[i], bits, signs)
			VMULPD(part(row, i), count, number)
			VBLENDVPD(signs, number, zero, number)
			VADDPD(number, flow[i%2], flow[i%2])
		}
		VMOVSD(scoreSum(flow), Mem{Base: flowing})
		ADDQ(Imm(8), flowing)
	})
	VZEROUPPER()
	RET()
}
