package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of one line: see lineKernels in package lanes.

func forwardLine() {
	k := beginLine("forwardLine")
	Doc("One line of the forward pass: see lineKernels.forward.")
	reached := k.loadLane("reached")
	k.eachKept(false, func(l keptEntry) {
		k.multiply(l.entry, YMM, l.sums[:]...)
		k.settleLine(l, true, l.sums)
		weight := k.broadcast(k.of("weight", l.vertex), YMM())
		for j, signs := range l.signs {
			some := YMM()
			VXORPD(some, some, some)
			VBLENDVPD(signs, weight, some, some)
			VADDPD(some, reached[j], reached[j])
		}
	})
	k.storeLane("reached", reached)
	endLine()
}

func backwardLine() {
	k := beginLine("backwardLine")
	Doc("One line of the backward pass: see lineKernels.backward.")
	got := k.loadLane("got")
	k.eachKept(true, func(l keptEntry) {
		score, drawn, square := newPair(), YMM(), YMM()
		for j, sum := range l.sums {
			s, d, ratio := k.loadLinePaths(l, j), YMM(), YMM()
			VMULPD(sum, s, d)
			VBROADCASTSD(k.of("weight", l.vertex), ratio)
			k.either("drawn", func() {
				x := YMM()
				VMULPD(k.inLineAt("stretch", j), d, d)
				VMULPD(k.inLineAt("share", j), ratio, ratio)
				VMULPD(k.inLineAt("draws", j), d, x)
				if j == 0 {
					VMOVAPD(x, drawn)
					VMULPD(x, d, square)
				} else {
					VADDPD(x, drawn, drawn)
					VMULPD(x, d, x)
					VADDPD(x, square, square)
				}
			}, nil)
			VADDPD(d, got[j], got[j])
			VMULPD(k.inLineAt("source", j), d, score[j])
			VDIVPD(s, ratio, ratio)
			VADDPD(ratio, sum, sum)
		}
		k.multiply(l.entry, YMM, l.sums[:]...)
		k.settleLine(l, false, l.sums)
		k.addScore(l, score)
		k.either("drawn", func() {
			k.addSum(l.entry, sum8{field: "drawn", divided: 1}, addFour(drawn))
			k.addSum(l.entry, sum8{field: "squares", divided: 2}, addFour(square))
		}, nil)
	})
	k.storeLane("got", got)
	endLine()
}

// settleLine stores the numbers of an entry in the frame's line, with 0 in lanes outside its mask, for the entries of
// the next level. With always, or if they stay, it also stores them by vertex.
func (k *kernel) settleLine(l keptEntry, always bool, numbers pair) {
	byVertex := func() { avx2{}.store(k, signed{place: place{row: l.row}, signs: l.signs}, numbers) }
	if always {
		byVertex()
	} else {
		stays, gone := k.lineField("stays"), k.label("gone")
		TESTQ(stays, stays)
		JZ(LabelRef(gone))
		byVertex()
		Label(gone)
	}
	to := l.row
	to.Base = k.lineField("to")
	for j, number := range numbers {
		some := YMM()
		VXORPD(some, some, some)
		VBLENDVPD(l.signs[j], number, some, some)
		to.Disp = 32 * j
		VMOVUPD(some, to)
	}
}

// addScore adds to the vertex's score, or to the entry's sums if the frame keeps them.
func (k *kernel) addScore(l keptEntry, score pair) {
	k.either("sums", func() {
		l.number.Base = k.lineField("entryNumber")
		at := Mem{Base: k.field("sums"), Index: GP64(), Scale: 1}
		MOVL(l.number, at.Index.(reg.GPVirtual).As32())
		SHLQ(Imm(6), at.Index)
		for j, part := range score {
			at.Disp = 32 * j
			VADDPD(at, part, part)
			VMOVUPD(part, at)
		}
	}, func() {
		VADDPD(score[1], score[0], score[0])
		k.addSum(l.entry, sum8{field: "scores", divided: 1}, addFour(score[0]))
	})
}

func lastLine() {
	k := beginLine("lastLine")
	Doc("One line of entries without successors: see lineKernels.last.")
	got, zero := k.loadLane("got"), YMM()
	VXORPD(zero, zero, zero)
	k.eachEntry(true, nil, func(l keptEntry) {
		var ratios pair
		for j := range ratios {
			ratios[j] = k.broadcast(k.of("weight", l.vertex), YMM())
			k.either("drawn", func() { VMULPD(k.inLineAt("share", j), ratios[j], ratios[j]) }, nil)
			s := k.loadLinePaths(l, j)
			VDIVPD(s, ratios[j], ratios[j])
			VMULPD(zero, s, s) // 0, or NaN if a path count is not a number
			VADDPD(s, got[j], got[j])
		}
		k.multiply(l.entry, YMM, ratios[:]...)
		k.settleLine(l, false, ratios)
	})
	k.storeLane("got", got)
	endLine()
}

// addLine adds up rows of all entries, one row after the other. It has no branch on the first row of an entry,
// which would be mispredicted for every entry.
func addLine() {
	TEXT("addLineAVX2", NOSPLIT, "func(f *frame, rows int)")
	Doc("The sums of rows: see lineKernels.addLine.")
	Pragma("noescape")
	k := &kernel{frame: Dereference(Param("f"))}
	from, at, sum, kept := k.lineField("from"), k.lineField("rowAt"), k.lineField("rowSums"), GP64()
	rows, sums := Load(Param("rows"), GP64()), newPair()
	LEAQ(table("goesOn"), kept)
	SUBQ(Imm(64), sum)
	zero2(sums[:])
	one := func(i int) {
		u, first := GP64(), GP64()
		MOVL(Mem{Base: at, Disp: 4 * (i + listedAhead)}, u.As32())
		PREFETCHT0(Mem{Base: from, Index: u, Scale: 1})
		MOVL(Mem{Base: at, Disp: 4 * i}, u.As32())
		MOVL(u.As32(), first.As32())
		ANDL(Imm(32), first.As32())
		XORL(first.As32(), u.As32())
		LEAQ(Mem{Base: sum, Index: first, Scale: 2}, sum)
		for j, x := range sums {
			VANDPD(Mem{Base: kept, Index: first, Scale: 1}, x, x)
			VADDPD(Mem{Base: from, Index: u, Scale: 1, Disp: 32 * j}, x, x)
			VMOVUPD(x, Mem{Base: sum, Disp: 32 * j})
		}
	}
	SUBQ(Imm(4), rows)
	JL(LabelRef("few"))
	Label("four")
	for i := range 4 {
		one(i)
	}
	ADDQ(Imm(16), at)
	SUBQ(Imm(4), rows)
	JGE(LabelRef("four"))
	Label("few")
	ADDQ(Imm(4), rows)
	JZ(LabelRef("end"))
	Label("row")
	one(0)
	ADDQ(Imm(4), at)
	DECQ(rows)
	JNZ(LabelRef("row"))
	Label("end")
	endLine()
}
