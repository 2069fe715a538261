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
	rows          reg.GPVirtual
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
	RET()
	Label("some")
	ORW(some.As16(), Mem{Base: doneBy, Index: g.r, Scale: 2})
	count := GP64()
	MOVQ(g.end, count)
	SUBQ(g.first, count)
	ADDQ(count, address(f.Field("rowLoads")))
	g.vertex = GP64()
	MOVL(Mem{Base: f.base("order"), Index: g.r, Scale: 4}, g.vertex.As32())
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
	g.rows = g.base("rows")
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
		row, bits := rowOf(g.rows, rank, 8*lanes), g.spread(mask)
		for i, sum := range g.sums {
			signs, number := YMM(), YMM()
			VPSLLVQ(shift[i], bits, signs)
			VMASKMOVPD(part(row, i), signs, number)
			VADDPD(number, sum, sum)
		}
		Label("none")
	})
}

func (g *gathering) weight() reg.VecVirtual {
	weight := YMM()
	VBROADCASTSD(Mem{Base: g.base("weight"), Index: g.vertex, Scale: 8}, weight)
	return weight
}

// start returns the lanes whose source this rank is, as spread does.
func (g *gathering) start() reg.VecVirtual {
	bits := YMM()
	VPBROADCASTW(Mem{Base: g.base("start"), Index: g.r, Scale: 2}, bits)
	return bits
}

func count() {
	f := begin("countAVX2", "r int) uint16")
	Doc("See kernels.count.")
	g := f.ready("before", "counted", func(r, some reg.GPVirtual) {
		MOVWLZX(Mem{Base: f.base("start"), Index: r, Scale: 2}, some.As32())
	}, true)
	fresh, starts, weight := g.spread(g.fresh), g.start(), g.weight()
	g.gather()
	one, mu := YMM(), g.multiplicity()
	VBROADCASTSD(NewDataAddr(NewStaticSymbol("one"), 0), one)
	row, zero := rowOf(g.rows, g.r, 8*lanes), noNumber()
	for i, sum := range g.sums {
		VMULPD(mu, sum, sum)
		VBLENDVPD(g.signs(starts, i), one, sum, sum)
		signs, old := g.signs(fresh, i), YMM()
		VBLENDVPD(signs, sum, zero, old)
		VMAXPD(g.line("most", i), old, old)
		VMOVUPD(old, g.line("most", i))
		VMOVUPD(part(row, i), old)
		VBLENDVPD(signs, sum, old, old)
		VMOVUPD(old, part(row, i))
		reached := YMM()
		VBLENDVPD(signs, weight, zero, reached)
		VADDPD(g.line("reached", i), reached, reached)
		VMOVUPD(reached, g.line("reached", i))
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
	fresh, starts, weight := g.spread(g.fresh), g.start(), g.weight()
	sown, at, room := g.part("byLane").base("sown"), GP64(), AllocLocal(8*lanes)
	MOVQ(address(g.part("byLane").Field("sownRows")), at)
	ANDQ(g.r, at)
	SHLQ(Imm(7), at)
	ADDQ(at, sown)
	ends := YMM()
	VPANDN(fresh, starts, ends) // lanes to compute whose source this is not
	g.shares(ends, weight, sown, room)
	g.gather()
	mu, zero, score := g.multiplicity(), noNumber(), some(2)
	VXORPD(score[0], score[0], score[0])
	VXORPD(score[1], score[1], score[1])
	row := rowOf(g.rows, g.r, 8*lanes)
	for i, sum := range g.sums {
		signs, s, d, got := g.signs(fresh, i), YMM(), YMM(), YMM()
		VMOVUPD(part(row, i), s)
		VMULPD(sum, s, d)
		VMOVUPD(g.line("got", i), got)
		VBLENDVPD(signs, d, got, got)
		VMOVUPD(got, g.line("got", i))
		VMULPD(g.line("source", i), d, d)
		VBLENDVPD(g.signs(ends, i), d, zero, d)
		VADDPD(d, score[i%2], score[i%2])
		VADDPD(part(Mem{Base: sown}, i), weight, d)
		VDIVPD(s, d, d)
		VADDPD(d, sum, sum)
		VMULPD(mu, sum, sum)
		VBLENDVPD(signs, sum, s, s)
		VMOVUPD(s, part(row, i))
	}
	total := scoreSum(score)
	VDIVSD(mu.AsX(), total, total)
	place := Mem{Base: g.base("scores"), Index: g.vertex, Scale: 8}
	VADDSD(place, total, total)
	VMOVSD(total, place)
	VZEROUPPER()
	RET()
}

// multiplicity returns the multiplicity of the vertex, 1 if vertices have none.
func (g *gathering) multiplicity() reg.VecVirtual {
	m, mu := g.base("multiplicity"), YMM()
	VBROADCASTSD(NewDataAddr(NewStaticSymbol("one"), 0), mu)
	TESTQ(m, m)
	JZ(LabelRef("single"))
	VBROADCASTSD(Mem{Base: m, Index: g.vertex, Scale: 8}, mu)
	Label("single")
	return mu
}

// shares puts the target mass times the share of each lane of ends in room, where the frame has shares. Then masses is its
// address, and weight 0. It adds them to reached.
func (g *gathering) shares(ends, weight reg.VecVirtual, masses reg.GPVirtual, room Mem) {
	table, i, signs := g.part("byLane").base("shares"), GP64(), GP64()
	TESTQ(table, table)
	JZ(LabelRef("whole"))
	distances := GP64()
	LEAQ(rowOf(g.base("narrow"), g.vertex, 4*lanes), distances)
	LEAQ(shifts(0), signs)
	LEAQ(room, masses)
	XORQ(i, i)
	Label("four")
	lanesOf := func(m Mem) Mem {
		m.Index, m.Scale = i, 8
		return m
	}
	mask, mass, distance := YMM(), noNumber(), XMM()
	VPSLLVQ(lanesOf(Mem{Base: signs}), ends, mask)
	VMOVDQU(Mem{Base: distances, Index: i, Scale: 4}, distance)
	VGATHERDPD(mask, Mem{Base: table, Index: distance, Scale: 8}, mass)
	VMULPD(weight, mass, mass)
	VMOVUPD(mass, lanesOf(Mem{Base: masses}))
	VADDPD(lanesOf(g.line("reached", 0)), mass, mass)
	VMOVUPD(mass, lanesOf(g.line("reached", 0)))
	ADDQ(Imm(4), i)
	CMPQ(i, Imm(lanes))
	JLT(LabelRef("four"))
	VXORPD(weight, weight, weight)
	Label("whole")
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
