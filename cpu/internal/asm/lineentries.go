package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Parts shared by kernels of one line: arrays of the frame in a line, and the loop over its entries.

// loadLinePaths loads S of half of the lanes, and 0 in lanes that the entry does not have.
func (k *kernel) loadLinePaths(l keptEntry, half int) reg.VecVirtual {
	s, row := YMM(), l.row
	k.ifCounts(l.counts, func() {
		number := k.countsOffset(l.number)
		VPMOVZXWD(Mem{Base: l.counts, Index: number, Scale: 1, Disp: 8 * half}, s.AsX())
		VCVTDQ2PD(s.AsX(), s)
	}, func() {
		row.Disp = 32 * half
		VMASKMOVPD(row, l.signs[half], s)
	})
	return s
}

// lineCounts loads the address of the first entry's path counts in the line, or 0 if they are not kept by entry.
func (k *kernel) lineCounts() reg.GPVirtual {
	counts, none, line := k.field("counts"), k.label("none"), Load(Param("line"), GP64()).(reg.GPVirtual)
	TESTQ(counts, counts)
	JZ(LabelRef(none))
	SHLQ(Imm(4), line)
	ADDQ(line, counts)
	Label(none)
	return counts
}

// countsOffset loads the offset of an entry's path counts from lineCounts.
func (k *kernel) countsOffset(number Mem) reg.GPVirtual {
	offset := GP64()
	number.Base = k.lineField("entryNumber")
	MOVL(number, offset.As32())
	SHLQ(Imm(7), offset)
	return offset
}

// ifCounts emits two bodies, of which one runs: byEntry if there are counts.
func (k *kernel) ifCounts(counts reg.GPVirtual, byEntry, byVertex func()) {
	otherwise, end := k.label("byVertex"), k.label("end")
	TESTQ(counts, counts)
	JZ(LabelRef(otherwise))
	byEntry()
	JMP(LabelRef(end))
	Label(otherwise)
	byVertex()
	Label(end)
}

// inLineAt returns the address of half of the line in an array by lane.
func (k *kernel) inLineAt(name string, half int) Mem {
	at := k.inLine(name)
	at.Disp += 32 * half
	return at
}

func beginLine(name string) *kernel {
	k := &kernel{vectors: avx2{}, number: number{"float64", 8}, lanes: 8}
	TEXT(name+k.vectors.name(), NOSPLIT, "func(f *frame, rows []float64, line, entries int)")
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.rows = Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	return k
}

// lineField loads where a slice of the frame's line begins.
func (k *kernel) lineField(name string) reg.GPVirtual {
	return Load(k.frame.Field("line").Field(name).Base(), GP64()).(reg.GPVirtual)
}

// inLine returns the address of the line in an array of the frame, by lane.
func (k *kernel) inLine(name string) Mem {
	at, offset := k.lane(name, 0), Load(Param("line"), GP64()).(reg.GPVirtual)
	SHLQ(Imm(6), offset)
	at.Index, at.Scale = offset, 1
	return at
}

func (k *kernel) loadLane(name string) pair {
	at, line := k.inLine(name), newPair()
	for _, v := range line {
		VMOVUPD(at, v)
		at.Disp += 32
	}
	return line
}

func (k *kernel) storeLane(name string, line pair) {
	at := k.inLine(name)
	for _, v := range line {
		VMOVUPD(v, at)
		at.Disp += 32
	}
}

// keptEntry is an entry of the frame's line, with its mask bits in the signs of lanes, and the sums
// of its rows.
type keptEntry struct {
	entry
	row, mask   Mem
	number      Mem
	counts      reg.GPVirtual // see lineCounts
	signs, sums pair
}

const (
	// entriesAhead is how many entries ahead kernels prefetch the row of an entry.
	entriesAhead = 16
	// listedAhead is how far ahead in the list kernels prefetch rows; package lanes makes room.
	listedAhead = 24
)

// eachKept runs body for the entries of the frame's line, with the sums of their rows.
func (k *kernel) eachKept(back bool, body func(l keptEntry)) {
	row, sum := GP64(), k.lineField("rowSums")
	k.rowsBefore(row)
	k.eachEntry(back, func(i reg.GPVirtual, l *keptEntry) {
		l.sums = newPair()
		end, has, some := GP64(), GP64(), YMM()
		MOVL(Mem{Base: k.lineField("entryEnd"), Index: i, Scale: 4}, end.As32())
		CMPQ(row, end)
		SBBQ(has, has) // -1 if there are rows
		VMOVQ(has, some.AsX())
		VPBROADCASTQ(some.AsX(), some)
		for j, x := range l.sums {
			VANDPD(Mem{Base: sum, Disp: 32 * j}, some, x)
		}
		ANDQ(Imm(64), has)
		ADDQ(has, sum)
		MOVQ(end, row)
	}, body)
}

// rowsBefore loads the number of rows before the first entry's.
func (k *kernel) rowsBefore(row reg.GPVirtual) {
	MOVL(address(k.frame.Field("line").Field("begun")), row.As32())
}

// eachEntry runs add and then body for the entries of the frame's line. On the backward pass path counts may be kept by
// entry.
func (k *kernel) eachEntry(back bool, add func(i reg.GPVirtual, l *keptEntry), body func(l keptEntry)) {
	shifts := avx2{}.shifts(k)
	i := GP64()
	XORQ(i, i)
	var counts reg.GPVirtual
	if back {
		counts = k.lineCounts()
	}
	Label("entry")
	CMPQ(i, address(Param("entries")))
	JGE(LabelRef("end"))
	soon := GP64()
	MOVL(Mem{Base: k.lineField("entryAt"), Index: i, Scale: 4, Disp: 4 * entriesAhead}, soon.As32())
	byVertex := func() { PREFETCHT0(Mem{Base: k.rows, Index: soon, Scale: 1}) }
	if back {
		k.ifCounts(counts, func() {
			number := k.countsOffset(Mem{Index: i, Scale: 4, Disp: 4 * entriesAhead})
			PREFETCHT0(Mem{Base: counts, Index: number, Scale: 1})
		}, byVertex)
	} else {
		byVertex()
	}
	PREFETCHT0(Mem{Base: k.lineField("to"), Index: soon, Scale: 1})
	var l keptEntry
	if add != nil {
		add(i, &l)
	}
	v, offset := GP64(), GP64()
	MOVL(Mem{Base: k.lineField("entryAt"), Index: i, Scale: 4}, v.As32())
	MOVQ(v, offset)
	SHRQ(Imm(6), v)
	l.vertex, l.row = v, Mem{Base: k.rows, Index: offset, Scale: 1}
	l.mask, l.number = Mem{Base: k.lineField("entryMask"), Index: i, Scale: 4}, Mem{Index: i, Scale: 4}
	l.signs = avx2{}.signs(k, shifts, l.mask)
	l.counts = counts
	body(l)
	INCQ(i)
	JMP(LabelRef("entry"))
	Label("end")
}

func endLine() {
	VZEROUPPER()
	RET()
}
