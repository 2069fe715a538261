package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pieceRows is PieceRows of package lanes.
const pieceRows = 64

// adder adds rows up, in registers.
type adder interface {
	// add adds a row to the sums.
	add(row, mask Mem)
	// clearTotals sets the totals to zero.
	clearTotals()
	// carry adds the sums to the totals and sets the sums to zero.
	carry()
	// round sets the sums to the totals.
	round()
}

// sum adds the listed rows: rows of float64 one after the other, rows of float32
// in pieces. If one piece holds all rows, its sums are the totals.
func (k *kernel) sum(rows, masks reg.GPVirtual, to adder) {
	i := k.firstRow()
	if k.size == 8 {
		k.eachRow(i, k.count, rows, masks, to.add)
		return
	}
	piece, rounded, done := k.label("piece"), k.label("rounded"), k.label("done")
	k.onePiece(i, rows, masks, to)
	CMPQ(i, k.count)
	JGE(LabelRef(done))
	to.clearTotals()
	Label(piece)
	to.carry()
	CMPQ(i, k.count)
	JGE(LabelRef(rounded))
	k.onePiece(i, rows, masks, to)
	JMP(LabelRef(piece))
	Label(rounded)
	to.round()
	Label(done)
}

// firstRow loads the number of the entry's first listed row.
func (k *kernel) firstRow() reg.GPVirtual {
	i := GP64()
	if k.pieces {
		MOVQ(k.first, i)
	} else {
		XORQ(i, i)
	}
	return i
}

// onePiece adds the rows of the piece that begins at row i.
func (k *kernel) onePiece(i, rows, masks reg.GPVirtual, to adder) {
	end := GP64()
	LEAQ(Mem{Base: i, Disp: pieceRows}, end)
	CMPQ(end, k.count)
	CMOVQGT(k.count, end)
	k.eachRow(i, end, rows, masks, to.add)
}
