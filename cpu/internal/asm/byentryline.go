package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of one line with path counts by entry, for the most frequent blocks: see
// lineKernels.backwardByEntry in package lanes. A count is above 0 exactly in the lanes that the entry has, so
// the kernels do not read its mask.

func backwardLineByEntry() {
	k := beginLine("backwardLineByEntry")
	Doc("One line of the backward pass: see lineKernels.backwardByEntry.")
	got, source, row, sum := k.loadLane("got"), k.loadLane("source"), GP64(), k.lineField("rowSums")
	k.rowsBefore(row)
	k.eachByEntry(func(l entryOfLine) {
		end, has, some := GP64(), GP64(), YMM()
		MOVL(Mem{Base: k.lineField("entryEnd"), Index: l.i, Scale: 4}, end.As32())
		CMPQ(row, end)
		SBBQ(has, has) // -1 if there are rows
		VMOVQ(has, some.AsX())
		VPBROADCASTQ(some.AsX(), some)
		score, at := newPair(), sum
		ratios := l.ratios(k, func(j int, paths, ratio reg.VecVirtual) {
			c := YMM()
			VANDPD(Mem{Base: at, Disp: 32 * j}, some, c)
			VMULPD(c, paths, score[j])
			VADDPD(score[j], got[j], got[j])
			VMULPD(source[j], score[j], score[j])
			VADDPD(ratio, c, ratio)
		})
		ANDQ(Imm(64), has)
		ADDQ(has, sum)
		MOVQ(end, row)
		e := entry{vertex: l.vertex()}
		k.multiply(e, YMM, ratios[:]...)
		l.store(ratios)
		k.addScore(keptEntry{entry: e, number: Mem{Index: l.i, Scale: 4}}, score)
	})
	k.storeLane("got", got)
	endLine()
}

func lastLineByEntry() {
	k := beginLine("lastLineByEntry")
	Doc("One line of entries without successors: see lineKernels.lastByEntry.")
	k.eachByEntry(func(l entryOfLine) {
		ratios := l.ratios(k, func(int, reg.VecVirtual, reg.VecVirtual) {})
		k.multiply(entry{vertex: l.vertex()}, YMM, ratios[:]...)
		l.store(ratios)
	})
	endLine()
}

// entryOfLine is an entry of the line: its index i, its vertex's offset, and number, the offset of its counts.
type entryOfLine struct {
	i, offset, number, to, counts reg.GPVirtual
	zero                          reg.VecVirtual
}

// eachByEntry runs body for the entries of the frame's line.
func (k *kernel) eachByEntry(body func(l entryOfLine)) {
	l := entryOfLine{GP64(), GP64(), GP64(), k.lineField("to"), k.lineCounts(), YMM()}
	at, number := k.lineField("entryAt"), k.lineField("entryNumber")
	VXORPD(l.zero, l.zero, l.zero)
	XORQ(l.i, l.i)
	Label("entry")
	CMPQ(l.i, address(Param("entries")))
	JGE(LabelRef("end"))
	load := func(ahead int) {
		MOVL(Mem{Base: at, Index: l.i, Scale: 4, Disp: 4 * ahead}, l.offset.As32())
		MOVL(Mem{Base: number, Index: l.i, Scale: 4, Disp: 4 * ahead}, l.number.As32())
		SHLQ(Imm(7), l.number)
	}
	load(entriesAhead)
	PREFETCHT0(Mem{Base: l.to, Index: l.offset, Scale: 1})
	PREFETCHT0(Mem{Base: l.counts, Index: l.number, Scale: 1})
	load(0)
	body(l)
	INCQ(l.i)
	JMP(LabelRef("entry"))
	Label("end")
}

func (l entryOfLine) vertex() reg.GPVirtual {
	v := GP64()
	MOVQ(l.offset, v)
	SHRQ(Imm(6), v)
	return v
}

// ratios computes target mass over S in the lanes that the entry has, and 0 in the others. add may add to it.
func (l entryOfLine) ratios(k *kernel, add func(j int, paths, ratio reg.VecVirtual)) pair {
	weight, ratios := k.broadcast(k.of("weight", l.vertex()), YMM()), newPair()
	for j, ratio := range ratios {
		paths, some := YMM(), YMM()
		VPMOVZXWD(Mem{Base: l.counts, Index: l.number, Scale: 1, Disp: 8 * j}, paths.AsX())
		VCVTDQ2PD(paths.AsX(), paths)
		VDIVPD(paths, weight, ratio)
		add(j, paths, ratio)
		VCMPPD(Imm(4), l.zero, paths, some) // lanes with S not 0
		VANDPD(some, ratio, ratio)
	}
	return ratios
}

func (l entryOfLine) store(numbers pair) {
	for j, number := range numbers {
		VMOVUPD(number, Mem{Base: l.to, Index: l.offset, Scale: 1, Disp: 32 * j})
	}
}
