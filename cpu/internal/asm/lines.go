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
	k.nextLine(lines, l)
	body(l)
	TESTQ(lines, lines)
	JNZ(LabelRef(begin))
	Label(end)
}

// nextLine finds the first of the lines, and clears it.
func (k *kernel) nextLine(lines reg.GPVirtual, l line) {
	TZCNTQ(lines, l.byte)
	BLSRQ(lines, lines)
	k.rowsOf(l)
}

// rowsOf finds the line in the row of vertex 0.
func (k *kernel) rowsOf(l line) {
	MOVQ(l.byte, l.rows)
	SHLQ(Imm(4+uint64(k.size)/4), l.rows) // eight lanes to a byte of the mask
	ADDQ(address(Param("rows").Base()), l.rows)
}

// place is a line of the entry's row.
type place struct {
	row, mask Mem           // its address, and its part of the entry's mask
	lane      int           // its first lane, if offset is nil
	counts    Mem           // of S in its lanes, by entry: see findCounts
	offset    reg.GPVirtual // a quarter of the bytes before its first lane in an array of float64
}

// newPlace makes the registers of a place in a line.
func (k *kernel) newPlace(l line) place {
	offset := GP64()
	return place{
		row:    Mem{Base: GP64(), Index: offset, Scale: uint8(k.size / 2)},
		mask:   Mem{Base: GP64(), Index: l.byte, Scale: 1},
		counts: Mem{Base: GP64(), Index: offset, Scale: 1},
		offset: offset,
	}
}

// placeOf finds the line in the entry's row.
func (k *kernel) placeOf(e entry, l line) place {
	p := k.newPlace(l)
	k.find(e, l, p)
	return p
}

// find finds the line in the entry's row.
func (k *kernel) find(e entry, l line, p place) {
	k.findRow(e, p)
	MOVQ(l.byte, p.offset)
	SHLQ(Imm(4), p.offset)
}

// findRow finds the entry's row and mask.
func (k *kernel) findRow(e entry, p place) {
	row := p.row.Base.(reg.GPVirtual)
	MOVQ(e.vertex, row)
	k.bytesOfRows(row)
	ADDQ(address(Param("rows").Base()), row)
	LEAQ(k.mask(e), p.mask.Base)
}

// findCounts finds S in the lanes of a line, by entry.
func (k *kernel) findCounts(p place) {
	counts := p.counts.Base
	MOVQ(k.at, counts)
	SHLQ(Imm(7), counts)
	ADDQ(address(k.frame.Field("counts").Base()), counts)
}

// wholeRow returns all lines of the entry's row.
func (k *kernel) wholeRow(e entry) (lines []place) {
	row, mask := Mem{Base: GP64()}, k.mask(e)
	MOVQ(e.vertex, row.Base)
	k.bytesOfRows(row.Base.(reg.GPVirtual))
	ADDQ(k.rows, row.Base)
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
		at.Index, at.Scale = p.offset, 4
	}
	return at
}

// sumOf adds the line of the listed rows, each in the lanes of its mask.
func (k *kernel) sumOf(l line, to adder) {
	masks := k.field("listMask")
	ADDQ(l.byte, masks)
	k.sum(l.rows, masks, to)
}
