package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// line is a cache line of the rows that a running kernel has chosen.
type line struct {
	byte reg.GPVirtual // byte of a mask that has its first lane
	rows reg.GPVirtual // address of the line in the row of vertex 0
}

// lineLanes returns the lanes of a line.
func (k *kernel) lineLanes() int { return 64 / k.size }

// lines returns a bit for every line in which the entry's mask has lanes. The bit's number is
// that of the line's first byte in the mask.
func (k *kernel) lines(e entry) reg.GPVirtual { return k.linesOf(k.mask(e)) }

// linesOf is lines for any mask.
func (k *kernel) linesOf(mask Op) reg.GPVirtual {
	lines, bytes, zero := GP64(), XMM(), XMM()
	VMOVQ(mask, bytes)
	VPXOR(zero, zero, zero)
	first := uint64(0xff)
	if k.size == 8 {
		VPCMPEQB(zero, bytes, bytes)
	} else {
		VPCMPEQW(zero, bytes, bytes)
		first = 0x55
	}
	VPMOVMSKB(bytes, lines.As32())
	NOTQ(lines)
	ANDQ(U32(first), lines)
	return lines
}

// eachLine runs body for each of the lines, and clears them.
func (k *kernel) eachLine(lines reg.GPVirtual, body func(l line)) {
	begin, end := k.label("line"), k.label("linesEnd")
	TESTQ(lines, lines)
	JZ(LabelRef(end))
	Label(begin)
	l := line{byte: GP64(), rows: GP64()}
	TZCNTQ(lines, l.byte)
	BLSRQ(lines, lines)
	MOVQ(l.byte, l.rows)
	SHLQ(Imm(4+uint64(k.size)/4), l.rows) // eight lanes to a byte of the mask
	ADDQ(Load(Param("rows").Base(), GP64()), l.rows)
	body(l)
	TESTQ(lines, lines)
	JNZ(LabelRef(begin))
	Label(end)
}

// place is a line of the entry's row.
type place struct {
	row, mask Mem           // its address, and its part of the entry's mask
	lane      int           // its first lane, unless the running kernel chooses it
	offset    reg.GPVirtual // then: the bytes before its first lane in an array of float64
}

// placeOf finds the line in the entry's row.
func (k *kernel) placeOf(e entry, l line) place {
	p := place{row: k.row(l.rows, e.vertex), mask: Mem{Base: GP64(), Index: l.byte, Scale: 1}, offset: GP64()}
	LEAQ(k.mask(e), p.mask.Base)
	MOVQ(l.byte, p.offset)
	SHLQ(Imm(6), p.offset)
	return p
}

// wholeRow returns all lines of the entry's row.
func (k *kernel) wholeRow(e entry) (lines []place) {
	row, mask := k.row(k.rows, e.vertex), k.mask(e)
	for lane := 0; lane < k.lanes; lane += k.lineLanes() {
		row.Disp, mask.Disp = lane*k.size, lane/8
		lines = append(lines, place{row: row, mask: mask, lane: lane})
	}
	return lines
}

// inArray returns the address of an array of the frame, by lane, from a lane of the
// line on.
func (p place) inArray(k *kernel, name string, lane int) Mem {
	at := k.lane(name, p.lane+lane)
	if p.offset != nil {
		at.Index, at.Scale = p.offset, 1
	}
	return at
}

// sumOf adds the line of the listed rows, each in the lanes of its mask.
func (k *kernel) sumOf(l line, to adder) {
	masks := k.listed("listMask", 8)
	ADDQ(l.byte, masks)
	k.sum(l.rows, masks, to)
}
